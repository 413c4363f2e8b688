//! Prompts and their content hash.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

/// A prompt in API format: node id → node, in the order of the request.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Prompt(pub IndexMap<String, PromptNode>);

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PromptNode {
    pub class_type: String,
    /// Literal values, or links `[node id, slot]`.
    #[serde(default)]
    pub inputs: IndexMap<String, Value>,
    #[serde(default, rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Value>,
}

/// An input of a node that can be filled.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Slot {
    pub node: String,
    pub input: String,
}

impl PromptNode {
    /// The display name: the title in the editor, else the class.
    #[must_use]
    pub fn title(&self) -> &str {
        self.meta
            .as_ref()
            .and_then(|meta| meta.get("title"))
            .and_then(Value::as_str)
            .filter(|title| !title.is_empty())
            .unwrap_or(&self.class_type)
    }
}

impl Prompt {
    /// The JSON that a worker receives.
    #[must_use]
    pub fn to_value(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }

    /// SHA-256 of the canonical prompt, as 64 lowercase hex digits. The order of nodes and keys does not matter, so the
    /// hash survives storage.
    #[must_use]
    pub fn content_hash(&self) -> String {
        content_hash(&self.to_value())
    }
}

/// SHA-256 of canonical JSON (sorted keys, no white space), as 64 lowercase hex digits.
#[must_use]
pub fn content_hash(value: &Value) -> String {
    let mut text = Vec::with_capacity(1024);
    write_canonical(value, &mut text);
    Sha256::digest(&text).iter().fold(String::with_capacity(64), |mut hex, byte| {
        use std::fmt::Write as _;
        // Writing to a String cannot fail.
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

fn write_canonical(value: &Value, out: &mut Vec<u8>) {
    match value {
        Value::Object(map) => {
            let mut entries: Vec<_> = map.iter().collect();
            entries.sort_unstable_by_key(|(key, _)| *key);
            out.push(b'{');
            for (index, (key, value)) in entries.into_iter().enumerate() {
                if index > 0 {
                    out.push(b',');
                }
                write_scalar(&Value::String(key.clone()), out);
                out.push(b':');
                write_canonical(value, out);
            }
            out.push(b'}');
        }
        Value::Array(items) => {
            out.push(b'[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(b',');
                }
                write_canonical(item, out);
            }
            out.push(b']');
        }
        scalar => write_scalar(scalar, out),
    }
}

fn write_scalar(value: &Value, out: &mut Vec<u8>) {
    // A scalar always has a JSON form, and writing to a `Vec` cannot fail.
    let _ = serde_json::to_writer(out, value);
}
