//! Which folder of a worker an input chooses its file from.

/// The folder of a worker that fills this list, where it is a list of model files.
#[must_use]
pub fn model_folder(class: &str, input: &str) -> Option<&'static str> {
    // Names that mean different folders in different classes come first.
    match (class, input) {
        ("CLIPVisionLoader", "clip_name") => return Some("clip_vision"),
        ("DiffusersLoader", "model_path") => return Some("diffusers"),
        ("UpscaleModelLoader", "model_name") => return Some("upscale_models"),
        ("LatentUpscaleModelLoader", "model_name") => return Some("latent_upscale_models"),
        ("FrameInterpolationModelLoader", "model_name") => return Some("frame_interpolation"),
        ("OpticalFlowLoader", "model_name") => return Some("optical_flow"),
        ("ModelPatchLoader", "name") => return Some("model_patches"),
        ("LTXAVTextEncoderLoader", "text_encoder") => return Some("text_encoders"),
        ("CheckpointLoader", "config_name") => return Some("configs"),
        _ => {}
    }
    // Packs number them (`lora_name_2`) or put a word before (`base_ckpt_name`).
    [
        ("ckpt_name", "checkpoints"),
        ("lora_name", "loras"),
        ("vae_name", "vae"),
        ("control_net_name", "controlnet"),
        ("clip_name", "text_encoders"),
        ("unet_name", "diffusion_models"),
        ("style_model_name", "style_models"),
        ("gligen_name", "gligen"),
        ("hypernetwork_name", "hypernetworks"),
        ("photomaker_model_name", "photomaker"),
        ("audio_encoder_name", "audio_encoders"),
        ("bg_removal_name", "background_removal"),
    ]
    .into_iter()
    .find_map(|(word, folder)| input.contains(word).then_some(folder))
}
