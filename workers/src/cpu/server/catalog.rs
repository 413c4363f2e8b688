//! The node classes this worker serves, and what validation and execution need to know of each.

use indexmap::IndexMap;
use serde_json::{Map, Value as Json, json};

use crate::cpu::node::{Folders, Node};

/// One node class.
pub(super) struct Class {
    pub node: Box<dyn Node>,
    /// Required inputs first, then optional ones, as declared.
    pub inputs: Vec<Input>,
    /// The type of each output slot.
    pub outputs: Vec<Json>,
    /// Whether nodes of this class are ends of a graph (`OUTPUT_NODE`).
    pub is_output: bool,
}

/// One declared input of a class.
pub(super) struct Input {
    pub name: String,
    /// A type name, or the list of choices (the old spelling of a combo).
    pub kind: Json,
    /// The options beside the type: `min`, `max`, `options`, …
    pub options: Map<String, Json>,
    pub required: bool,
}

impl Class {
    fn new(node: Box<dyn Node>, folders: &Folders) -> Self {
        let definition = node.definition(folders);
        let mut inputs = Vec::new();
        for (section, required) in [("required", true), ("optional", false)] {
            let Some(declared) = definition
                .pointer(&format!("/input/{section}"))
                .and_then(Json::as_object)
            else {
                continue;
            };
            inputs.extend(
                declared
                    .iter()
                    .filter_map(|(name, entry)| Input::new(name, entry, required)),
            );
        }
        Self {
            inputs,
            outputs: definition
                .get("output")
                .and_then(Json::as_array)
                .cloned()
                .unwrap_or_default(),
            is_output: definition
                .get("output_node")
                .and_then(Json::as_bool)
                .unwrap_or(false),
            node,
        }
    }

    /// The declared input of a name.
    pub fn input(&self, name: &str) -> Option<&Input> {
        self.inputs.iter().find(|input| input.name == name)
    }

    /// The type behind a slot. Negative slots count from the end, as Python's do.
    pub fn output(&self, slot: i64) -> Option<&Json> {
        self.outputs.get(slot_index(slot, self.outputs.len())?)
    }
}

impl Input {
    fn new(name: &str, entry: &Json, required: bool) -> Option<Self> {
        let kind = entry.get(0)?.clone();
        let options = entry
            .get(1)
            .and_then(Json::as_object)
            .cloned()
            .unwrap_or_default();
        Some(Self {
            name: name.to_owned(),
            kind,
            options,
            required,
        })
    }

    /// `[type, options]`, as validation messages show it.
    pub fn config(&self) -> Json {
        json!([self.kind, self.options])
    }

    /// The name of the type; choices in the old spelling have none.
    pub fn type_name(&self) -> Option<&str> {
        self.kind.as_str()
    }

    /// The choices of a combo, in either spelling.
    pub fn choices(&self) -> Option<&[Json]> {
        match &self.kind {
            Json::Array(choices) => Some(choices),
            Json::String(kind) if kind == "COMBO" => Some(
                self.options
                    .get("options")
                    .and_then(Json::as_array)
                    .map_or(&[], Vec::as_slice),
            ),
            _ => None,
        }
    }

    /// Whether the node checks this input by itself (`VALIDATE_INPUTS`) instead of the list of choices. So it is for
    /// every input that takes an uploaded file: files come and go, and names may carry ` [input]` at their end.
    pub fn is_checked_by_node(&self) -> bool {
        self.options
            .get("image_upload")
            .and_then(Json::as_bool)
            .unwrap_or(false)
    }
}

/// The place of a slot in a list of `len`, counting negative ones from the end.
pub(super) fn slot_index(slot: i64, len: usize) -> Option<usize> {
    let index = if slot < 0 {
        i64::try_from(len).ok()?.checked_add(slot)?
    } else {
        slot
    };
    usize::try_from(index).ok().filter(|index| *index < len)
}

/// Every class, by name, in the order of `/object_info`.
pub(super) struct Catalog {
    classes: IndexMap<&'static str, Class>,
}

impl Catalog {
    pub fn new(nodes: Vec<Box<dyn Node>>, folders: &Folders) -> Self {
        Self {
            classes: nodes
                .into_iter()
                .map(|node| (node.class(), Class::new(node, folders)))
                .collect(),
        }
    }

    pub fn class(&self, name: &str) -> Option<&Class> {
        self.classes.get(name)
    }

    /// How many classes there are.
    pub fn len(&self) -> usize {
        self.classes.len()
    }

    /// The body of `/object_info`; with a class name, of `/object_info/{class}` (empty where there is no such class).
    pub fn object_info(&self, class: Option<&str>, folders: &Folders) -> Json {
        let wanted = |name: &str| class.is_none_or(|class| class == name);
        let entries = self.classes.iter().filter(|(name, _)| wanted(name));
        Json::Object(
            entries
                .map(|(name, class)| ((*name).to_owned(), class.node.definition(folders)))
                .collect(),
        )
    }
}
