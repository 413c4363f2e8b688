//! A Python pattern, translated piece by piece.
//!
//! What differs between the two syntaxes: `$` (also before a last newline), `\Z`, what `\w`, `\d`, `\s` and `\b`
//! hold, classes (no nesting and no set operations in Python), octal escapes, names, `{,n}`, possessive repeats, and
//! lookbehind, which must have a fixed width.

use std::collections::HashMap;

use super::class;
use super::pattern::{Flags, PatternError, is_name, literal};

/// Groups inside groups.
const DEPTH_LIMIT: usize = 100;

/// A pattern in the engine's syntax.
pub(super) struct Translation {
    pub(super) body: String,
    pub(super) groups: usize,
    pub(super) names: HashMap<String, usize>,
}

/// Translates a whole pattern.
///
/// # Errors
/// [`PatternError::Invalid`] where Python raises `re.error`, [`PatternError::Limit`] where groups nest too deeply.
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

/// Fewest and most characters a piece can take; lookbehind needs them equal.
type Width = (u64, u64);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Atom,
    Anchor,
    Repeat,
}

/// Whether a number is taken where a group's name stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Numbered {
    Yes,
    No,
}

/// The last piece of a sequence, to which a repeat would apply.
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
    /// Widths of the groups by number; `None` while a group is open. Entry 0 stands for the whole.
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

    /// `(?ims)` at the very beginning holds for the whole pattern.
    fn leading_flags(&mut self) -> Result<(), PatternError> {
        while self.chars.get(self.at) == Some(&'(') && self.chars.get(self.at + 1) == Some(&'?') {
            let mut end = self.at + 2;
            let mut flags = self.flags;
            while let Some(c) = self.chars.get(end).filter(|c| set_flag(&mut flags, **c, true)) {
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

    /// A repeat at this place: its bounds, and where it stands.
    fn repeat_here(&mut self) -> Result<Option<(u64, Option<u64>, usize)>, PatternError> {
        let place = self.at;
        let bounds = match self.peek() {
            Some('*') => (0, None),
            Some('+') => (1, None),
            Some('?') => (0, Some(1)),
            Some('{') => return self.counted_repeat(place),
            _ => return Ok(None),
        };
        self.at += 1;
        Ok(Some((bounds.0, bounds.1, place)))
    }

    /// `{m}`, `{m,}`, `{,n}`, `{m,n}`; any other brace is an ordinary character.
    fn counted_repeat(&mut self, place: usize) -> Result<Option<(u64, Option<u64>, usize)>, PatternError> {
        let mut at = place + 1;
        let number = |at: &mut usize| {
            let digits: String = self.chars.iter().skip(*at).take_while(|c| c.is_ascii_digit()).collect();
            *at += digits.len();
            digits
        };
        let low = number(&mut at);
        let mut high = low.clone();
        let comma = self.chars.get(at) == Some(&',');
        if comma {
            at += 1;
            high = number(&mut at);
        }
        if self.chars.get(at) != Some(&'}') || (low.is_empty() && !comma) {
            return Ok(None);
        }
        let parse = |text: &str| match text.parse::<u64>() {
            Ok(count) if count < 4_294_967_295 => Ok(count),
            _ => Err(PatternError::Limit("the repetition number is too large".to_owned())),
        };
        let low = if low.is_empty() { 0 } else { parse(&low)? };
        let high = if high.is_empty() { None } else { Some(parse(&high)?) };
        if high.is_some_and(|high| high < low) {
            return self.error("min repeat greater than max repeat", place + 1);
        }
        self.at = at + 1;
        Ok(Some((low, high, place)))
    }

    fn apply(
        &mut self,
        (low, high, place): (u64, Option<u64>, usize),
        last: Option<Piece>,
        total: &mut Width,
    ) -> Result<Piece, PatternError> {
        let Some(last) = last.filter(|piece| piece.kind != Kind::Anchor) else {
            return self.error("nothing to repeat", place);
        };
        if last.kind == Kind::Repeat {
            return self.error("multiple repeat", place);
        }
        let (lazy, possessive) = if self.take('?') { (true, false) } else { (false, self.take('+')) };
        let piece = self.out.split_off(last.start);
        let bounds = match (low, high) {
            (0, None) => "*".to_owned(),
            (1, None) => "+".to_owned(),
            (0, Some(1)) => "?".to_owned(),
            (low, None) => format!("{{{low},}}"),
            (low, Some(high)) => format!("{{{low},{high}}}"),
        };
        let repeated = format!("(?:{piece}){bounds}{}", if lazy { "?" } else { "" });
        self.out.push_str(&if possessive { format!("(?>{repeated})") } else { repeated });
        let width = (
            last.width.0.saturating_mul(low),
            high.map_or(if last.width.1 == 0 { 0 } else { u64::MAX }, |high| last.width.1.saturating_mul(high)),
        );
        *total = (
            total.0.saturating_sub(last.width.0).saturating_add(width.0),
            total.1.saturating_sub(last.width.1).saturating_add(width.1),
        );
        Ok(Piece { start: last.start, kind: Kind::Repeat, width })
    }

    /// One piece; `None` where it stands for nothing, such as a comment.
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

    fn escape(&mut self) -> Result<Option<(Kind, Width)>, PatternError> {
        let start = self.at - 1;
        let Some(letter) = self.peek() else { return self.error("bad escape (end of pattern)", start) };
        self.at += 1;
        let ascii = self.flags.ascii;
        let word = if ascii { "[a-zA-Z0-9_]" } else { r"[\p{L}\p{N}_]" };
        match letter {
            'A' => return self.anchor(r"\A"),
            'Z' => return self.anchor(r"\z"),
            'b' => return self.anchor(&format!("(?:(?<={word})(?!{word})|(?<!{word})(?={word}))")),
            // Python's \B does not match in an empty text.
            'B' => return self.anchor(&format!(r"(?:(?<={word})(?={word})|(?<!{word})(?!{word})(?!\A\z))")),
            '1'..='9' => return self.back_reference(start),
            _ => {}
        }
        if let Some(text) = class::category(letter, ascii) {
            self.out.push_str(&format!("[{text}]"));
        } else if letter == '0' {
            let code = class::octal(self.chars, &mut self.at, 2);
            self.out.push_str(&literal(char::from_u32(code).unwrap_or('\0')));
        } else {
            let c = class::escaped(letter, self.chars, &mut self.at)?;
            self.out.push_str(&literal(c));
        }
        Ok(Some((Kind::Atom, (1, 1))))
    }

    /// `\1` to `\99`; three octal digits are a character instead.
    fn back_reference(&mut self, start: usize) -> Result<Option<(Kind, Width)>, PatternError> {
        let digit = |at: usize, radix: u32| self.chars.get(at).and_then(|c| c.to_digit(radix));
        if let (Some(a), Some(b), Some(c)) = (digit(start + 1, 8), digit(start + 2, 8), digit(start + 3, 8)) {
            let code = a * 64 + b * 8 + c;
            self.at = start + 4;
            if code > 0o377 {
                return self.error(&format!("octal escape value \\{a}{b}{c} outside of range 0-0o377"), start);
            }
            self.out.push_str(&literal(char::from_u32(code).unwrap_or('\0')));
            return Ok(Some((Kind::Atom, (1, 1))));
        }
        let mut group = digit(start + 1, 10).unwrap_or(0);
        if let Some(second) = digit(start + 2, 10) {
            group = group * 10 + second;
            self.at = start + 3;
        }
        self.refer(usize::try_from(group).unwrap_or(usize::MAX), start + 1)
    }

    fn refer(&mut self, group: usize, place: usize) -> Result<Option<(Kind, Width)>, PatternError> {
        match self.widths.get(group) {
            None => self.error(&format!("invalid group reference {group}"), place),
            Some(None) => self.error("cannot refer to an open group", place.saturating_sub(1)),
            Some(Some(width)) => {
                let width = *width;
                self.out.push_str(&format!("(?:\\{group})"));
                Ok(Some((Kind::Atom, width)))
            }
        }
    }

    fn group(&mut self) -> Result<Option<(Kind, Width)>, PatternError> {
        let start = self.at - 1;
        if !self.take('?') {
            return self.capture(start, None);
        }
        let Some(c) = self.peek() else { return self.error("unexpected end of pattern", self.at) };
        self.at += 1;
        match c {
            ':' => self.enclosed("(?:", start),
            '>' => self.enclosed("(?>", start),
            '=' => self.look("(?=", start),
            '!' => self.look("(?!", start),
            'P' => self.named(start),
            '<' => match self.peek() {
                Some('=') => self.look_behind("(?<=", start),
                Some('!') => self.look_behind("(?<!", start),
                other => {
                    let text = other.map_or_else(String::new, |c| c.to_string());
                    self.error(&format!("unknown extension ?<{text}"), start + 1)
                }
            },
            '#' => loop {
                match self.peek() {
                    None => return self.error("missing ), unterminated comment", start),
                    Some(c) => {
                        self.at += 1;
                        if c == ')' {
                            return Ok(None);
                        }
                    }
                }
            },
            '(' => self.conditional(start),
            _ if c == '-' || set_flag(&mut Flags::default(), c, true) => self.scoped_flags(start),
            _ => self.error(&format!("unknown extension ?{c}"), start + 1),
        }
    }

    fn close(&mut self, start: usize) -> Result<(), PatternError> {
        if self.take(')') {
            self.out.push(')');
            return Ok(());
        }
        self.error("missing ), unterminated subpattern", start)
    }

    fn capture(&mut self, start: usize, name: Option<String>) -> Result<Option<(Kind, Width)>, PatternError> {
        let number = self.widths.len();
        self.widths.push(None);
        if let Some(name) = name {
            if let Some(other) = self.names.get(&name) {
                let message = format!("redefinition of group name '{name}' as group {number}; was group {other}");
                return self.error(&message, start + 4);
            }
            self.names.insert(name, number);
        }
        let flags = self.flags;
        self.out.push('(');
        let width = self.alternation()?;
        self.close(start)?;
        self.flags = flags;
        if let Some(slot) = self.widths.get_mut(number) {
            *slot = Some(width);
        }
        Ok(Some((Kind::Atom, width)))
    }

    fn enclosed(&mut self, open: &str, start: usize) -> Result<Option<(Kind, Width)>, PatternError> {
        let flags = self.flags;
        self.out.push_str(open);
        let width = self.alternation()?;
        self.close(start)?;
        self.flags = flags;
        Ok(Some((Kind::Atom, width)))
    }

    fn look(&mut self, open: &str, start: usize) -> Result<Option<(Kind, Width)>, PatternError> {
        self.enclosed(open, start)?;
        Ok(Some((Kind::Atom, (0, 0))))
    }

    fn look_behind(&mut self, open: &str, start: usize) -> Result<Option<(Kind, Width)>, PatternError> {
        self.at += 1;
        let width = self.enclosed(open, start)?.map_or((0, 0), |(_, width)| width);
        if width.0 != width.1 {
            // Python names no place for this one.
            return Err(PatternError::Invalid("look-behind requires fixed-width pattern".to_owned()));
        }
        Ok(Some((Kind::Atom, (0, 0))))
    }

    /// `(?P<name>…)` and `(?P=name)`.
    fn named(&mut self, start: usize) -> Result<Option<(Kind, Width)>, PatternError> {
        match self.peek() {
            Some('<') => {
                self.at += 1;
                let name = self.name('>', Numbered::No)?;
                self.capture(start, Some(name))
            }
            Some('=') => {
                self.at += 1;
                let place = self.at;
                let name = self.name(')', Numbered::No)?;
                let Some(&group) = self.names.get(&name) else {
                    return self.error(&format!("unknown group name '{name}'"), place);
                };
                self.refer(group, place)
            }
            None => self.error("unexpected end of pattern", self.at),
            Some(c) => self.error(&format!("unknown extension ?P{c}"), start + 1),
        }
    }

    /// A name up to its end mark, which is taken too; `Numbered::Yes` where a group's number may stand for it.
    fn name(&mut self, end: char, numbered: Numbered) -> Result<String, PatternError> {
        let place = self.at;
        let name: String = self.chars.iter().skip(place).take_while(|c| **c != end).collect();
        let len = name.chars().count();
        if name.is_empty() {
            return self.error("missing group name", place);
        }
        if self.chars.get(place + len) != Some(&end) {
            return self.error(&format!("missing {end}, unterminated name"), place);
        }
        let number = numbered == Numbered::Yes && name.chars().all(|c| c.is_ascii_digit());
        if !number && !is_name(&name) {
            return self.error(&format!("bad character in group name '{name}'"), place);
        }
        self.at = place + len + 1;
        Ok(name)
    }

    /// `(?(1)yes|no)` and `(?(name)yes|no)`.
    fn conditional(&mut self, start: usize) -> Result<Option<(Kind, Width)>, PatternError> {
        let place = self.at;
        let name = self.name(')', Numbered::Yes)?;
        let group = match name.parse::<usize>() {
            Ok(0) => return self.error("bad group number", place),
            Ok(group) => group,
            Err(_) => match self.names.get(&name) {
                Some(group) => *group,
                None => return self.error(&format!("unknown group name '{name}'"), place),
            },
        };
        if group >= self.widths.len() {
            return self.error(&format!("invalid group reference {group}"), place);
        }
        let flags = self.flags;
        self.out.push_str(&format!("(?({group})"));
        let mut width = self.sequence()?;
        let mut other = (0, 0);
        if self.take('|') {
            self.out.push('|');
            other = self.sequence()?;
            if self.peek() == Some('|') {
                return self.error("conditional backref with more than two branches", self.at);
            }
        }
        width = (width.0.min(other.0), width.1.max(other.1));
        self.close(start)?;
        self.flags = flags;
        Ok(Some((Kind::Atom, width)))
    }

    /// `(?i:…)`, `(?-i:…)`, `(?i-s:…)`.
    fn scoped_flags(&mut self, start: usize) -> Result<Option<(Kind, Width)>, PatternError> {
        self.at = start + 2;
        let (before, mut flags, mut on) = (self.flags, self.flags, true);
        loop {
            let Some(c) = self.peek() else { return self.error("missing -, : or )", self.at) };
            self.at += 1;
            match c {
                '-' if on => on = false,
                ':' => break,
                ')' => return self.error("global flags not at the start of the expression", start),
                _ if set_flag(&mut flags, c, on) => {}
                _ => return self.error("unknown flag", self.at - 1),
            }
        }
        self.flags = flags;
        let open = if flags.ignore_case { "(?i:" } else { "(?-i:" };
        self.out.push_str(open);
        let width = self.alternation()?;
        self.close(start)?;
        self.flags = before;
        Ok(Some((Kind::Atom, width)))
    }
}

/// Sets the flag of a letter; `false` where there is none.
fn set_flag(flags: &mut Flags, letter: char, on: bool) -> bool {
    match letter {
        'i' => flags.ignore_case = on,
        'm' => flags.multiline = on,
        's' => flags.dotall = on,
        'x' => flags.verbose = on,
        'a' => flags.ascii = on,
        'u' => flags.ascii = !on,
        _ => return false,
    }
    true
}
