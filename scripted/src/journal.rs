//! Records when prompts of a scripted server arrived, started and ended, for measurements.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Maximum number of recorded prompts. Further ones are dropped until the journal is read.
const MAX_ENTRIES: usize = 1_000_000;

/// One prompt. Times are microseconds since 1970 by the machine's clock.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct JournalEntry {
    /// The id under which the prompt was posted.
    pub id: String,
    /// The first input named `seed`, by which the sender identifies the prompt.
    pub seed: Option<u64>,
    pub came_us: i64,
    pub began_us: i64,
    pub ended_us: i64,
}

/// Ended prompts, and open ones.
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

    /// Takes the prompts that ended since the last read.
    pub fn read(&mut self) -> Vec<JournalEntry> {
        std::mem::take(&mut self.ended)
    }
}

fn now_us() -> i64 {
    chrono::Utc::now().timestamp_micros()
}

/// The first input named `seed`.
pub(crate) fn seed(prompt: &Value) -> Option<u64> {
    prompt.as_object()?.values().find_map(|node| node.get("inputs")?.get("seed")?.as_u64())
}
