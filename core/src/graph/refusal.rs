//! Why a prompt is refused, in the shape in which ComfyUI says it.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::like::Like;
use super::{convert, python};
use crate::error::Error;

/// One thing that is wrong: with the whole prompt, or with one node.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Trouble {
    /// ComfyUI's word for it: `required_input_missing`, `value_not_in_list`, …
    #[serde(rename = "type")]
    pub kind: String,
    pub message: String,
    pub details: String,
    pub extra_info: Value,
}

impl Trouble {
    /// A trouble; `extra_info` holds what a program needs to point at the place.
    pub fn new(kind: &str, message: impl Into<String>, details: impl Into<String>, extra_info: Value) -> Self {
        Self { kind: kind.to_owned(), message: message.into(), details: details.into(), extra_info }
    }

    /// No output can be made; `details` repeats what is wrong with the output nodes themselves.
    pub fn outputs_failed(details: impl Into<String>) -> Self {
        Self::new("prompt_outputs_failed_validation", "Prompt outputs failed validation", details, json!({}))
    }

    /// The own check of a node's class refuses the value of an input (`VALIDATE_INPUTS`).
    #[must_use]
    pub fn custom_validation_failed(input: &str, text: &str) -> Self {
        let details = format!("{input} - {text}");
        let message = "Custom validation failed for node";
        Self::new("custom_validation_failed", message, details, json!({ "input_name": input }))
    }

    /// A node that names no class, or one that is not known. `title` is what people call the node, where they do.
    #[must_use]
    pub fn missing_node_type(like: Like, id: &str, class: Option<&Value>, title: Option<&Value>) -> Self {
        let place = format!("Node ID '#{id}'");
        if like < Like::V0_33_0 {
            let message = match class {
                None => "Cannot execute because a node is missing the class_type property.".to_owned(),
                Some(class) => format!("Cannot execute because node {} does not exist.", python::text(class)),
            };
            return Self::new("invalid_prompt", message, place, json!({}));
        }
        let title = title.or(class);
        let message = match class {
            None => {
                let title = title.filter(|title| convert::boolean(title));
                let name = title.map_or_else(|| format!("ID #{id}"), python::text);
                format!("Node '{name}' has no class_type. The workflow may be corrupted or a custom node is missing.")
            }
            Some(class) => {
                let name = python::text(title.unwrap_or(class));
                format!("Node '{name}' not found. The custom node may not be installed.")
            }
        };
        Self::new(
            "missing_node_type",
            message,
            place,
            json!({ "node_id": id, "class_type": class, "node_title": title }),
        )
    }
}

/// Everything that is wrong with one node.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NodeTroubles {
    pub errors: Vec<Trouble>,
    /// The output nodes that cannot be made because of it.
    pub dependent_outputs: Vec<String>,
    pub class_type: String,
}

/// Why a prompt cannot run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Refusal {
    /// Boxed, so that a result with a refusal in it stays small.
    pub error: Box<Trouble>,
    /// Node id → what is wrong there. Nodes that merely stand behind a bad one are not listed.
    pub node_errors: IndexMap<String, NodeTroubles>,
}

impl Refusal {
    /// A refusal of the whole prompt, with nothing to say about single nodes.
    pub fn whole(kind: &str, message: impl Into<String>, details: impl Into<String>) -> Self {
        Self::of(Trouble::new(kind, message, details, json!({})))
    }

    /// A refusal for this one reason.
    #[must_use]
    pub fn of(error: Trouble) -> Self {
        Self { error: Box::new(error), node_errors: IndexMap::new() }
    }

    /// `{error, node_errors}` as ComfyUI answers it.
    #[must_use]
    pub fn to_value(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        Self::InvalidPrompt { validation: refusal.to_value() }
    }
}
