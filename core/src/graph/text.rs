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

    /// The prompt with other file names: each input that is a text is asked for. Everything else stays as it was
    /// written.
    #[must_use]
    pub fn renamed(&self, name: impl Fn(&str) -> Option<String>) -> Self {
        rename(&self.0, name).map_or_else(|| self.clone(), |text| Self(text.into()))
    }
}

fn rename(text: &RawValue, name: impl Fn(&str) -> Option<String>) -> Option<Box<RawValue>> {
    let mut nodes: Fields = fields(text)?;
    for node in nodes.values_mut() {
        let Some(mut parts) = fields::<Fields>(node) else { continue };
        let Some(inputs) = parts.get_mut("inputs") else { continue };
        let Some(mut values) = fields::<Fields>(inputs) else { continue };
        let mut changed = false;
        for value in values.values_mut() {
            if let Some(other) = fields::<String>(value).and_then(|given| name(&given)) {
                *value = to_raw_value(&other).ok()?;
                changed = true;
            }
        }
        if changed {
            *inputs = to_raw_value(&values).ok()?;
            *node = to_raw_value(&parts).ok()?;
        }
    }
    to_raw_value(&nodes).ok()
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
    let mut short = String::with_capacity(text.get().len());
    let (mut in_string, mut escaped) = (false, false);
    for letter in text.get().chars() {
        if in_string {
            (in_string, escaped) = (escaped || letter != '"', !escaped && letter == '\\');
        } else if letter.is_ascii_whitespace() {
            continue;
        } else {
            in_string = letter == '"';
        }
        short.push(letter);
    }
    // White space between values never matters, so this is JSON as before.
    RawValue::from_string(short).unwrap_or_else(|_| text.to_owned()).into()
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
    fn files_are_renamed_and_nothing_else_is_touched() {
        let text = read(STRANGE).0;
        let renamed = text.renamed(|name| (name == "cat.png").then(|| "vg-1.png".to_owned()));
        assert_eq!(renamed.as_str(), text.as_str().replace("cat.png", "vg-1.png"));
    }
}
