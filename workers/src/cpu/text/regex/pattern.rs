//! A compiled pattern and its matches.

use std::collections::HashMap;

use fancy_regex::{Captures, Error, Regex, RegexBuilder};

use super::error::PatternError;
use super::syntax::Flags;
use super::translate::{Translation, translate};

/// Backtracking steps per search: well under a second.
const BACKTRACK_LIMIT: usize = 1_000_000;
/// Size limit of a compiled pattern in bytes.
const SIZE_LIMIT: usize = 10 << 20;

pub(super) struct Pattern {
    regex: Regex,
    /// The same pattern, but a match at the start of the search must not be empty.
    advancing: Regex,
    groups: usize,
    names: HashMap<String, usize>,
}

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
    /// Fails with [`PatternError::Invalid`] where Python raises `re.error`, and with [`PatternError::Limit`] if it is
    /// too large.
    pub(super) fn compile(source: &str, flags: Flags) -> Result<Self, PatternError> {
        let Translation { body, groups, names } = translate(source, flags)?;
        let advancing = build(&format!(r"{body}(?!\G)"))?;
        Ok(Self { regex: build(&body)?, advancing, groups, names })
    }

    pub(super) fn groups(&self) -> usize {
        self.groups
    }

    pub(super) fn group_named(&self, name: &str) -> Option<usize> {
        self.names.get(name).copied()
    }

    /// The first match from a byte position on. Fails with [`PatternError::Limit`] if the engine gave up.
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
