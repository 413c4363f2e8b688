//! Python's way of writing and converting values. Clients read it in validation messages, and converted values replace
//! the sent ones in queue and history.

use serde_json::{Number, Value as Json};

/// Why Python would not convert a value: the text of its exception.
pub(super) type Refusal = String;

/// `repr(value)`.
pub(super) fn repr(value: &Json) -> String {
    match value {
        Json::Null => "None".to_owned(),
        Json::Bool(true) => "True".to_owned(),
        Json::Bool(false) => "False".to_owned(),
        Json::Number(number) => number_text(number),
        Json::String(text) => text_repr(text),
        Json::Array(items) => format!("[{}]", items.iter().map(repr).collect::<Vec<_>>().join(", ")),
        Json::Object(fields) => {
            let fields: Vec<String> =
                fields.iter().map(|(name, value)| format!("{}: {}", text_repr(name), repr(value))).collect();
            format!("{{{}}}", fields.join(", "))
        }
    }
}

/// `str(value)`.
pub(super) fn str_of(value: &Json) -> String {
    match value {
        Json::String(text) => text.clone(),
        other => repr(other),
    }
}

/// The name of the value's type.
pub(super) fn type_name(value: &Json) -> &'static str {
    match value {
        Json::Null => "NoneType",
        Json::Bool(_) => "bool",
        Json::Number(number) if number.is_f64() => "float",
        Json::Number(_) => "int",
        Json::String(_) => "str",
        Json::Array(_) => "list",
        Json::Object(_) => "dict",
    }
}

/// `int(value)`.
pub(super) fn to_int(value: &Json) -> Result<i128, Refusal> {
    match value {
        Json::Bool(flag) => Ok(i128::from(*flag)),
        Json::Number(number) => {
            if let Some(whole) = whole(number) {
                return Ok(whole);
            }
            let float = number.as_f64().unwrap_or(f64::NAN);
            #[expect(clippy::cast_possible_truncation, reason = "Python cuts the fraction; beyond i128 it saturates")]
            if float.is_finite() {
                Ok(float as i128)
            } else {
                Err("cannot convert float infinity to integer".to_owned())
            }
        }
        Json::String(text) => {
            let digits = text.trim();
            let plain = digits.replace('_', "");
            let misplaced = digits.starts_with('_') || digits.ends_with('_') || digits.contains("__");
            plain
                .parse::<i128>()
                .ok()
                .filter(|_| !misplaced)
                .ok_or_else(|| format!("invalid literal for int() with base 10: {}", text_repr(text)))
        }
        other => Err(format!(
            "int() argument must be a string, a bytes-like object or a real number, not '{}'",
            type_name(other)
        )),
    }
}

/// `float(value)`. Unlike Python's, it refuses what JSON cannot carry back to clients (`"nan"`, `"inf"`).
pub(super) fn to_float(value: &Json) -> Result<f64, Refusal> {
    match value {
        Json::Bool(flag) => Ok(f64::from(u8::from(*flag))),
        Json::Number(number) => number.as_f64().ok_or_else(|| "int too large to convert to float".to_owned()),
        Json::String(text) => {
            let digits = text.trim();
            let misplaced = digits.starts_with('_') || digits.ends_with('_') || digits.contains("__");
            digits
                .replace('_', "")
                .parse::<f64>()
                .ok()
                .filter(|number| number.is_finite() && !misplaced)
                .ok_or_else(|| format!("could not convert string to float: {}", text_repr(text)))
        }
        other => Err(format!("float() argument must be a string or a real number, not '{}'", type_name(other))),
    }
}

/// `bool(value)`.
pub(super) fn to_bool(value: &Json) -> bool {
    match value {
        Json::Null => false,
        Json::Bool(flag) => *flag,
        Json::Number(number) => number.as_f64().is_none_or(|number| number != 0.0),
        Json::String(text) => !text.is_empty(),
        Json::Array(items) => !items.is_empty(),
        Json::Object(fields) => !fields.is_empty(),
    }
}

/// `left == right`: numbers and booleans compare by value.
pub(super) fn equal(left: &Json, right: &Json) -> bool {
    match (number_of(left), number_of(right)) {
        (Some(left), Some(right)) => left.total_cmp(&right).is_eq() || left == right,
        (None, None) => left == right,
        _ => false,
    }
}

/// The value as a number, where Python can compare it with one.
pub(super) fn number_of(value: &Json) -> Option<f64> {
    match value {
        Json::Bool(flag) => Some(f64::from(u8::from(*flag))),
        Json::Number(number) => number.as_f64(),
        _ => None,
    }
}

/// A whole JSON number; `None` for floats.
pub(super) fn whole(number: &Number) -> Option<i128> {
    number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from))
}

fn number_text(number: &Number) -> String {
    match whole(number) {
        Some(whole) => whole.to_string(),
        None => float_repr(number.as_f64().unwrap_or(f64::NAN)),
    }
}

/// `repr(float)`: the shortest digits that read back as the same number, with an exponent below 1e-4 and from 1e16.
pub(super) fn float_repr(number: f64) -> String {
    if number.is_nan() {
        return "nan".to_owned();
    }
    if number.is_infinite() {
        return if number > 0.0 { "inf".to_owned() } else { "-inf".to_owned() };
    }
    let scientific = format!("{number:e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if number != 0.0 && !(-4..16).contains(&exponent) {
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{mantissa}e{sign}{:02}", exponent.abs());
    }
    let plain = number.to_string();
    if plain.contains('.') { plain } else { format!("{plain}.0") }
}

fn text_repr(text: &str) -> String {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    let mut out = String::with_capacity(text.len() + 2);
    out.push(quote);
    for letter in text.chars() {
        match letter {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            letter if letter == quote => {
                out.push('\\');
                out.push(letter);
            }
            letter if letter.is_control() && u32::from(letter) < 0x100 => {
                out.push_str(&format!("\\x{:02x}", u32::from(letter)));
            }
            letter => out.push(letter),
        }
    }
    out.push(quote);
    out
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_are_written_as_python_writes_them() {
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
            (json!({"a": [1, "x", null]}), "{'a': [1, 'x', None]}"),
        ];
        for (value, text) in table {
            assert_eq!(repr(&value), text, "{value}");
        }
    }

    #[test]
    fn numbers_are_read_as_python_reads_them() {
        assert_eq!(to_int(&json!(" 1_6 ")), Ok(16));
        assert_eq!(to_int(&json!("+7")), Ok(7));
        assert_eq!(to_int(&json!(-16.7)), Ok(-16));
        assert_eq!(to_int(&json!(true)), Ok(1));
        assert_eq!(to_int(&json!(u64::MAX)), Ok(i128::from(u64::MAX)));
        assert_eq!(to_int(&json!("16.7")), Err("invalid literal for int() with base 10: '16.7'".to_owned()));
        assert_eq!(to_int(&json!("_1")), Err("invalid literal for int() with base 10: '_1'".to_owned()));
        assert_eq!(to_float(&json!(" 1e3")), Ok(1000.0));
        assert_eq!(to_float(&json!("")), Err("could not convert string to float: ''".to_owned()));
        assert_eq!(
            to_float(&json!(null)),
            Err("float() argument must be a string or a real number, not 'NoneType'".to_owned())
        );
        assert!(to_bool(&json!("false")));
        assert!(!to_bool(&json!(0.0)));
    }

    #[test]
    fn equality_is_by_value_across_number_types() {
        assert!(equal(&json!(1), &json!(1.0)));
        assert!(equal(&json!(true), &json!(1)));
        assert!(!equal(&json!("1"), &json!(1)));
    }
}
