//! A form field: which place of the prompt it fills, and what it takes. Derived once, when the mini app is saved,
//! so that every client gets the same form and every submit is held against the same rules.

use serde::{Deserialize, Serialize};
use serde_json::{Number, Value, json};

use super::entries::{Adapter, InputEntry, UiType, default_field_name, default_widget, model_folder, own_value};
use super::translations::{self, FieldWords};
use crate::error::FieldError;
use crate::graph::{InputDefinition, InputKind, Presence, PromptNode};
use crate::language::ByLanguage;

/// The longest text that a form takes, in characters.
pub const MAX_TEXT_CHARS: usize = 20_000;
/// The longest name of a model file, in characters.
const MAX_MODEL_CHARS: usize = 255;
/// The largest whole number that a browser holds exactly, 2^53 - 1.
const MAX_SAFE: i64 = (1 << 53) - 1;

/// One field of the form.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Field {
    /// The name in the API.
    pub name: String,
    /// The node and the input that it fills.
    pub node: String,
    pub input: String,
    pub title: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// What a form shows in other languages.
    #[serde(default, skip_serializing_if = "ByLanguage::is_empty")]
    pub translations: ByLanguage<FieldWords>,
    pub rule: Rule,
    /// What counts where a submit leaves the field out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<Value>,
    pub required: bool,
}

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

impl Field {
    /// Derives a field, or nothing where the creator keeps the input out of the form.
    ///
    /// # Errors
    /// What in the adapter does not fit the node, with its place.
    pub(super) fn derive(
        key: &str,
        entry: &InputEntry,
        node: &PromptNode,
        definition: &InputDefinition,
    ) -> Result<Option<Self>, FieldError> {
        let name = match entry.adapter.api_field_name.as_deref().map(str::trim) {
            Some("") => return Ok(None),
            Some(name) => name.to_owned(),
            None => default_field_name(&entry.id, &entry.node_name, &entry.name),
        };
        let source = Source {
            key,
            class: &node.class_type,
            input: &entry.name,
            adapter: &entry.adapter,
            definition,
            own: own_value(node, &entry.name, definition),
        };
        let rule = source.rule()?;
        let default = source.default(&rule)?;
        let text =
            |text: &Option<String>| text.as_deref().map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned);
        Ok(Some(Self {
            name,
            node: entry.id.clone(),
            input: entry.name.clone(),
            title: text(&entry.adapter.name).unwrap_or_else(|| entry.name.clone()),
            description: text(&entry.adapter.tooltip).or_else(|| definition.tooltip().map(str::to_owned)),
            translations: translations::field_words(&entry.adapter.translations, &rule),
            required: default.is_none() && definition.presence == Presence::Required,
            rule,
            default,
        }))
    }

    /// Whether a value fits.
    ///
    /// # Errors
    /// A sentence for people.
    pub fn check(&self, value: &Value) -> Result<(), String> {
        self.rule.check(value)
    }
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

    fn check(&self, value: &Value) -> Result<(), String> {
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

/// What a field is derived from.
struct Source<'a> {
    key: &'a str,
    class: &'a str,
    input: &'a str,
    adapter: &'a Adapter,
    definition: &'a InputDefinition,
    /// What the workflow has there.
    own: Option<Value>,
}

impl Source<'_> {
    fn rule(&self) -> Result<Rule, FieldError> {
        let natural = default_widget(self.class, self.input, self.definition)
            .ok_or_else(|| self.wrong("uiType", "a form cannot fill this input"))?;
        let widget = self.adapter.ui_type.unwrap_or(natural);
        match (&self.definition.kind, widget) {
            (InputKind::Boolean, UiType::Toggle) => Ok(Rule::Toggle),
            (_, UiType::Image) if natural == UiType::Image => Ok(Rule::Image),
            (_, UiType::Video) if natural == UiType::Video => Ok(Rule::Video),
            (_, UiType::Audio) if natural == UiType::Audio => Ok(Rule::Audio),
            (InputKind::Int, UiType::Seed) => Ok(self.seed()),
            (InputKind::Int, UiType::Range) => self.int(),
            (InputKind::Float, UiType::Range) => self.float(),
            (InputKind::Combo { .. } | InputKind::String, UiType::Model) if natural == UiType::Model => {
                Ok(Rule::Model { folder: model_folder(self.class, self.input).unwrap_or("checkpoints").to_owned() })
            }
            (InputKind::Combo { options }, UiType::Select) if natural.file().is_none() => self.select(options),
            (InputKind::DynamicCombo { choices }, UiType::Select) => {
                self.select(&choices.iter().map(|choice| choice.key.clone()).collect::<Vec<_>>())
            }
            (InputKind::String, UiType::Text | UiType::Textarea) if natural.file().is_none() => {
                Ok(Rule::Text { multiline: widget == UiType::Textarea })
            }
            _ => Err(self.wrong("uiType", "this widget does not fit the input")),
        }
    }

    fn seed(&self) -> Rule {
        Rule::Seed { max: self.definition.max().and_then(Number::as_u64).unwrap_or(u64::MAX) }
    }

    fn int(&self) -> Result<Rule, FieldError> {
        let bound = |number: Option<&Number>| number.map(|number| clamped(&Value::Number(number.clone())));
        let (node_min, node_max) = (bound(self.definition.min()), bound(self.definition.max()));
        let (min, max) = (bound(self.adapter.min.as_ref()), bound(self.adapter.max.as_ref()));
        if let (Some(min), Some(node_min)) = (min, node_min)
            && min < node_min
        {
            return Err(self.wrong("min", format!("the node takes {node_min} at least")));
        }
        if let (Some(max), Some(node_max)) = (max, node_max)
            && max > node_max
        {
            return Err(self.wrong("max", format!("the node takes {node_max} at most")));
        }
        let own = self.own.as_ref().and_then(numeric).map(|own| clamped(&json!(own)));
        let min = min.or(node_min).unwrap_or_else(|| own.unwrap_or(0).min(0));
        let max = max.or(node_max).unwrap_or_else(|| own.unwrap_or(0).max(100).max(min));
        if min > max {
            return Err(self.wrong("min", "must not be larger than max"));
        }
        let step = match self.adapter.step.as_ref().or(self.definition.step()) {
            None => 1,
            Some(step) => clamped(&Value::Number(step.clone())),
        };
        if step < 1 {
            return Err(self.wrong("step", "must be a whole number of at least 1"));
        }
        // A step that the default or every bound breaks would make a form that nobody can send.
        let default = self.number_default(|value| (min..=max).contains(&value))?.unwrap_or(min);
        let multiple_of = if default.clamp(min, max) % step == 0 { step } else { 1 };
        Ok(Rule::Int { min, max, multiple_of })
    }

    fn float(&self) -> Result<Rule, FieldError> {
        let bound = |number: Option<&Number>| number.and_then(Number::as_f64);
        let (node_min, node_max) = (bound(self.definition.min()), bound(self.definition.max()));
        let (min, max) = (bound(self.adapter.min.as_ref()), bound(self.adapter.max.as_ref()));
        if min.zip(node_min).is_some_and(|(min, node)| min < node) {
            return Err(self.wrong("min", format!("the node takes {} at least", node_min.unwrap_or_default())));
        }
        if max.zip(node_max).is_some_and(|(max, node)| max > node) {
            return Err(self.wrong("max", format!("the node takes {} at most", node_max.unwrap_or_default())));
        }
        let own = self.own.as_ref().and_then(numeric).unwrap_or(0.0);
        let min = min.or(node_min).unwrap_or_else(|| own.min(0.0));
        let max = max.or(node_max).unwrap_or_else(|| own.max(100.0).max(min));
        if min > max {
            return Err(self.wrong("min", "must not be larger than max"));
        }
        let step = bound(self.adapter.step.as_ref().or(self.definition.step()));
        if step.is_some_and(|step| step <= 0.0) {
            return Err(self.wrong("step", "must be larger than 0"));
        }
        let default = match self.adapter.default.as_ref().filter(|value| !value.is_null()) {
            Some(value) => numeric(value)
                .filter(|value| (min..=max).contains(value))
                .ok_or_else(|| self.wrong("default", "must be a number within the limits"))?,
            None => own.clamp(min, max),
        };
        let multiple_of = step.filter(|step| is_multiple(default, *step));
        Ok(Rule::Float { min, max, step: step.unwrap_or(0.01), multiple_of })
    }

    /// The whole number that the creator chose as the default, else the workflow's own.
    fn number_default(&self, fits: impl Fn(i64) -> bool) -> Result<Option<i64>, FieldError> {
        match &self.adapter.default {
            Some(Value::Null) | None => Ok(self.own.as_ref().and_then(numeric).map(|own| clamped(&json!(own)))),
            Some(value) => {
                let chosen = whole(value).filter(|value| fits(*value));
                chosen.map(Some).ok_or_else(|| self.wrong("default", "must be a whole number within the limits"))
            }
        }
    }

    fn select(&self, node_values: &[Value]) -> Result<Rule, FieldError> {
        let chosen =
            self.adapter.options.as_ref().or(self.adapter.combo_options.as_ref()).filter(|options| !options.is_empty());
        let Some(chosen) = chosen else {
            if node_values.is_empty() {
                return Err(self.wrong("options", "the node's list is empty; name the choices"));
            }
            return Ok(Rule::Select {
                labels: node_values.iter().map(value_label).collect(),
                values: node_values.to_vec(),
            });
        };
        let value_of = |choice: &Value| choice.get("value").unwrap_or(choice).clone();
        let values: Vec<Value> = chosen.iter().map(value_of).collect();
        // A list that the node fills elsewhere cannot be held against its own.
        let is_open = node_values.is_empty() || self.definition.is_remote();
        if let Some(stranger) = values.iter().find(|value| !is_open && !node_values.contains(value)) {
            return Err(self.wrong("options", format!("the node has no choice {stranger}")));
        }
        if values.iter().any(|value| value.is_object() || value.is_array() || value.is_null()) {
            return Err(self.wrong("options", "choices must be texts, numbers or booleans"));
        }
        let label_of = |choice: &Value| {
            choice
                .get("label")
                .and_then(Value::as_str)
                .map_or_else(|| value_label(choice.get("value").unwrap_or(choice)), str::to_owned)
        };
        Ok(Rule::Select { labels: chosen.iter().map(label_of).collect(), values })
    }

    fn default(&self, rule: &Rule) -> Result<Option<Value>, FieldError> {
        let chosen = self.adapter.default.as_ref().filter(|value| !value.is_null());
        let value = match rule {
            // A picture is always the submitter's own.
            Rule::Image | Rule::Video | Rule::Audio => return Ok(None),
            Rule::Seed { max } => {
                let fixed = chosen.or(self.own.as_ref()).and_then(spelled_seed).unwrap_or(0).min(*max);
                return Ok(Some(if self.adapter.is_random == Some(false) { json!(fixed) } else { json!(-1) }));
            }
            Rule::Int { min, max, .. } => {
                let number = self.number_default(|value| (*min..=*max).contains(&value))?;
                number.map(|number| json!(number.clamp(*min, *max)))
            }
            Rule::Float { min, max, .. } => {
                chosen.or(self.own.as_ref()).and_then(numeric).map(|number| json!(number.clamp(*min, *max)))
            }
            Rule::Toggle => {
                Some(json!(chosen.or(self.own.as_ref()).is_some_and(|value| value.as_bool().unwrap_or(false))))
            }
            // What the workflow has may be a model that is not installed any more; what the creator chose must fit.
            Rule::Select { .. } | Rule::Model { .. } | Rule::Text { .. } => match chosen {
                Some(chosen) => Some(chosen.clone()),
                None => self.own.clone().filter(|own| rule.check(own).is_ok()),
            },
        };
        match value.as_ref().map(|value| rule.check(value)) {
            Some(Err(reason)) => Err(self.wrong("default", reason)),
            _ => Ok(value),
        }
    }

    fn wrong(&self, what: &str, message: impl Into<String>) -> FieldError {
        FieldError { field: format!("inputs.{}.adapter.{what}", self.key), message: message.into() }
    }
}

/// The value as a whole number; `5.0` is one.
fn whole(value: &Value) -> Option<i64> {
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
pub(super) fn seed(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| whole(value)?.try_into().ok())
}

/// A seed, or a text that spells one; what lies beyond the limits or has a fraction is held within them.
fn spelled_seed(value: &Value) -> Option<u64> {
    let exact = seed(value).or_else(|| value.as_str()?.trim().parse().ok());
    exact.or_else(|| numeric(value).map(|number| clamped(&json!(number)).try_into().unwrap_or(0)))
}

/// A number, or a text that spells one, as workflows sometimes hold them.
fn numeric(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok().filter(|number: &f64| number.is_finite()),
        _ => None,
    }
}

/// The number without its fraction, held within what a browser holds exactly.
fn clamped(value: &Value) -> i64 {
    if let Some(number) = value.as_i64() {
        return number.clamp(-MAX_SAFE, MAX_SAFE);
    }
    let float = value.as_f64().unwrap_or(0.0);
    #[expect(clippy::cast_possible_truncation, reason = "`as` saturates, and the clamp follows")]
    let number = float as i64;
    number.clamp(-MAX_SAFE, MAX_SAFE)
}

/// Whether a float is a multiple as far as floats can tell: 0.3 is one of 0.1.
fn is_multiple(value: f64, step: f64) -> bool {
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
pub(super) fn value_label(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
