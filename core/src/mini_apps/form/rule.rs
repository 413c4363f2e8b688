//! What a form field takes, and whether a value is that.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::entries::UiType;

/// The longest text that a form takes, in characters.
pub const MAX_TEXT_CHARS: usize = 20_000;
/// The longest name of a model file, in characters.
const MAX_MODEL_CHARS: usize = 255;
/// The largest whole number that a browser holds exactly, 2^53 - 1.
pub(in crate::mini_apps) const MAX_SAFE: i64 = (1 << 53) - 1;

/// What a field takes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "widget", rename_all = "lowercase")]
pub enum Rule {
    Toggle,
    /// The id of an uploaded asset.
    Image,
    /// The id of an uploaded film.
    Video,
    /// The id of an uploaded sound.
    Audio,
    /// A whole number up to `max`, or -1 for a fresh one each time.
    Seed {
        max: u64,
    },
    /// The name of a model file in this folder of the workers.
    Model {
        folder: String,
    },
    #[serde(rename = "range")]
    Int {
        min: i64,
        max: i64,
        multiple_of: i64,
    },
    #[serde(rename = "decimal")]
    Float {
        min: f64,
        max: f64,
        step: f64,
        multiple_of: Option<f64>,
    },
    Select {
        values: Vec<Value>,
        labels: Vec<String>,
    },
    Text {
        multiline: bool,
    },
}

impl Rule {
    /// The widget that shows it.
    #[must_use]
    pub fn widget(&self) -> UiType {
        match self {
            Self::Toggle => UiType::Toggle,
            Self::Image => UiType::Image,
            Self::Video => UiType::Video,
            Self::Audio => UiType::Audio,
            Self::Seed { .. } => UiType::Seed,
            Self::Model { .. } => UiType::Model,
            Self::Int { .. } | Self::Float { .. } => UiType::Range,
            Self::Select { .. } => UiType::Select,
            Self::Text { multiline: true } => UiType::Textarea,
            Self::Text { multiline: false } => UiType::Text,
        }
    }

    pub(in crate::mini_apps) fn check(&self, value: &Value) -> Result<(), String> {
        match self {
            Self::Toggle if value.is_boolean() => Ok(()),
            Self::Toggle => Err("must be true or false".into()),
            Self::Image => uploaded(value, "image"),
            Self::Video => uploaded(value, "video"),
            Self::Audio => uploaded(value, "sound"),
            Self::Seed { max } => match seed(value) {
                Some(seed) if seed <= *max => Ok(()),
                None if whole(value) == Some(-1) => Ok(()),
                _ => Err(format!("must be a whole number from 0 to {max}, or -1 for a random one")),
            },
            Self::Int { min, max, multiple_of } => {
                let number = whole(value).ok_or("must be a whole number")?;
                match number {
                    number if number < *min => Err(format!("must be at least {min}")),
                    number if number > *max => Err(format!("must be at most {max}")),
                    number if number % multiple_of != 0 => Err(format!("must be a multiple of {multiple_of}")),
                    _ => Ok(()),
                }
            }
            Self::Float { min, max, multiple_of, .. } => {
                let number = value.as_f64().ok_or("must be a number")?;
                match multiple_of {
                    _ if number < *min => Err(format!("must be at least {min}")),
                    _ if number > *max => Err(format!("must be at most {max}")),
                    Some(step) if !is_multiple(number, *step) => Err(format!("must be a multiple of {step}")),
                    _ => Ok(()),
                }
            }
            Self::Select { values, .. } if values.contains(value) => Ok(()),
            Self::Select { .. } => Err("must be one of the choices".into()),
            Self::Model { .. } => match text(value, MAX_MODEL_CHARS)? {
                "" => Err("must not be empty".into()),
                _ => Ok(()),
            },
            Self::Text { .. } => text(value, MAX_TEXT_CHARS).map(|_| ()),
        }
    }
}

fn uploaded(value: &Value, what: &str) -> Result<(), String> {
    match value.as_str().map(str::parse::<crate::ids::AssetId>) {
        Some(Ok(_)) => Ok(()),
        _ => Err(format!("must be the id of an uploaded {what}")),
    }
}

/// The value as a whole number; `5.0` is one.
pub(in crate::mini_apps) fn whole(value: &Value) -> Option<i64> {
    if let Some(number) = value.as_i64() {
        return Some(number);
    }
    let float = value.as_f64().filter(|float| float.fract() == 0.0)?;
    #[expect(clippy::cast_precision_loss, reason = "exactly representable")]
    let in_range = float.abs() <= MAX_SAFE as f64;
    #[expect(clippy::cast_possible_truncation, reason = "whole and in range")]
    in_range.then_some(float as i64)
}

/// The value as a seed: a whole number from 0 up, to the last digit.
pub(in crate::mini_apps) fn seed(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| whole(value)?.try_into().ok())
}

/// Whether a float is a multiple as far as floats can tell: 0.3 is one of 0.1.
pub(in crate::mini_apps) fn is_multiple(value: f64, step: f64) -> bool {
    let times = value / step;
    (times - times.round()).abs() < 1e-6
}

fn text(value: &Value, most: usize) -> Result<&str, String> {
    let text = value.as_str().ok_or("must be a text")?;
    if text.contains('\0') {
        return Err("must not contain the NUL character".into());
    }
    if text.chars().count() > most {
        return Err(format!("must not be longer than {most} characters"));
    }
    Ok(text)
}

/// What a choice is called that nobody named.
pub(in crate::mini_apps) fn value_label(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
