//! Which model a file is: by an admin's word, by what its header says, by its name, or by its size.

use std::borrow::Cow;
use std::collections::HashMap;

use super::recipe::{Recipe, bare_name};
use crate::fleet::SIZE_PREFIX;

/// What is known of model files beside their names, by folder and file.
#[derive(Debug, Default, Clone)]
pub struct KnownModels {
    /// An admin's word: the name of a model that the file is like, or `None` for a file that no generator uses.
    pub by_admin: HashMap<(String, String), Option<String>>,
    /// `modelspec.architecture` or `ss_base_model_version` of the header, or [`SIZE_PREFIX`] and the size of the file.
    pub by_header: HashMap<(String, String), String>,
}

/// The beginning of an architecture, the families that it may be, and the name of a model that a file is like whose own
/// name tells nothing.
type Architecture = (&'static str, &'static [&'static str], &'static str);

const ARCHITECTURES: &[Architecture] = &[
    ("stable-diffusion-v1", &["Sd15"], SD15),
    ("sd_v1", &["Sd15"], SD15),
    ("sd_1.5", &["Sd15"], SD15),
    ("stable-diffusion-xl", &["Sdxl", "SdxlTurbo", "SdxlLightning"], SDXL),
    ("sdxl", &["Sdxl", "SdxlTurbo", "SdxlLightning"], SDXL),
    ("stable-diffusion-3", &["Sd3"], "sd3_5_large"),
    ("flux-1", &["Flux1Dev", "Flux1Schnell", "Flux1Kontext", "Flux1Fill"], "flux1_dev"),
    ("flux1", &["Flux1Dev", "Flux1Schnell", "Flux1Kontext", "Flux1Fill"], "flux1_dev"),
    ("flux.2-dev", &["Flux2Dev"], "flux2_dev"),
    ("flux2_klein_4b", &["Flux2Klein"], "flux_2_klein_4b"),
    ("qwen-image", &["QwenImage", "QwenImageEdit"], "qwen_image"),
    ("qwen_image", &["QwenImage", "QwenImageEdit"], "qwen_image"),
    ("z-image", &["ZImage", "ZImageTurbo"], "z_image_turbo"),
    ("zimage", &["ZImage", "ZImageTurbo"], "z_image_turbo"),
    ("hidream_i1", &["HiDream", "HiDreamE1"], "hidream_i1_full"),
    ("hunyuan-video", &["HunyuanVideo", "HunyuanVideo15"], "hunyuan_video_t2v_720p"),
    ("ltx2", &["Ltx2"], "ltx_2_19b_dev"),
];

/// The folder of files that hold a whole model: the diffusion model, its text encoder and its VAE.
const CHECKPOINTS: &str = "checkpoints";
/// The name by which recipes match a checkpoint that no recipe knows. One graph runs all that draw pictures: it takes
/// the text encoder and the VAE from the same file.
const ANY_CHECKPOINT: &str = "any_checkpoint";
/// The same for a checkpoint that needs few steps and hardly any guidance.
const FAST_CHECKPOINT: &str = "any_fast_checkpoint";
const SD15: &str = "v1_5_pruned";
const SD15_INPAINT: &str = "v1_5_inpaint";
const SDXL: &str = "sd_xl";

/// Parts of the names of checkpoints that need few steps.
const FAST: &[&str] = &["turbo", "lightning", "hyper_sd", "hypersd", "lcm", "dmd", "flash", "4step", "8step"];
/// Parts of the names of files that do not draw pictures from words with the graph for any checkpoint: parts of a
/// model, models for other results, and those that need another graph or other nodes.
const NO_DRAWING: &[&str] = &[
    "lora",
    "lycoris",
    "nunchaku",
    "svdq",
    "nf4",
    "bnb",
    "gguf",
    "unet",
    "transformer_only",
    "text_encoder",
    "adapter",
    "motion_module",
    "mm_sd",
    "control",
    "refiner",
    "upscal",
    "esrgan",
    "pix2pix",
    "cosxl_edit",
    "zero123",
    "1step",
    "svd",
    "stable_video",
    "video",
    "ltx",
    "wan2",
    "wan_2",
    "mochi_preview",
    "cosmos_",
    "hunyuan",
    "animatediff",
    "audio",
    "ace_step",
    "acestep",
    "sam2",
    "sam3",
    "mobile_sam",
    "birefnet",
    "sd3",
    "stable_diffusion_3",
    "flux",
    "chroma_",
    "chroma1",
    "qwen",
    "z_image",
    "zimage",
    "hidream",
    "lumina_",
    "lumina2",
    "pixart",
    "cascade",
    "kolors",
    "omnigen",
    "auraflow",
    "aura_flow",
];

/// The name by which recipes match a file of a model folder; `None` where none may use it. The file's own name counts
/// unless an admin or the header says otherwise. A checkpoint with a name that tells nothing is known by its size, or
/// gets the graph for any checkpoint.
pub(super) fn matched_name<'a>(
    recipes: &[Recipe],
    known: &'a KnownModels,
    folder: &str,
    file: &str,
) -> Option<Cow<'a, str>> {
    let key = (folder.to_owned(), file.to_owned());
    if let Some(word) = known.by_admin.get(&key) {
        return word.as_deref().map(Cow::Borrowed);
    }
    let told = known.by_header.get(&key).map(|text| text.to_lowercase()).unwrap_or_default();
    if told.ends_with("/lora") {
        return None;
    }
    let name = bare_name(file);
    if told.is_empty() && folder != CHECKPOINTS {
        return Some(Cow::Owned(name));
    }
    let family = named_family(recipes, folder, &name);
    let is_unnamed_checkpoint = folder == CHECKPOINTS && family.is_none();
    match ARCHITECTURES.iter().find(|(start, _, _)| told.starts_with(start)) {
        Some((_, _, typical)) if is_unnamed_checkpoint && [SD15, SDXL].contains(typical) && is_fast(&name) => {
            Some(Cow::Borrowed(FAST_CHECKPOINT))
        }
        Some((_, families, typical)) if family.is_none_or(|family| !families.contains(&family)) => {
            Some(Cow::Borrowed(*typical))
        }
        None if is_unnamed_checkpoint && draws_words(&told) => {
            Some(unnamed_checkpoint(&name, &told).map_or(Cow::Owned(name), Cow::Borrowed))
        }
        _ => Some(Cow::Owned(name)),
    }
}

fn is_fast(name: &str) -> bool {
    FAST.iter().any(|part| name.contains(part))
}

/// Whether an architecture that no recipe has may be one for the graph for any checkpoint.
fn draws_words(told: &str) -> bool {
    told.is_empty() || told.starts_with(SIZE_PREFIX) || told.starts_with("stable-diffusion-v2")
}

/// What a checkpoint without a known name is like. `None` for one that does not draw pictures from words.
fn unnamed_checkpoint(name: &str, told: &str) -> Option<&'static str> {
    if NO_DRAWING.iter().any(|part| name.contains(part)) {
        return None;
    }
    let by_size = told.strip_prefix(SIZE_PREFIX).and_then(|size| size.parse().ok()).and_then(model_of_size);
    if name.contains("inpaint") {
        // A graph for words draws nothing good with it, and only models of one size have a graph of their own.
        return (by_size == Some(SD15)).then_some(SD15_INPAINT);
    }
    if is_fast(name) {
        return Some(FAST_CHECKPOINT);
    }
    Some(by_size.unwrap_or(ANY_CHECKPOINT))
}

/// The model whose checkpoints have a size, in half or full precision.
fn model_of_size(bytes: u64) -> Option<&'static str> {
    match bytes / 100_000_000 {
        19..24 | 40..43 => Some(SD15),
        64..72 | 128..142 => Some(SDXL),
        _ => None,
    }
}

/// The family of a name in a model folder.
pub(super) fn named_family<'a>(recipes: &'a [Recipe], folder: &str, name: &str) -> Option<&'a str> {
    let slots = recipes.iter().filter_map(|recipe| Some((recipe, recipe.main_slot()?)));
    slots
        .filter(|(_, slot)| slot.folder == folder && slot.rank(name).is_some())
        .find_map(|(recipe, _)| recipe.family.as_deref())
}
