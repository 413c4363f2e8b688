//! The replacement text of `re.sub`: `\1`, `\g<1>`, `\g<name>`, octal and letter escapes.

use super::super::super::node::NodeError;
use super::error::PatternError;
use super::pattern::{Match, Pattern};
use super::syntax::is_name;

/// A parsed replacement.
pub(super) struct Template {
    parts: Vec<Part>,
}

enum Part {
    Text(String),
    Group(usize),
}

impl Template {
    /// Fails like `re.sub`, before it searches: `re.error`, or `IndexError` for an unknown name.
    pub(super) fn parse(source: &str, pattern: &Pattern) -> Result<Self, NodeError> {
        let chars: Vec<char> = source.chars().collect();
        let mut parser = Parser { chars: &chars, at: 0, text: String::new(), parts: Vec::new(), pattern };
        while let Some(c) = parser.next() {
            if c == '\\' { parser.escape()? } else { parser.text.push(c) }
        }
        parser.flush();
        Ok(Self { parts: parser.parts })
    }

    /// Appends the replacement of one match. Groups that did not match are empty.
    pub(super) fn expand(&self, found: &Match<'_>, out: &mut String) {
        for part in &self.parts {
            match part {
                Part::Text(text) => out.push_str(text),
                Part::Group(group) => out.push_str(found.group(*group).unwrap_or("")),
            }
        }
    }
}

struct Parser<'a> {
    chars: &'a [char],
    at: usize,
    text: String,
    parts: Vec<Part>,
    pattern: &'a Pattern,
}

impl Parser<'_> {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += 1;
        Some(c)
    }

    fn flush(&mut self) {
        if !self.text.is_empty() {
            self.parts.push(Part::Text(std::mem::take(&mut self.text)));
        }
    }

    fn group(&mut self, group: usize, place: usize) -> Result<(), NodeError> {
        if group > self.pattern.groups() {
            return Err(self.error(&format!("invalid group reference {group}"), place));
        }
        self.flush();
        self.parts.push(Part::Group(group));
        Ok(())
    }

    fn error(&self, message: &str, place: usize) -> NodeError {
        PatternError::at(message, self.chars, place).into()
    }

    fn escape(&mut self) -> Result<(), NodeError> {
        let start = self.at - 1;
        let Some(c) = self.next() else { return Err(self.error("bad escape (end of pattern)", start)) };
        match c {
            'g' => self.named(),
            '0' => {
                let mut code = 0;
                for _ in 0..2 {
                    let Some(digit) = self.peek().and_then(|c| c.to_digit(8)) else { break };
                    self.at += 1;
                    code = code * 8 + digit;
                }
                self.text.extend(char::from_u32(code & 0xff));
                Ok(())
            }
            '1'..='9' => self.digits(start, c),
            'a' => self.push('\u{7}'),
            'b' => self.push('\u{8}'),
            'f' => self.push('\u{c}'),
            'n' => self.push('\n'),
            'r' => self.push('\r'),
            't' => self.push('\t'),
            'v' => self.push('\u{b}'),
            '\\' => self.push('\\'),
            _ if c.is_ascii_alphabetic() => Err(self.error(&format!("bad escape \\{c}"), start)),
            _ => {
                self.text.push('\\');
                self.push(c)
            }
        }
    }

    #[expect(clippy::unnecessary_wraps, reason = "stands in a match of fallible arms")]
    fn push(&mut self, c: char) -> Result<(), NodeError> {
        self.text.push(c);
        Ok(())
    }

    /// `\1` to `\99`; three octal digits are a character instead.
    fn digits(&mut self, start: usize, first: char) -> Result<(), NodeError> {
        let mut number = first.to_digit(10).unwrap_or(0);
        if let Some(second) = self.peek().and_then(|c| c.to_digit(10)) {
            let third = self.chars.get(self.at + 1).and_then(|c| c.to_digit(8));
            if let (Some(a), true, Some(c)) = (first.to_digit(8), second < 8, third) {
                let code = a * 64 + second * 8 + c;
                self.at += 2;
                if code > 0o377 {
                    let text: String = self.chars.get(start..self.at).unwrap_or(&[]).iter().collect();
                    return Err(self.error(&format!("octal escape value {text} outside of range 0-0o377"), start));
                }
                self.text.extend(char::from_u32(code));
                return Ok(());
            }
            self.at += 1;
            number = number * 10 + second;
        }
        self.group(usize::try_from(number).unwrap_or(usize::MAX), start + 1)
    }

    /// `\g<1>` or `\g<name>`.
    fn named(&mut self) -> Result<(), NodeError> {
        if self.next() != Some('<') {
            return Err(self.error("missing <", self.at.min(self.chars.len())));
        }
        let start = self.at;
        let mut name = String::new();
        loop {
            match self.next() {
                Some('>') => break,
                Some(c) => name.push(c),
                None if name.is_empty() => return Err(self.error("missing group name", start)),
                None => return Err(self.error("missing >, unterminated name", start)),
            }
        }
        if name.is_empty() {
            return Err(self.error("missing group name", start));
        }
        if let Ok(number) = name.parse::<usize>() {
            return self.group(number, start);
        }
        if !is_name(&name) {
            return Err(self.error(&format!("bad character in group name '{name}'"), start));
        }
        match self.pattern.group_named(&name) {
            Some(group) => self.group(group, start),
            None => Err(NodeError::Raised { kind: "IndexError", message: format!("unknown group name '{name}'") }),
        }
    }
}
