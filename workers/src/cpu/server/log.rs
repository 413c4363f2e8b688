//! The worker's recent log lines, which clients may read and subscribe to.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use chrono::{SecondsFormat, Utc};
use serde_json::{Value as Json, json};

/// How many lines are kept.
const LINES: usize = 300;

/// The last lines.
#[derive(Default)]
pub(super) struct Log {
    lines: Mutex<VecDeque<(String, String)>>,
}

impl Log {
    fn lock(&self) -> MutexGuard<'_, VecDeque<(String, String)>> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps a line (without its end) and gives it as the `logs` message has it.
    pub fn push(&self, text: &str) -> Json {
        tracing::debug!(target: "verdigraph::cpu", "{text}");
        let at = Utc::now()
            .to_rfc3339_opts(SecondsFormat::Micros, true)
            .trim_end_matches('Z')
            .to_owned();
        let line = format!("{text}\n");
        let message = json!({"entries": [{"t": at, "m": line}], "size": null});
        let mut lines = self.lock();
        lines.push_back((at, line));
        while lines.len() > LINES {
            lines.pop_front();
        }
        message
    }

    /// Everything as one text, each line as `time - text`.
    pub fn text(&self) -> String {
        self.lock()
            .iter()
            .map(|(at, line)| format!("{at} - {line}"))
            .collect()
    }

    /// Everything, line by line, and the size of the terminal there is none of.
    pub fn raw(&self) -> Json {
        let entries: Vec<Json> = self
            .lock()
            .iter()
            .map(|(at, line)| json!({"t": at, "m": line}))
            .collect();
        json!({"entries": entries, "size": {"cols": 80, "rows": 24}})
    }
}
