//! A mini app as a file of `config/apps` or `config/generators`; their READMEs describe the format.

use serde::Deserialize;
use serde_json::{Map, Value, json};

/// A text by language. English is the original, Korean its translation.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Words {
    pub en: String,
    pub ko: String,
}

impl Words {
    /// The text with `{name}` replaced in both languages.
    #[must_use]
    pub fn with(&self, name: &str, value: &str) -> Self {
        let place = format!("{{{name}}}");
        Self { en: self.en.replace(&place, value), ko: self.ko.replace(&place, value) }
    }
}

/// Graph and form of an app.
#[derive(Debug, Clone, Deserialize)]
pub struct AppForm {
    /// The workflow in API format.
    pub graph: Value,
    pub inputs: Vec<FormInput>,
    pub outputs: Vec<FormOutput>,
}

/// One field of the form.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FormInput {
    pub node: String,
    pub input: String,
    pub field: String,
    pub label: Words,
    pub ui: String,
    pub tooltip: Words,
    default: Option<Value>,
    min: Option<Value>,
    max: Option<Value>,
    step: Option<Value>,
    pub options: Option<Vec<FormChoice>>,
    random: Option<bool>,
    /// Whether a run may go without the file.
    optional: Option<bool>,
}

/// A value of a `select`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FormChoice {
    pub value: String,
    pub label: Words,
}

/// A node whose outputs are the result.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FormOutput {
    pub node: String,
    pub label: Words,
}

impl AppForm {
    /// A workflow API's `inputs`.
    #[must_use]
    pub fn api_inputs(&self) -> Value {
        let entries = (1..).zip(&self.inputs).map(|(order, input)| {
            let class = self.graph.get(&input.node).and_then(|node| node.get("class_type")).cloned();
            let entry = json!({
                "order": order, "id": input.node, "name": input.input, "nodeName": class, "adapter": input.adapter(),
            });
            (format!("{}.{}", input.node, input.input), entry)
        });
        Value::Object(entries.collect())
    }

    /// A workflow API's `outputs`.
    #[must_use]
    pub fn api_outputs(&self) -> Value {
        let entries = (1..).zip(&self.outputs).map(|(order, output)| {
            let korean = json!({ "ko": { "name": output.label.ko } });
            let entry = json!({ "id": output.node, "order": order, "name": output.label.en, "translations": korean });
            (output.node.clone(), entry)
        });
        Value::Object(entries.collect())
    }

    /// All texts of the form, with what they are.
    pub fn words(&self) -> impl Iterator<Item = (&'static str, &Words)> {
        let inputs = self.inputs.iter().flat_map(|input| {
            let options = input.options.iter().flatten().map(|choice| ("option", &choice.label));
            [("label", &input.label), ("tooltip", &input.tooltip)].into_iter().chain(options)
        });
        inputs.chain(self.outputs.iter().map(|output| ("output", &output.label)))
    }
}

impl FormInput {
    fn adapter(&self) -> Value {
        let ui_type = match self.ui.as_str() {
            "slider" | "number" => "range",
            other => other,
        };
        let choices = |all: &[FormChoice]| -> Value {
            all.iter().map(|choice| json!({ "value": choice.value, "label": choice.label.en })).collect()
        };
        let adapter = [
            ("name", Some(json!(self.label.en))),
            ("uiType", Some(json!(ui_type))),
            ("apiFieldName", Some(json!(self.field))),
            ("default", self.default.clone()),
            ("min", self.min.clone()),
            ("max", self.max.clone()),
            ("step", self.step.clone()),
            ("options", self.options.as_deref().map(choices)),
            ("tooltip", Some(json!(self.tooltip.en))),
            ("isRandom", self.random.map(Value::Bool)),
            ("isOptional", self.optional.map(Value::Bool)),
            ("translations", Some(self.translations())),
        ];
        let given = adapter.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?)));
        Value::Object(given.collect())
    }

    /// The texts in other languages.
    fn translations(&self) -> Value {
        let choices = self.options.iter().flatten();
        let options: Map<String, Value> =
            choices.map(|choice| (choice.value.clone(), json!(choice.label.ko))).collect();
        json!({ "ko": { "name": self.label.ko, "tooltip": self.tooltip.ko, "options": options } })
    }
}
