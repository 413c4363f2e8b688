//! Plans of saves and previews: the completed entries and the derived fields.

use std::collections::HashSet;

use serde_json::json;

use super::form::entries::{
    self, FormEntryKind, InputEntry, Inputs, MAX_ENTRIES, MAX_FIELD_NAME_CHARS, OutputEntry, Outputs, is_safe,
};
use super::form::field::Field;
use super::form::health::{AppHealth, health};
use super::form::translations;
use crate::error::FieldError;
use crate::graph::{DependentPart, NodeDefinitions, Prompt};
use crate::{Code, Error, Result};

/// Files of a form that a run may go without. Each is stored with the nodes that depend on it.
const MAX_OPTIONAL_FILES: usize = 20;

/// The content of a save: entries in order, completed from the node definitions, and the derived fields.
#[derive(Debug)]
pub(super) struct Plan {
    pub inputs: Inputs,
    pub outputs: Outputs,
    pub fields: Vec<Field>,
}

/// The content of a save of these entries.
///
/// # Errors
/// As [`super::save`].
pub(super) fn plan(inputs: Inputs, outputs: Outputs, prompt: &Prompt, definitions: &NodeDefinitions) -> Result<Plan> {
    check_keys(&inputs, &outputs)?;
    let health = health(&inputs, &outputs, Some(prompt), definitions);
    if !health.ok {
        let details = json!({ "problems": health.problems });
        let message = "inputs or outputs have a problem; fix them, then save".into();
        return Err(Error::Refused { code: Code::WorkflowApiUnhealthy, message, details });
    }
    if outputs.is_empty() {
        return Err(Error::refused(Code::WorkflowApiNoOutput, "name at least one output"));
    }
    let plan = derived(inputs, outputs, prompt, definitions)?;
    if plan.fields.is_empty() {
        return Err(Error::refused(Code::WorkflowApiNoInput, "set up at least one input with an API field"));
    }
    Ok(plan)
}

/// The form of the entries that fit the workflow, and the problems of the others.
///
/// # Errors
/// [`Error::InvalidFields`] for an adapter that does not fit its node.
pub(super) fn tried(
    mut inputs: Inputs,
    mut outputs: Outputs,
    prompt: &Prompt,
    definitions: &NodeDefinitions,
) -> Result<(Plan, AppHealth)> {
    check_keys(&inputs, &outputs)?;
    let health = health(&inputs, &outputs, Some(prompt), definitions);
    let wrong: HashSet<&str> = health.problems.iter().map(|problem| problem.place.as_str()).collect();
    inputs.retain(|key, _| !wrong.contains(format!("inputs.{key}").as_str()));
    outputs.retain(|key, _| !wrong.contains(format!("outputs.{key}").as_str()));
    Ok((derived(inputs, outputs, prompt, definitions)?, health))
}

/// Forms are made from the workers' node classes.
///
/// # Errors
/// [`Error::Unavailable`] while these are unknown.
pub(super) fn must_know(definitions: &NodeDefinitions) -> Result<()> {
    if definitions.is_empty() {
        let message = "no worker is connected, so that the form cannot be made".into();
        return Err(Error::Unavailable { message, retry_after_seconds: 10 });
    }
    Ok(())
}

/// The workflow has no prompt in the API format.
pub(super) fn no_prompt() -> Error {
    Error::refused(Code::WorkflowApiNoPrompt, "the workflow has no prompt in API format")
}

/// Entries of older versions get their kind from the current node classes.
pub(super) fn kinds(inputs: &mut Inputs, definitions: &NodeDefinitions) {
    for entry in inputs.values_mut() {
        if let Some(definition) = definitions.get(&entry.node_name).and_then(|class| class.input(&entry.name)) {
            entry.kind = FormEntryKind::of(definition);
        }
    }
}

/// Completed entries in order, and their fields.
fn derived(mut inputs: Inputs, mut outputs: Outputs, prompt: &Prompt, definitions: &NodeDefinitions) -> Result<Plan> {
    inputs.sort_by(|_, one, _, other| one.order.cmp(&other.order));
    outputs.sort_by(|_, one, _, other| one.order.cmp(&other.order));
    let mut wrong = Vec::new();
    let mut fields = Vec::with_capacity(inputs.len());
    for (order, (key, entry)) in (1..).zip(&mut inputs) {
        entry.order = order;
        entry.compose();
        wrong.extend(translations::input_errors(key, entry));
        match complete(key, entry, prompt, definitions) {
            Ok(field) => fields.extend(field),
            Err(error) => wrong.push(error),
        }
    }
    for (order, (key, output)) in (1..).zip(&mut outputs) {
        output.order = order;
        output.compose();
        wrong.extend(translations::output_errors(key, output));
        complete_output(output, prompt);
    }
    wrong.extend(name_errors(&fields));
    wrong.extend(fields.iter().filter_map(|field| output_error(field, &outputs)));
    let optional = fields.iter().filter(|field| field.without.is_some());
    wrong.extend(optional.skip(MAX_OPTIONAL_FILES).map(|field| FieldError {
        field: optional_place(field),
        message: format!("at most {MAX_OPTIONAL_FILES} files may be left out"),
    }));
    if !wrong.is_empty() {
        return Err(Error::InvalidFields { fields: wrong });
    }
    Ok(Plan { inputs, outputs, fields })
}

fn check_keys(inputs: &Inputs, outputs: &Outputs) -> Result<()> {
    for (what, count) in [("inputs", inputs.len()), ("outputs", outputs.len())] {
        if count > MAX_ENTRIES {
            return Err(Error::invalid(what, format!("at most {MAX_ENTRIES} are allowed")));
        }
    }
    for (key, entry) in inputs {
        if *key != format!("{}.{}", entry.id, entry.name) {
            return Err(Error::invalid(
                format!("inputs.{key}"),
                "the key must be the node's id, a dot, and the input's name",
            ));
        }
    }
    for (key, entry) in outputs {
        if *key != entry.id {
            return Err(Error::invalid(format!("outputs.{key}"), "the key must be the node's id"));
        }
    }
    Ok(())
}

/// Completes an entry from the worker's definition, and derives its field.
fn complete(
    key: &str,
    entry: &mut InputEntry,
    prompt: &Prompt,
    definitions: &NodeDefinitions,
) -> Result<Option<Field>, FieldError> {
    let gone = || FieldError { field: format!("inputs.{key}"), message: "the node has no such input".into() };
    let node = prompt.0.get(&entry.id).ok_or_else(gone)?;
    let class = definitions.get(&node.class_type).ok_or_else(gone)?;
    let definition = class.input(&entry.name).ok_or_else(gone)?;
    entry.kind = FormEntryKind::of(definition);
    entry.node_display_name.clone_from(&class.display_name);
    entry.python_module_name.clone_from(&class.python_module);
    entry.raw = entries::raw(node, &entry.name, definition);
    let mut field = Field::derive(key, entry, node, definition)?;
    if entry.adapter.is_optional == Some(true) {
        let part = DependentPart::of(prompt, &entry.id, definitions);
        field = field.map(|field| field.left_out_with(key, part)).transpose()?;
    }
    if let Some(field) = &field {
        entry.adapter.api_field_name = Some(field.name.clone());
        entry.adapter.ui_type = Some(field.rule.widget());
    }
    Ok(field)
}

fn complete_output(output: &mut OutputEntry, prompt: &Prompt) {
    if let Some(node) = prompt.0.get(&output.id) {
        if output.name.trim().is_empty() {
            node.title().clone_into(&mut output.name);
        }
        if output.api_field_name.trim().is_empty() {
            output.api_field_name = entries::default_output_name(&output.id, &node.class_type);
        }
    }
}

/// An output that depends on a file that may be left out: such a run would have no result there.
fn output_error(field: &Field, outputs: &Outputs) -> Option<FieldError> {
    let part = field.without.as_ref()?;
    let output = outputs.values().find(|output| part.nodes.contains(&output.id))?;
    let message = format!("output node {} requires this file", output.id);
    Some(FieldError { field: optional_place(field), message })
}

fn optional_place(field: &Field) -> String {
    format!("inputs.{}.{}.adapter.isOptional", field.node, field.input)
}

/// Names that API clients cannot send, or that two inputs share.
fn name_errors(fields: &[Field]) -> Vec<FieldError> {
    let mut seen = HashSet::new();
    let mut wrong = Vec::new();
    for field in fields {
        let message = if !seen.insert(field.name.as_str()) {
            format!("two inputs have the API field {}", field.name)
        } else if field.name.chars().count() > MAX_FIELD_NAME_CHARS {
            format!("must not be longer than {MAX_FIELD_NAME_CHARS} characters")
        } else if !field.name.chars().all(is_safe) || field.name.starts_with("__") {
            "may have letters, digits, dots, dashes and underscores, and must not start with two underscores".to_owned()
        } else {
            continue;
        };
        wrong
            .push(FieldError { field: format!("inputs.{}.{}.adapter.apiFieldName", field.node, field.input), message });
    }
    wrong
}
