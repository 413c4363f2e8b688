//! Words in other languages: those that the author of a form sends, and those that the form shows.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::names;

/// An input's words in another language, as its creator brings them. What is missing is read as it was written.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct InputWords {
    /// The label.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tooltip: Option<String>,
    /// What choices are called, by their values; numbers and booleans as JSON writes them. A value that the form does not
    /// offer is passed over: the list of a node changes with its workers.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, String>,
}

impl InputWords {
    /// The same in one spelling for what looks the same.
    pub(in crate::mini_apps) fn composed(&self) -> Self {
        let text = |text: &Option<String>| text.as_deref().map(names::composed);
        let options = self.options.iter().map(|(value, label)| (value.clone(), names::composed(label)));
        Self { name: text(&self.name), tooltip: text(&self.tooltip), options: options.collect() }
    }
}

/// An output's words in another language.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct OutputWords {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// A field's words in another language, as a form shows them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FieldWords {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// What the choices are called, in their order.
    #[serde(rename = "enumNames", skip_serializing_if = "Option::is_none")]
    pub labels: Option<Vec<String>>,
}
