//! String nodes, with the meaning of Python's `str` methods.

use super::super::node::{Context, Inputs, NodeError, Outcome};
use super::super::value::Value;
use super::{Run, python};

pub(super) const NODES: &[(&str, Run)] = &[
    ("StringConcatenate", concatenate),
    ("StringSubstring", |inputs, context| {
        context.reserve(inputs.text("string")?.len().saturating_mul(2))?;
        text(python::slice(inputs.text("string")?, inputs.int("start")?, inputs.int("end")?))
    }),
    ("StringLength", |inputs, _| {
        let length = inputs.text("string")?.chars().count();
        Ok(Outcome::one(Value::Int(i128::try_from(length).unwrap_or(i128::MAX))))
    }),
    ("CaseConverter", convert_case),
    ("StringTrim", trim),
    ("StringReplace", replace),
    ("StringContains", contains),
    ("StringCompare", compare),
];

pub(super) fn text(text: impl Into<std::sync::Arc<str>>) -> Result<Outcome, NodeError> {
    Ok(Outcome::one(Value::Text(text.into())))
}

/// Rejects a text over the limit before it is made: chained nodes double it quickly. Reserves its memory twice, because
/// texts are built before they are shared.
pub(super) fn check_length(bytes: usize, context: &Context<'_>) -> Result<(), NodeError> {
    let limit = context.max_bytes.min(64 << 20);
    if bytes <= limit {
        return context.reserve(bytes.saturating_mul(2));
    }
    Err(NodeError::Raised {
        kind: "MemoryError",
        message: format!("a text of {bytes} bytes is longer than this worker makes (at most {limit})"),
    })
}

fn concatenate(inputs: &Inputs, context: &Context<'_>) -> Result<Outcome, NodeError> {
    let (a, b, delimiter) = (inputs.text("string_a")?, inputs.text("string_b")?, inputs.text("delimiter")?);
    check_length(a.len() + b.len() + delimiter.len(), context)?;
    text([a, delimiter, b].concat())
}

fn convert_case(inputs: &Inputs, context: &Context<'_>) -> Result<Outcome, NodeError> {
    let string = inputs.text("string")?;
    // A letter may be longer in the other case.
    context.reserve(string.len().saturating_mul(6))?;
    text(match inputs.text("mode")? {
        "UPPERCASE" => string.to_uppercase(),
        "lowercase" => string.to_lowercase(),
        "Capitalize" => python::capitalize(string),
        "Title Case" => python::title(string),
        _ => string.to_owned(),
    })
}

fn trim(inputs: &Inputs, context: &Context<'_>) -> Result<Outcome, NodeError> {
    let string = inputs.text("string")?;
    context.reserve(string.len())?;
    text(match inputs.text("mode")? {
        "Both" => python::strip(string, true, true),
        "Left" => python::strip(string, true, false),
        "Right" => python::strip(string, false, true),
        _ => string,
    })
}

fn replace(inputs: &Inputs, context: &Context<'_>) -> Result<Outcome, NodeError> {
    let (string, find, with) = (inputs.text("string")?, inputs.text("find")?, inputs.text("replace")?);
    let found = string.matches(find).count();
    check_length(string.len().saturating_add(found.saturating_mul(with.len())), context)?;
    text(string.replace(find, with))
}

fn contains(inputs: &Inputs, context: &Context<'_>) -> Result<Outcome, NodeError> {
    let (string, part) = (inputs.text("string")?, inputs.text("substring")?);
    context.reserve((string.len() + part.len()).saturating_mul(2))?;
    let contains = if inputs.bool("case_sensitive")? {
        string.contains(part)
    } else {
        string.to_lowercase().contains(&part.to_lowercase())
    };
    Ok(Outcome::one(Value::Bool(contains)))
}

fn compare(inputs: &Inputs, context: &Context<'_>) -> Result<Outcome, NodeError> {
    context.reserve((inputs.text("string_a")?.len() + inputs.text("string_b")?.len()).saturating_mul(3))?;
    let (mut a, mut b) = (inputs.text("string_a")?.to_owned(), inputs.text("string_b")?.to_owned());
    if !inputs.bool("case_sensitive")? {
        (a, b) = (a.to_lowercase(), b.to_lowercase());
    }
    let result = match inputs.text("mode")? {
        "Equal" => a == b,
        "Starts With" => a.starts_with(&b),
        _ => a.ends_with(&b),
    };
    Ok(Outcome::one(Value::Bool(result)))
}
