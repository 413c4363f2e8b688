//! Generators that are offered beside another one of their model and task.

use super::*;

/// Files of a server, with their folders.
type ServerFiles = &'static [(&'static str, &'static str)];

const QWEN: ServerFiles = &[
    ("diffusion_models", "qwen_image_fp8_e4m3fn.safetensors"),
    ("text_encoders", "qwen_2.5_vl_7b_fp8_scaled.safetensors"),
    ("vae", "qwen_image_vae.safetensors"),
];
const WAN: ServerFiles = &[
    ("diffusion_models", "wan2.2_i2v_high_noise_14B_fp8_scaled.safetensors"),
    ("diffusion_models", "wan2.2_i2v_low_noise_14B_fp8_scaled.safetensors"),
    ("text_encoders", "umt5_xxl_fp8_e4m3fn_scaled.safetensors"),
    ("vae", "wan_2.1_vae.safetensors"),
];
const LTX: ServerFiles = &[
    ("checkpoints", "ltx-2-19b-distilled.safetensors"),
    ("checkpoints", "ltx-2.3-22b-distilled.safetensors"),
    ("text_encoders", "gemma_3_12B_it_fp8_scaled.safetensors"),
];

/// The ids of the variants among the offers for these files.
fn variants(recorded: &str, models: &[(&str, &str)]) -> Vec<String> {
    let offers =
        offers(recipes().expect("recipes"), &[capabilities(recorded, models)], &family::KnownModels::default());
    let is_beside = |offer: &Offer| {
        let of_model = |other: &Offer| other.model == offer.model && other.recipe.task == offer.recipe.task;
        offers.iter().any(|other| !other.recipe.variant && of_model(other))
    };
    let found: Vec<&Offer> = offers.iter().filter(|offer| offer.recipe.variant).collect();
    assert!(found.iter().all(|offer| is_beside(offer)), "the usual generator is offered too");
    found.into_iter().map(|offer| offer.recipe.id.clone()).collect()
}

#[test]
fn variant_is_offered_beside_the_usual_generator_where_its_own_files_are() {
    let cases: [(ServerFiles, &str, &[&str], &[&str]); 8] = [
        (QWEN, "loras", &[], &[]),
        (
            QWEN,
            "loras",
            &["Qwen-Image-Lightning-8steps-V1.1-bf16.safetensors"],
            &["qwen-image-lightning-8-step-text-to-image"],
        ),
        (
            QWEN,
            "loras",
            &["qwen/Qwen-Image-Lightning-4steps-V2.0.safetensors", "Qwen-Image-Lightning-8steps-V1.0.safetensors"],
            &["qwen-image-lightning-8-step-text-to-image", "qwen-image-lightning-4-step-text-to-image"],
        ),
        (QWEN, "loras", &["Qwen-Image-Edit-2509-Lightning-4steps-V1.0-bf16.safetensors"], &[]),
        (
            WAN,
            "loras",
            &[
                "wan2.2_i2v_lightx2v_4steps_lora_v1_high_noise.safetensors",
                "wan2.2_i2v_lightx2v_4steps_lora_v1_low_noise.safetensors",
            ],
            &["wan22-14b-fast-image-to-video", "wan22-14b-fast-first-last-frame-to-video"],
        ),
        (WAN, "loras", &["wan2.2_i2v_lightx2v_4steps_lora_v1_high_noise.safetensors"], &[]),
        (
            WAN,
            "loras",
            &[
                "wan2.2_t2v_lightx2v_4steps_lora_v1.1_high_noise.safetensors",
                "wan2.2_t2v_lightx2v_4steps_lora_v1.1_low_noise.safetensors",
            ],
            &[],
        ),
        (
            LTX,
            "latent_upscale_models",
            &["ltx-2.3-spatial-upscaler-x2-1.1.safetensors", "ltx-2-temporal-upscaler-x2-1.0.safetensors"],
            &["ltx-2-3-distilled-two-stage-text-to-video", "ltx-2-3-distilled-two-stage-image-to-video"],
        ),
    ];
    for (models, folder, own, expected) in cases {
        let all: Vec<(&str, &str)> = models.iter().copied().chain(own.iter().map(|file| (folder, *file))).collect();
        assert_eq!(variants(NEW, &all), expected, "{own:?}");
    }
}

#[test]
fn each_model_of_a_fast_video_gets_its_own_lora() {
    let loras = [
        ("loras", "wan2.2_i2v_lightx2v_4steps_lora_v1_low_noise.safetensors"),
        ("loras", "wan2.2_i2v_lightx2v_4steps_lora_v1_high_noise.safetensors"),
    ];
    let models: Vec<(&str, &str)> = WAN.iter().copied().chain(loras).collect();
    for recorded in [OLD, NEW] {
        let can = capabilities(recorded, &models);
        let offers = offers(recipes().expect("recipes"), &[can], &family::KnownModels::default());
        let fast: Vec<&Offer> = offers.iter().filter(|offer| offer.recipe.variant).collect();
        assert_eq!(fast.len(), 2);
        for offer in fast {
            let graph = offer.graph();
            for (lora, noise) in [("20", "high_noise"), ("21", "low_noise")] {
                let inputs = &graph[lora]["inputs"];
                let loader = inputs["model"][0].as_str().expect("a link");
                for name in [&inputs["lora_name"], &graph[loader]["inputs"]["unet_name"]] {
                    assert!(name.as_str().is_some_and(|name| name.contains(noise)), "{}: {name}", offer.recipe.id);
                }
            }
        }
    }
}
