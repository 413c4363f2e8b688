//! Translates a Python pattern piece by piece.
//!
//! The syntaxes differ in `$` (also before a last newline), `\Z`, the members of `\w`, `\d`, `\s` and `\b`, classes (no
//! nesting and no set operations in Python), octal escapes, names, `{,n}`, possessive repeats, and lookbehind, which
//! must have a fixed width.

mod escape;
mod group;
mod repeat;

use std::collections::HashMap;

use super::class;
use super::error::PatternError;
use super::syntax::{Flags, literal};

/// Maximum depth of groups.
const DEPTH_LIMIT: usize = 100;

/// A pattern in the engine's syntax.
pub(super) struct Translation {
    pub(super) body: String,
    pub(super) groups: usize,
    pub(super) names: HashMap<String, usize>,
}

/// Translates a whole pattern. Fails with [`PatternError::Invalid`] where Python raises `re.error`, and with
/// [`PatternError::Limit`] for too deep nesting.
pub(super) fn translate(source: &str, flags: Flags) -> Result<Translation, PatternError> {
    let chars: Vec<char> = source.chars().collect();
    let mut translator = Translator {
        chars: &chars,
        at: 0,
        out: String::new(),
        flags,
        widths: vec![None],
        names: HashMap::new(),
        depth: 0,
    };
    translator.leading_flags()?;
    let ignore_case = translator.flags.ignore_case;
    translator.alternation()?;
    if translator.at < chars.len() {
        return Err(PatternError::at("unbalanced parenthesis", &chars, translator.at));
    }
    let body = if ignore_case { format!("(?i:{})", translator.out) } else { format!("(?:{})", translator.out) };
    Ok(Translation { body, groups: translator.widths.len() - 1, names: translator.names })
}

/// Minimum and maximum length of a match in characters. Lookbehind requires them to be equal.
type Width = (u64, u64);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Atom,
    Anchor,
    Repeat,
}

/// The last piece of a sequence, to which a repeat applies.
struct Piece {
    start: usize,
    kind: Kind,
    width: Width,
}

struct Translator<'a> {
    chars: &'a [char],
    at: usize,
    out: String,
    flags: Flags,
    /// Widths of the groups by number; `None` while a group is open. Entry 0 is the whole pattern.
    widths: Vec<Option<Width>>,
    names: HashMap<String, usize>,
    depth: usize,
}

impl Translator<'_> {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn take(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        self.at += usize::from(found);
        found
    }

    fn error<T>(&self, message: &str, place: usize) -> Result<T, PatternError> {
        Err(PatternError::at(message, self.chars, place))
    }

    /// `(?ims)` at the very beginning applies to the whole pattern.
    fn leading_flags(&mut self) -> Result<(), PatternError> {
        while self.chars.get(self.at) == Some(&'(') && self.chars.get(self.at + 1) == Some(&'?') {
            let mut end = self.at + 2;
            let mut flags = self.flags;
            while let Some(c) = self.chars.get(end).filter(|c| flags.set(**c, true)) {
                debug_assert!(c.is_ascii_alphabetic());
                end += 1;
            }
            if end == self.at + 2 || self.chars.get(end) != Some(&')') {
                break;
            }
            self.flags = flags;
            self.at = end + 1;
        }
        Ok(())
    }

    fn alternation(&mut self) -> Result<Width, PatternError> {
        self.depth += 1;
        if self.depth > DEPTH_LIMIT {
            return Err(PatternError::Limit("groups are nested too deeply".to_owned()));
        }
        let mut width = self.sequence()?;
        while self.take('|') {
            self.out.push('|');
            let other = self.sequence()?;
            width = (width.0.min(other.0), width.1.max(other.1));
        }
        self.depth -= 1;
        Ok(width)
    }

    fn sequence(&mut self) -> Result<Width, PatternError> {
        let (mut total, mut last): (Width, Option<Piece>) = ((0, 0), None);
        while let Some(c) = self.peek() {
            if c == '|' || c == ')' {
                break;
            }
            if self.flags.verbose && c.is_whitespace() {
                self.at += 1;
                continue;
            }
            if self.flags.verbose && c == '#' {
                while self.peek().is_some_and(|c| c != '\n') {
                    self.at += 1;
                }
                continue;
            }
            if let Some(repeat) = self.repeat_here()? {
                last = Some(self.apply(repeat, last, &mut total)?);
                continue;
            }
            let start = self.out.len();
            if let Some((kind, width)) = self.piece()? {
                total = (total.0.saturating_add(width.0), total.1.saturating_add(width.1));
                last = Some(Piece { start, kind, width });
            }
        }
        Ok(total)
    }

    /// Reads one piece; `None` for one that matches nothing, such as a comment.
    fn piece(&mut self) -> Result<Option<(Kind, Width)>, PatternError> {
        let Some(c) = self.peek() else { return Ok(None) };
        self.at += 1;
        let one = Ok(Some((Kind::Atom, (1, 1))));
        match c {
            '.' => {
                self.out.push_str(if self.flags.dotall { "(?s:.)" } else { r"[^\n]" });
                one
            }
            '^' => self.anchor(if self.flags.multiline { r"(?:\A|(?<=\n))" } else { r"\A" }),
            '$' => self.anchor(if self.flags.multiline { r"(?=\n|\z)" } else { r"(?=\n?\z)" }),
            '[' => {
                let text = class::translate(self.chars, &mut self.at, self.flags.ascii)?;
                self.out.push_str(&text);
                one
            }
            '(' => self.group(),
            '\\' => self.escape(),
            _ => {
                self.out.push_str(&literal(c));
                one
            }
        }
    }

    #[expect(clippy::unnecessary_wraps, reason = "stands in matches of fallible arms")]
    fn anchor(&mut self, text: &str) -> Result<Option<(Kind, Width)>, PatternError> {
        self.out.push_str(text);
        Ok(Some((Kind::Anchor, (0, 0))))
    }
}
