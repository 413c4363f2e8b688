//! The original text of a prompt.
//!
//! Parsing loses details: the sign of `-0.0`, digits of large numbers, lone surrogates, and the order of keys that a
//! database sorts. Workers therefore receive the original text; the parsed prompt is only used for validation.

use std::ops::Deref;
use std::sync::Arc;

use indexmap::IndexMap;
use serde::de::DeserializeOwned;
use serde::{Serialize, Serializer};
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value, json};

use super::files::InputChange;
use super::layout::compacted;
use super::{Prompt, Refusal, content_hash, lenient};

type Fields = IndexMap<String, Box<RawValue>>;

/// A JSON text as it was sent, without white space between values. Cheap to clone.
#[derive(Debug, Clone)]
pub struct JsonText(Arc<RawValue>);

impl JsonText {
    #[must_use]
    pub fn new(text: &RawValue) -> Self {
        // White space between values is insignificant, so this is still JSON.
        Self(RawValue::from_string(compacted(text.get())).unwrap_or_else(|_| text.to_owned()).into())
    }

    #[must_use]
    pub fn of(value: &impl Serialize) -> Self {
        // Values of this crate always have a JSON form.
        Self(to_raw_value(value).unwrap_or_default().into())
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.get()
    }

    /// As a value that serializes to this text.
    #[must_use]
    pub fn raw(&self) -> Arc<RawValue> {
        Arc::clone(&self.0)
    }
}

impl PartialEq for JsonText {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Serialize for JsonText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl From<Box<RawValue>> for JsonText {
    fn from(text: Box<RawValue>) -> Self {
        Self(text.into())
    }
}

/// The text of a prompt, without white space between values. Cheap to clone.
#[derive(Debug, Clone, PartialEq)]
pub struct PromptText(JsonText);

impl PromptText {
    /// Parses a prompt and keeps its text.
    pub fn read(text: &RawValue) -> Result<(Self, Prompt), Refusal> {
        let prompt = Prompt::parse(text.get().as_bytes())?;
        Ok((Self(JsonText::new(text)), prompt))
    }

    #[must_use]
    pub fn of(prompt: &Prompt) -> Self {
        Self(JsonText::of(prompt))
    }

    /// A stored text.
    ///
    /// # Errors
    /// If it is not JSON.
    pub fn kept(text: String) -> Result<Self, serde_json::Error> {
        Ok(Self(RawValue::from_string(text)?.into()))
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// As a value that serializes to this text.
    #[must_use]
    pub fn raw(&self) -> Arc<RawValue> {
        self.0.raw()
    }

    /// SHA-256 of the text, as 64 lowercase hex digits.
    #[must_use]
    pub fn hash(&self) -> String {
        content_hash(&json!(self.as_str()))
    }

    /// The prompt with only the class, inputs and title of its nodes; other fields may contain private data of the
    /// author. `None` if it is not a prompt.
    pub(in crate::graph) fn bare(&self) -> Option<Self> {
        let mut nodes: Fields = fields(&self.0.0)?;
        for node in nodes.values_mut() {
            let mut parts: Fields = fields(node)?;
            parts.retain(|key, _| matches!(key.as_str(), "class_type" | "inputs" | "_meta"));
            *node = to_raw_value(&parts).ok()?;
        }
        Some(Self(JsonText(to_raw_value(&nodes).ok()?.into())))
    }

    /// The prompt with only these nodes, and with these changes of their inputs. Everything else keeps its text. `None`
    /// if the text does not fit the parsed prompt.
    pub(in crate::graph) fn with(&self, changes: &IndexMap<String, Vec<(String, InputChange)>>) -> Option<Self> {
        let mut nodes: Fields = fields(&self.0.0)?;
        nodes.retain(|id, _| changes.contains_key(id));
        if nodes.len() != changes.len() {
            return None;
        }
        for (id, node) in &mut nodes {
            let mut parts: Fields = fields(node)?;
            let changes = changes.get(id)?;
            match parts.get_mut("inputs") {
                Some(inputs) => *inputs = with_changes(inputs, changes)?,
                None if changes.iter().any(|(_, change)| matches!(change, InputChange::Set(_))) => {
                    parts.insert("inputs".to_owned(), with_changes(&to_raw_value(&Map::new()).ok()?, changes)?);
                }
                None => {}
            }
            *node = to_raw_value(&parts).ok()?;
        }
        Some(Self(JsonText(to_raw_value(&nodes).ok()?.into())))
    }
}

/// A prompt and its original text.
#[derive(Debug, Clone, PartialEq)]
pub struct WrittenPrompt {
    pub text: PromptText,
    /// The parsed text, for validation.
    pub prompt: Prompt,
}

impl WrittenPrompt {
    pub fn read(text: &RawValue) -> Result<Self, Refusal> {
        let (text, prompt) = PromptText::read(text)?;
        Ok(Self { text, prompt })
    }

    /// The prompt with another value of an input. `None` if the node is missing.
    #[must_use]
    pub fn with_input(&self, node: &str, input: &str, value: &RawValue) -> Option<Self> {
        let mut nodes: Fields = fields(&self.text.0.0)?;
        let mut parts: Fields = fields(nodes.get(node)?)?;
        let of_node = parts.get("inputs").filter(|inputs| inputs.get() != "null");
        let mut inputs: Fields = of_node.map_or_else(|| Some(Fields::new()), |inputs| fields(inputs))?;
        inputs.insert(input.to_owned(), value.to_owned());
        parts.insert("inputs".to_owned(), to_raw_value(&inputs).ok()?);
        nodes.insert(node.to_owned(), to_raw_value(&parts).ok()?);
        Self::read(&to_raw_value(&nodes).ok()?).ok()
    }
}

impl From<Prompt> for WrittenPrompt {
    fn from(prompt: Prompt) -> Self {
        Self { text: PromptText::of(&prompt), prompt }
    }
}

impl Deref for WrittenPrompt {
    type Target = Prompt;

    fn deref(&self) -> &Prompt {
        &self.prompt
    }
}

fn with_changes(inputs: &RawValue, changes: &[(String, InputChange)]) -> Option<Box<RawValue>> {
    let is_set = |(_, change): &(String, InputChange)| matches!(change, InputChange::Set(_));
    if inputs.get() == "null" && !changes.iter().any(is_set) {
        return Some(inputs.to_owned());
    }
    let mut values: Fields = if inputs.get() == "null" { Fields::new() } else { fields(inputs)? };
    for value in values.values_mut() {
        // Keys that the strict parser cannot represent could hide values from the file check.
        if hides_keys(value) {
            *value = to_raw_value(&value_of(value)).ok()?;
        }
    }
    for (input, change) in changes {
        match change {
            InputChange::Replace(value) => {
                let own = values.get_mut(input)?;
                *own = patched(own, value)?;
            }
            InputChange::Set(value) => {
                let text = match values.get(input) {
                    Some(own) => patched(own, value)?,
                    None => to_raw_value(value).ok()?,
                };
                values.insert(input.clone(), text);
            }
            InputChange::Drop => {
                values.shift_remove(input);
            }
        }
    }
    to_raw_value(&values).ok()
}

/// Whether a key contains a lone surrogate, which the strict parser refuses. Nesting is limited by
/// [`super::MAX_DEPTH`].
fn hides_keys(value: &RawValue) -> bool {
    let text = value.get();
    if !text.contains("\\ud") && !text.contains("\\uD") {
        return false;
    }
    match text.as_bytes().first() {
        Some(b'{') => {
            serde_json::from_str::<Fields>(text).map_or(true, |fields| fields.values().any(|value| hides_keys(value)))
        }
        Some(b'[') => serde_json::from_str::<Vec<Box<RawValue>>>(text)
            .map_or(true, |items| items.iter().any(|value| hides_keys(value))),
        _ => false,
    }
}

/// The text of `value`; unchanged parts keep their text.
fn patched(own: &RawValue, value: &Value) -> Option<Box<RawValue>> {
    if value_of(own) == *value {
        return Some(own.to_owned());
    }
    match value {
        Value::Object(changed) if own.get().starts_with('{') => {
            let own: Fields = fields(own)?;
            let patch = |(key, value): (&String, &Value)| {
                let text = match own.get(key) {
                    Some(own) => patched(own, value)?,
                    None => to_raw_value(value).ok()?,
                };
                Some((key.clone(), text))
            };
            to_raw_value(&changed.iter().map(patch).collect::<Option<Fields>>()?).ok()
        }
        Value::Array(changed) if own.get().starts_with('[') => {
            let own: Vec<Box<RawValue>> = fields(own)?;
            if own.len() != changed.len() {
                return to_raw_value(value).ok();
            }
            let items = own.iter().zip(changed).map(|(own, value)| patched(own, value));
            to_raw_value(&items.collect::<Option<Vec<_>>>()?).ok()
        }
        _ => to_raw_value(value).ok(),
    }
}

/// One level of a value. Only where a key is half a surrogate pair, which no map takes, is the level mended.
fn fields<T: DeserializeOwned>(text: &RawValue) -> Option<T> {
    match serde_json::from_str(text.get()) {
        Ok(fields) => Some(fields),
        Err(error) if error.is_data() => None,
        Err(_) => serde_json::from_slice(&lenient::repair(text.get().as_bytes())).ok(),
    }
}

/// Any JSON text as a value to compare with, with what a strict reader refuses mended.
#[must_use]
pub fn value_of(text: &RawValue) -> Value {
    lenient::read(text.get().as_bytes()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const STRANGE: &str = r#"{"1": {"class_type": "LoadImage", "inputs": {"z": -0.0, "image": "cat.png",
        "big": 123456789012345678901234567890, "half": "\ud83d x", "a": {"y": 1, "b": 1e2}, "spaces": "a \" \\"}}}"#;

    fn read(text: &str) -> (PromptText, Prompt) {
        PromptText::read(&RawValue::from_string(text.to_owned()).unwrap()).unwrap()
    }

    #[test]
    fn only_white_space_of_a_prompt_is_dropped() {
        let (text, prompt) = read(STRANGE);
        assert_eq!(prompt.0["1"].inputs["half"], "\u{fffd} x", "the half of a pair is replaced for validation");
        for part in ["-0.0", "123456789012345678901234567890", r"\ud83d x", r#"{"y":1,"b":1e2}"#, r#""a \" \\""#] {
            assert!(text.as_str().contains(part), "{part} is lost: {}", text.as_str());
        }
        assert_eq!(text.hash(), read(&STRANGE.replace("\n        ", "")).0.hash(), "white space changes the hash");
        assert_ne!(text.hash(), read(&STRANGE.replace("-0.0", "0.0")).0.hash());
    }

    #[test]
    fn changed_inputs_leave_the_other_text_unchanged() {
        let text = read(STRANGE).0;
        let replace = |value: &str| InputChange::Replace(json!(value));
        let changes = [("1".to_owned(), vec![("image".to_owned(), replace("vg-1.png"))])];
        let changed = text.with(&changes.into_iter().collect()).unwrap();
        assert_eq!(changed.as_str(), text.as_str().replace("cat.png", "vg-1.png"));
    }

    #[test]
    fn unnamed_nodes_and_dropped_inputs_are_removed() {
        let text = read(r#"{"1": {"class_type": "A", "inputs": {"a": 1, "b": -0.0}}, "2": {"class_type": "B"}}"#).0;
        let with = |changes: &[(&str, Vec<(String, InputChange)>)]| {
            let changes = changes.iter().map(|(id, changes)| ((*id).to_owned(), changes.clone()));
            text.with(&changes.collect()).map(|text| text.as_str().to_owned())
        };
        let dropped = with(&[("1", vec![("a".to_owned(), InputChange::Drop)])]);
        assert_eq!(dropped.as_deref(), Some(r#"{"1":{"class_type":"A","inputs":{"b":-0.0}}}"#));
        assert_eq!(with(&[("2", Vec::new())]).as_deref(), Some(r#"{"2":{"class_type":"B"}}"#));
        assert_eq!(with(&[("3", Vec::new())]), None, "a node that is not in the text");
    }

    #[test]
    fn value_is_replaced_without_changing_its_neighbours() {
        let text = read(
            r#"{"1": {"is_changed": [0.10], "class_type": "A", "inputs": {"b": {"on": true, "lora": "a/b",
            "strength": 1.1500000000000001, "rest": [0.000003, 1E2]}, "s": 18446744073709551616}}}"#,
        )
        .0;
        let set = |input: &str, value: Value| (input.to_owned(), InputChange::Set(value));
        let lora = json!({"on": true, "lora": "a\\b", "strength": 1.150_000_000_000_000_1, "rest": [3e-6, 100.0]});
        let changes = vec![set("b", lora), set("s", json!(18_446_744_073_709_551_616_f64)), set("new", json!(0.5))];
        let changed = text.with(&[("1".to_owned(), changes)].into_iter().collect()).unwrap();
        let wanted = text.as_str().replace("a/b", r"a\\b").replace("551616}", r#"551616,"new":0.5}"#);
        assert_eq!(changed.as_str(), wanted);
        let bare = read(r#"{"1": {"class_type": "A"}}"#).0;
        let changed = bare.with(&[("1".to_owned(), vec![set("a", json!(1))])].into_iter().collect()).unwrap();
        assert_eq!(changed.as_str(), r#"{"1":{"class_type":"A","inputs":{"a":1}}}"#);
    }

    #[test]
    fn number_beyond_f64_is_validated_as_the_largest_and_keeps_its_text() {
        let (text, prompt) = read(r#"{"1": {"class_type": "A", "inputs": {"a": 1e400, "b": [-1e400, "\u00e9"]}}}"#);
        assert_eq!(prompt.0["1"].inputs["a"], f64::MAX);
        assert_eq!(prompt.0["1"].inputs["b"][0], f64::MIN);
        let sent = text.with(&[("1".to_owned(), Vec::new())].into_iter().collect()).unwrap();
        assert_eq!(sent, text);
    }

    #[test]
    fn equal_keys_in_different_escapes_hide_no_value() {
        let hidden = r#"{"1": {"class_type": "A", "inputs": {"a": {"\ud800": "x.png [output]", "\ud801": "y"}}}}"#;
        let (text, prompt) = read(hidden);
        assert!(!prompt.to_value().to_string().contains("x.png"), "the check sees one of both");
        let sent = text.with(&[("1".to_owned(), Vec::new())].into_iter().collect()).unwrap();
        assert!(!sent.as_str().contains("x.png"), "{}", sent.as_str());
        let deep = hidden
            .replace(r#""a": {"#, r#""a": [{"b": 1.50}], "c": {"half": "\ud83d", "d": [{"#)
            .replace("}}}}", "}]}}}}");
        let sent = read(&deep).0.with(&[("1".to_owned(), Vec::new())].into_iter().collect()).unwrap();
        assert!(!sent.as_str().contains("x.png"), "{}", sent.as_str());
        let texts =
            read(r#"{"1": {"class_type": "A", "inputs": {"a": {"half": ["\ud83d", 1.50], "\ud83d\ude00": 1}}}}"#).0;
        let sent = texts.with(&[("1".to_owned(), Vec::new())].into_iter().collect()).unwrap();
        assert_eq!(sent, texts, "half a pair in a value changes no key");
        let twice = r#"{"\ud800": {"class_type": "A", "inputs": {}}, "\ud801": {"class_type": "B", "inputs": {}}}"#;
        let (text, prompt) = read(twice);
        let all = prompt.0.keys().map(|id| (id.clone(), Vec::new())).collect();
        assert_eq!(text.with(&all).unwrap().as_str().matches("class_type").count(), prompt.0.len());
    }
}
