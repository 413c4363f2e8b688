//! Prompts with slots: compiled once, rendered for each submit.

use std::collections::HashSet;

use indexmap::IndexMap;
use rand::RngExt as _;
use serde_json::Value;

use super::dependent::DependentPart;
use super::files::InputChange;
use super::prompt::{Prompt, Slot};
use super::text::WrittenPrompt;

/// The largest drawn seed: 2^53 - 1, which JavaScript numbers can hold. Users may enter larger ones.
pub const MAX_SEED: u64 = (1 << 53) - 1;

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

    /// The prompt without these parts, and with these values in its slots. `None` removes the input; other slots keep
    /// the original value, and unchanged values keep their text.
    #[must_use]
    pub fn render(
        &self,
        values: impl IntoIterator<Item = (usize, Option<Value>)>,
        left_out: &[&DependentPart],
    ) -> WrittenPrompt {
        let mut prompt = self.written.prompt.clone();
        let gone: HashSet<&str> = left_out.iter().flat_map(|part| &part.nodes).map(String::as_str).collect();
        prompt.0.retain(|id, _| !gone.contains(id.as_str()));
        let mut changes: IndexMap<String, Vec<(String, InputChange)>> =
            prompt.0.keys().map(|id| (id.clone(), Vec::new())).collect();
        let filled = values.into_iter().filter_map(|(index, value)| Some((self.slots.get(index)?, value)));
        let dropped = left_out.iter().flat_map(|part| &part.links).map(|slot| (slot, None));
        for (slot, value) in filled.chain(dropped) {
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
