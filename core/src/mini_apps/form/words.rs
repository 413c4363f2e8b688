//! Translated texts: those that the author of a form sends, and those that the form shows.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::names;

/// An input's texts in one other language. Missing ones are read in the original language.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct InputWords {
    /// The label.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tooltip: Option<String>,
    /// Names of choices by value; numbers and booleans as JSON writes them. Values that the form does not offer are
    /// ignored, because the list of a node changes with its workers.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, String>,
}

impl InputWords {
    /// The texts normalized to composed Unicode.
    pub(in crate::mini_apps) fn composed(&self) -> Self {
        let text = |text: &Option<String>| text.as_deref().map(names::composed);
        let options = self.options.iter().map(|(value, label)| (value.clone(), names::composed(label)));
        Self { name: text(&self.name), tooltip: text(&self.tooltip), options: options.collect() }
    }
}

/// An output's texts in one other language.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct OutputWords {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// A field's texts in one other language, as a form shows them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FieldWords {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The names of the choices, in their order.
    #[serde(rename = "enumNames", skip_serializing_if = "Option::is_none")]
    pub labels: Option<Vec<String>>,
}
