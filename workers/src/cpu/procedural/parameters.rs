//! The inputs of a node: one list serves `/object_info` and the reading of values.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::{Map, Value as Json, json};

use super::super::node::{Inputs, NodeError};
use super::super::value::ImageBatch;
use super::draw::color::{PALETTES, Palette};
use super::draw::random::Random;
use super::{MAX_SIDE, Recipe};

/// Largest seed: the largest integer that JavaScript represents exactly.
const MAX_SEED: i64 = (1 << 53) - 1;

pub(in crate::cpu) struct Parameter {
    name: &'static str,
    kind: Kind,
    tooltip: &'static str,
}

enum Kind {
    Int {
        default: i64,
        min: i64,
        max: i64,
        step: i64,
    },
    Float {
        default: f64,
        min: f64,
        max: f64,
        step: f64,
    },
    /// The first choice is the default.
    Choice(&'static [&'static str]),
    /// One of the named palettes.
    Palette(&'static str),
    Seed,
    Image,
}

pub(super) const fn int(name: &'static str, range: (i64, i64, i64), tooltip: &'static str) -> Parameter {
    Parameter { name, kind: Kind::Int { default: range.0, min: range.1, max: range.2, step: 1 }, tooltip }
}

/// `range` is default, minimum and maximum.
pub(in crate::cpu) const fn float(name: &'static str, range: (f64, f64, f64), tooltip: &'static str) -> Parameter {
    Parameter { name, kind: Kind::Float { default: range.0, min: range.1, max: range.2, step: 0.01 }, tooltip }
}

pub(in crate::cpu) const fn choice(
    name: &'static str,
    options: &'static [&'static str],
    tooltip: &'static str,
) -> Parameter {
    Parameter { name, kind: Kind::Choice(options), tooltip }
}

pub(super) const fn palette(default: &'static str) -> Parameter {
    Parameter {
        name: "palette",
        kind: Kind::Palette(default),
        tooltip: "The colours of the picture, from its darkest to its lightest.",
    }
}

pub(super) const WIDTH: Parameter = side("width", "How wide the picture is, in pixels.");
pub(super) const HEIGHT: Parameter = side("height", "How high the picture is, in pixels.");
pub(super) const SEED: Parameter = Parameter {
    name: "seed",
    kind: Kind::Seed,
    tooltip: "Another number, another picture; the same number, the same picture.",
};
pub(in crate::cpu) const IMAGE: Parameter = Parameter {
    name: "image",
    kind: Kind::Image,
    tooltip: "The picture to work on; every picture of a batch is treated alike.",
};

const fn side(name: &'static str, tooltip: &'static str) -> Parameter {
    Parameter { name, kind: Kind::Int { default: 1024, min: 64, max: MAX_SIDE, step: 8 }, tooltip }
}

impl Parameter {
    /// The entry of this input in `/object_info`.
    fn definition(&self) -> Json {
        let (kind, mut options) = match &self.kind {
            Kind::Int { default, min, max, step } => {
                (json!("INT"), json!({ "default": default, "min": min, "max": max, "step": step }))
            }
            Kind::Float { default, min, max, step } => {
                (json!("FLOAT"), json!({ "default": default, "min": min, "max": max, "step": step, "round": 0.001 }))
            }
            Kind::Choice(choices) => (json!(choices), json!({ "default": choices.first() })),
            Kind::Palette(default) => (
                Json::Array(PALETTES.iter().map(|palette| json!(palette.name)).collect()),
                json!({ "default": default }),
            ),
            Kind::Seed => {
                (json!("INT"), json!({ "default": 0, "min": 0, "max": MAX_SEED, "control_after_generate": true }))
            }
            Kind::Image => (json!("IMAGE"), json!({})),
        };
        if let Some(options) = options.as_object_mut() {
            options.insert("tooltip".to_owned(), json!(self.tooltip));
        }
        json!([kind, options])
    }
}

/// The required inputs of an `/object_info` entry, and their order.
pub(in crate::cpu) fn required_inputs(parameters: &[Parameter]) -> (Map<String, Json>, Vec<&'static str>) {
    let inputs = parameters.iter().map(|parameter| (parameter.name.to_owned(), parameter.definition())).collect();
    (inputs, parameters.iter().map(|parameter| parameter.name).collect())
}

/// The `/object_info` entry of a recipe.
pub(super) fn definition(recipe: &Recipe) -> Json {
    let (required, order) = required_inputs(recipe.parameters);
    json!({
        "input": { "required": required },
        "input_order": { "required": order },
        "output": ["IMAGE"],
        "output_is_list": [false],
        "output_name": ["IMAGE"],
        "name": recipe.class,
        "display_name": recipe.display_name,
        "description": recipe.description,
        "python_module": "custom_nodes.verdigraph",
        "category": recipe.category,
        "output_node": false,
    })
}

enum ParsedValue {
    Int(i64),
    Float(f64),
    Choice(&'static str),
    Palette(&'static Palette),
    Image(Arc<ImageBatch>),
}

/// The inputs of one run, checked against their ranges. Values from links were not checked before.
pub(in crate::cpu) struct Values(HashMap<&'static str, ParsedValue>);

impl Values {
    /// Raises `ValueError` with the input's name and range.
    pub(in crate::cpu) fn read(parameters: &[Parameter], inputs: &Inputs) -> Result<Self, NodeError> {
        let mut values = HashMap::new();
        for parameter in parameters {
            values.insert(parameter.name, read(parameter, inputs)?);
        }
        Ok(Self(values))
    }

    pub(super) fn int(&self, name: &str) -> i64 {
        if let Some(ParsedValue::Int(value)) = self.0.get(name) { *value } else { 0 }
    }

    /// A non-negative count.
    pub(super) fn count(&self, name: &str) -> usize {
        usize::try_from(self.int(name)).unwrap_or(0)
    }

    pub(in crate::cpu) fn float(&self, name: &str) -> f32 {
        #[expect(clippy::cast_possible_truncation, reason = "parameters are small numbers")]
        if let Some(ParsedValue::Float(value)) = self.0.get(name) { *value as f32 } else { 0.0 }
    }

    pub(in crate::cpu) fn choice(&self, name: &str) -> &'static str {
        if let Some(ParsedValue::Choice(value)) = self.0.get(name) { value } else { "" }
    }

    pub(super) fn palette(&self) -> &'static Palette {
        if let Some(ParsedValue::Palette(palette)) = self.0.get("palette") { palette } else { &PALETTES[0] }
    }

    pub(super) fn size(&self) -> (usize, usize) {
        (self.count("width"), self.count("height"))
    }

    /// The seed for noise functions.
    pub(super) fn noise_seed(&self) -> u32 {
        self.random().whole()
    }

    pub(super) fn random(&self) -> Random {
        Random::new(self.int("seed").unsigned_abs())
    }

    /// Raises `TypeError` if there is no picture.
    pub(in crate::cpu) fn image(&self) -> Result<&Arc<ImageBatch>, NodeError> {
        match self.0.get("image") {
            Some(ParsedValue::Image(image)) => Ok(image),
            _ => Err(NodeError::Raised { kind: "TypeError", message: "image: expected IMAGE".to_owned() }),
        }
    }
}

fn read(parameter: &Parameter, inputs: &Inputs) -> Result<ParsedValue, NodeError> {
    let name = parameter.name;
    Ok(match &parameter.kind {
        Kind::Int { min, max, .. } => ParsedValue::Int(whole(name, inputs, *min, *max)?),
        Kind::Seed => ParsedValue::Int(whole(name, inputs, 0, MAX_SEED)?),
        Kind::Float { min, max, .. } => {
            let value = inputs.float(name)?;
            if !(*min..=*max).contains(&value) {
                return Err(NodeError::value(format!("{name} is {value}; it must lie between {min} and {max}")));
            }
            ParsedValue::Float(value)
        }
        Kind::Choice(choices) => {
            let value = inputs.text(name)?;
            match choices.iter().find(|choice| **choice == value) {
                Some(choice) => ParsedValue::Choice(choice),
                None => return Err(NodeError::value(format!("{name}: '{value}' is none of {}", choices.join(", ")))),
            }
        }
        Kind::Palette(_) => {
            let value = inputs.text(name)?;
            match PALETTES.iter().find(|palette| palette.name == value) {
                Some(palette) => ParsedValue::Palette(palette),
                None => return Err(NodeError::value(format!("{name}: there is no palette '{value}'"))),
            }
        }
        Kind::Image => ParsedValue::Image(Arc::clone(inputs.image(name)?)),
    })
}

fn whole(name: &str, inputs: &Inputs, min: i64, max: i64) -> Result<i64, NodeError> {
    let value = inputs.int(name)?;
    match i64::try_from(value) {
        Ok(value) if (min..=max).contains(&value) => Ok(value),
        _ => Err(NodeError::value(format!("{name} is {value}; it must lie between {min} and {max}"))),
    }
}
