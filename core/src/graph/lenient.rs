//! JSON as Python writes it. Python's encoder allows `NaN`, `Infinity` and lone surrogates, which strict parsers
//! refuse; one such value in a prompt would make a whole queue or history response unreadable. NUL characters are
//! replaced too, because PostgreSQL cannot store them.

use serde::de::DeserializeOwned;

/// Parses `text`. `NaN` and infinities become `null`, lone surrogates and NUL characters become U+FFFD, and numbers too
/// large for a float become the largest one.
///
/// # Errors
/// The strict parser's error, if the repaired text is not valid either.
pub fn read<T: DeserializeOwned>(text: &[u8]) -> Result<T, serde_json::Error> {
    if text.windows(NUL.len()).any(|window| window == NUL) {
        return serde_json::from_slice(&repair(text));
    }
    match serde_json::from_slice(text) {
        Ok(value) => Ok(value),
        Err(strict) if strict.is_syntax() => serde_json::from_slice(&repair(text)).map_err(|_| strict),
        Err(strict) => Err(strict),
    }
}

/// A number that JSON cannot express, as an input value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{word} is not a JSON number and cannot be sent as a value")]
pub struct NotANumber {
    /// The path, such as `prompt.1.inputs.strength`.
    pub place: String,
    pub word: &'static str,
}

/// Replaces `NaN` and infinities in editor graphs and in notes such as `is_changed` by `null`, as browsers do. `None`
/// if the text has none.
///
/// # Errors
/// [`NotANumber`] if one is the input value of a prompt, because the node would get another value.
pub fn without_non_numbers(text: &[u8]) -> Result<Option<Vec<u8>>, NotANumber> {
    with_nulls(text, is_of_an_input)
}

/// The first number that JSON cannot express.
#[must_use]
pub fn non_number(text: &[u8]) -> Option<NotANumber> {
    with_nulls(text, |_, _| true).err()
}

fn with_nulls(text: &[u8], is_refused: fn(&[u8], &[Step]) -> bool) -> Result<Option<Vec<u8>>, NotANumber> {
    let mut mended = Vec::with_capacity(text.len());
    let mut path: Vec<Step> = Vec::new();
    let (mut at, mut is_changed) = (0, false);
    while let Some(&byte) = text.get(at) {
        let rest = text.get(at..).unwrap_or_default();
        let mut taken = 1;
        match byte {
            b'"' => {
                taken = text_length(rest);
                if let Some(Step::Key { name, is_next: is_next @ true }) = path.last_mut() {
                    (*name, *is_next) = (at + 1..(at + taken).saturating_sub(1), false);
                }
            }
            b'{' => path.push(Step::Key { name: 0..0, is_next: true }),
            b'[' => path.push(Step::Index(0)),
            b'}' | b']' => {
                path.pop();
            }
            b',' => match path.last_mut() {
                Some(Step::Key { is_next, .. }) => *is_next = true,
                Some(Step::Index(index)) => *index += 1,
                None => {}
            },
            b'N' | b'I' | b'-' => {
                if let Some(word) = WORDS.into_iter().find(|word| rest.starts_with(word.as_bytes())) {
                    if is_refused(text, &path) {
                        return Err(NotANumber { place: shown(text, &path), word });
                    }
                    is_changed = true;
                    mended.extend_from_slice(b"null");
                    at += word.len();
                    continue;
                }
            }
            _ => {}
        }
        // No parser goes deeper, and such a text is never stored.
        if path.len() > DEEPEST {
            return Ok(None);
        }
        mended.extend_from_slice(rest.get(..taken).unwrap_or(rest));
        at += taken;
    }
    Ok(is_changed.then_some(mended))
}

const WORDS: [&str; 3] = ["-Infinity", "Infinity", "NaN"];
const DEEPEST: usize = 128;

/// A step of a JSON path.
enum Step {
    /// The position of the key, and whether the next string is a key.
    Key {
        name: std::ops::Range<usize>,
        is_next: bool,
    },
    Index(usize),
}

/// The length of the string literal at the start.
fn text_length(rest: &[u8]) -> usize {
    let mut at = 1;
    while let Some(byte) = rest.get(at) {
        match byte {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    rest.len()
}

/// Whether the path is below a node's `inputs` in API format (editor graphs have a list there) or below a form.
fn is_of_an_input(text: &[u8], path: &[Step]) -> bool {
    if matches!(path, [Step::Key { name, .. }, _, ..] if text.get(name.clone()) == Some(b"form")) {
        return true;
    }
    let steps = path.iter().zip(path.iter().skip(1));
    steps.into_iter().any(|(step, next)| match (step, next) {
        (Step::Key { name, .. }, Step::Key { .. }) => text.get(name.clone()) == Some(b"inputs"),
        _ => false,
    })
}

fn shown(text: &[u8], path: &[Step]) -> String {
    let mut place = String::new();
    for step in path {
        match step {
            Step::Key { name, .. } => {
                if !place.is_empty() {
                    place.push('.');
                }
                place.push_str(&String::from_utf8_lossy(text.get(name.clone()).unwrap_or_default()));
            }
            Step::Index(index) => place.push_str(&format!("[{index}]")),
        }
    }
    place
}

const NUL: &[u8] = b"\\u0000";

/// Repairs what [`read`] documents.
pub(super) fn repair(text: &[u8]) -> Vec<u8> {
    const NAMES: [&[u8]; 3] = [b"-Infinity", b"Infinity", b"NaN"];
    let mut mended = Vec::with_capacity(text.len());
    let mut rest = text;
    let mut in_string = false;
    while let Some((&byte, after)) = rest.split_first() {
        if in_string {
            if byte == b'\\' {
                let taken = escape(rest, &mut mended);
                rest = rest.get(taken..).unwrap_or_default();
                continue;
            }
            in_string = byte != b'"';
        } else if let Some(name) = NAMES.iter().find(|name| rest.starts_with(name)) {
            mended.extend_from_slice(b"null");
            rest = rest.get(name.len()..).unwrap_or_default();
            continue;
        } else if matches!(byte, b'-' | b'0'..=b'9') {
            let taken = number(rest, &mut mended);
            rest = rest.get(taken..).unwrap_or_default();
            continue;
        } else {
            in_string = byte == b'"';
        }
        mended.push(byte);
        rest = after;
    }
    mended
}

/// Copies the number at the start of `rest`, limited to the largest float; returns its length.
fn number(rest: &[u8], mended: &mut Vec<u8>) -> usize {
    let is_of_it = |byte: &u8| matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E' | b'0'..=b'9');
    let length = rest.iter().position(|byte| !is_of_it(byte)).unwrap_or(rest.len());
    let text = rest.get(..length).unwrap_or_default();
    let parsed = std::str::from_utf8(text).ok().and_then(|text| text.parse::<f64>().ok());
    match parsed.filter(|number| number.is_infinite()) {
        Some(number) => mended.extend_from_slice(format!("{:e}", f64::MAX.copysign(number)).as_bytes()),
        None => mended.extend_from_slice(text),
    }
    length
}

/// Copies one escape sequence, replacing a lone surrogate by U+FFFD; returns its length.
fn escape(rest: &[u8], mended: &mut Vec<u8>) -> usize {
    let taken = match code_unit(rest) {
        None => 2,
        Some(0xD800..=0xDBFF) => match rest.get(6..).and_then(code_unit) {
            Some(0xDC00..=0xDFFF) => 12,
            _ => 0,
        },
        Some(0 | 0xDC00..=0xDFFF) => 0,
        Some(_) => 6,
    };
    if taken == 0 {
        mended.extend_from_slice(b"\\ufffd");
        return 6;
    }
    mended.extend_from_slice(rest.get(..taken).unwrap_or(rest));
    taken
}

/// The value of a `\uXXXX` at the start of `text`.
fn code_unit(text: &[u8]) -> Option<u16> {
    let digits = text.strip_prefix(b"\\u")?.get(..4)?;
    u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn nan_and_infinities_are_read_as_null() {
        let text = br#"{"a": NaN, "b": [-Infinity, Infinity, 1.5], "c": "NaN stays \" NaN"}"#;
        let value: Value = read(text).unwrap();
        assert_eq!(value, json!({"a": null, "b": [null, null, 1.5], "c": "NaN stays \" NaN"}));
    }

    #[test]
    fn lone_surrogate_is_replaced_and_a_pair_is_kept() {
        let value: Value = read(br#"["\ud83d\ude00", "\ud83d x", "\ude00", "\\ud83d", "caf\u00e9"]"#).unwrap();
        assert_eq!(value, json!(["😀", "\u{fffd} x", "\u{fffd}", "\\ud83d", "café"]));
    }

    #[test]
    fn nul_is_replaced_unless_its_backslash_is_escaped() {
        let value: Value = read(br#"["a\u0000b", "a\\u0000b"]"#).unwrap();
        assert_eq!(value, json!(["a\u{fffd}b", "a\\u0000b"]));
    }

    #[test]
    fn nan_is_null_in_notes_and_an_error_in_inputs() {
        let mended = |text: &str| {
            without_non_numbers(text.as_bytes()).map(|text| text.map(|text| String::from_utf8(text).unwrap()))
        };
        let notes = r#"{"1": {"is_changed": [NaN, "NaN \" NaN"], "inputs": {"a": -1}}, "w": {"nodes": [{"pos": [-Infinity], "inputs": [{"x": Infinity}]}]}}"#;
        let null = r#"{"1": {"is_changed": [null, "NaN \" NaN"], "inputs": {"a": -1}}, "w": {"nodes": [{"pos": [null], "inputs": [{"x": null}]}]}}"#;
        assert_eq!(mended(notes), Ok(Some(null.to_owned())));
        assert_eq!(mended(null), Ok(None));
        for (text, place) in [
            (r#"{"prompt": {"1": {"class_type": "A", "inputs": {"a": 1, "b": NaN}}}}"#, "prompt.1.inputs.b"),
            (r#"{"1": {"inputs": {"a": {"__value__": [1, Infinity]}}}}"#, "1.inputs.a.__value__[1]"),
            (r#"{"key": "a", "form": {"strength": -Infinity}}"#, "form.strength"),
        ] {
            assert_eq!(mended(text).unwrap_err().place, place);
        }
        for broken in ["{\"a", "\\", "[[[", "]}", "NaN", "{NaN"] {
            let _ = mended(broken);
        }
        assert_eq!(mended(&"[".repeat(1000)), Ok(None));
    }

    #[test]
    fn invalid_json_stays_an_error() {
        for text in [&b"<html>"[..], b"{\"a\": ", b"", b"\"\\", b"nan", b"{\"a\" NaN}"] {
            assert!(read::<Value>(text).is_err(), "{:?} was read", String::from_utf8_lossy(text));
        }
    }
}
