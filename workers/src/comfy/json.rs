//! Parses JSON as Python writes it, within a budget. A size limit is not enough: a value of two bytes takes fifty times
//! as much memory. Values are counted in the text before it is parsed.

use std::borrow::Cow;

use indexmap::IndexMap;
use serde::de::{DeserializeOwned, Error as _};
use serde_json::Value;
use serde_json::value::RawValue;
use verdigraph_core::graph::read_lenient;

use super::failure::Failure;

/// Values of one answer or message. A history entry with a large batch has a few thousand.
pub(super) const MAX_ENTRIES: u64 = 500_000;
/// Values of `/object_info`. With many custom nodes it has some hundred thousand, most of them model names.
const MAX_INFO_ENTRIES: u64 = 2_000_000;
/// Node classes of one server. Very many custom nodes come to six thousand.
const MAX_CLASSES: u64 = 20_000;

/// Lower bounds for the number of values in a text. Also counts text that is not JSON.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct JsonSize {
    /// Values at any depth.
    entries: u64,
    /// Values directly below the outermost one.
    members: u64,
}

impl JsonSize {
    fn of(text: &[u8]) -> Self {
        let (mut extent, mut depth) = (Self { entries: 1, members: 0 }, 0_u64);
        let (mut in_string, mut escaped) = (false, false);
        for byte in text {
            match byte {
                _ if escaped => escaped = false,
                b'\\' if in_string => escaped = true,
                b'"' => in_string = !in_string,
                _ if in_string => {}
                b'{' | b'[' => {
                    // The first value of the container. An empty container counts as one.
                    extent.entries += 1;
                    extent.members += u64::from(depth == 0);
                    depth += 1;
                }
                b'}' | b']' => depth = depth.saturating_sub(1),
                b',' => {
                    extent.entries += 1;
                    extent.members += u64::from(depth == 1);
                }
                _ => {}
            }
        }
        extent
    }
}

/// Marks the end of a cut text. A noncharacter, so that no server's text ends with it.
pub const CUT: char = '\u{ffff}';

/// Cuts long texts in JSON while it arrives, so that a text of any length takes little memory. The result is valid
/// JSON.
#[derive(Debug, Default)]
pub struct TextShortener {
    is_text: bool,
    escape: EscapeState,
    /// Bytes of the text so far.
    length: usize,
    is_cut: bool,
}

/// Position within an escape sequence, which must not be split.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum EscapeState {
    #[default]
    None,
    Begun,
    /// Digits of `\u` that are still missing.
    Digits(u8),
}

impl TextShortener {
    /// Bytes that are kept of one text: fewer if much is kept already.
    fn limit(kept: usize) -> usize {
        match kept >> 20 {
            ..16 => 2 << 20,
            16..24 => 64 << 10,
            _ => 1 << 10,
        }
    }

    /// Reads the next bytes and appends those that are kept.
    pub fn take(&mut self, bytes: &[u8], kept: &mut Vec<u8>) {
        for byte in bytes {
            self.one(*byte, kept);
        }
    }

    fn one(&mut self, byte: u8, kept: &mut Vec<u8>) {
        if !self.is_text {
            if byte == b'"' {
                *self = Self { is_text: true, ..Self::default() };
            }
            return kept.push(byte);
        }
        let is_whole = self.escape == EscapeState::None;
        self.escape = match (self.escape, byte) {
            (EscapeState::None, b'\\') => EscapeState::Begun,
            (EscapeState::None, b'"') => {
                self.is_text = false;
                return kept.push(byte);
            }
            (EscapeState::Begun, b'u') => EscapeState::Digits(4),
            (EscapeState::Digits(left @ 2..), _) => EscapeState::Digits(left - 1),
            _ => EscapeState::None,
        };
        if self.is_cut {
            return;
        }
        let begins_letter = is_whole && byte & 0xc0 != 0x80;
        if begins_letter && self.length >= Self::limit(kept.len().saturating_sub(self.length)) {
            self.is_cut = true;
            return kept.extend_from_slice(CUT.encode_utf8(&mut [0; 4]).as_bytes());
        }
        self.length += 1;
        kept.push(byte);
    }
}

/// Cuts the long texts of a message.
pub(super) fn shortened(text: &[u8]) -> Cow<'_, [u8]> {
    if text.len() < TextShortener::limit(0) {
        return Cow::Borrowed(text);
    }
    let mut kept = Vec::new();
    TextShortener::default().take(text, &mut kept);
    Cow::Owned(kept)
}

/// Reads the members of an object one by one until the budget is used up. `None` marks a member that exceeds it.
pub(super) fn members(object: &RawValue) -> Result<Vec<(String, Option<Value>)>, Failure> {
    let text = object.get().as_bytes();
    if JsonSize::of(text).members > MAX_CLASSES {
        return Err(Failure::TooMany { limit: MAX_CLASSES, what: "nodes" });
    }
    let members: IndexMap<String, Box<RawValue>> =
        read_lenient(text).map_err(|error| Failure::garbage("the answer", &error))?;
    let mut entries = 0;
    let one = |(key, value): (String, Box<RawValue>)| {
        let text = value.get().as_bytes();
        entries += JsonSize::of(text).entries;
        let value = if entries > MAX_ENTRIES { None } else { Some(read_lenient(text)) };
        Ok((key, value.transpose().map_err(|error| Failure::garbage("the answer", &error))?))
    };
    members.into_iter().map(one).collect()
}

/// Writes as texts what no number of ours holds: `NaN`, infinities, and integers beyond 64 bits. A node that shows one
/// is read with all its digits.
pub(super) fn with_exact_numbers(text: &[u8]) -> Cow<'_, [u8]> {
    let mut quoted = Vec::new();
    // The end of what `quoted` has.
    let mut taken = 0;
    let (mut at, mut in_string) = (0, false);
    while let Some(&byte) = text.get(at) {
        match byte {
            b'\\' if in_string => at += 1,
            b'"' => in_string = !in_string,
            b'N' | b'I' | b'-' | b'0'..=b'9' if !in_string => {
                let rest = text.get(at..).unwrap_or_default();
                let is_of_it = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+' | b'.');
                let length = rest.iter().position(|byte| !is_of_it(byte)).unwrap_or(rest.len());
                let number = rest.get(..length).unwrap_or_default();
                if is_beyond_numbers(number) {
                    quoted.extend_from_slice(text.get(taken..at).unwrap_or_default());
                    quoted.push(b'"');
                    quoted.extend_from_slice(number);
                    quoted.push(b'"');
                    taken = at + length;
                }
                at += length;
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    if taken == 0 {
        return Cow::Borrowed(text);
    }
    quoted.extend_from_slice(text.get(taken..).unwrap_or_default());
    Cow::Owned(quoted)
}

/// Whether Python wrote a number that parsing would change: none of JSON's, or one with too many digits.
fn is_beyond_numbers(number: &[u8]) -> bool {
    const FEWEST_DIGITS: usize = 19;
    match number {
        b"NaN" | b"Infinity" | b"-Infinity" => true,
        _ if number.len() < FEWEST_DIGITS => false,
        number => std::str::from_utf8(number).is_ok_and(|number| {
            let digits = number.strip_prefix('-').unwrap_or(number);
            let is_whole = digits.bytes().all(|byte| byte.is_ascii_digit());
            is_whole && number.parse::<i64>().is_err() && number.parse::<u64>().is_err()
        }),
    }
}

/// Reads the outermost shape of an answer. Its parts are parsed later.
pub(super) fn shape<T: DeserializeOwned>(text: &[u8]) -> Result<T, Failure> {
    read_lenient(text).map_err(|error| Failure::garbage("the answer", &error))
}

/// Parses an answer or a message within the budget. Accepts `NaN` and the like, as [`read_lenient`] does.
pub fn read<T: DeserializeOwned>(text: &[u8]) -> Result<T, serde_json::Error> {
    if JsonSize::of(text).entries > MAX_ENTRIES {
        return Err(serde_json::Error::custom(format_args!("it has more than {MAX_ENTRIES} values")));
    }
    read_lenient(text)
}

/// Like [`read`], for the answer to a call.
pub(super) fn answer<T: DeserializeOwned>(text: &[u8]) -> Result<T, Failure> {
    if JsonSize::of(text).entries > MAX_ENTRIES {
        return Err(Failure::TooMany { limit: MAX_ENTRIES, what: "values" });
    }
    read_lenient(text).map_err(|error| Failure::garbage("the answer", &error))
}

/// Parses `/object_info` within its own budget.
pub(crate) fn object_info<T: DeserializeOwned>(text: &[u8]) -> Result<T, Failure> {
    let JsonSize { entries, members } = JsonSize::of(text);
    if members > MAX_CLASSES {
        return Err(Failure::TooMany { limit: MAX_CLASSES, what: "node classes" });
    }
    if entries > MAX_INFO_ENTRIES {
        return Err(Failure::TooMany { limit: MAX_INFO_ENTRIES, what: "values in object_info" });
    }
    read_lenient(text).map_err(|error| Failure::garbage("object_info", &error))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Shortens a text that arrives in pieces of this many bytes.
    fn kept(text: &[u8], piece: usize) -> Vec<u8> {
        let (mut shortening, mut kept) = (TextShortener::default(), Vec::new());
        text.chunks(piece).for_each(|piece| shortening.take(piece, &mut kept));
        kept
    }

    #[test]
    fn long_text_is_cut_at_a_character_and_json_stays_valid() {
        for letter in ["x", "\\n", "\\\"", "\\\\", "\\uac00", "가", "\\ud83d\\ude00", "😀"] {
            let long = letter.repeat((3 << 20) / letter.len());
            let text = format!("{{\"a\": \"{long}\", \"b\": [1, \"short\"]}}");
            for piece in [7, 4096, text.len()] {
                let kept = kept(text.as_bytes(), piece);
                let read: Value = read_lenient(&kept).expect("JSON");
                let cut = read["a"].as_str().expect("a text");
                assert!(cut.ends_with(CUT) && cut.len() > 300_000, "{letter:?} in pieces of {piece}");
                assert_eq!(read["b"], serde_json::json!([1, "short"]));
                assert!(kept.len() < (2 << 20) + 100);
            }
        }
        let short = r#"{"a": "\"x\\", "b": ["\u0041", 1.5]}"#;
        assert_eq!(kept(short.as_bytes(), 3), short.as_bytes(), "nothing of it is long");
    }

    #[test]
    fn many_long_texts_are_cut_to_the_total_limit() {
        let texts: Vec<String> = (0..40).map(|_| "y".repeat(3 << 20)).collect();
        let kept = kept(&serde_json::to_vec(&texts).expect("JSON"), 1 << 20);
        assert!(kept.len() < 32 << 20, "{} bytes", kept.len());
        let read: Vec<String> = read_lenient(&kept).expect("JSON");
        assert!(read.len() == 40 && read.iter().all(|text| text.ends_with(CUT) && text.len() > 1000));
    }

    #[test]
    fn numbers_that_parsing_would_change_become_texts() {
        let exact = |text: &str| String::from_utf8(with_exact_numbers(text.as_bytes()).into_owned()).expect("UTF-8");
        for (written, read) in [
            (r#"{"v": [NaN, Infinity, -Infinity]}"#, r#"{"v": ["NaN", "Infinity", "-Infinity"]}"#),
            (r#"[18446744073709551616,1]"#, r#"["18446744073709551616",1]"#),
            (r#"[-9223372036854775809]"#, r#"["-9223372036854775809"]"#),
            ("123456789012345678901234567890", r#""123456789012345678901234567890""#),
        ] {
            assert_eq!(exact(written), read);
        }
        for kept in [
            r#"{"a": "NaN \" -Infinity 18446744073709551616", "b": [true, null, 1e-05, -0.0]}"#,
            "[18446744073709551615, -9223372036854775808, 9007199254740993, 1.1500000000000001]",
            "[12345678901234567890.5, 1.2345678901234567e+300]",
            r#"{"cut": "\"#,
            "",
        ] {
            assert!(matches!(with_exact_numbers(kept.as_bytes()), Cow::Borrowed(_)), "{kept}");
        }
    }

    #[test]
    fn oversized_member_does_not_affect_others() {
        let many = format!("[{}0]", "0,".repeat(600_000));
        let text = format!("{{\"1\": {{\"a\": [1]}}, \"2\": {many}, \"3\": NaN}}");
        let text = RawValue::from_string(text.replace("NaN", "7")).expect("JSON");
        let read = members(&text).expect("an object");
        assert_eq!(read[0], ("1".to_owned(), Some(serde_json::json!({"a": [1]}))));
        assert_eq!(read[1], ("2".to_owned(), None));
        assert!(members(&RawValue::from_string("[1]".to_owned()).expect("JSON")).is_err());
    }

    #[test]
    fn values_are_counted_but_not_inside_texts() {
        for (text, entries, members) in [
            ("1", 1, 0),
            ("{}", 2, 1),
            ("[1, 2, 3]", 4, 3),
            (r#"{"a": [1, 2], "b": {"c": "x,y,[{"}}"#, 6, 2),
            (r#"{"a": "\\", "b": "\",[\""}"#, 3, 2),
            ("]]][,", 3, 2),
        ] {
            assert_eq!(JsonSize::of(text.as_bytes()), JsonSize { entries, members }, "{text}");
        }
    }

    /// Peak memory of this process in bytes.
    fn peak() -> u64 {
        let status = std::fs::read_to_string("/proc/self/status").expect("a Linux machine");
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("the peak is told");
        line.trim().trim_end_matches(" kB").parse::<u64>().expect("a number") * 1024
    }

    #[test]
    fn many_small_values_are_rejected_before_parsing() {
        let history: String = (0..1_000_000).map(|entry| format!("\"{entry}\":{{}},")).collect();
        let history = format!("{{{}}}", history.trim_end_matches(','));
        let class = r#"{"input":{"required":{"a":["INT",{}]}},"output":["INT"],"name":"x","category":"x"}"#;
        let classes: String = (0..60_000).map(|number| format!("\"C{number}\":{class},")).collect();
        let classes = format!("{{{}}}", classes.trim_end_matches(','));
        let nested = "[".repeat(8 << 20);
        let before = peak();
        let many = |refused: Result<Value, Failure>| matches!(refused, Err(Failure::TooMany { .. }));
        assert!(many(answer(history.as_bytes())) && many(answer(nested.as_bytes())));
        assert!(many(object_info(classes.as_bytes())) && many(object_info(nested.as_bytes())));
        assert!(read::<Value>(history.as_bytes()).is_err());
        let taken = peak() - before;
        assert!(taken < 32 << 20, "answers that are refused took {taken} bytes");
    }

    #[test]
    fn recorded_answers_are_within_limits() {
        let many: Vec<u32> = (0..400_000).collect();
        let text = serde_json::to_vec(&many).expect("JSON");
        assert_eq!(answer::<Vec<u32>>(&text).map(|read| read.len()), Ok(400_000));
        let classes: serde_json::Map<String, Value> = (0..8_000).map(|n| (n.to_string(), Value::Null)).collect();
        let text = serde_json::to_vec(&classes).expect("JSON");
        assert_eq!(object_info::<serde_json::Map<String, Value>>(&text).map(|read| read.len()), Ok(8_000));
    }
}
