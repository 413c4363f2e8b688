//! Whether inputs and outputs still fit the current workflow.

use serde::Serialize;
use serde_json::Value;

use super::entries::{InputEntry, Inputs, Outputs};
use crate::graph::{NodeDefinitions, Prompt};

/// The problems of a mini app, if any.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AppHealth {
    pub ok: bool,
    pub problems: Vec<Problem>,
}

/// One input or output that no longer fits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Problem {
    /// `inputs.<node id>.<input>` or `outputs.<node id>`.
    pub place: String,
    pub code: ProblemCode,
    /// For users, in English.
    pub message: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ProblemCode {
    /// The workflow has no node with this id.
    NodeGone,
    /// The node with this id has another class.
    NodeNameChanged,
    /// The class is from another package.
    NodeModuleChanged,
    /// No worker knows the class.
    NodeUnknown,
    /// The class has no such input.
    InputGone,
    /// Another node fills the input.
    InputLinked,
    /// The node has no output.
    NotAnOutput,
}

/// Checks entries against a prompt. While the node classes are unknown, only the prompt itself is checked.
#[must_use]
pub fn health(inputs: &Inputs, outputs: &Outputs, prompt: Option<&Prompt>, definitions: &NodeDefinitions) -> AppHealth {
    let mut problems = Vec::new();
    for (key, entry) in inputs {
        if let Some((code, message)) = input_problem(entry, prompt, definitions) {
            problems.push(Problem { place: format!("inputs.{key}"), code, message });
        }
    }
    for (key, entry) in outputs {
        let Some(node) = prompt.and_then(|prompt| prompt.0.get(&entry.id)) else {
            problems.push(Problem {
                place: format!("outputs.{key}"),
                code: ProblemCode::NodeGone,
                message: gone(&entry.id),
            });
            continue;
        };
        if definitions.get(&node.class_type).is_some_and(|class| !class.output_node) {
            let message = format!("node {} ({}) gives no output", entry.id, node.class_type);
            problems.push(Problem { place: format!("outputs.{key}"), code: ProblemCode::NotAnOutput, message });
        }
    }
    AppHealth { ok: problems.is_empty(), problems }
}

fn input_problem(
    entry: &InputEntry,
    prompt: Option<&Prompt>,
    definitions: &NodeDefinitions,
) -> Option<(ProblemCode, String)> {
    let InputEntry { id, name, node_name, .. } = entry;
    let Some(node) = prompt.and_then(|prompt| prompt.0.get(id)) else {
        return Some((ProblemCode::NodeGone, gone(id)));
    };
    if node.class_type != *node_name {
        let message = format!("node {id} is {} now, it was {node_name}", node.class_type);
        return Some((ProblemCode::NodeNameChanged, message));
    }
    if node.inputs.get(name).is_some_and(Value::is_array) {
        return Some((ProblemCode::InputLinked, format!("{name} of node {id} is linked to another node now")));
    }
    if definitions.is_empty() {
        return None;
    }
    let Some(class) = definitions.get(node_name) else {
        return Some((ProblemCode::NodeUnknown, format!("no worker knows {node_name}")));
    };
    if !entry.python_module_name.is_empty() && class.python_module != entry.python_module_name {
        let message =
            format!("{node_name} comes from {} now, it came from {}", class.python_module, entry.python_module_name);
        return Some((ProblemCode::NodeModuleChanged, message));
    }
    if class.input(name).is_none() {
        return Some((ProblemCode::InputGone, format!("{node_name} has no input {name} any more")));
    }
    None
}

fn gone(id: &str) -> String {
    format!("the workflow has no node {id} any more")
}
