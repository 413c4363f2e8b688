//! Character classes, and escapes for sets, with Python's meaning.

use super::error::PatternError;
use super::syntax::literal;

/// The members of `\w`, `\d` and `\s` inside a class; `ascii` is the flag `(?a)`.
pub(super) fn category(letter: char, ascii: bool) -> Option<&'static str> {
    Some(match (letter, ascii) {
        ('d', false) => r"\p{Nd}",
        ('d', true) => "0-9",
        ('D', false) => r"\P{Nd}",
        ('D', true) => "[^0-9]",
        ('s', false) => r"\s\x1c-\x1f",
        ('s', true) => r"\x20\x09-\x0d",
        ('S', false) => r"[^\s\x1c-\x1f]",
        ('S', true) => r"[^\x20\x09-\x0d]",
        ('w', false) => r"\p{L}\p{N}_",
        ('w', true) => "a-zA-Z0-9_",
        ('W', false) => r"[^\p{L}\p{N}_]",
        ('W', true) => "[^a-zA-Z0-9_]",
        _ => return None,
    })
}

/// The character of an escape; `at` is after its letter. Fails like `re.compile` for an incomplete or unknown escape.
pub(super) fn escaped(letter: char, chars: &[char], at: &mut usize) -> Result<char, PatternError> {
    let start = *at - 2;
    let hex = |digits: usize, at: &mut usize| {
        let text: String = chars.iter().skip(*at).take(digits).take_while(|c| c.is_ascii_hexdigit()).collect();
        *at += text.len();
        let code = if text.len() == digits { u32::from_str_radix(&text, 16).ok() } else { None };
        match code.map(char::from_u32) {
            Some(Some(c)) => Ok(c),
            Some(None) => Err(PatternError::at(&format!("bad escape \\{letter}{text}"), chars, start)),
            None => Err(PatternError::at(&format!("incomplete escape \\{letter}{text}"), chars, start)),
        }
    };
    match letter {
        'a' => Ok('\u{7}'),
        'f' => Ok('\u{c}'),
        'n' => Ok('\n'),
        'r' => Ok('\r'),
        't' => Ok('\t'),
        'v' => Ok('\u{b}'),
        'x' => hex(2, at),
        'u' => hex(4, at),
        'U' => hex(8, at),
        _ if letter.is_ascii_alphanumeric() => Err(PatternError::at(&format!("bad escape \\{letter}"), chars, start)),
        _ => Ok(letter),
    }
}

/// Octal digits of `\0`, `\07` or `\123`, at most `most`, from `at`.
pub(super) fn octal(chars: &[char], at: &mut usize, most: usize) -> u32 {
    let mut code = 0;
    for _ in 0..most {
        let Some(digit) = chars.get(*at).and_then(|c| c.to_digit(8)) else { break };
        *at += 1;
        code = code * 8 + digit;
    }
    code
}

enum Item {
    Char(char),
    Category(&'static str),
}

/// Translates a class; `at` moves from after `[` to after `]`. Fails like `re.compile` for an unterminated class, a bad
/// range or a bad escape.
pub(super) fn translate(chars: &[char], at: &mut usize, ascii: bool) -> Result<String, PatternError> {
    let start = *at - 1;
    let unterminated = || PatternError::at("unterminated character set", chars, start);
    let mut out = String::from("[");
    if chars.get(*at) == Some(&'^') {
        *at += 1;
        out.push('^');
    }
    let first = *at;
    loop {
        let item_start = *at;
        let c = *chars.get(*at).ok_or_else(unterminated)?;
        if c == ']' && *at != first {
            *at += 1;
            break;
        }
        let low = item(chars, at, ascii)?;
        let ranged = chars.get(*at) == Some(&'-') && chars.get(*at + 1).is_some_and(|c| *c != ']');
        if chars.get(*at) == Some(&'-') && chars.get(*at + 1).is_none() {
            return Err(unterminated());
        }
        if !ranged {
            push(&low, &mut out);
            continue;
        }
        *at += 1;
        let high = item(chars, at, ascii)?;
        match (&low, &high) {
            (Item::Char(a), Item::Char(b)) if a <= b => {
                out.push_str(&literal(*a));
                out.push('-');
                out.push_str(&literal(*b));
            }
            _ => {
                let text: String = chars.get(item_start..*at).unwrap_or(&[]).iter().collect();
                return Err(PatternError::at(&format!("bad character range {text}"), chars, item_start));
            }
        }
    }
    out.push(']');
    Ok(out)
}

fn push(item: &Item, out: &mut String) {
    match item {
        Item::Char(c) => out.push_str(&literal(*c)),
        Item::Category(text) => out.push_str(text),
    }
}

fn item(chars: &[char], at: &mut usize, ascii: bool) -> Result<Item, PatternError> {
    let end = || PatternError::at("unterminated character set", chars, chars.len());
    let c = *chars.get(*at).ok_or_else(end)?;
    *at += 1;
    if c != '\\' {
        return Ok(Item::Char(c));
    }
    let letter =
        *chars.get(*at).ok_or_else(|| PatternError::at("bad escape (end of pattern)", chars, chars.len() - 1))?;
    *at += 1;
    if let Some(text) = category(letter, ascii) {
        return Ok(Item::Category(text));
    }
    if letter == 'b' {
        return Ok(Item::Char('\u{8}'));
    }
    if letter.is_digit(8) {
        *at -= 1;
        let start = *at - 1;
        let code = octal(chars, at, 3);
        return match char::from_u32(code) {
            Some(c) if code <= 0o377 => Ok(Item::Char(c)),
            _ => {
                Err(PatternError::at(&format!("octal escape value \\{code:o} outside of range 0-0o377"), chars, start))
            }
        };
    }
    escaped(letter, chars, at).map(Item::Char)
}
