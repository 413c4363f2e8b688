//! The worker's recent log lines, which clients can read and subscribe to.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use chrono::{SecondsFormat, Utc};
use serde_json::{Value as Json, json};

const LINES: usize = 300;

#[derive(Default)]
pub(super) struct Log {
    lines: Mutex<VecDeque<(String, String)>>,
}

impl Log {
    fn lock(&self) -> MutexGuard<'_, VecDeque<(String, String)>> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a line (without line end). Returns it in the format of the `logs` message.
    pub fn push(&self, text: &str) -> Json {
        tracing::debug!(target: "verdigraph::cpu", "{text}");
        let at = Utc::now().to_rfc3339_opts(SecondsFormat::Micros, true).trim_end_matches('Z').to_owned();
        let line = format!("{text}\n");
        let message = json!({"entries": [{"t": at, "m": line}], "size": null});
        let mut lines = self.lock();
        lines.push_back((at, line));
        while lines.len() > LINES {
            lines.pop_front();
        }
        message
    }

    /// All lines as one text, each as `time - text`.
    pub fn text(&self) -> String {
        self.lock().iter().map(|(at, line)| format!("{at} - {line}")).collect()
    }

    /// All lines, and the size of a terminal, which this worker does not have.
    pub fn raw(&self) -> Json {
        let entries: Vec<Json> = self.lock().iter().map(|(at, line)| json!({"t": at, "m": line})).collect();
        json!({"entries": entries, "size": {"cols": 80, "rows": 24}})
    }
}
