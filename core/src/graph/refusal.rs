//! Why a prompt is refused, in the shape in which ComfyUI says it.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

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
        Self { error: Box::new(Trouble::new(kind, message, details, json!({}))), node_errors: IndexMap::new() }
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
