//! Escapes: anchors, sets, characters, and back references.

use super::super::class;
use super::super::error::PatternError;
use super::super::syntax::literal;
use super::{Kind, Translator, Width};

impl Translator<'_> {
    pub(super) fn escape(&mut self) -> Result<Option<(Kind, Width)>, PatternError> {
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
}
