/// The model folder that fills an input's list, if any.
#[must_use]
pub fn model_folder(class: &str, input: &str) -> Option<&'static str> {
    // Names whose folder depends on the class come first.
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
    // Custom node packs number them (`lora_name_2`) or add a prefix (`base_ckpt_name`).
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
