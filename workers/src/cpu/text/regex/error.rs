//! Errors of patterns.

use super::super::super::node::NodeError;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum PatternError {
    /// `re.error`, with its message.
    Invalid(String),
    /// A valid pattern that exceeds this worker's limits.
    Limit(String),
}

impl PatternError {
    /// Python's message with the position in the pattern, and with line and column if it has several lines.
    pub(super) fn at(message: &str, chars: &[char], place: usize) -> Self {
        let before = chars.get(..place.min(chars.len())).unwrap_or(&[]);
        let mut text = format!("{message} at position {place}");
        if chars.contains(&'\n') {
            let line = before.iter().filter(|c| **c == '\n').count() + 1;
            let column = before.iter().rev().take_while(|c| **c != '\n').count() + 1;
            text.push_str(&format!(" (line {line}, column {column})"));
        }
        Self::Invalid(text)
    }
}

impl From<PatternError> for NodeError {
    fn from(error: PatternError) -> Self {
        match error {
            PatternError::Invalid(message) => Self::Raised { kind: "re.error", message },
            PatternError::Limit(message) => Self::Raised { kind: "RuntimeError", message },
        }
    }
}
