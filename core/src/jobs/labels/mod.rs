//! Labels of jobs: pairs of texts that a submit gives a job, and by which its owner finds it again.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Value, json};

use crate::ids::UserId;
use crate::{Error, Result};

/// The most labels of a job.
pub const MAX_LABELS: usize = 16;
/// The most labels that a filter of jobs may name.
pub const MAX_FILTERED_LABELS: usize = 3;
const MAX_KEY: usize = 40;
const MAX_VALUE: usize = 256;

/// The labels of a job, or those that a filter asks for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct JobLabels(BTreeMap<String, String>);

impl JobLabels {
    /// Checks the labels of a submit. `field` is their place in the request.
    ///
    /// # Errors
    /// [`Error::Invalid`], which names the label.
    pub fn new(field: &str, labels: BTreeMap<String, String>) -> Result<Self> {
        if labels.len() > MAX_LABELS {
            return Err(Error::invalid(field, format!("must have at most {MAX_LABELS} labels")));
        }
        for (key, value) in &labels {
            check(field, key, value)?;
        }
        Ok(Self(labels))
    }

    /// Checks the labels that a filter asks for: a job has all of them.
    ///
    /// # Errors
    /// As [`JobLabels::new`], and for no label or more than [`MAX_FILTERED_LABELS`].
    pub fn filter(field: &str, labels: BTreeMap<String, String>) -> Result<Self> {
        if !(1..=MAX_FILTERED_LABELS).contains(&labels.len()) {
            return Err(Error::invalid(field, format!("must name 1 to {MAX_FILTERED_LABELS} labels")));
        }
        Self::new(field, labels)
    }

    /// Reads a filter of one label: `key=value`.
    ///
    /// # Errors
    /// [`Error::Invalid`].
    pub fn parse_filter(field: &str, text: &str) -> Result<Self> {
        let (key, value) = text.split_once('=').ok_or_else(|| Error::invalid(field, "must be key=value"))?;
        Self::filter(field, BTreeMap::from([(key.to_owned(), value.to_owned())]))
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The pairs, by their keys.
    #[must_use]
    pub fn into_map(self) -> BTreeMap<String, String> {
        self.0
    }

    /// As they are stored; `None` without any.
    pub(in crate::jobs) fn to_value(&self) -> Option<Value> {
        (!self.is_empty()).then(|| json!(self.0))
    }

    /// As they were stored.
    pub(in crate::jobs) fn from_value(value: Option<Value>) -> Self {
        Self(value.and_then(|value| serde_json::from_value(value).ok()).unwrap_or_default())
    }

    /// As the index of ended jobs has them.
    pub(in crate::jobs) fn keys_of(&self, user: UserId) -> Vec<String> {
        self.0.iter().map(|(key, value)| format!("{user} {key}={value}")).collect()
    }
}

fn check(field: &str, key: &str, value: &str) -> Result<()> {
    let is_key = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    if !(1..=MAX_KEY).contains(&key.len()) || !key.chars().all(is_key) {
        let shown: String = key.chars().take(MAX_KEY).collect();
        let message = format!("the key {shown:?} must have 1 to {MAX_KEY} of the characters A-Z a-z 0-9 _ - .");
        return Err(Error::invalid(field, message));
    }
    if value.chars().count() > MAX_VALUE || value.contains(char::is_control) {
        let message = format!("the value of {key} must have at most {MAX_VALUE} characters in one line");
        return Err(Error::invalid(field, message));
    }
    Ok(())
}
