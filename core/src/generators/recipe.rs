//! Recipes: the shipped graphs of `config/generators`, whose README describes the format.

use std::sync::LazyLock;

use rust_embed::RustEmbed;
use serde::Deserialize;

use crate::graph::content_hash;
use crate::mini_apps::{AppForm, Words};
use crate::word_list::word_list;

#[derive(RustEmbed)]
#[folder = "../config/generators"]
struct Files;

word_list! {
    /// What a recipe makes.
    #[derive(Deserialize)]
    pub enum Task for "task" {
        TextToImage,
        ImageToImage,
        Inpaint,
        Upscale,
        TextToVideo,
        ImageToVideo,
        /// A video between a first and a last picture.
        FramesToVideo,
        /// A video drawn again by words.
        VideoToVideo,
        TextToAudio,
        /// A sound made again by words, such as a cover of a song.
        SoundToSound,
        TextTo3D,
        ImageTo3D,
        RemoveBackground,
        SwapFace,
        DescribeImage,
    }
}

/// One shipped graph with its form.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Recipe {
    /// Stable; the file's name without `.json`.
    pub id: String,
    /// The better recipe of a task has a lower number.
    pub order: u32,
    pub task: Task,
    /// The family of models that its main model belongs to; `None` for recipes without a model.
    pub family: Option<String>,
    /// Whether it is offered beside other recipes of the same model and task, such as a faster one.
    #[serde(default)]
    pub variant: bool,
    pub name: Words,
    /// HTML.
    pub description: Words,
    /// English names of tags.
    pub tags: Vec<String>,
    #[serde(flatten)]
    pub form: AppForm,
    #[serde(default)]
    pub models: Vec<ModelSlot>,
    /// Classes that the graph does not use, but that only servers have which know the model.
    #[serde(default)]
    pub requires: Vec<String>,
    pub licence: Option<Licence>,
    /// Memory of the graphics card that the model needs, in GiB.
    pub memory_gib: Option<f64>,
    /// A hash of the file.
    #[serde(skip)]
    pub digest: String,
}

/// An input of the graph that takes a model file.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelSlot {
    pub node: String,
    pub input: String,
    pub folder: String,
    /// Parts of file names, the preferred first; `*` is any name.
    #[serde(default)]
    is: Vec<String>,
    /// Parts that a file name must not have.
    #[serde(default)]
    not: Vec<String>,
    /// Whether the input takes the main model. The first such slot has the patterns that name the family.
    #[serde(default)]
    pub main: bool,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Licence {
    pub name: String,
    pub commercial: CommercialUse,
    pub note: Words,
}

word_list! {
    /// Whether a model's licence allows commercial use.
    #[derive(Deserialize)]
    pub enum CommercialUse for "commercial" {
        Yes,
        No,
        Conditions,
    }
}

impl ModelSlot {
    /// How well a name (see [`bare_name`]) fits: the position of the first part of `is` that it has. `None` where it has
    /// none of them, or one of `not`.
    pub(super) fn rank(&self, name: &str) -> Option<usize> {
        if self.not.iter().any(|part| name.contains(part.as_str())) {
            return None;
        }
        self.is.iter().position(|part| part == "*" || name.contains(part.as_str()))
    }

    /// A name that fits, for files whose own names tell nothing.
    pub(super) fn typical_name(&self) -> Option<&str> {
        self.is.iter().map(String::as_str).find(|part| *part != "*")
    }
}

impl Recipe {
    /// The slot whose patterns name the family.
    pub(super) fn main_slot(&self) -> Option<&ModelSlot> {
        self.models.iter().find(|slot| slot.main)
    }
}

/// Endings of model files. Other dots belong to the name: `sd3.5_medium`.
const ENDINGS: [&str; 6] = [".safetensors", ".ckpt", ".pth", ".pt", ".bin", ".sft"];

/// The name of a model file without folders and ending.
pub(super) fn stem(file: &str) -> &str {
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    let cut = |ending: &&str| {
        let (stem, end) = name.split_at_checked(name.len().checked_sub(ending.len())?)?;
        end.eq_ignore_ascii_case(ending).then_some(stem)
    };
    ENDINGS.iter().find_map(cut).unwrap_or(name)
}

/// A file name as patterns see it: its [`stem`] in lower case, with `_` for `-`, `.` and spaces.
pub(super) fn bare_name(file: &str) -> String {
    stem(file).to_lowercase().replace(['-', '.', ' '], "_")
}

fn read_all() -> Result<Vec<Recipe>, String> {
    let mut recipes = Vec::new();
    for name in Files::iter().filter(|name| name.ends_with(".json")) {
        let Some(file) = Files::get(&name) else { continue };
        let failed = |error: serde_json::Error| format!("config/generators/{name}: {error}");
        let value: serde_json::Value = serde_json::from_slice(&file.data).map_err(failed)?;
        let digest = content_hash(&value);
        recipes.push(Recipe { digest, ..serde_json::from_value(value).map_err(failed)? });
    }
    recipes.sort_by(|a, b| (a.order, &a.id).cmp(&(b.order, &b.id)));
    Ok(recipes)
}

static RECIPES: LazyLock<Result<Vec<Recipe>, String>> = LazyLock::new(read_all);

/// All recipes, in their order.
///
/// # Errors
/// [`crate::Error::Internal`] for a file that is not as the README says.
pub(super) fn recipes() -> crate::Result<&'static [Recipe]> {
    RECIPES.as_deref().map_err(|message| crate::Error::Internal(message.clone()))
}
