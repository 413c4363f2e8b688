//! Which model a file is: by an admin's word, by what its header says, or by its name.

use std::borrow::Cow;
use std::collections::HashMap;

use super::recipe::{Recipe, bare_name};

/// What is known of model files beside their names, by folder and file.
#[derive(Debug, Default, Clone)]
pub struct KnownModels {
    /// An admin's word: the name of a model that the file is like, or `None` for a file that no generator uses.
    pub by_admin: HashMap<(String, String), Option<String>>,
    /// `modelspec.architecture` or `ss_base_model_version` of the header.
    pub by_header: HashMap<(String, String), String>,
}

/// The beginning of an architecture, the families that it may be, and the name of a model that a file is like whose own
/// name tells nothing.
type Architecture = (&'static str, &'static [&'static str], &'static str);

const ARCHITECTURES: &[Architecture] = &[
    ("stable-diffusion-v1", &["Sd15"], "v1_5_pruned"),
    ("sd_v1", &["Sd15"], "v1_5_pruned"),
    ("sd_1.5", &["Sd15"], "v1_5_pruned"),
    ("stable-diffusion-xl", &["Sdxl", "SdxlTurbo", "SdxlLightning"], "sd_xl"),
    ("sdxl", &["Sdxl", "SdxlTurbo", "SdxlLightning"], "sd_xl"),
    ("stable-diffusion-3", &["Sd3"], "sd3_5_large"),
    ("flux-1", &["Flux1Dev", "Flux1Schnell", "Flux1Kontext", "Flux1Fill"], "flux1_dev"),
    ("flux1", &["Flux1Dev", "Flux1Schnell", "Flux1Kontext", "Flux1Fill"], "flux1_dev"),
    ("flux.2-dev", &["Flux2Dev"], "flux2_dev"),
    ("flux2_klein_4b", &["Flux2Klein"], "flux_2_klein_4b"),
    ("qwen-image", &["QwenImage", "QwenImageEdit"], "qwen_image"),
    ("qwen_image", &["QwenImage", "QwenImageEdit"], "qwen_image"),
    ("z-image", &["ZImage", "ZImageTurbo"], "z_image_turbo"),
    ("zimage", &["ZImage", "ZImageTurbo"], "z_image_turbo"),
    ("hidream_i1", &["HiDream"], "hidream_i1_full"),
    ("hunyuan-video", &["HunyuanVideo", "HunyuanVideo15"], "hunyuan_video_t2v_720p"),
    ("ltx2", &["Ltx2"], "ltx_2_19b_dev"),
];

/// The name by which recipes match a file of a model folder; `None` where none may use it. The file's own name counts
/// unless an admin or the header says otherwise.
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
    let name = bare_name(file);
    let Some(architecture) = known.by_header.get(&key).map(|text| text.to_lowercase()) else {
        return Some(Cow::Owned(name));
    };
    if architecture.ends_with("/lora") {
        return None;
    }
    let family = named_family(recipes, folder, &name);
    match ARCHITECTURES.iter().find(|(start, _, _)| architecture.starts_with(start)) {
        Some((_, families, typical)) if family.is_none_or(|family| !families.contains(&family)) => {
            Some(Cow::Borrowed(*typical))
        }
        _ => Some(Cow::Owned(name)),
    }
}

/// The family of a name in a model folder.
pub(super) fn named_family<'a>(recipes: &'a [Recipe], folder: &str, name: &str) -> Option<&'a str> {
    let slots = recipes.iter().filter_map(|recipe| Some((recipe, recipe.main_slot()?)));
    slots
        .filter(|(_, slot)| slot.folder == folder && slot.rank(name).is_some())
        .find_map(|(recipe, _)| recipe.family.as_deref())
}
