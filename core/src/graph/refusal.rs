//! Validation errors of prompts, in ComfyUI's format.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::version::ComfyVersion;
use super::{convert, python};
use crate::error::Error;

/// An error of a prompt or of one node.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PromptError {
    /// ComfyUI's error type: `required_input_missing`, `value_not_in_list`, …
    #[serde(rename = "type")]
    pub kind: String,
    pub message: String,
    pub details: String,
    pub extra_info: Value,
}

impl PromptError {
    /// `extra_info` locates the error for programs.
    pub fn new(kind: &str, message: impl Into<String>, details: impl Into<String>, extra_info: Value) -> Self {
        Self { kind: kind.to_owned(), message: message.into(), details: details.into(), extra_info }
    }

    /// No output can be executed; `details` repeats the errors of the output nodes.
    pub fn outputs_failed(details: impl Into<String>) -> Self {
        Self::new("prompt_outputs_failed_validation", "Prompt outputs failed validation", details, json!({}))
    }

    /// The node's own validation (`VALIDATE_INPUTS`) refused an input.
    #[must_use]
    pub fn custom_validation_failed(input: &str, text: &str) -> Self {
        let details = format!("{input} - {text}");
        let message = "Custom validation failed for node";
        Self::new("custom_validation_failed", message, details, json!({ "input_name": input }))
    }

    /// The node has no class or an unknown one. `title` is the node's display name, if any.
    #[must_use]
    pub fn missing_node_type(like: ComfyVersion, id: &str, class: Option<&Value>, title: Option<&Value>) -> Self {
        let place = format!("Node ID '#{id}'");
        if like < ComfyVersion::V0_33_0 {
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

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NodeErrors {
    pub errors: Vec<PromptError>,
    /// The outputs that cannot be executed because of this node.
    pub dependent_outputs: Vec<String>,
    pub class_type: String,
}

/// The refusal of a prompt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Refusal {
    /// Boxed, so that results with a refusal stay small.
    pub error: Box<PromptError>,
    /// Errors by node id. Nodes that only depend on an invalid node are not listed.
    pub node_errors: IndexMap<String, NodeErrors>,
}

impl Refusal {
    /// A refusal of the whole prompt.
    pub fn whole(kind: &str, message: impl Into<String>, details: impl Into<String>) -> Self {
        Self::of(PromptError::new(kind, message, details, json!({})))
    }

    /// The editor's format in the place of a prompt. Only the editor can convert it.
    #[must_use]
    pub fn editor_format() -> Self {
        let details = "Open it in the editor and use \"Export (API)\", then send that file as `prompt`";
        Self::whole("workflow_format_ui", "This is a workflow in the editor's format, not a prompt", details)
    }

    /// A refusal for one reason.
    #[must_use]
    pub fn of(error: PromptError) -> Self {
        Self { error: Box::new(error), node_errors: IndexMap::new() }
    }

    /// `{error, node_errors}`, as ComfyUI responds.
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
