//! PreviewAny: shows any value as Python would print it.
//!
//! Strings are shown as they are, numbers and flags like `str`, lists and objects like `json.dumps`, pictures and masks
//! as torch prints a float32 tensor.

use serde_json::{Value as Json, json};
use verdigraph_core::fleet;
use verdigraph_core::graph::{ComfyVersion, python};

use super::super::node::{Context, Inputs, NodeError, Outcome};
use super::super::value::Value;
use super::Run;

/// The nodes of this file. Since 0.33.0 PreviewAny also returns the text.
pub(super) fn nodes(like: ComfyVersion) -> &'static [(&'static str, Run)] {
    if like >= ComfyVersion::V0_33_0 { &[("PreviewAny", preview_and_give)] } else { &[("PreviewAny", preview)] }
}

/// torch prints three values at either end of each dimension of a tensor with more values than this.
const SUMMARY_ABOVE: usize = 1000;
const EDGE: usize = 3;
const LINE_WIDTH: usize = 80;

fn preview(inputs: &Inputs, context: &Context<'_>) -> Result<Outcome, NodeError> {
    let text = text_of(inputs, context)?;
    Ok(Outcome { outputs: Vec::new(), ui: Some(json!({ "text": [text] })) })
}

fn preview_and_give(inputs: &Inputs, context: &Context<'_>) -> Result<Outcome, NodeError> {
    let text = text_of(inputs, context)?;
    context.reserve(text.len())?;
    let ui = json!({ "text": [text] });
    Ok(Outcome { outputs: vec![vec![Value::Text(text.into())]], ui: Some(ui) })
}

fn text_of(inputs: &Inputs, context: &Context<'_>) -> Result<String, NodeError> {
    // One copy here, and copies in message and history.
    context.reserve(4 * fleet::SHOWN_BYTES)?;
    let mut text = match inputs.get("source") {
        None => "None".to_owned(),
        Some(Value::Text(text)) => fleet::shown(text).to_owned(),
        Some(value) => show(value),
    };
    text.truncate(fleet::shown(&text).len());
    Ok(text)
}

fn show(value: &Value) -> String {
    match value {
        Value::Text(text) => text.to_string(),
        Value::Int(number) => number.to_string(),
        Value::Float(number) => python::float(*number),
        Value::Bool(flag) => python_bool(*flag).to_owned(),
        Value::Image(image) => show_tensor(&image.data, &[image.batch, image.height, image.width, image.channels]),
        Value::Mask(mask) => show_tensor(&mask.data, &[mask.batch, mask.height, mask.width]),
        Value::Json(value) => match value.as_ref() {
            Json::Null => "None".to_owned(),
            Json::Bool(flag) => python_bool(*flag).to_owned(),
            Json::String(text) => text.clone(),
            other => python::dumps(other),
        },
    }
}

fn python_bool(flag: bool) -> &'static str {
    if flag { "True" } else { "False" }
}

/// Formats a tensor like `str(tensor)` with torch's default options.
fn show_tensor(data: &[f32], shape: &[usize]) -> String {
    if data.is_empty() {
        let shape: Vec<String> = shape.iter().map(ToString::to_string).collect();
        return format!("tensor([], size=({}))", shape.join(", "));
    }
    let summarize = data.len() > SUMMARY_ABOVE;
    let mut shown = Vec::new();
    collect_shown(data, shape, summarize, &mut shown);
    let format = NumberFormat::fitting(&shown);
    format!("tensor({})", show_dimension(data, shape, summarize, "tensor(".len(), &format))
}

/// The printed indexes of a dimension. If some are left out, dots follow the third.
fn shown_indexes(len: usize, summarize: bool) -> Vec<usize> {
    if summarize && len > 2 * EDGE { (0..EDGE).chain(len - EDGE..len).collect() } else { (0..len).collect() }
}

fn collect_shown(data: &[f32], shape: &[usize], summarize: bool, shown: &mut Vec<f64>) {
    let Some((&len, inner)) = shape.split_first() else {
        shown.extend(data.iter().map(|&value| f64::from(value)));
        return;
    };
    let step = data.len() / len.max(1);
    for index in shown_indexes(len, summarize) {
        if let Some(part) = data.get(index * step..(index + 1) * step) {
            collect_shown(part, inner, summarize, shown);
        }
    }
}

fn show_dimension(data: &[f32], shape: &[usize], summarize: bool, indent: usize, format: &NumberFormat) -> String {
    let Some((&len, inner)) = shape.split_first() else { return String::new() };
    let step = data.len() / len.max(1);
    let indexes = shown_indexes(len, summarize);
    let cut = indexes.len() < len;
    let mut parts: Vec<String> = indexes
        .iter()
        .filter_map(|index| data.get(index * step..(index + 1) * step))
        .map(|part| match (inner.is_empty(), part.first()) {
            (true, Some(&value)) => format.show(f64::from(value)),
            _ => show_dimension(part, inner, summarize, indent + 1, format),
        })
        .collect();
    if cut {
        parts.insert(EDGE, if inner.is_empty() { " ..." } else { "..." }.to_owned());
    }
    let space = " ".repeat(indent + 1);
    if inner.is_empty() {
        let per_line = ((LINE_WIDTH.saturating_sub(indent)) / (format.width + 2)).max(1);
        let lines: Vec<String> = parts.chunks(per_line).map(|line| line.join(", ")).collect();
        return format!("[{}]", lines.join(&format!(",\n{space}")));
    }
    format!("[{}]", parts.join(&format!(",{}{space}", "\n".repeat(inner.len()))))
}

/// The number format of one tensor.
struct NumberFormat {
    whole: bool,
    scientific: bool,
    width: usize,
}

impl NumberFormat {
    fn fitting(shown: &[f64]) -> Self {
        let sizes = || shown.iter().filter(|value| value.is_finite() && **value != 0.0).map(|value| value.abs());
        let (largest, smallest) = (sizes().fold(0.0, f64::max), sizes().fold(f64::INFINITY, f64::min));
        let whole = shown.iter().all(|value| !value.is_finite() || value.fract() == 0.0);
        let mut format = Self { whole, scientific: false, width: 1 };
        if largest > 0.0 {
            format.scientific = largest / smallest > 1000.0 || largest > 1e8 || (!whole && smallest < 1e-4);
            format.width = shown
                .iter()
                .filter(|value| value.is_finite() && **value != 0.0)
                .map(|&value| format.show(value).len())
                .max()
                .unwrap_or(1);
        }
        format
    }

    fn show(&self, value: f64) -> String {
        let text = if self.scientific {
            let text = format!("{value:.4e}");
            let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
            let exponent: i32 = exponent.parse().unwrap_or(0);
            format!("{digits}e{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.abs())
        } else if self.whole {
            format!("{value:.0}.")
        } else {
            format!("{value:.4}")
        };
        format!("{text:>width$}", width = self.width)
    }
}
