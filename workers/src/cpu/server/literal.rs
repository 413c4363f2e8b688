//! The plain values of a prompt: converted as Python converts them, and checked against what the input declares.

use serde_json::{Map, Number, Value as Json, json};

use super::catalog::{Class, Input};
use super::python;
use super::validate::{Exception, reason};
use crate::cpu::like::Like;
use crate::cpu::node::{Folders, Inputs};
use crate::cpu::value::Value;

/// Lists of choices longer than this are not sent back.
const CHOICES_SHOWN: usize = 20;

/// What became of a plain value.
pub(super) struct Literal {
    /// What replaces it, where it was converted.
    pub converted: Option<Json>,
    /// Why it is refused, as the protocol has it. A value out of range is converted and refused.
    pub refusal: Option<Json>,
}

/// What is meant by `{"__value__": …}`; any other value means itself.
fn unwrapped(value: &Json) -> &Json {
    value.as_object().and_then(|wrapper| wrapper.get("__value__")).unwrap_or(value)
}

/// Converts and checks a plain value.
pub(super) fn literal(like: Like, input: &Input, value: &Json) -> Literal {
    let sent = value;
    let value = unwrapped(sent);
    let mut replaced = (!std::ptr::eq(sent, value)).then(|| value.clone());
    match convert(input, value) {
        Ok(Some(converted)) => replaced = Some(converted),
        Ok(None) => {}
        Err(refusal) => {
            let kind = input.type_name().unwrap_or_default();
            let info = json!({
                "input_name": input.name,
                "input_config": input.config(),
                "received_value": value,
                "exception_message": refusal,
            });
            let message = format!("Failed to convert an input value to a {kind} value");
            let details = format!("{}, {}, {refusal}", input.name, python::str_of(value));
            let refusal = reason("invalid_input_type", &message, &details, info);
            return Literal { converted: replaced, refusal: Some(refusal) };
        }
    }
    let checked = replaced.as_ref().unwrap_or(value);
    let refusal = if input.is_checked_by_node() { None } else { out_of_range(like, input, checked) };
    Literal { converted: replaced, refusal }
}

/// The value as the input's type has it; `None` where the type takes any value.
fn convert(input: &Input, value: &Json) -> Result<Option<Json>, String> {
    Ok(match input.type_name() {
        Some("INT") => Some(Json::Number(whole_number(python::to_int(value)?)?)),
        Some("FLOAT") => Some(float_number(python::to_float(value)?)?),
        Some("STRING") => Some(Json::String(python::str_of(value))),
        Some("BOOLEAN") => Some(Json::Bool(python::to_bool(value))),
        _ => None,
    })
}

fn whole_number(number: i128) -> Result<Number, String> {
    Number::from_i128(number).ok_or_else(|| format!("{number} is beyond 64 bits"))
}

fn float_number(number: f64) -> Result<Json, String> {
    Number::from_f64(number).map(Json::Number).ok_or_else(|| "cannot be written as JSON".to_owned())
}

fn out_of_range(like: Like, input: &Input, value: &Json) -> Option<Json> {
    let info =
        |config: Option<Json>| json!({"input_name": input.name, "input_config": config, "received_value": value});
    if let Some(number) = python::number_of(value) {
        for (bound, kind, word, beyond) in
            [("min", "value_smaller_than_min", "smaller", -1.0_f64), ("max", "value_bigger_than_max", "bigger", 1.0)]
        {
            let Some(limit) = input.options.get(bound) else {
                continue;
            };
            if python::number_of(limit).is_some_and(|limit| (number - limit) * beyond > 0.0) {
                let message =
                    format!("Value {} {word} than {bound} of {}", python::str_of(value), python::str_of(limit));
                return Some(reason(kind, &message, &input.name, info(Some(input.config()))));
            }
        }
    }
    let choices = input.choices()?;
    if choices.iter().any(|choice| python::equal(choice, value)) {
        return None;
    }
    let (shown, config) = if choices.len() > CHOICES_SHOWN {
        (format!("(list of length {})", choices.len()), None)
    } else {
        (python::repr(&json!(choices)), Some(input.config()))
    };
    let refused = match like {
        Like::V0_3_64 => format!("'{}'", python::str_of(value)),
        Like::V0_33_0 => python::repr(value),
    };
    let details = format!("{}: {refused} not in {shown}", input.name);
    Some(reason("value_not_in_list", "Value not in list", &details, info(config)))
}

/// The node's own check over its plain values. It takes the name of a file for a text, as a real server does.
pub(super) fn own_check(
    class: &Class,
    inputs: &Map<String, Json>,
    folders: &Folders,
) -> Result<Option<Json>, Exception> {
    let covered = class.inputs.iter().filter(|input| input.is_checked_by_node());
    let covered: Vec<&Json> = covered.filter_map(|input| inputs.get(&input.name)).filter(|it| !it.is_array()).collect();
    if covered.is_empty() {
        return Ok(None);
    }
    if let Some(other) = covered.into_iter().map(unwrapped).find(|value| !value.is_string()) {
        let text = format!("'{}' object has no attribute 'endswith'", python::type_name(other));
        return Err(Exception::new("AttributeError", text));
    }
    let plain = class.inputs.iter().filter_map(|input| {
        let value = inputs.get(&input.name).filter(|value| !value.is_array())?;
        Some((input.name.clone(), vec![value_of(unwrapped(value))]))
    });
    let Err((name, text)) = class.node.validate(&Inputs(plain.collect()), folders) else { return Ok(None) };
    let details = format!("{name} - {text}");
    let info = json!({"input_name": name});
    Ok(Some(reason("custom_validation_failed", "Custom validation failed for node", &details, info)))
}

/// A plain value of a prompt as nodes are given it.
pub(super) fn value_of(value: &Json) -> Value {
    match value {
        Json::String(text) => Value::Text(text.as_str().into()),
        Json::Bool(flag) => Value::Bool(*flag),
        Json::Number(number) => match python::whole(number) {
            Some(whole) => Value::Int(whole),
            None => Value::Float(number.as_f64().unwrap_or(f64::NAN)),
        },
        other => Value::Json(std::sync::Arc::new(other.clone())),
    }
}
