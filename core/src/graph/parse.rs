//! Parses prompts from untrusted JSON, with limits on everything.

use indexmap::IndexMap;
use serde_json::{Map, Value, json};

use super::refusal::{NodeErrors, PromptError, Refusal};
use super::version::ComfyVersion;
use super::{Prompt, PromptNode, lenient};

/// Maximum number of nodes of a prompt.
pub const MAX_NODES: usize = 2_000;
/// Maximum size of a prompt as JSON, in bytes.
pub const MAX_PROMPT_BYTES: usize = 4 * 1024 * 1024;
/// Maximum size of a string, in bytes.
pub const MAX_TEXT_BYTES: usize = 256 * 1024;
/// Maximum nesting of values in a node.
pub const MAX_DEPTH: usize = 32;

impl Prompt {
    /// Parses a prompt from JSON. Lone surrogates, which Python writes and accepts, become U+FFFD.
    ///
    /// # Errors
    /// A [`Refusal`] if it is not JSON, too large, or refused by [`Prompt::from_value`].
    pub fn parse(text: &[u8]) -> Result<Self, Refusal> {
        if text.len() > MAX_PROMPT_BYTES {
            return Err(too_large());
        }
        let strict = serde_json::from_slice(text);
        match strict.or_else(|error| serde_json::from_slice(&lenient::repair(text)).map_err(|_| error)) {
            Ok(value) => Self::from_value(value),
            Err(error) => Err(Refusal::whole("invalid_prompt", "The prompt is not valid JSON", error.to_string())),
        }
    }

    /// Reads a prompt from a JSON value. `inputs` is optional, `class_type` is not.
    ///
    /// # Errors
    /// A [`Refusal`] that lists all nodes without a class, or names the first exceeded limit;
    /// [`Refusal::editor_format`] for a graph in the editor's format.
    pub fn from_value(value: Value) -> Result<Self, Refusal> {
        let Value::Object(nodes) = value else {
            return Err(Refusal::whole("invalid_prompt", "The prompt must be an object of nodes by id", kind(&value)));
        };
        if nodes.get("nodes").is_some_and(Value::is_array) {
            return Err(Refusal::editor_format());
        }
        if nodes.len() > MAX_NODES {
            let details = format!("{} nodes, at most {MAX_NODES} are allowed", nodes.len());
            return Err(Refusal::whole("invalid_prompt", "The prompt has too many nodes", details));
        }
        let mut budget = MAX_PROMPT_BYTES;
        let mut prompt = IndexMap::with_capacity(nodes.len());
        let mut without_class = Vec::new();
        for (id, node) in nodes {
            bounded_text(&id, &id, &mut budget)?;
            let Value::Object(node) = node else {
                return Err(in_node(&id, "A node must be an object", kind(&node)));
            };
            match read_node(&id, node, &mut budget)? {
                Some(node) => {
                    prompt.insert(id, node);
                }
                None => without_class.push(id),
            }
        }
        if let Some(first) = without_class.first() {
            return Err(classless(first, &without_class));
        }
        Ok(Self(prompt))
    }
}

/// The node; `None` without a class.
fn read_node(id: &str, mut node: Map<String, Value>, budget: &mut usize) -> Result<Option<PromptNode>, Refusal> {
    for (key, value) in &node {
        bounded_text(id, key, budget)?;
        bounded(id, value, 0, budget)?;
    }
    let class_type = match node.swap_remove("class_type") {
        Some(Value::String(class)) => class,
        None | Some(Value::Null) => return Ok(None),
        Some(other) => return Err(in_node(id, "class_type must be a text", kind(&other))),
    };
    let inputs = match node.swap_remove("inputs") {
        None | Some(Value::Null) => IndexMap::new(),
        Some(Value::Object(inputs)) => inputs.into_iter().collect(),
        Some(other) => return Err(in_node(id, "inputs must be an object", kind(&other))),
    };
    let meta = node.swap_remove("_meta").filter(|meta| !meta.is_null());
    Ok(Some(PromptNode { class_type, inputs, meta }))
}

fn bounded(id: &str, value: &Value, depth: usize, budget: &mut usize) -> Result<(), Refusal> {
    if depth > MAX_DEPTH {
        return Err(in_node(id, "A value is nested too deeply", format!("at most {MAX_DEPTH} levels are allowed")));
    }
    match value {
        Value::String(text) => bounded_text(id, text, budget),
        Value::Array(items) => {
            spend(budget, 2 + items.len())?;
            items.iter().try_for_each(|item| bounded(id, item, depth + 1, budget))
        }
        Value::Object(map) => {
            spend(budget, 2)?;
            map.iter().try_for_each(|(key, value)| {
                bounded_text(id, key, budget)?;
                bounded(id, value, depth + 1, budget)
            })
        }
        _ => spend(budget, 4),
    }
}

fn bounded_text(id: &str, text: &str, budget: &mut usize) -> Result<(), Refusal> {
    if text.len() > MAX_TEXT_BYTES {
        let details = format!("{} bytes, at most {MAX_TEXT_BYTES} are allowed", text.len());
        return Err(in_node(id, "A text is too long", details));
    }
    // PostgreSQL cannot store it, and no node needs it.
    if text.contains('\0') {
        return Err(in_node(id, "A text contains the NUL character", "U+0000 is not allowed"));
    }
    spend(budget, text.len() + 3)
}

fn spend(budget: &mut usize, bytes: usize) -> Result<(), Refusal> {
    *budget = budget.checked_sub(bytes).ok_or_else(too_large)?;
    Ok(())
}

fn too_large() -> Refusal {
    let details = format!("at most {MAX_PROMPT_BYTES} bytes are allowed");
    Refusal::whole("invalid_prompt", "The prompt is too large", details)
}

fn in_node(id: &str, message: &str, details: impl Into<String>) -> Refusal {
    // The id itself may be invalid: shorten and escape it.
    let id: String = id.chars().take(64).flat_map(char::escape_default).collect();
    let details = format!("Node ID '#{id}': {}", details.into());
    let error = PromptError::new("invalid_prompt", message, details, json!({ "node_id": id }));
    Refusal::of(error)
}

fn classless(first: &str, all: &[String]) -> Refusal {
    let trouble = |id: &str| PromptError::missing_node_type(ComfyVersion::default(), id, None, None);
    let nodes = all.iter().map(|id| {
        let errors = vec![trouble(id)];
        (id.clone(), NodeErrors { errors, dependent_outputs: Vec::new(), class_type: String::new() })
    });
    Refusal { error: Box::new(trouble(first)), node_errors: nodes.collect() }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "it is null",
        Value::Bool(_) => "it is a boolean",
        Value::Number(_) => "it is a number",
        Value::String(_) => "it is a text",
        Value::Array(_) => "it is a list",
        Value::Object(_) => "it is an object",
    }
}
