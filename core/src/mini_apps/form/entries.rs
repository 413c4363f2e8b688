//! The configuration of a mini app: inputs and outputs of a workflow, as the editor sends and reads them.

use indexmap::IndexMap;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Number, Value, json};

use super::words::{InputWords, OutputWords};
use crate::assets::AssetKind;
use crate::graph::{
    InputDefinition, InputKind, InputPresence, Medium, NodeDefinitions, Prompt, PromptNode, convert, is_file_input,
    medium,
};
use crate::language::ByLanguage;
use crate::{Error, Result, names};

/// Inputs of one mini app, and outputs.
pub const MAX_ENTRIES: usize = 200;
/// Characters of the name of an API field.
pub const MAX_FIELD_NAME_CHARS: usize = 100;

/// Inputs keyed `<node id>.<input name>`.
pub type Inputs = IndexMap<String, InputEntry>;
/// Outputs keyed by node id.
pub type Outputs = IndexMap<String, OutputEntry>;

/// The form widgets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum UiType {
    Toggle,
    Image,
    Video,
    Audio,
    TextFile,
    Seed,
    Model,
    Range,
    Select,
    Textarea,
    Text,
}

impl UiType {
    /// The kind of file that the widget uploads.
    #[must_use]
    pub fn file(self) -> Option<AssetKind> {
        match self {
            Self::Image => Some(AssetKind::Image),
            Self::Video => Some(AssetKind::Video),
            Self::Audio => Some(AssetKind::Audio),
            Self::TextFile => Some(AssetKind::Text),
            _ => None,
        }
    }
}

/// Whether a node needs an input.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", from = "String")]
pub enum FormEntryKind {
    #[default]
    Required,
    Optional,
}

impl FormEntryKind {
    pub(in crate::mini_apps) fn of(definition: &InputDefinition) -> Self {
        match definition.presence {
            InputPresence::Required => Self::Required,
            _ => Self::Optional,
        }
    }
}

impl From<String> for FormEntryKind {
    /// Entries of older versions have a type name here.
    fn from(word: String) -> Self {
        if word == "optional" { Self::Optional } else { Self::Required }
    }
}

/// One input of one node that the form may fill.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct InputEntry {
    /// Position in the form, from 1.
    #[serde(default)]
    pub order: u32,
    /// The node's id.
    pub id: String,
    /// Whether the node needs it. The type is in `raw`.
    #[serde(default)]
    pub kind: FormEntryKind,
    /// The input's name.
    pub name: String,
    /// The node's class, which reveals a replaced node.
    pub node_name: String,
    #[serde(default)]
    pub node_display_name: String,
    #[serde(default)]
    pub python_module_name: String,
    /// The worker's definition, with a step, and with the workflow's value as the default.
    #[serde(default)]
    pub raw: Value,
    #[serde(default)]
    pub adapter: Adapter,
}

/// How the form shows an input. Missing fields follow from the node.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Adapter {
    /// The label.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ui_type: Option<UiType>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<Value>,
    /// For seeds: whether the form starts in random mode.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_random: Option<bool>,
    /// For files that their node requires: whether a run may go without. It then leaves out all nodes that require a
    /// result of this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_optional: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "spelled_number")]
    pub min: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "spelled_number")]
    pub max: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "spelled_number")]
    pub step: Option<Number>,
    /// The name in the API. The default is `<node id>.<node class>.<input>`; an empty name removes the input from the
    /// form.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub api_field_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tooltip: Option<String>,
    /// The offered choices, where they are fewer than the node's: values, or `{value, label}`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub options: Option<Vec<Value>>,
    /// The same for lists in the newer format; `options` wins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub combo_options: Option<Vec<Value>>,
    /// Label, tooltip and names of choices in other languages.
    #[serde(skip_serializing_if = "ByLanguage::is_empty")]
    pub translations: ByLanguage<InputWords>,
}

impl InputEntry {
    /// Normalizes texts that users read and type to composed Unicode.
    pub(in crate::mini_apps) fn compose(&mut self) {
        let adapter = &mut self.adapter;
        for text in [&mut adapter.name, &mut adapter.api_field_name, &mut adapter.tooltip].into_iter().flatten() {
            *text = names::composed(text);
        }
        adapter.translations = adapter.translations.map(|words| Some(words.composed()));
    }
}

/// A number, or a text of one, for clients whose numbers have fewer digits.
fn spelled_number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Number>, D::Error> {
    match Option::<Value>::deserialize(deserializer)? {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Number(number)) => Ok(Some(number)),
        Some(Value::String(text)) => text.parse().map(Some).map_err(|_| D::Error::custom("must be a number")),
        Some(_) => Err(D::Error::custom("must be a number")),
    }
}

/// One output node whose results the API returns.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OutputEntry {
    /// The node's id.
    pub id: String,
    /// Position among the results, from 1.
    #[serde(default)]
    pub order: u32,
    #[serde(default)]
    pub name: String,
    #[serde(default)]
    pub api_field_name: String,
    /// The name in other languages.
    #[serde(default, skip_serializing_if = "ByLanguage::is_empty")]
    pub translations: ByLanguage<OutputWords>,
}

impl OutputEntry {
    /// As [`InputEntry::compose`].
    pub(in crate::mini_apps) fn compose(&mut self) {
        self.name = names::composed(&self.name);
        self.api_field_name = names::composed(&self.api_field_name);
        let composed = |words: &OutputWords| OutputWords { name: words.name.as_deref().map(names::composed) };
        self.translations = self.translations.map(|words| Some(composed(words)));
    }
}

/// The entry that the editor adds for an input: label, widget, limits and default from node and workflow.
///
/// # Errors
/// [`Error::Invalid`] where the prompt has no such node, the class no such input, or a form cannot fill the input (a
/// link, a file that is no picture, video, sound or text, a hidden one).
pub fn describe_input(
    definitions: &NodeDefinitions,
    prompt: &Prompt,
    node_id: &str,
    input: &str,
) -> Result<InputEntry> {
    let key = format!("inputs.{node_id}.{input}");
    let node = prompt.0.get(node_id).ok_or_else(|| Error::invalid(&key, "the workflow has no such node"))?;
    let class =
        definitions.get(&node.class_type).ok_or_else(|| Error::invalid(&key, "no worker knows the node's class"))?;
    let definition = class.input(input).ok_or_else(|| Error::invalid(&key, "the node has no such input"))?;
    if node.inputs.get(input).is_some_and(Value::is_array) {
        return Err(Error::invalid(&key, "the input is linked to another node"));
    }
    let ui_type = default_widget(&node.class_type, input, definition)
        .ok_or_else(|| Error::invalid(&key, "a form cannot fill this input"))?;
    let is_number = ui_type == UiType::Range;
    let adapter = Adapter {
        name: Some(definition.display_name().map_or_else(|| label(input), str::to_owned)),
        ui_type: Some(ui_type),
        default: own_value(node, input, definition).filter(|_| ui_type.file().is_none()),
        is_random: (ui_type == UiType::Seed).then_some(true),
        is_optional: None,
        min: definition.min().filter(|_| is_number).cloned(),
        max: definition.max().filter(|_| is_number).cloned(),
        step: definition.step().filter(|_| is_number).cloned(),
        api_field_name: Some(default_field_name(node_id, &node.class_type, input)),
        tooltip: definition.tooltip().map(str::to_owned),
        options: None,
        combo_options: None,
        translations: ByLanguage::default(),
    };
    Ok(InputEntry {
        order: 0,
        id: node_id.to_owned(),
        kind: FormEntryKind::of(definition),
        name: input.to_owned(),
        node_name: node.class_type.clone(),
        node_display_name: class.display_name.clone(),
        python_module_name: class.python_module.clone(),
        raw: raw(node, input, definition),
        adapter,
    })
}

/// The entry that the editor adds for an output node.
///
/// # Errors
/// [`Error::Invalid`] where the prompt has no such node, or the node has no output.
pub fn describe_output(definitions: &NodeDefinitions, prompt: &Prompt, node_id: &str) -> Result<OutputEntry> {
    let key = format!("outputs.{node_id}");
    let node = prompt.0.get(node_id).ok_or_else(|| Error::invalid(&key, "the workflow has no such node"))?;
    if !definitions.get(&node.class_type).is_some_and(|class| class.output_node) {
        return Err(Error::invalid(&key, "the node gives no output"));
    }
    let api_field_name = default_output_name(node_id, &node.class_type);
    Ok(OutputEntry {
        id: node_id.to_owned(),
        order: 0,
        name: node.title().to_owned(),
        api_field_name,
        translations: ByLanguage::default(),
    })
}

/// The widget for an input by type and name; `None` where a form cannot fill it.
#[must_use]
pub fn default_widget(class: &str, name: &str, definition: &InputDefinition) -> Option<UiType> {
    if !definition.is_widget() {
        return None;
    }
    match &definition.kind {
        InputKind::Boolean => Some(UiType::Toggle),
        // Files of other kinds have no widget.
        _ if is_file_input(class, definition) => medium(class, definition).map(|medium| match medium {
            Medium::Image => UiType::Image,
            Medium::Video => UiType::Video,
            Medium::Audio => UiType::Audio,
            Medium::Text => UiType::TextFile,
        }),
        InputKind::Int if matches!(name, "seed" | "noise_seed") => Some(UiType::Seed),
        InputKind::Combo { .. } | InputKind::String if model_folder(class, name).is_some() => Some(UiType::Model),
        InputKind::Int | InputKind::Float => Some(UiType::Range),
        InputKind::Combo { .. } | InputKind::DynamicCombo { .. } => Some(UiType::Select),
        InputKind::String if definition.is_multiline() => Some(UiType::Textarea),
        InputKind::String => Some(UiType::Text),
        _ => None,
    }
}

/// The folder whose files a model widget offers: only checkpoints and LoRAs have one.
pub(in crate::mini_apps) fn model_folder(class: &str, name: &str) -> Option<&'static str> {
    crate::graph::model_folder(class, name).filter(|folder| matches!(*folder, "checkpoints" | "loras"))
}

/// `<node id>.<class>.<input>`, with characters replaced that an API field cannot have.
#[must_use]
pub fn default_field_name(node_id: &str, class: &str, input: &str) -> String {
    safe(&format!("{node_id}.{class}.{input}"))
}

/// `<node id>.<class>`, with the same replacements.
pub(in crate::mini_apps) fn default_output_name(node_id: &str, class: &str) -> String {
    safe(&format!("{node_id}.{class}"))
}

/// The workflow's literal at this input, or the default of the class. A default that names a file in a worker's folder
/// is dropped.
pub(in crate::mini_apps) fn own_value(node: &PromptNode, input: &str, definition: &InputDefinition) -> Option<Value> {
    let literal = node.inputs.get(input).filter(|value| !value.is_array() && !value.is_null());
    let literal = literal.map(convert::unwrapped);
    let default = || definition.default().filter(|_| !is_file_input(&node.class_type, definition));
    literal.or_else(default).cloned()
}

/// The worker's definition with a step, the workflow's value as the default, and without the files in a worker's
/// folder.
pub(in crate::mini_apps) fn raw(node: &PromptNode, input: &str, definition: &InputDefinition) -> Value {
    let mut config = definition.config();
    if is_file_input(&node.class_type, definition) {
        if let Some(list @ Value::Array(_)) = config.get_mut(0) {
            *list = json!([]);
        }
        if let Some(options) = config.get_mut(1).and_then(Value::as_object_mut) {
            options.shift_remove("options");
            options.shift_remove("default");
        }
    }
    if let Some(options) = config.get_mut(1).and_then(Value::as_object_mut) {
        if matches!(definition.kind, InputKind::Int | InputKind::Float) {
            options.entry("step").or_insert(json!(1));
        }
        if let Some(value) = own_value(node, input, definition) {
            set(options, "default", value);
        }
    }
    config
}

fn set(options: &mut Map<String, Value>, key: &str, value: Value) {
    options.insert(key.to_owned(), value);
}

/// `noise_seed` → `Noise seed`.
pub(in crate::mini_apps) fn label(input: &str) -> String {
    let last = input.rsplit('.').next().unwrap_or(input).replace('_', " ");
    let mut letters = last.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

pub(in crate::mini_apps) fn is_safe(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '.' | '_' | '-')
}

pub(in crate::mini_apps) fn safe(name: &str) -> String {
    name.chars().take(MAX_FIELD_NAME_CHARS).map(|letter| if is_safe(letter) { letter } else { '_' }).collect()
}
