//! What a prompt needs from a worker: node classes and model files.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::classes::definitions::{NodeDefinition, NodeDefinitions};
use super::classes::input::InputKind;
use super::classes::model_folder::model_folder;
use super::classes::paths::spelling;
use super::files::upstream;
use super::nested::{Folder, Nested, folder_of_place, nested};
use super::prompt::{Prompt, content_hash};

/// A model file that a prompt names.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ModelNeed {
    /// The model folder: `checkpoints`, `loras`, …
    pub folder: &'static str,
    /// The file name in the worker's list.
    pub name: String,
    /// The input that names it. A worker has the file if this input offers it as a choice or, if the input has no list,
    /// if any input of the same folder does.
    pub class: String,
    pub input: String,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Needs {
    pub classes: BTreeSet<String>,
    pub models: BTreeSet<ModelNeed>,
    /// Workers with these shapes refuse the prompt; see [`NodeDefinitions::shape`].
    pub refused_by: BTreeSet<String>,
}

impl Needs {
    /// The needs of a prompt, by these definitions.
    #[must_use]
    pub fn of(prompt: &Prompt, definitions: &NodeDefinitions) -> Self {
        Self { classes: classes(prompt), models: models(prompt, definitions), refused_by: BTreeSet::new() }
    }

    /// The needs for these outputs only. All classes are needed, but no models that only other outputs use.
    #[must_use]
    pub fn for_outputs(prompt: &Prompt, definitions: &NodeDefinitions, outputs: &[String]) -> Self {
        let made = upstream(prompt, outputs.iter());
        let made = made.into_iter().filter_map(|id| Some((id.to_owned(), prompt.0.get(id)?.clone())));
        let made = Prompt(made.collect());
        Self { classes: classes(prompt), ..Self::of(&made, definitions) }
    }

    /// Whether the worker has everything.
    #[must_use]
    pub fn met_by(&self, worker: &NodeDefinitions) -> bool {
        self.classes.iter().all(|class| worker.contains(class)) && self.models.iter().all(|model| model.met_by(worker))
    }

    /// The part of the needs that the worker lacks.
    #[must_use]
    pub fn unmet_by(&self, worker: &NodeDefinitions) -> Self {
        Self {
            classes: self.classes.iter().filter(|class| !worker.contains(class)).cloned().collect(),
            models: self.models.iter().filter(|model| !model.met_by(worker)).cloned().collect(),
            refused_by: BTreeSet::new(),
        }
    }

    /// The classes and files that the worker lacks, for display.
    #[must_use]
    pub fn unmet(&self, worker: &NodeDefinitions) -> Vec<String> {
        self.unmet_by(worker).names()
    }

    /// The classes, and the files as `folder/name`, for display.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        let models = self.models.iter().map(|model| format!("{}/{}", model.folder, model.name));
        self.classes.iter().cloned().chain(models).collect()
    }
}

impl ModelNeed {
    fn met_by(&self, worker: &NodeDefinitions) -> bool {
        let input = worker.get(&self.class).and_then(|node| node.input(&self.input));
        match input.map(|input| &input.kind) {
            Some(InputKind::Combo { options }) => spelling(options, &self.name).is_some(),
            None if worker.contains(&self.class) => Folder::of(worker, self.folder).has(&self.name),
            _ => false,
        }
    }
}

impl NodeDefinitions {
    /// A hash of everything that [`Needs`] are compared with: the classes, and the lists of model files.
    #[must_use]
    pub fn needs_digest(&self) -> String {
        let lists = |node: &NodeDefinition| {
            let inputs = node.inputs.iter().filter(|input| model_folder(&node.class, &input.name).is_some());
            let options = inputs.filter_map(|input| match &input.kind {
                InputKind::Combo { options } => Some((input.name.clone(), Value::from(options.clone()))),
                _ => None,
            });
            options.collect::<Map<_, _>>()
        };
        content_hash(&self.iter().map(|node| (node.class.clone(), lists(node).into())).collect::<Map<_, _>>().into())
    }
}

/// The node classes that a prompt names.
#[must_use]
pub fn classes(prompt: &Prompt) -> BTreeSet<String> {
    prompt.0.values().map(|node| node.class_type.clone()).collect()
}

/// The node classes of an editor graph, including subgraphs, without the editor's own nodes and subgraph instances.
#[must_use]
pub fn drawn_classes(ui: &Value) -> BTreeSet<String> {
    /// Drawn and resolved by the editor only.
    const OF_THE_EDITOR: [&str; 4] = ["Note", "MarkdownNote", "Reroute", "PrimitiveNode"];
    let list = |value: Option<&Value>| value.and_then(Value::as_array).cloned().unwrap_or_default();
    let subgraphs = list(ui.pointer("/definitions/subgraphs"));
    let ids: BTreeSet<&str> = subgraphs.iter().filter_map(|subgraph| subgraph.get("id")?.as_str()).collect();
    let inner = subgraphs.iter().flat_map(|subgraph| list(subgraph.get("nodes")));
    let nodes = list(ui.get("nodes")).into_iter().chain(inner);
    let types = nodes.filter_map(|node| Some(node.get("type")?.as_str()?.to_owned()));
    types
        // Node groups are called `workflow/…`, or `workflow>…` by newer editors.
        .filter(|kind| !ids.contains(kind.as_str()) && !OF_THE_EDITOR.contains(&kind.as_str()))
        .filter(|kind| !kind.starts_with("workflow/") && !kind.starts_with("workflow>"))
        .collect()
}

/// The model files that a prompt names: choices of lists that are filled from model folders.
#[must_use]
pub fn models(prompt: &Prompt, definitions: &NodeDefinitions) -> BTreeSet<ModelNeed> {
    let mut needs = BTreeSet::new();
    for node in prompt.0.values() {
        let Some(definition) = definitions.get(&node.class_type) else { continue };
        for (input, value) in &node.inputs {
            let (Value::String(name), Some(folder)) = (value, model_folder(&node.class_type, input)) else { continue };
            let is_list = matches!(definition.input(input).map(|input| &input.kind), Some(InputKind::Combo { .. }));
            if is_list {
                needs.insert(ModelNeed {
                    folder,
                    name: name.clone(),
                    class: node.class_type.clone(),
                    input: input.clone(),
                });
            }
        }
        for Nested { folder, name, place } in nested(node, definition) {
            let class = node.class_type.clone();
            needs.insert(ModelNeed { folder, name: name.to_owned(), class, input: place });
        }
    }
    needs
}

impl Needs {
    /// The stored format: `{"classes": […], "models": [{"name", "class", "input"}], "refusedBy": […]}`; the last one
    /// only if it is not empty.
    #[must_use]
    pub fn to_value(&self) -> Value {
        let model =
            |need: &ModelNeed| serde_json::json!({ "name": need.name, "class": need.class, "input": need.input });
        let models = self.models.iter().map(model).collect::<Vec<_>>();
        let mut value = serde_json::json!({ "classes": self.classes, "models": models });
        if !self.refused_by.is_empty() {
            value["refusedBy"] = serde_json::json!(self.refused_by);
        }
        value
    }

    /// Parses the format of [`Needs::to_value`].
    #[must_use]
    pub fn from_value(value: &Value) -> Option<Self> {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let classes = value.get("classes")?.as_array()?.iter().map(text).collect::<Option<_>>()?;
        let model = |value: &Value| {
            let (class, input) = (text(value.get("class")?)?, text(value.get("input")?)?);
            let folder = folder_of_place(&class, &input)?;
            Some(ModelNeed { folder, name: text(value.get("name")?)?, class, input })
        };
        let models = value.get("models")?.as_array()?.iter().map(model).collect::<Option<_>>()?;
        let refused_by = match value.get("refusedBy") {
            None => BTreeSet::new(),
            Some(shapes) => shapes.as_array()?.iter().map(text).collect::<Option<_>>()?,
        };
        Some(Self { classes, models, refused_by })
    }
}
