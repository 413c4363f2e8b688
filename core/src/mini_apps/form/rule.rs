//! The values that a form field accepts.

use serde::{Deserialize, Serialize};
use serde_json::{Number, Value};

use super::entries::UiType;

/// Characters of a text.
pub const MAX_TEXT_CHARS: usize = 20_000;
/// The seed that requests a random one.
const RANDOM: i128 = -1;
/// Digits of a whole number that is sent as a text.
const MAX_DIGITS: usize = 20;
/// Characters of the name of a model file.
const MAX_MODEL_CHARS: usize = 255;
/// The largest whole number that a float holds exactly, 2^53 - 1.
const MAX_SAFE: i64 = (1 << 53) - 1;

/// The values that a field accepts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "widget", rename_all = "lowercase")]
pub enum Rule {
    Toggle,
    /// The id of an uploaded asset.
    Image,
    /// The id of an uploaded video.
    Video,
    /// The id of an uploaded sound.
    Audio,
    /// The id of an uploaded text file.
    TextFile,
    /// A whole number up to `max`, or -1 for a random one each time.
    Seed {
        max: u64,
    },
    /// The name of a model file in this folder of the workers.
    Model {
        folder: String,
    },
    /// `step` affects the control and refuses no value, as in ComfyUI.
    #[serde(rename = "range")]
    Int {
        #[serde(with = "wide")]
        min: i128,
        #[serde(with = "wide")]
        max: i128,
        #[serde(with = "wide", alias = "multiple_of")]
        step: i128,
    },
    #[serde(rename = "decimal")]
    Float {
        min: f64,
        max: f64,
        step: f64,
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
    /// The widget of the field.
    #[must_use]
    pub fn widget(&self) -> UiType {
        match self {
            Self::Toggle => UiType::Toggle,
            Self::Image => UiType::Image,
            Self::Video => UiType::Video,
            Self::Audio => UiType::Audio,
            Self::TextFile => UiType::TextFile,
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
            Self::TextFile => uploaded(value, "text file"),
            Self::Seed { max } => match seed(value) {
                Some(seed) if seed <= *max => Ok(()),
                None if whole(value) == Some(RANDOM) => Ok(()),
                _ => Err(format!("must be a whole number from 0 to {max}, or -1 for a random one")),
            },
            Self::Int { min, max, .. } => {
                let number = whole(value).ok_or("must be a whole number")?;
                match number {
                    number if number < *min => Err(format!("must be at least {min}")),
                    number if number > *max => Err(format!("must be at most {max}")),
                    _ => Ok(()),
                }
            }
            Self::Float { min, max, .. } => {
                let number = value.as_f64().ok_or("must be a number")?;
                match number {
                    number if number < *min => Err(format!("must be at least {min}")),
                    number if number > *max => Err(format!("must be at most {max}")),
                    _ => Ok(()),
                }
            }
            Self::Select { values, .. } => {
                choice(values, value).map(|_| ()).ok_or_else(|| "must be one of the choices".into())
            }
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

/// The value as a whole number, also from `5.0` and from a text of its digits, for clients whose numbers have fewer.
pub(in crate::mini_apps) fn whole(value: &Value) -> Option<i128> {
    match value {
        Value::Number(number) => exact(number).or_else(|| {
            let float = number.as_f64().filter(|float| float.fract() == 0.0)?;
            #[expect(clippy::cast_precision_loss, reason = "exactly representable")]
            let in_range = float.abs() <= MAX_SAFE as f64;
            #[expect(clippy::cast_possible_truncation, reason = "whole and in range")]
            in_range.then_some(float as i128)
        }),
        Value::String(text) => {
            let digits = text.strip_prefix('-').unwrap_or(text);
            let is_whole = digits.len() <= MAX_DIGITS && digits.bytes().all(|byte| byte.is_ascii_digit());
            text.parse().ok().filter(|_| is_whole)
        }
        _ => None,
    }
}

/// A number without a fraction, with all digits.
fn exact(number: &Number) -> Option<i128> {
    number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from))
}

/// A whole number as JSON, clamped to what JSON numbers hold here.
pub(in crate::mini_apps) fn json_number(number: i128) -> Number {
    match (i64::try_from(number), u64::try_from(number)) {
        (Ok(number), _) => Number::from(number),
        (_, Ok(number)) => Number::from(number),
        _ => Number::from(if number < 0 { i64::MIN } else { i64::MAX }),
    }
}

/// The value as a seed: a whole number from 0, with all digits.
pub(in crate::mini_apps) fn seed(value: &Value) -> Option<u64> {
    whole(value)?.try_into().ok()
}

/// The choice that a value means, in the node's format: `1` may mean `1.0`, and a text of digits a number that its
/// sender cannot hold.
pub(in crate::mini_apps) fn choice<'a>(values: &'a [Value], value: &Value) -> Option<&'a Value> {
    let is_large = |number: i128| number.abs() > i128::from(MAX_SAFE);
    values.iter().find(|known| *known == value).or_else(|| match value {
        Value::Number(number) => values.iter().find(|known| known.is_number() && known.as_f64() == number.as_f64()),
        Value::String(_) => {
            let meant = whole(value).filter(|number| is_large(*number))?;
            values.iter().find(|known| known.as_number().and_then(exact) == Some(meant))
        }
        _ => None,
    })
}

/// 64-bit integers with or without a sign, as in JSON.
mod wide {
    use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer, de::Error as _};
    use serde_json::Number;

    pub fn serialize<S: Serializer>(number: &i128, serializer: S) -> Result<S::Ok, S::Error> {
        super::json_number(*number).serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<i128, D::Error> {
        let number = Number::deserialize(deserializer)?;
        super::exact(&number).ok_or_else(|| D::Error::custom("not a whole number"))
    }
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

/// The name of a choice without a label.
pub(in crate::mini_apps) fn value_label(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
