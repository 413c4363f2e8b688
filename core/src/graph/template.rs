//! Prompts with slots: compiled once, rendered for each submit.

use indexmap::IndexMap;
use rand::RngExt as _;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Prompt;
use super::files::InputChange;
use super::text::WrittenPrompt;

/// The largest drawn seed: 2^53 - 1, which JavaScript numbers can hold. Users may enter larger ones.
pub const MAX_SEED: u64 = (1 << 53) - 1;

/// An input of a node that can be filled.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Slot {
    pub node: String,
    pub input: String,
}

/// A slot of a node that the prompt does not have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the prompt has no node {node}")]
pub struct UnknownSlot {
    pub node: String,
}

/// A prompt and its slots.
#[derive(Debug, Clone, PartialEq)]
pub struct Template {
    written: WrittenPrompt,
    slots: Vec<Slot>,
}

impl Template {
    /// Slots keep their order and are filled by index.
    ///
    /// # Errors
    /// [`UnknownSlot`] if a slot's node is missing.
    pub fn new(written: WrittenPrompt, slots: Vec<Slot>) -> Result<Self, UnknownSlot> {
        match slots.iter().find(|slot| !written.0.contains_key(&slot.node)) {
            Some(slot) => Err(UnknownSlot { node: slot.node.clone() }),
            None => Ok(Self { written, slots }),
        }
    }

    /// The prompt with its original values.
    #[must_use]
    pub fn prompt(&self) -> &Prompt {
        &self.written
    }

    #[must_use]
    pub fn slots(&self) -> &[Slot] {
        &self.slots
    }

    /// The prompt with these values in its slots. `None` removes the input; other slots keep the original value, and
    /// unchanged values keep their text.
    #[must_use]
    pub fn render(&self, values: impl IntoIterator<Item = (usize, Option<Value>)>) -> WrittenPrompt {
        let mut prompt = self.written.prompt.clone();
        let mut changes: IndexMap<String, Vec<(String, InputChange)>> =
            prompt.0.keys().map(|id| (id.clone(), Vec::new())).collect();
        for (index, value) in values {
            let Some(slot) = self.slots.get(index) else { continue };
            let (Some(node), Some(of_node)) = (prompt.0.get_mut(&slot.node), changes.get_mut(&slot.node)) else {
                continue;
            };
            let change = match value {
                Some(value) => {
                    node.inputs.insert(slot.input.clone(), value.clone());
                    InputChange::Set(value)
                }
                None => {
                    node.inputs.shift_remove(&slot.input);
                    InputChange::Drop
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

/// A random seed from 0 to [`MAX_SEED`].
#[must_use]
pub fn fresh_seed() -> u64 {
    rand::rng().random_range(0..=MAX_SEED)
}
