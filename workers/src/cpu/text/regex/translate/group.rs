//! Groups: numbered and named groups, lookaround, conditionals, scoped flags.

use super::super::error::PatternError;
use super::super::syntax::{Flags, is_name};
use super::{Kind, Translator, Width};

/// Whether a number is accepted in place of a group's name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum AllowNumber {
    Yes,
    No,
}

impl Translator<'_> {
    pub(super) fn refer(&mut self, group: usize, place: usize) -> Result<Option<(Kind, Width)>, PatternError> {
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

    pub(super) fn group(&mut self) -> Result<Option<(Kind, Width)>, PatternError> {
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
            _ if c == '-' || Flags::default().set(c, true) => self.scoped_flags(start),
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
            // Python's message has no position here.
            return Err(PatternError::Invalid("look-behind requires fixed-width pattern".to_owned()));
        }
        Ok(Some((Kind::Atom, (0, 0))))
    }

    /// `(?P<name>…)` and `(?P=name)`.
    fn named(&mut self, start: usize) -> Result<Option<(Kind, Width)>, PatternError> {
        match self.peek() {
            Some('<') => {
                self.at += 1;
                let name = self.name('>', AllowNumber::No)?;
                self.capture(start, Some(name))
            }
            Some('=') => {
                self.at += 1;
                let place = self.at;
                let name = self.name(')', AllowNumber::No)?;
                let Some(&group) = self.names.get(&name) else {
                    return self.error(&format!("unknown group name '{name}'"), place);
                };
                self.refer(group, place)
            }
            None => self.error("unexpected end of pattern", self.at),
            Some(c) => self.error(&format!("unknown extension ?P{c}"), start + 1),
        }
    }

    /// Reads a name and its end mark. `AllowNumber::Yes` also accepts a group's number.
    fn name(&mut self, end: char, numbered: AllowNumber) -> Result<String, PatternError> {
        let place = self.at;
        let name: String = self.chars.iter().skip(place).take_while(|c| **c != end).collect();
        let len = name.chars().count();
        if name.is_empty() {
            return self.error("missing group name", place);
        }
        if self.chars.get(place + len) != Some(&end) {
            return self.error(&format!("missing {end}, unterminated name"), place);
        }
        let number = numbered == AllowNumber::Yes && name.chars().all(|c| c.is_ascii_digit());
        if !number && !is_name(&name) {
            return self.error(&format!("bad character in group name '{name}'"), place);
        }
        self.at = place + len + 1;
        Ok(name)
    }

    /// `(?(1)yes|no)` and `(?(name)yes|no)`.
    fn conditional(&mut self, start: usize) -> Result<Option<(Kind, Width)>, PatternError> {
        let place = self.at;
        let name = self.name(')', AllowNumber::Yes)?;
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
                _ if flags.set(c, on) => {}
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
