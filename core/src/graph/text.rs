//! A prompt as the text that its sender wrote.
//!
//! Values that pass through a parser lose what it has no room for: the sign of `-0.0`, digits of large numbers, halves
//! of surrogate pairs, the order of keys where a database sorts them. A worker is therefore given the text itself, and
//! what we read out of it serves for judging only.

use std::sync::Arc;

use indexmap::IndexMap;
use serde::de::DeserializeOwned;
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Value, json};

use super::files::Change;
use super::{Prompt, Refusal, content_hash, lenient};

type Fields = IndexMap<String, Box<RawValue>>;

/// The text of a prompt, without white space between its values. Cheap to clone.
#[derive(Debug, Clone)]
pub struct PromptText(Arc<RawValue>);

impl PromptText {
    /// Reads a prompt, and keeps its text.
    ///
    /// # Errors
    /// As [`Prompt::parse`].
    pub fn read(text: &RawValue) -> Result<(Self, Prompt), Refusal> {
        let prompt = Prompt::parse(text.get().as_bytes())?;
        Ok((Self(compact(text)), prompt))
    }

    /// The text of a prompt that was made here.
    #[must_use]
    pub fn of(prompt: &Prompt) -> Self {
        // A prompt always has a JSON form.
        Self(to_raw_value(prompt).unwrap_or_default().into())
    }

    /// A text that was kept.
    ///
    /// # Errors
    /// Where it is not JSON.
    pub fn kept(text: String) -> Result<Self, serde_json::Error> {
        Ok(Self(RawValue::from_string(text)?.into()))
    }

    /// The JSON text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.get()
    }

    /// The text as a value that is written as it is.
    #[must_use]
    pub fn raw(&self) -> Arc<RawValue> {
        Arc::clone(&self.0)
    }

    /// SHA-256 of the text, as 64 lowercase hex digits.
    #[must_use]
    pub fn hash(&self) -> String {
        content_hash(&json!(self.as_str()))
    }

    /// The prompt with these nodes alone, and their inputs with these changes. Everything else stays as it was written.
    /// `None` where the text is not the prompt that was read out of it.
    pub(in crate::graph) fn with(&self, changes: &IndexMap<String, Vec<(String, Change)>>) -> Option<Self> {
        let mut nodes: Fields = fields(&self.0)?;
        nodes.retain(|id, _| changes.contains_key(id));
        if nodes.len() != changes.len() {
            return None;
        }
        for (id, node) in &mut nodes {
            let mut parts: Fields = fields(node)?;
            if let Some(inputs) = parts.get_mut("inputs") {
                *inputs = with_changes(inputs, changes.get(id)?)?;
            }
            *node = to_raw_value(&parts).ok()?;
        }
        Some(Self(to_raw_value(&nodes).ok()?.into()))
    }
}

fn with_changes(inputs: &RawValue, changes: &[(String, Change)]) -> Option<Box<RawValue>> {
    if inputs.get() == "null" {
        return Some(inputs.to_owned());
    }
    let mut values: Fields = fields(inputs)?;
    for value in values.values_mut() {
        // Keys that a strict reader does not tell apart would hide values from the check of files.
        if value.get().starts_with(['{', '[']) && serde_json::from_str::<Value>(value.get()).is_err() {
            *value = to_raw_value(&value_of(value)).ok()?;
        }
    }
    for (input, change) in changes {
        match change {
            Change::Replace(value) => *values.get_mut(input)? = to_raw_value(value).ok()?,
            Change::Drop => {
                values.shift_remove(input);
            }
        }
    }
    to_raw_value(&values).ok()
}

/// One level of a value. Only where a key is half a surrogate pair, which no map takes, is the level mended.
fn fields<T: DeserializeOwned>(text: &RawValue) -> Option<T> {
    match serde_json::from_str(text.get()) {
        Ok(fields) => Some(fields),
        Err(error) if error.is_data() => None,
        Err(_) => serde_json::from_slice(&lenient::mend(text.get().as_bytes())).ok(),
    }
}

/// The text without white space between values.
fn compact(text: &RawValue) -> Arc<RawValue> {
    // White space between values never matters, so this is JSON as before.
    RawValue::from_string(compacted(text.get())).unwrap_or_else(|_| text.to_owned()).into()
}

/// A JSON text without white space between values.
#[must_use]
pub fn compacted(text: &str) -> String {
    let mut short = String::with_capacity(text.len());
    let (mut in_string, mut escaped) = (false, false);
    for letter in text.chars() {
        if in_string {
            (in_string, escaped) = (escaped || letter != '"', !escaped && letter == '\\');
        } else if letter.is_ascii_whitespace() {
            continue;
        } else {
            in_string = letter == '"';
        }
        short.push(letter);
    }
    short
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
    fn nothing_of_a_prompt_is_lost_but_white_space() {
        let (text, prompt) = read(STRANGE);
        assert_eq!(prompt.0["1"].inputs["half"], "\u{fffd} x", "what is judged is mended");
        for part in ["-0.0", "123456789012345678901234567890", r"\ud83d x", r#"{"y":1,"b":1e2}"#, r#""a \" \\""#] {
            assert!(text.as_str().contains(part), "{part} is lost: {}", text.as_str());
        }
        assert_eq!(text.hash(), read(&STRANGE.replace("\n        ", "")).0.hash(), "white space makes another prompt");
        assert_ne!(text.hash(), read(&STRANGE.replace("-0.0", "0.0")).0.hash());
    }

    #[test]
    fn inputs_are_changed_and_everything_else_stays_as_it_was_written() {
        let text = read(STRANGE).0;
        let replace = |value: &str| Change::Replace(json!(value));
        let changes = [("1".to_owned(), vec![("image".to_owned(), replace("vg-1.png"))])];
        let changed = text.with(&changes.into_iter().collect()).unwrap();
        assert_eq!(changed.as_str(), text.as_str().replace("cat.png", "vg-1.png"));
    }

    #[test]
    fn only_the_named_nodes_stay_and_dropped_inputs_go() {
        let text = read(r#"{"1": {"class_type": "A", "inputs": {"a": 1, "b": -0.0}}, "2": {"class_type": "B"}}"#).0;
        let with = |changes: &[(&str, Vec<(String, Change)>)]| {
            let changes = changes.iter().map(|(id, changes)| ((*id).to_owned(), changes.clone()));
            text.with(&changes.collect()).map(|text| text.as_str().to_owned())
        };
        let dropped = with(&[("1", vec![("a".to_owned(), Change::Drop)])]);
        assert_eq!(dropped.as_deref(), Some(r#"{"1":{"class_type":"A","inputs":{"b":-0.0}}}"#));
        assert_eq!(with(&[("2", Vec::new())]).as_deref(), Some(r#"{"2":{"class_type":"B"}}"#));
        assert_eq!(with(&[("3", Vec::new())]), None, "a node that is not in the text");
    }

    #[test]
    fn no_value_hides_behind_keys_that_read_alike() {
        let hidden = r#"{"1": {"class_type": "A", "inputs": {"a": {"\ud800": "x.png [output]", "\ud801": "y"}}}}"#;
        let (text, prompt) = read(hidden);
        assert!(!prompt.to_value().to_string().contains("x.png"), "the check sees one of both");
        let sent = text.with(&[("1".to_owned(), Vec::new())].into_iter().collect()).unwrap();
        assert!(!sent.as_str().contains("x.png"), "{}", sent.as_str());
        let twice = r#"{"\ud800": {"class_type": "A", "inputs": {}}, "\ud801": {"class_type": "B", "inputs": {}}}"#;
        let (text, prompt) = read(twice);
        let all = prompt.0.keys().map(|id| (id.clone(), Vec::new())).collect();
        assert_eq!(text.with(&all).unwrap().as_str().matches("class_type").count(), prompt.0.len());
    }
}
