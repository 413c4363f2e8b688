//! What a scripted server writes down about prompts, for whoever measures: when they came, began and ended.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Prompts that are written down at most; later ones are left out until the journal was read.
const MAX_ENTRIES: usize = 1_000_000;

/// One prompt. Times are microseconds since 1970 of the machine's clock.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct JournalEntry {
    /// The id under which the prompt was posted.
    pub id: String,
    /// The number that the prompt has as an input of this name somewhere, by which its sender knows it: `seed`.
    pub seed: Option<u64>,
    pub came_us: i64,
    pub began_us: i64,
    pub ended_us: i64,
}

/// Entries of prompts that have ended, and the open ones.
#[derive(Debug, Default)]
pub(crate) struct Journal {
    open: HashMap<String, JournalEntry>,
    ended: Vec<JournalEntry>,
}

impl Journal {
    pub fn came(&mut self, id: &str, prompt: &Value) {
        if self.open.len() + self.ended.len() < MAX_ENTRIES {
            let now = now_us();
            let entry =
                JournalEntry { id: id.to_owned(), seed: seed(prompt), came_us: now, began_us: now, ended_us: now };
            self.open.insert(id.to_owned(), entry);
        }
    }

    pub fn began(&mut self, id: &str) {
        if let Some(entry) = self.open.get_mut(id) {
            entry.began_us = now_us();
        }
    }

    pub fn ended(&mut self, id: &str) {
        if let Some(mut entry) = self.open.remove(id) {
            entry.ended_us = now_us();
            self.ended.push(entry);
        }
    }

    /// The prompts that have ended since the journal was read last.
    pub fn read(&mut self) -> Vec<JournalEntry> {
        std::mem::take(&mut self.ended)
    }
}

fn now_us() -> i64 {
    chrono::Utc::now().timestamp_micros()
}

fn seed(prompt: &Value) -> Option<u64> {
    prompt.as_object()?.values().find_map(|node| node.get("inputs")?.get("seed")?.as_u64())
}
