//! Input and result of validation.

use std::collections::BTreeSet;

use indexmap::IndexMap;
use serde_json::Value;

use crate::graph::prompt::Prompt;
use crate::graph::refusal::{NodeErrors, PromptError};

#[derive(Debug, Clone, Default)]
pub struct SubmittedFiles {
    /// Names, as used by the prompt, of the submitted files.
    pub files: BTreeSet<String>,
}

/// A prompt that can run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ValidPrompt {
    /// The outputs that will be executed, in the prompt's order.
    pub outputs: Vec<String>,
    /// Literals that a worker would convert; [`ValidPrompt::apply`] replaces them.
    pub normalised: Vec<NormalizedInput>,
    /// Errors of outputs that cannot be executed while others can. ComfyUI skips them and runs the rest.
    pub node_errors: IndexMap<String, NodeErrors>,
    /// Mismatches that only the node can decide, so the worker has the final say.
    pub doubts: Vec<PromptError>,
}

impl ValidPrompt {
    /// Replaces literals by their converted values.
    pub fn apply(&self, prompt: &mut Prompt) {
        for NormalizedInput { node, input, value } in &self.normalised {
            if let Some(node) = prompt.0.get_mut(node) {
                node.inputs.insert(input.clone(), value.clone());
            }
        }
    }
}

/// A literal as the node receives it: `"16"` for an INT is 16.
#[derive(Debug, Clone, PartialEq)]
pub struct NormalizedInput {
    pub node: String,
    pub input: String,
    pub value: Value,
}
