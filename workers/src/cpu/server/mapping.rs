//! Runs a node over lists: once with whole lists if it takes them, otherwise once per element. Shorter lists repeat
//! their last element.

use serde_json::{Map, Value as Json, json};
use verdigraph_core::graph::python;

use crate::cpu::node::{Context, Inputs, Node, NodeError, Outcome};
use crate::cpu::value::Value;

/// Maximum characters of an input text in an error.
const SHOWN: usize = 1000;

/// Runs a node over its inputs and joins the results.
pub(super) fn run(node: &dyn Node, inputs: &Inputs, context: &Context<'_>) -> Result<Outcome, NodeError> {
    let longest = inputs.0.values().map(Vec::len).max().unwrap_or(0);
    if node.input_is_list() || inputs.0.values().all(|values| values.len() == 1) {
        return node.run(inputs, context);
    }
    let mut joined: Option<Outcome> = None;
    for index in 0..longest {
        context.check()?;
        let before = context.memory.reserved();
        let outcome = node.run(&slice(inputs, index)?, context)?;
        // Only the results are kept between runs.
        let kept: usize = outcome.outputs.iter().flatten().map(Value::size_bytes).sum();
        context.memory.release_to(before.saturating_add(kept));
        match &mut joined {
            None => joined = Some(outcome),
            Some(joined) => join(joined, outcome),
        }
    }
    Ok(joined.unwrap_or_default())
}

fn slice(inputs: &Inputs, index: usize) -> Result<Inputs, NodeError> {
    let one = |(name, values): (&String, &Vec<Value>)| {
        let value = values.get(index).or_else(|| values.last()).cloned();
        let value = value.ok_or_else(|| NodeError::Raised {
            kind: "IndexError",
            message: format!("{name}: list index out of range"),
        })?;
        Ok((name.clone(), vec![value]))
    };
    inputs.0.iter().map(one).collect::<Result<_, _>>().map(Inputs)
}

/// Appends a later run's outputs and files.
fn join(joined: &mut Outcome, later: Outcome) {
    for (slot, values) in joined.outputs.iter_mut().zip(later.outputs) {
        slot.extend(values);
    }
    let Some(Json::Object(later)) = later.ui else {
        return;
    };
    let Some(Json::Object(earlier)) = &mut joined.ui else {
        joined.ui = Some(Json::Object(later));
        return;
    };
    for (name, value) in later {
        match (earlier.get_mut(&name), value) {
            (Some(Json::Array(shown)), Json::Array(more)) => shown.extend(more),
            (Some(_), _) => {}
            (None, value) => {
                earlier.insert(name, value);
            }
        }
    }
}

/// The inputs as an error shows them: literals as they are, pictures by size and range.
pub(super) fn shown(inputs: &Inputs) -> Json {
    let list = |values: &Vec<Value>| values.iter().map(shown_value).collect::<Vec<_>>();
    Json::Object(inputs.0.iter().map(|(name, values)| (name.clone(), json!(list(values)))).collect::<Map<_, _>>())
}

fn shown_value(value: &Value) -> Json {
    match value {
        Value::Image(image) => {
            let size = format!("[{}, {}, {}, {}]", image.batch, image.height, image.width, image.channels);
            json!(tensor(&size, &image.data))
        }
        Value::Mask(mask) => json!(tensor(&format!("[{}, {}, {}]", mask.batch, mask.height, mask.width), &mask.data)),
        Value::Text(text) => json!(text.chars().take(SHOWN).collect::<String>()),
        Value::Int(number) => i64::try_from(*number).map_or_else(|_| json!(number.to_string()), |number| json!(number)),
        Value::Float(number) => json!(number),
        Value::Bool(flag) => json!(flag),
        Value::Json(value) => match &**value {
            Json::Array(_) | Json::Object(_) => {
                json!(python::repr(value).chars().take(SHOWN).collect::<String>())
            }
            plain => plain.clone(),
        },
    }
}

fn tensor(size: &str, data: &[f32]) -> String {
    let (least, most) = data
        .iter()
        .fold((f32::INFINITY, f32::NEG_INFINITY), |(least, most), sample| (least.min(*sample), most.max(*sample)));
    format!("tensor(size={size}, dtype=float32, min={least:.4}, max={most:.4})")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shorter_lists_repeat_their_last_element() {
        let mut inputs = Inputs::default();
        inputs.0.insert("a".into(), vec![Value::Int(1), Value::Int(2), Value::Int(3)]);
        inputs.0.insert("b".into(), vec![Value::Bool(true), Value::Bool(false)]);
        let last = slice(&inputs, 2).unwrap();
        assert_eq!(last.get("a"), Some(&Value::Int(3)));
        assert_eq!(last.get("b"), Some(&Value::Bool(false)));
        inputs.0.insert("c".into(), Vec::new());
        assert!(slice(&inputs, 0).is_err(), "an empty list has no last element");
    }

    #[test]
    fn results_of_runs_are_joined_by_slot_and_key() {
        let outcome = |number: i128, ui: Json| Outcome { outputs: vec![vec![Value::Int(number)]], ui: Some(ui) };
        let mut joined = outcome(1, json!({"images": [1], "animated": [true]}));
        join(&mut joined, outcome(2, json!({"images": [2, 3], "text": ["x"]})));
        assert_eq!(joined.outputs, [[Value::Int(1), Value::Int(2)]]);
        assert_eq!(joined.ui, Some(json!({"images": [1, 2, 3], "animated": [true], "text": ["x"]})));
    }
}
