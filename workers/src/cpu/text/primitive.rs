//! Nodes that return a literal.

use super::super::node::{Inputs, NodeError, Outcome};
use super::super::value::Value;
use super::Run;

pub(super) const NODES: &[(&str, Run)] = &[
    ("PrimitiveString", |inputs, _| text(inputs)),
    ("PrimitiveStringMultiline", |inputs, _| text(inputs)),
    ("PrimitiveInt", |inputs, _| Ok(Outcome::one(Value::Int(inputs.int("value")?)))),
    ("PrimitiveFloat", |inputs, _| Ok(Outcome::one(Value::Float(inputs.float("value")?)))),
    ("PrimitiveBoolean", |inputs, _| Ok(Outcome::one(Value::Bool(inputs.bool("value")?)))),
];

fn text(inputs: &Inputs) -> Result<Outcome, NodeError> {
    Ok(Outcome::one(Value::Text(inputs.text("value")?.into())))
}
