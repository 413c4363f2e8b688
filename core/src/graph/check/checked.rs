//! What comes along with a prompt that is checked, and what comes out.

use std::collections::BTreeSet;

use indexmap::IndexMap;
use serde_json::Value;

use crate::graph::prompt::Prompt;
use crate::graph::refusal::{NodeTroubles, Trouble};

/// What comes along with a prompt.
#[derive(Debug, Clone, Default)]
pub struct Given {
    /// Names, as the prompt spells them, of the files that the submit provides.
    pub files: BTreeSet<String>,
}

/// A prompt that can run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Checked {
    /// The output nodes that will be made, in the prompt's order.
    pub outputs: Vec<String>,
    /// Literals that a worker would convert; [`Checked::apply`] puts them in.
    pub normalised: Vec<Normalised>,
    /// What is wrong with outputs that cannot be made beside those that can. ComfyUI leaves them out and runs the
    /// rest; empty for a prompt without fault.
    pub node_errors: IndexMap<String, NodeTroubles>,
    /// Mismatches that only the node itself can judge, so that a worker's answer is the verdict.
    pub doubts: Vec<Trouble>,
}

impl Checked {
    /// Puts the converted literals into the prompt.
    pub fn apply(&self, prompt: &mut Prompt) {
        for Normalised { node, input, value } in &self.normalised {
            if let Some(node) = prompt.0.get_mut(node) {
                node.inputs.insert(input.clone(), value.clone());
            }
        }
    }
}

/// A literal as the node will see it: `"16"` for an INT is 16.
#[derive(Debug, Clone, PartialEq)]
pub struct Normalised {
    pub node: String,
    pub input: String,
    pub value: Value,
}
