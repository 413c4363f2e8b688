//! `populate`: names of relations that views fill in.

use serde_json::Value;
use verdigraph_core::Error;

use super::{MAX_TEXT, read};

/// Most relations in one `populate`.
const MAX_RELATIONS: usize = 32;

/// Refuses relations that the resource does not have: `["user"]`, `[{"path": "user", "select": "name profile"}]`, or
/// words.
pub fn check(text: Option<&str>, relations: &[&str]) -> Result<(), Error> {
    let Some(text) = text else { return Ok(()) };
    let value = match text.trim_start().chars().next() {
        Some('[' | '{' | '"') => read("populate", text)?,
        _ if text.len() > MAX_TEXT => {
            return Err(Error::invalid("populate", format!("is longer than {MAX_TEXT} bytes")));
        }
        _ => Value::from(text),
    };
    let names = match &value {
        Value::String(words) => Some(split(words)),
        Value::Array(items) => items.iter().map(name_of).collect(),
        other => name_of(other).map(|name| vec![name]),
    };
    let known = |names: &Vec<&str>| names.len() <= MAX_RELATIONS && names.iter().all(|name| relations.contains(name));
    match names.as_ref().is_some_and(known) {
        true => Ok(()),
        false if relations.is_empty() => Err(Error::invalid("populate", "there is nothing to fill in here")),
        false => Err(Error::invalid("populate", format!("may name {}", relations.join(", ")))),
    }
}

fn split(words: &str) -> Vec<&str> {
    words.split([' ', ',']).filter(|word| !word.is_empty()).collect()
}

/// The name of one relation; `None` if it is invalid.
fn name_of(item: &Value) -> Option<&str> {
    if let Some(name) = item.as_str() {
        return Some(name);
    }
    let object = item.as_object()?;
    let selects = |value: &Value| match value {
        Value::String(_) => true,
        Value::Array(words) => words.iter().all(Value::is_string),
        _ => false,
    };
    let is_plain = object.iter().all(|(key, value)| key == "path" || (key == "select" && selects(value)));
    object.get("path")?.as_str().filter(|_| is_plain)
}
