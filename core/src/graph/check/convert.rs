//! ComfyUI's conversion of literals before a node receives them: `int(x)`, `float(x)`, `str(x)`, `bool(x)`.

use std::num::IntErrorKind;

use serde_json::{Number, Value};

use super::python;

/// Python's integers are unlimited; JSON parsers accept 64 bits.
const TOO_LARGE: &str = "int too large to convert";

/// The value inside `{"__value__": …}`; other values are returned as they are.
#[must_use]
pub fn unwrapped(value: &Value) -> &Value {
    value.get("__value__").unwrap_or(value)
}

/// `int(value)`. Strings must be integers, floats are truncated, booleans are 0 and 1.
///
/// # Errors
/// Python's message.
pub fn int(value: &Value) -> Result<Number, String> {
    match value {
        Value::Bool(flag) => Ok(Number::from(u8::from(*flag))),
        Value::Number(number) => match number.as_f64() {
            Some(float) if number.is_f64() => whole(float),
            _ => Ok(number.clone()),
        },
        Value::String(text) => int_of_text(text),
        other => Err(format!(
            "int() argument must be a string, a bytes-like object or a real number, not '{}'",
            python::type_name(other)
        )),
    }
}

/// `float(value)`. Infinity and NaN are refused, because JSON cannot represent them.
///
/// # Errors
/// Python's message.
pub fn float(value: &Value) -> Result<Number, String> {
    let float = match value {
        Value::Bool(flag) => f64::from(u8::from(*flag)),
        Value::Number(number) => number.as_f64().unwrap_or(f64::NAN),
        Value::String(text) => float_of_text(text).unwrap_or(f64::NAN),
        other => {
            let kind = python::type_name(other);
            return Err(format!("float() argument must be a string or a real number, not '{kind}'"));
        }
    };
    Number::from_f64(float).ok_or_else(|| format!("could not convert string to float: {}", python::repr(value)))
}

/// `bool(value)`: empty and zero are false, everything else is true, including the string `false`.
#[must_use]
pub fn boolean(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(flag) => *flag,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(map) => !map.is_empty(),
    }
}

fn whole(float: f64) -> Result<Number, String> {
    let float = float.trunc();
    // The bounds are exact as floats: -2^63 and 2^64.
    if (-9_223_372_036_854_775_808.0..0.0).contains(&float) {
        #[expect(clippy::cast_possible_truncation, reason = "whole and in range, as checked above")]
        return Ok(Number::from(float as i64));
    }
    if (0.0..18_446_744_073_709_551_616.0).contains(&float) {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "whole and in range, as checked above"
        )]
        return Ok(Number::from(float as u64));
    }
    Err(TOO_LARGE.to_owned())
}

fn int_of_text(text: &str) -> Result<Number, String> {
    let refuse =
        || format!("invalid literal for int() with base 10: {}", python::repr(&Value::String(text.to_owned())));
    let digits = without_underscores(stripped(text)).ok_or_else(refuse)?;
    if let Ok(number) = digits.parse::<i64>() {
        return Ok(Number::from(number));
    }
    digits.parse::<u64>().map(Number::from).map_err(|error| match error.kind() {
        IntErrorKind::PosOverflow => TOO_LARGE.to_owned(),
        _ if digits.parse::<i64>().is_err_and(|error| *error.kind() == IntErrorKind::NegOverflow) => {
            TOO_LARGE.to_owned()
        }
        _ => refuse(),
    })
}

fn stripped(text: &str) -> &str {
    text.trim_matches(python::is_space)
}

fn float_of_text(text: &str) -> Option<f64> {
    without_underscores(stripped(text))?.parse().ok()
}

/// Python allows single underscores between digits.
fn without_underscores(text: &str) -> Option<String> {
    if !text.contains('_') {
        return Some(text.to_owned());
    }
    let bytes = text.as_bytes();
    let between_digits = |at: usize| {
        let digit = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_digit);
        digit(at.checked_sub(1)) && digit(at.checked_add(1))
    };
    let sound = bytes.iter().enumerate().all(|(at, byte)| *byte != b'_' || between_digits(at));
    sound.then(|| text.replace('_', ""))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn numbers_are_parsed_as_in_python() {
        let int = |value: Value| super::int(&value).map(Value::Number);
        assert_eq!(int(json!(" 1_6 ")), Ok(json!(16)));
        assert_eq!(int(json!("\u{1f}+7")), Ok(json!(7)));
        assert_eq!(int(json!(-16.7)), Ok(json!(-16)));
        assert_eq!(int(json!(true)), Ok(json!(1)));
        assert_eq!(int(json!(u64::MAX)), Ok(json!(u64::MAX)));
        for word in ["16.7", "_1", "1__6", "", "0x10"] {
            assert_eq!(int(json!(word)), Err(format!("invalid literal for int() with base 10: '{word}'")));
        }
        for large in [json!("18446744073709551616"), json!("-9223372036854775809"), json!(1e300)] {
            assert_eq!(int(large), Err(TOO_LARGE.to_owned()));
        }
        let float = |value: Value| super::float(&value).map(Value::Number);
        assert_eq!(float(json!(" 1e3")), Ok(json!(1000.0)));
        assert_eq!(float(json!("")), Err("could not convert string to float: ''".to_owned()));
        let of_null = "float() argument must be a string or a real number, not 'NoneType'";
        assert_eq!(float(json!(null)), Err(of_null.to_owned()));
        assert!(boolean(&json!("false")));
        assert!(!boolean(&json!(0.0)));
    }
}
