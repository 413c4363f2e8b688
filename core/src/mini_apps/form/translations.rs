//! Translations of a form. The author sends them with the original texts of inputs and outputs. This module checks the
//! limits and makes the texts that the form shows.

use super::entries::{InputEntry, OutputEntry};
use super::rule::{Rule, value_label};
use super::words::{FieldWords, InputWords};
use crate::error::FieldError;
use crate::language::ByLanguage;

/// Characters of a translated label, of a field, a choice or an output.
pub const MAX_LABEL_CHARS: usize = 200;
/// Characters of a translated tooltip.
pub const MAX_TOOLTIP_CHARS: usize = 2000;
/// Choices with a translated name.
pub const MAX_NAMED_CHOICES: usize = 500;

/// The texts of an input beyond the limits.
pub(in crate::mini_apps) fn input_errors(key: &str, entry: &InputEntry) -> Vec<FieldError> {
    let found = entry.adapter.translations.try_map(|language, words| {
        let at = |part: &str| format!("inputs.{key}.adapter.translations.{}.{part}", language.tag());
        fits(at("name"), words.name.as_deref(), MAX_LABEL_CHARS)?;
        fits(at("tooltip"), words.tooltip.as_deref(), MAX_TOOLTIP_CHARS)?;
        if words.options.len() > MAX_NAMED_CHOICES {
            let message = format!("may name {MAX_NAMED_CHOICES} choices at most");
            return Err(FieldError { field: at("options"), message });
        }
        for (value, label) in &words.options {
            fits(at(&format!("options.{value}")), Some(label), MAX_LABEL_CHARS)?;
        }
        Ok(None::<()>)
    });
    found.err().into_iter().collect()
}

/// The texts of an output beyond the limits.
pub(in crate::mini_apps) fn output_errors(key: &str, output: &OutputEntry) -> Vec<FieldError> {
    let found = output.translations.try_map(|language, words| {
        let field = format!("outputs.{key}.translations.{}.name", language.tag());
        fits(field, words.name.as_deref(), MAX_LABEL_CHARS).map(|()| None::<()>)
    });
    found.err().into_iter().collect()
}

fn fits(field: String, text: Option<&str>, most: usize) -> Result<(), FieldError> {
    let message = match text {
        Some(text) if text.contains('\0') => "must not contain the NUL character".to_owned(),
        Some(text) if text.chars().count() > most => format!("must not be longer than {most} characters"),
        _ => return Ok(()),
    };
    Err(FieldError { field, message })
}

/// The texts that a form shows for a field with this rule.
pub(in crate::mini_apps) fn field_words(of: &ByLanguage<InputWords>, rule: &Rule) -> ByLanguage<FieldWords> {
    of.map(|words| {
        let found = FieldWords {
            title: said(words.name.as_ref()),
            description: said(words.tooltip.as_ref()),
            labels: labels(words, rule),
        };
        (found != FieldWords::default()).then_some(found)
    })
}

fn labels(words: &InputWords, rule: &Rule) -> Option<Vec<String>> {
    let Rule::Select { values, labels } = rule else { return None };
    let named = |value: &_| said(words.options.get(&value_label(value)));
    values.iter().any(|value| named(value).is_some()).then(|| {
        values.iter().zip(labels).map(|(value, label)| named(value).unwrap_or_else(|| label.clone())).collect()
    })
}

fn said(text: Option<&String>) -> Option<String> {
    text.map(|text| text.trim()).filter(|text| !text.is_empty()).map(str::to_owned)
}
