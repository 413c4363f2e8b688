//! JSON as Python writes it. Its encoder lets `NaN`, `Infinity` and lone surrogates through, which strict readers
//! refuse; one such value in a prompt would otherwise hide a whole queue or history answer. NUL characters are taken
//! out on the way in as well, because the database takes none in a text.

use serde::de::DeserializeOwned;

/// Reads `text`; `NaN` and infinities are read as `null`, lone surrogates and NUL characters as U+FFFD.
///
/// # Errors
/// The strict reader's error where even the mended text is not JSON of this shape.
pub fn read<T: DeserializeOwned>(text: &[u8]) -> Result<T, serde_json::Error> {
    if text.windows(NUL.len()).any(|window| window == NUL) {
        return serde_json::from_slice(&mend(text));
    }
    match serde_json::from_slice(text) {
        Ok(value) => Ok(value),
        Err(strict) if strict.is_syntax() => serde_json::from_slice(&mend(text)).map_err(|_| strict),
        Err(strict) => Err(strict),
    }
}

const NUL: &[u8] = b"\\u0000";

/// The text with whatever [`read`] mends.
pub(super) fn mend(text: &[u8]) -> Vec<u8> {
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
        } else {
            in_string = byte == b'"';
        }
        mended.push(byte);
        rest = after;
    }
    mended
}

/// Copies one escape sequence from the start of `rest`, a lone surrogate as U+FFFD; returns how many bytes it took.
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
    fn numbers_that_json_has_no_word_for_are_read_as_null() {
        let text = br#"{"a": NaN, "b": [-Infinity, Infinity, 1.5], "c": "NaN stays \" NaN"}"#;
        let value: Value = read(text).unwrap();
        assert_eq!(value, json!({"a": null, "b": [null, null, 1.5], "c": "NaN stays \" NaN"}));
    }

    #[test]
    fn a_lone_surrogate_becomes_a_replacement_and_a_pair_stays() {
        let value: Value = read(br#"["\ud83d\ude00", "\ud83d x", "\ude00", "\\ud83d", "caf\u00e9"]"#).unwrap();
        assert_eq!(value, json!(["😀", "\u{fffd} x", "\u{fffd}", "\\ud83d", "café"]));
    }

    #[test]
    fn a_nul_character_becomes_a_replacement_and_an_escaped_backslash_before_u0000_stays() {
        let value: Value = read(br#"["a\u0000b", "a\\u0000b"]"#).unwrap();
        assert_eq!(value, json!(["a\u{fffd}b", "a\\u0000b"]));
    }

    #[test]
    fn what_is_no_json_at_all_stays_an_error() {
        for text in [&b"<html>"[..], b"{\"a\": ", b"", b"\"\\", b"nan", b"{\"a\" NaN}"] {
            assert!(read::<Value>(text).is_err(), "{:?} was read", String::from_utf8_lossy(text));
        }
    }
}
