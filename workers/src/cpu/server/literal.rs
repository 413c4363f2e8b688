//! Converts literals of a prompt to node values.

use serde_json::Value as Json;

use crate::cpu::value::Value;

pub(super) fn value_of(value: &Json) -> Value {
    match value {
        Json::String(text) => Value::Text(text.as_str().into()),
        Json::Bool(flag) => Value::Bool(*flag),
        Json::Number(number) => match number.as_i128() {
            Some(whole) => Value::Int(whole),
            None => Value::Float(number.as_f64().unwrap_or(f64::NAN)),
        },
        other => Value::Json(std::sync::Arc::new(other.clone())),
    }
}
