//! A form field: the input that it fills, and the values that it accepts. It is derived once, when the mini app is
//! saved, so that all clients and submits use the same rules.

use serde::{Deserialize, Serialize};
use serde_json::{Number, Value, json};

use super::entries::{Adapter, InputEntry, UiType, default_field_name, default_widget, model_folder, own_value};
use super::rule::{Rule, choice, json_number, seed, value_label, whole};
use super::translations;
use super::words::FieldWords;
use crate::error::FieldError;
use crate::graph::{DependentPart, InputDefinition, InputKind, InputPresence, PromptNode};
use crate::language::ByLanguage;

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
    /// The texts of the field in other languages.
    #[serde(default, skip_serializing_if = "ByLanguage::is_empty")]
    pub translations: ByLanguage<FieldWords>,
    pub rule: Rule,
    /// The value of a field that a submit leaves out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<Value>,
    pub required: bool,
    /// Whether the node needs no value, so that the field may be empty.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub optional: bool,
    /// What runs without a file leave out, where the creator lets users leave it out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub without: Option<DependentPart>,
}

impl Field {
    /// Derives a field; `None` where the creator removed the input from the form.
    ///
    /// # Errors
    /// The part of the adapter that does not fit the node, and its place.
    pub(in crate::mini_apps) fn derive(
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
            required: default.is_none() && definition.presence == InputPresence::Required,
            optional: definition.presence == InputPresence::Optional,
            without: None,
            rule,
            default,
        }))
    }

    /// The field as one that may be left out: the prompt then runs without the part that depends on its node. A node
    /// that needs no file runs without it.
    ///
    /// # Errors
    /// For fields other than files, which have a default instead.
    pub(in crate::mini_apps) fn left_out_with(self, key: &str, part: DependentPart) -> Result<Self, FieldError> {
        if self.rule.widget().file().is_none() {
            let field = format!("inputs.{key}.adapter.isOptional");
            return Err(FieldError { field, message: "only files may be left out".into() });
        }
        let without = (!self.optional).then_some(part);
        Ok(Self { required: false, optional: true, without, ..self })
    }

    /// Checks a value.
    ///
    /// # Errors
    /// A sentence for users.
    pub fn check(&self, value: &Value) -> Result<(), String> {
        self.rule.check(value)
    }

    /// Whether the node runs without a value. Fields of older versions record it only where they have no default.
    pub(in crate::mini_apps) fn may_be_empty(&self) -> bool {
        self.optional || !self.required && self.default.is_none()
    }

    /// Names of choices in other languages.
    pub(in crate::mini_apps) fn other_choices(&self) -> impl Iterator<Item = &str> {
        self.translations.values().filter_map(|words| words.labels.as_ref()).flatten().map(String::as_str)
    }
}

/// The source of a field.
struct Source<'a> {
    key: &'a str,
    class: &'a str,
    input: &'a str,
    adapter: &'a Adapter,
    definition: &'a InputDefinition,
    /// The workflow's value.
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
            (_, UiType::TextFile) if natural == UiType::TextFile => Ok(Rule::TextFile),
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
        let bound = |number: Option<&Number>| number.and_then(|number| spelled_whole(&Value::Number(number.clone())));
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
        let own = self.own.as_ref().and_then(spelled_whole);
        let min = min.or(node_min).unwrap_or_else(|| own.unwrap_or(0).min(0));
        let max = max.or(node_max).unwrap_or_else(|| own.unwrap_or(0).max(100).max(min));
        if min > max {
            return Err(self.wrong("min", "must not be larger than max"));
        }
        let chosen = self.adapter.step.as_ref().filter(|step| Some(*step) != self.definition.step());
        let step = bound(chosen.or(self.definition.step())).unwrap_or(1);
        if step < 1 && chosen.is_some() {
            return Err(self.wrong("step", "must be a whole number of at least 1"));
        }
        // Nodes of other packs have odd steps, such as 0.5 for whole numbers.
        Ok(Rule::Int { min, max, step: step.max(1) })
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
        if step.is_some_and(|step| step <= 0.0) && self.adapter.step.as_ref() != self.definition.step() {
            return Err(self.wrong("step", "must be larger than 0"));
        }
        let step = step.filter(|step| *step > 0.0);
        if let Some(value) = self.adapter.default.as_ref().filter(|value| !value.is_null()) {
            numeric(value)
                .filter(|value| (min..=max).contains(value))
                .ok_or_else(|| self.wrong("default", "must be a number within the limits"))?;
        }
        Ok(Rule::Float { min, max, step: step.unwrap_or(0.01) })
    }

    /// The whole number that the creator chose as the default, or the workflow's.
    fn number_default(&self, fits: impl Fn(i128) -> bool) -> Result<Option<i128>, FieldError> {
        match &self.adapter.default {
            Some(Value::Null) | None => Ok(self.own.as_ref().and_then(spelled_whole)),
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
            let values: Vec<Value> = node_values.iter().filter(|value| is_choice(value)).cloned().collect();
            if values.is_empty() {
                return Err(self.wrong("options", "the node's list is empty; name the choices"));
            }
            return Ok(Rule::Select { labels: values.iter().map(value_label).collect(), values });
        };
        let value_of = |choice: &Value| choice.get("value").unwrap_or(choice).clone();
        // The node's own format, where it has the choice.
        let own_spelling = |value: Value| choice(node_values, &value).cloned().unwrap_or(value);
        let values: Vec<Value> = chosen.iter().map(value_of).map(own_spelling).collect();
        // A list that the node fills at runtime cannot be compared with its own.
        let is_open = node_values.is_empty() || self.definition.is_remote();
        if let Some(stranger) = values.iter().find(|value| !is_open && !node_values.contains(value)) {
            return Err(self.wrong("options", format!("the node has no choice {stranger}")));
        }
        if !values.iter().all(is_choice) {
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
            // The file always belongs to the submitter.
            Rule::Image | Rule::Video | Rule::Audio | Rule::TextFile => return Ok(None),
            Rule::Seed { max } => {
                let fixed = chosen.or(self.own.as_ref()).and_then(spelled_seed).unwrap_or(0).min(*max);
                return Ok(Some(if self.adapter.is_random == Some(false) { json!(fixed) } else { json!(-1) }));
            }
            Rule::Int { min, max, .. } => {
                let number = self.number_default(|value| (*min..=*max).contains(&value))?;
                number.map(|number| Value::Number(json_number(number.clamp(*min, *max))))
            }
            Rule::Float { min, max, .. } => {
                chosen.or(self.own.as_ref()).and_then(numeric).map(|number| json!(number.clamp(*min, *max)))
            }
            Rule::Toggle => {
                Some(json!(chosen.or(self.own.as_ref()).is_some_and(|value| value.as_bool().unwrap_or(false))))
            }
            Rule::Select { values, .. } => match chosen {
                Some(chosen) => Some(choice(values, chosen).unwrap_or(chosen).clone()),
                None => self.own.as_ref().and_then(|own| choice(values, own)).cloned(),
            },
            // The workflow's value may be a model that is no longer installed; the creator's choice must fit.
            Rule::Model { .. } | Rule::Text { .. } => match chosen {
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

/// Whether a form can offer a value of a list.
fn is_choice(value: &Value) -> bool {
    matches!(value, Value::String(_) | Value::Number(_) | Value::Bool(_))
}

/// A seed, or a text of one, without a fraction and clamped to the limits.
fn spelled_seed(value: &Value) -> Option<u64> {
    spelled_whole(value).map(|number| seed(&Value::Number(json_number(number))).unwrap_or(0))
}

/// A whole number, or a text of one, with all digits; fractions are cut off.
fn spelled_whole(value: &Value) -> Option<i128> {
    let trimmed = value.as_str().map(|text| json!(text.trim()));
    let value = trimmed.as_ref().unwrap_or(value);
    whole(value).or_else(|| numeric(value).map(cut))
}

/// A number, or a text of one, as some workflows store numbers.
fn numeric(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok().filter(|number: &f64| number.is_finite()),
        _ => None,
    }
}

/// The number without its fraction, clamped to 64 bits.
fn cut(float: f64) -> i128 {
    #[expect(clippy::cast_possible_truncation, reason = "`as` saturates, and the clamp follows")]
    let number = float as i128;
    number.clamp(i128::from(i64::MIN), i128::from(u64::MAX))
}
