//! A prompt with places to be filled in: made once, rendered for every submit.

use indexmap::IndexMap;
use rand::RngExt as _;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Prompt;
use super::files::Change;
use super::text::WrittenPrompt;

/// The largest seed that is drawn: what a browser's numbers hold exactly, 2^53 - 1. Larger ones are taken as far as a
/// node takes them.
pub const MAX_SEED: u64 = (1 << 53) - 1;

/// A place in a prompt: one input of one node.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Slot {
    pub node: String,
    pub input: String,
}

/// A slot that names a node which the prompt does not have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the prompt has no node {node}")]
pub struct SlotGone {
    pub node: String,
}

/// A prompt and the places in it that a submit fills.
#[derive(Debug, Clone, PartialEq)]
pub struct Template {
    written: WrittenPrompt,
    slots: Vec<Slot>,
}

impl Template {
    /// A template; slots keep their order, and are filled by their index.
    ///
    /// # Errors
    /// [`SlotGone`] where a slot's node is not in the prompt.
    pub fn new(written: WrittenPrompt, slots: Vec<Slot>) -> Result<Self, SlotGone> {
        match slots.iter().find(|slot| !written.0.contains_key(&slot.node)) {
            Some(slot) => Err(SlotGone { node: slot.node.clone() }),
            None => Ok(Self { written, slots }),
        }
    }

    /// The prompt as it is where nothing is filled in.
    #[must_use]
    pub fn prompt(&self) -> &Prompt {
        &self.written
    }

    /// The places, in order.
    #[must_use]
    pub fn slots(&self) -> &[Slot] {
        &self.slots
    }

    /// The prompt with these values in these slots. `None` takes the input out; a slot that is not named keeps what the
    /// prompt has there, and a value that is as it was keeps its text.
    #[must_use]
    pub fn render(&self, values: impl IntoIterator<Item = (usize, Option<Value>)>) -> WrittenPrompt {
        let mut prompt = self.written.prompt.clone();
        let mut changes: IndexMap<String, Vec<(String, Change)>> =
            prompt.0.keys().map(|id| (id.clone(), Vec::new())).collect();
        for (index, value) in values {
            let Some(slot) = self.slots.get(index) else { continue };
            let (Some(node), Some(of_node)) = (prompt.0.get_mut(&slot.node), changes.get_mut(&slot.node)) else {
                continue;
            };
            let change = match value {
                Some(value) => {
                    node.inputs.insert(slot.input.clone(), value.clone());
                    Change::Set(value)
                }
                None => {
                    node.inputs.shift_remove(&slot.input);
                    Change::Drop
                }
            };
            of_node.push((slot.input.clone(), change));
        }
        match self.written.text.with(&changes) {
            Some(text) => WrittenPrompt { text, prompt },
            None => prompt.into(),
        }
    }
}

/// A seed that nobody can foresee, from 0 to [`MAX_SEED`].
#[must_use]
pub fn fresh_seed() -> u64 {
    rand::rng().random_range(0..=MAX_SEED)
}
