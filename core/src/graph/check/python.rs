//! Python's formatting, comparison and indexing of values, where it differs from Rust's. ComfyUI uses these texts in
//! messages, files and converted inputs.

use serde_json::{Number, Value};

/// `str(value)`.
#[must_use]
pub fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => repr(other),
    }
}

/// `repr(value)`.
#[must_use]
pub fn repr(value: &Value) -> String {
    let mut out = String::new();
    write(value, &mut out);
    out
}

/// The name of the Python type.
#[must_use]
pub fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "NoneType",
        Value::Bool(_) => "bool",
        Value::Number(number) if number.is_f64() => "float",
        Value::Number(_) => "int",
        Value::String(_) => "str",
        Value::Array(_) => "list",
        Value::Object(_) => "dict",
    }
}

/// `a == b`: numbers compare by value, and `True` is 1.
#[must_use]
pub fn equal(one: &Value, other: &Value) -> bool {
    match (as_number(one), as_number(other)) {
        (Some(one), Some(other)) => one == other,
        _ => one == other,
    }
}

fn as_number(value: &Value) -> Option<f64> {
    match value {
        Value::Bool(flag) => Some(f64::from(u8::from(*flag))),
        Value::Number(number) => number.as_f64(),
        _ => None,
    }
}

/// `str(number)`.
#[must_use]
pub fn number(number: &Number) -> String {
    match number.as_f64() {
        Some(float) if number.is_f64() => self::float(float),
        _ => number.to_string(),
    }
}

/// `repr(float)`: the shortest round-trip digits, with an exponent from 1e16 up and below 1e-4.
#[must_use]
pub fn float(float: f64) -> String {
    if float.is_nan() {
        return "nan".to_owned();
    }
    if float.is_infinite() {
        return if float > 0.0 { "inf" } else { "-inf" }.to_owned();
    }
    let scientific = format!("{float:e}");
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..16).contains(&exponent) {
        return format!("{float:?}");
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}e{sign}{:02}", exponent.abs())
}

/// `str.isspace`; includes four ASCII separators that are not in Unicode's `White_Space`.
#[must_use]
pub fn is_space(letter: char) -> bool {
    letter.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&letter)
}

/// The index of `list[index]` in a list of `len`; negative ones count from the end.
#[must_use]
pub fn index(index: i64, len: usize) -> Option<usize> {
    let index = if index < 0 { i64::try_from(len).ok()?.checked_add(index)? } else { index };
    usize::try_from(index).ok().filter(|index| *index < len)
}

/// `json.dumps(value)` with default settings: `", "` and `": "`, non-ASCII escaped.
#[must_use]
pub fn dumps(value: &Value) -> String {
    let mut out = String::new();
    write_json(value, &mut out);
    out
}

fn write(value: &Value, out: &mut String) {
    match value {
        Value::Null => out.push_str("None"),
        Value::Bool(true) => out.push_str("True"),
        Value::Bool(false) => out.push_str("False"),
        Value::Number(value) => out.push_str(&number(value)),
        Value::String(text) => write_text(text, out),
        Value::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push_str(", ");
                }
                write(item, out);
            }
            out.push(']');
        }
        Value::Object(map) => {
            out.push('{');
            for (index, (key, value)) in map.iter().enumerate() {
                if index > 0 {
                    out.push_str(", ");
                }
                write_text(key, out);
                out.push_str(": ");
                write(value, out);
            }
            out.push('}');
        }
    }
}

fn write_text(text: &str, out: &mut String) {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    out.push(quote);
    for letter in text.chars() {
        match letter {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\\' => out.push_str("\\\\"),
            letter if letter == quote => {
                out.push('\\');
                out.push(letter);
            }
            letter if letter.is_control() => out.push_str(&format!("\\x{:02x}", u32::from(letter))),
            letter => out.push(letter),
        }
    }
    out.push(quote);
}

fn write_json(value: &Value, out: &mut String) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(flag) => out.push_str(if *flag { "true" } else { "false" }),
        Value::Number(value) => out.push_str(&number(value)),
        Value::String(text) => write_json_text(text, out),
        Value::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                out.push_str(if index == 0 { "" } else { ", " });
                write_json(item, out);
            }
            out.push(']');
        }
        Value::Object(entries) => {
            out.push('{');
            for (index, (key, item)) in entries.iter().enumerate() {
                out.push_str(if index == 0 { "" } else { ", " });
                write_json_text(key, out);
                out.push_str(": ");
                write_json(item, out);
            }
            out.push('}');
        }
    }
}

fn write_json_text(text: &str, out: &mut String) {
    out.push('"');
    for letter in text.chars() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            ' '..='~' => out.push(letter),
            _ => {
                let mut units = [0; 2];
                for unit in letter.encode_utf16(&mut units) {
                    out.push_str(&format!("\\u{unit:04x}"));
                }
            }
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_are_formatted_as_in_python() {
        let table = [
            (json!(null), "None"),
            (json!(true), "True"),
            (json!(7), "7"),
            (json!(8.0), "8.0"),
            (json!(0.01), "0.01"),
            (json!(1e16), "1e+16"),
            (json!(0.00001), "1e-05"),
            (json!(1.5e300), "1.5e+300"),
            (json!(-0.0), "-0.0"),
            (json!(123_456_789.25), "123456789.25"),
            (json!("it's"), "\"it's\""),
            (json!("a\nb\\"), "'a\\nb\\\\'"),
            (json!("\u{7}\u{85}"), "'\\x07\\x85'"),
            (json!({"a": [1, "x", null]}), "{'a': [1, 'x', None]}"),
        ];
        for (value, text) in table {
            assert_eq!(repr(&value), text, "{value}");
        }
        assert_eq!([f64::NAN, f64::INFINITY, f64::NEG_INFINITY].map(float), ["nan", "inf", "-inf"]);
    }

    #[test]
    fn equality_is_by_value_across_number_types() {
        assert!(equal(&json!(1), &json!(1.0)));
        assert!(equal(&json!(true), &json!(1)));
        assert!(!equal(&json!("1"), &json!(1)));
    }

    #[test]
    fn text_beyond_ascii_is_escaped_as_python_does() {
        let value = json!({"a": ["é😀\"\n", 1.0, 1e17, 0.00001, 7, null, true]});
        assert_eq!(dumps(&value), r#"{"a": ["\u00e9\ud83d\ude00\"\n", 1.0, 1e+17, 1e-05, 7, null, true]}"#);
    }
}
