//! Node graphs: prompts in API format, what node classes there are, and whether the one fits the other.
//!
//! Not a room: it owns no table and calls nobody. It stands lowest because mini apps, jobs and the CPU worker
//! all read graphs. It knows ComfyUI's *data* (a prompt, an `object_info`), not its messages.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A prompt in API format: node id → node, in the order it was sent.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Prompt(pub IndexMap<String, PromptNode>);

/// One node of a prompt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PromptNode {
    pub class_type: String,
    /// Literal values, or links `[node id, slot]`.
    #[serde(default)]
    pub inputs: IndexMap<String, Value>,
    #[serde(default, rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Value>,
}

/// Every node class that is known somewhere, by name.
#[derive(Debug, Clone, Default)]
pub struct NodeDefinitions(pub IndexMap<String, std::sync::Arc<Value>>);
