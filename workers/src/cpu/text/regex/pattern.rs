//! A compiled pattern, its matches, and why a pattern may be refused.

use std::collections::HashMap;

use fancy_regex::{Captures, Error, Regex, RegexBuilder};

use super::super::super::node::NodeError;
use super::translate::{Translation, translate};

/// Steps back the engine may take in one search: well under a second.
const BACKTRACK_LIMIT: usize = 1_000_000;
/// Bytes a translated piece may take when compiled.
const SIZE_LIMIT: usize = 10 << 20;

/// Why a pattern cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum PatternError {
    /// `re.error`, with its message.
    Invalid(String),
    /// The pattern is fine, and more than this worker does.
    Limit(String),
}

impl PatternError {
    /// Python's message with the place in the pattern, and line and column where there are several lines.
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

/// The flags of `re` that matter for text.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Flags {
    pub(super) ignore_case: bool,
    pub(super) multiline: bool,
    pub(super) dotall: bool,
    pub(super) verbose: bool,
    pub(super) ascii: bool,
}

/// A compiled pattern.
pub(super) struct Pattern {
    regex: Regex,
    /// The same, but a match that begins where the search begins is not empty.
    advancing: Regex,
    groups: usize,
    names: HashMap<String, usize>,
}

/// One match.
pub(super) struct Match<'t>(Captures<'t, str>);

impl<'t> Match<'t> {
    pub(super) fn group(&self, group: usize) -> Option<&'t str> {
        self.0.get(group).map(|part| part.as_str())
    }

    pub(super) fn whole(&self) -> &'t str {
        self.group(0).unwrap_or("")
    }

    pub(super) fn start(&self) -> usize {
        self.0.get(0).map_or(0, |part| part.start())
    }

    pub(super) fn end(&self) -> usize {
        self.0.get(0).map_or(0, |part| part.end())
    }
}

impl Pattern {
    /// # Errors
    /// [`PatternError::Invalid`] where Python raises `re.error`, [`PatternError::Limit`] where it is too large.
    pub(super) fn compile(source: &str, flags: Flags) -> Result<Self, PatternError> {
        let Translation { body, groups, names } = translate(source, flags)?;
        let advancing = build(&format!(r"{body}(?!\G)"))?;
        Ok(Self { regex: build(&body)?, advancing, groups, names })
    }

    /// How many groups the pattern has.
    pub(super) fn groups(&self) -> usize {
        self.groups
    }

    /// The number of a named group.
    pub(super) fn group_named(&self, name: &str) -> Option<usize> {
        self.names.get(name).copied()
    }

    /// The first match from a byte position on.
    ///
    /// # Errors
    /// [`PatternError::Limit`] where the engine gave up.
    pub(super) fn search<'t>(
        &self,
        text: &'t str,
        from: usize,
        must_advance: bool,
    ) -> Result<Option<Match<'t>>, PatternError> {
        let regex = if must_advance { &self.advancing } else { &self.regex };
        regex
            .captures_from_pos(text, from)
            .map(|found| found.map(Match))
            .map_err(|_| PatternError::Limit("the pattern backtracks too much on this text; it was stopped".to_owned()))
    }
}

fn build(pattern: &str) -> Result<Regex, PatternError> {
    RegexBuilder::new(pattern)
        .backtrack_limit(BACKTRACK_LIMIT)
        .delegate_size_limit(SIZE_LIMIT)
        .delegate_dfa_size_limit(SIZE_LIMIT)
        .build()
        .map_err(|error: Error| PatternError::Limit(format!("the pattern is beyond this worker's limits: {error}")))
}

/// A character in the engine's syntax.
pub(super) fn literal(c: char) -> String {
    if c.is_ascii_alphanumeric() || !c.is_ascii() { c.to_string() } else { format!("\\x{{{:x}}}", u32::from(c)) }
}

/// Whether Python takes a name for a group.
pub(super) fn is_name(name: &str) -> bool {
    name.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_alphanumeric() || c == '_')
}
