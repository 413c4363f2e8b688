//! Models named outside of lists, and each worker's spelling of choices.

use serde_json::Value;

use super::check::python;
use super::classes::definitions::{NodeDefinition, NodeDefinitions};
use super::classes::input::InputKind;
use super::classes::model_folder::model_folder;
use super::classes::paths::spelling;
use super::files::is_model;
use super::prompt::PromptNode;
use super::refusal::PromptError;

/// All lists of a worker that are filled from one model folder.
pub(in crate::graph) struct Folder<'a>(Vec<&'a [Value]>);

impl<'a> Folder<'a> {
    pub(in crate::graph) fn of(worker: &'a NodeDefinitions, folder: &str) -> Self {
        let inputs = worker.iter().flat_map(|class| class.inputs.iter().map(move |input| (class, input)));
        let lists = inputs.filter_map(|(class, input)| match &input.kind {
            InputKind::Combo { options } if model_folder(&class.class, &input.name) == Some(folder) => {
                Some(options.as_slice())
            }
            _ => None,
        });
        Self(lists.collect())
    }

    /// The listed path for a name. The name may also be only the end of the path, as nodes with any number of models
    /// read it.
    fn spelling(&self, name: &str) -> Option<&'a str> {
        let end = |path: &str| path.rsplit(['/', '\\']).next().unwrap_or_default().to_owned();
        let mut paths = self.0.iter().flat_map(|options| options.iter().filter_map(Value::as_str));
        let of_end = || paths.find(|path| end(path) == end(name));
        self.0.iter().find_map(|options| spelling(options, name)).or_else(of_end)
    }

    /// A worker without a list of the folder may have any file.
    pub(in crate::graph) fn has(&self, name: &str) -> bool {
        self.0.is_empty() || self.spelling(name).is_some()
    }
}

/// A model file named outside of lists: in an object, or in an undeclared input, as nodes with any number of models do.
pub(in crate::graph) struct Nested<'a> {
    pub folder: &'static str,
    pub name: &'a str,
    /// The input and the keys below it, such as `lora_1.lora`.
    pub place: String,
}

pub(in crate::graph) fn nested<'a>(node: &'a PromptNode, class: &NodeDefinition) -> Vec<Nested<'a>> {
    let mut found = Vec::new();
    for (input, value) in &node.inputs {
        if value.is_object() || value.is_array() || class.input(input).is_none() {
            find_nested(value, input, input.clone(), &mut found);
        }
    }
    found
}

fn find_nested<'a>(value: &'a Value, key: &str, place: String, found: &mut Vec<Nested<'a>>) {
    match value {
        Value::String(name) => {
            if let Some(folder) = folder_of_key(key).filter(|_| is_model(name)) {
                found.push(Nested { folder, name, place });
            }
        }
        // A disabled entry is not loaded.
        Value::Object(fields) if fields.get("on") != Some(&Value::Bool(false)) => {
            for (key, value) in fields {
                find_nested(value, key, format!("{place}.{key}"), found);
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                find_nested(item, key, format!("{place}.{index}"), found);
            }
        }
        _ => {}
    }
}

/// The folder of the models that a key names.
fn folder_of_key(key: &str) -> Option<&'static str> {
    const FOLDERS: [(&str, &str); 12] = [
        ("lora", "loras"),
        ("ckpt", "checkpoints"),
        ("checkpoint", "checkpoints"),
        ("control_net", "controlnet"),
        ("controlnet", "controlnet"),
        ("vae", "vae"),
        ("unet", "diffusion_models"),
        ("diffusion_model", "diffusion_models"),
        ("clip_vision", "clip_vision"),
        ("text_encoder", "text_encoders"),
        ("clip", "text_encoders"),
        ("upscale_model", "upscale_models"),
    ];
    let key = key.to_ascii_lowercase();
    FOLDERS.into_iter().find_map(|(word, folder)| key.contains(word).then_some(folder))
}

/// Models that a node names outside of lists and that the worker does not have. ComfyUI has no check of them, and nodes
/// run without them.
pub(in crate::graph) fn missing_nested(
    node: &PromptNode,
    class: &NodeDefinition,
    worker: &NodeDefinitions,
) -> Vec<PromptError> {
    let missing = nested(node, class).into_iter().filter(|model| !Folder::of(worker, model.folder).has(model.name));
    missing
        .map(|Nested { folder, name, place }| {
            let details = format!("{place}: {} not in the list of {folder}", python::repr(&Value::from(name)));
            let extra = serde_json::json!({ "input_name": place, "input_config": null, "received_value": name });
            PromptError::new("value_not_in_list", "Value not in list", details, extra)
        })
        .collect()
}

/// Choices of a node as this worker spells their paths, where a prompt spells them otherwise.
pub(in crate::graph) fn respelled(
    node: &PromptNode,
    class: &NodeDefinition,
    worker: &NodeDefinitions,
) -> Vec<(String, Value)> {
    let mut changes = Vec::new();
    for (name, value) in &node.inputs {
        let options = match class.input(name).map(|input| &input.kind) {
            Some(InputKind::Combo { options }) => options.as_slice(),
            _ => &[],
        };
        if let Some(text) = value.as_str().filter(|text| text.contains(['/', '\\']))
            && let Some(own) = spelling(options, text).filter(|own| *own != text)
        {
            changes.push((name.clone(), Value::from(own)));
        }
    }
    for Nested { folder, name, place } in nested(node, class) {
        let Some(own) = Folder::of(worker, folder).spelling(name).filter(|own| *own != name) else { continue };
        let Some(input) =
            node.inputs.keys().filter(|input| place.starts_with(input.as_str())).max_by_key(|key| key.len())
        else {
            continue;
        };
        let kept = changes.iter().position(|(changed, _)| changed == input);
        let at = kept.unwrap_or_else(|| {
            changes.push((input.clone(), node.inputs.get(input).cloned().unwrap_or_default()));
            changes.len() - 1
        });
        let below = place.get(input.len()..).unwrap_or_default().replace('.', "/");
        if let Some(value) = changes.get_mut(at).and_then(|(_, value)| value.pointer_mut(&below)) {
            *value = Value::from(own);
        }
    }
    changes
}

/// The folder of models that an input is filled from, also where the input is a place inside an object.
#[must_use]
pub fn folder_of_place(class: &str, place: &str) -> Option<&'static str> {
    model_folder(class, place).or_else(|| {
        let mut keys = place.rsplit('.').filter(|key| key.parse::<usize>().is_err());
        keys.next().and_then(folder_of_key)
    })
}
