//! Decides which values of a prompt name files on a worker, and what the worker receives for them. This is the only
//! such place.
//!
//! A worker's input, output and temp folders hold files of many accounts. A value that may name such a file is replaced
//! by the worker's name of a submitted file, or refused. The check runs when a job is submitted, and again when it is
//! dispatched, with the definitions of the chosen worker ([`worker_prompt`]).
//!
//! ```text
//!   File     an upload, a list of the input folder     own file, or refused
//!   Path     a text that is a path                     own file, bytes or a web address, or refused
//!   Unknown  a custom text, an undeclared input        own file or refused where the value looks like a file
//!   Prefix   the start of the names of outputs         kept inside the output folder, or refused
//!   Text     prose, a list without files               kept as it was typed; a value that is not on the list of a
//!                                                      custom class is Path or Unknown
//! ```

mod input_use;
mod spelling;
mod worker_prompt;

use serde_json::{Map, Value};

pub(in crate::graph) use self::input_use::FileUse;
pub use self::input_use::{is_file_input, medium};
use self::input_use::{is_file_key, is_no_choice, may_be_path, takes};
use self::spelling::{Folder, annotation, is_bad_prefix, is_file_data, is_no_path, names_a_file};
pub use self::spelling::{Medium, is_model, text_extension};
pub(in crate::graph) use self::worker_prompt::upstream;
pub use self::worker_prompt::{WorkerPrompt, only_upstream, with_file_names, worker_prompt};
use super::check::python;
use super::classes::definitions::{NodeDefinition, NodeDefinitions, choices_mut};
use super::classes::input::{InputDefinition, InputKind};
use super::prompt::{Prompt, PromptNode};
use super::refusal::PromptError;

/// Values of editor widgets that show files of earlier runs. Nodes do not read them, and they are not sent to workers.
const SHOWN_BY_EDITORS: [&str; 3] = ["videopreview", "rgthree_comparer", "audioUI"];

/// Maps the prompt's name of a submitted file to the worker's name.
pub type FileNames<'a> = &'a dyn Fn(&str) -> Option<String>;

/// A changed input value.
#[derive(Debug, Clone, PartialEq)]
pub enum InputChange {
    /// Replaces the value of an existing input.
    Replace(Value),
    /// Sets the value of an input, existing or not.
    Set(Value),
    Drop,
}

/// The result of the file check of a node.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct NodeFiles {
    /// By input.
    pub changes: Vec<(String, InputChange)>,
    pub refused: Vec<PromptError>,
}

/// Checks a node's inputs against the submitted files. `class_of` returns the class of any node of the prompt.
pub fn node_files<'a>(
    prompt: &Prompt,
    node: &PromptNode,
    class: Option<&NodeDefinition>,
    class_of: &dyn Fn(&str) -> Option<&'a NodeDefinition>,
    own: FileNames<'_>,
) -> NodeFiles {
    let mut found = NodeFiles::default();
    for (name, value) in &node.inputs {
        let input = class.and_then(|class| class.input(name));
        if input.is_none() && SHOWN_BY_EDITORS.contains(&name.as_str()) {
            found.changes.push((name.clone(), InputChange::Drop));
            continue;
        }
        let is_number =
            matches!(input.map(|input| &input.kind), Some(InputKind::Int | InputKind::Float | InputKind::Boolean));
        if is_number && matches!(value, Value::Number(_) | Value::Bool(_)) {
            continue;
        }
        let takes = || takes(class, &node.class_type, name);
        if let Some((source, slot)) = link(prompt, value) {
            if takes_text(input) && gives_text(class_of(source), slot) && may_be_path(&node.class_type, name, takes()) {
                let text = "A file name cannot come from another node";
                found.refused.push(PromptError::custom_validation_failed(name, text));
            }
            continue;
        }
        let beside = input_use::outside_of_list(class, input);
        let place = Place { takes: takes(), beside, input, own };
        match place.value(value) {
            Ok(None) => {}
            Ok(Some(value)) => found.changes.push((name.clone(), InputChange::Replace(value))),
            Err(text) => found.refused.push(PromptError::custom_validation_failed(name, &text)),
        }
    }
    found
}

/// The definitions in the format of `object_info`, for users. Lists of a worker's input folder are emptied, because
/// those files belong to others and cannot be used.
#[must_use]
pub fn public_object_info(definitions: &NodeDefinitions) -> Value {
    let public = definitions.iter().map(|class| (class.class.clone(), object_info_with_files(class, &|_| Vec::new())));
    public.collect::<Map<_, _>>().into()
}

/// A class in the format of `object_info`, with the caller's own files of each medium in the lists of a worker's input
/// folder.
#[must_use]
pub fn object_info_with_files(class: &NodeDefinition, own: &dyn Fn(Medium) -> Vec<String>) -> Value {
    let mut raw = class.raw().clone();
    for section in ["required", "optional"] {
        let inputs = raw.pointer_mut(&format!("/input/{section}")).and_then(Value::as_object_mut);
        for (name, input) in inputs.into_iter().flatten() {
            if is_always_a_file(class, name)
                && let Some(choices) = choices_mut(input)
            {
                choices.retain(|choice| choice.as_str().is_some_and(is_no_choice));
                let files = class.input(name).and_then(|input| medium(&class.class, input)).map(own);
                choices.extend(files.into_iter().flatten().map(Value::from));
            }
        }
    }
    raw
}

/// Whether an input never accepts a file.
#[must_use]
pub fn is_never_a_file(class: &NodeDefinition, name: &str) -> bool {
    takes(Some(class), &class.class, name) == FileUse::Text
}

/// Whether an input accepts only submitted files, so that its list of choices is irrelevant.
#[must_use]
pub fn is_always_a_file(class: &NodeDefinition, name: &str) -> bool {
    takes(Some(class), &class.class, name) == FileUse::File
}

/// Whether a text in this input may be opened as a file.
pub(in crate::graph) fn may_name_a_file(class: &NodeDefinition, name: &str) -> bool {
    may_be_path(&class.class, name, takes(Some(class), &class.class, name))
}

/// The node and slot of a link, as a worker follows it.
fn link<'v>(prompt: &Prompt, value: &'v Value) -> Option<(&'v str, &'v Value)> {
    let [source, slot @ (Value::Number(_) | Value::Bool(_))] = value.as_array()?.as_slice() else { return None };
    let source = source.as_str()?;
    prompt.0.contains_key(source).then_some((source, slot))
}

/// Whether a link can carry a text that the worker reads as a path. API nodes only return what they fetched.
fn gives_text(source: Option<&NodeDefinition>, slot: &Value) -> bool {
    let Some(source) = source else { return true };
    let slot = slot.as_i64().and_then(|slot| python::index(slot, source.outputs.len()));
    let kind = slot.and_then(|slot| source.outputs.get(slot)).map_or("*", |output| output.kind.as_str());
    !source.python_module.starts_with("comfy_api_nodes.")
        && kind.split(',').any(|kind| matches!(kind.trim(), "STRING" | "COMBO" | "*"))
}

/// Whether a link into this input can carry a text.
fn takes_text(input: Option<&InputDefinition>) -> bool {
    match input.map(|input| &input.kind) {
        Some(InputKind::Socket { types } | InputKind::MatchType { allowed: types }) => {
            types.split(',').any(|kind| matches!(kind.trim(), "STRING" | "*"))
        }
        Some(InputKind::Int | InputKind::Float | InputKind::Boolean) => false,
        _ => true,
    }
}

/// The place of a value.
#[derive(Clone, Copy)]
struct Place<'a> {
    takes: FileUse,
    /// The same for a text that is not one of the input's choices.
    beside: FileUse,
    input: Option<&'a InputDefinition>,
    own: FileNames<'a>,
}

impl Place<'_> {
    /// The changed value for the worker, if any, or the reason of a refusal.
    fn value(self, value: &Value) -> Result<Option<Value>, String> {
        match value {
            // Lists of models may have objects that name a picture of each model.
            Value::Object(_) if self.takes != FileUse::File && self.is_choice(value) => Ok(None),
            Value::String(text) => Ok(self.text(text)?.map(Value::String)),
            Value::Array(items) => {
                let placed: Vec<Option<Value>> = items.iter().map(|item| self.value(item)).collect::<Result<_, _>>()?;
                let changes = placed.iter().any(Option::is_some);
                let all = items.iter().zip(placed).map(|(item, placed)| placed.unwrap_or_else(|| item.clone()));
                Ok(changes.then(|| all.collect()))
            }
            Value::Object(fields) => self.object(fields),
            other if self.takes == FileUse::File => Err(self.invalid(&python::text(other))),
            _ => Ok(None),
        }
    }

    fn object(self, fields: &Map<String, Value>) -> Result<Option<Value>, String> {
        let mut changed = None;
        for (key, value) in fields {
            let takes = match self.takes {
                FileUse::File => FileUse::File,
                takes if key != "__value__" && is_file_key(key) => takes.max(FileUse::Path),
                takes => takes,
            };
            // A key may be read as a name, too.
            if self.takes != FileUse::Text && names_a_file(key) {
                return Err(self.invalid(key));
            }
            // Numbers and booleans beside a file's name are no names.
            let takes =
                if value.is_string() || value.is_array() || value.is_object() { takes } else { FileUse::Unknown };
            if let Some(placed) = (Self { takes, ..self }).value(value)? {
                changed.get_or_insert_with(|| fields.clone()).insert(key.clone(), placed);
            }
        }
        Ok(changed.map(Value::Object))
    }

    fn text(self, text: &str) -> Result<Option<String>, String> {
        let is_list = matches!(self.input.map(|input| &input.kind), Some(InputKind::Combo { .. }));
        let is_chosen = !is_list || self.is_choice(&Value::from(text));
        match if is_chosen { self.takes } else { self.takes.max(self.beside) } {
            FileUse::Text => Ok(None),
            FileUse::Prefix if is_bad_prefix(text) => {
                Err(format!("Invalid file name prefix: {text} (it must stay inside the output folder)"))
            }
            FileUse::Prefix => Ok(None),
            FileUse::Unknown if is_file_data(text) || !names_a_file(text) => Ok(None),
            FileUse::Path if self.is_no_file(text) || is_no_path(text) || is_model(text) => Ok(None),
            FileUse::File if self.is_no_file(text) => Ok(None),
            FileUse::Unknown | FileUse::Path | FileUse::File => self.own_file(text).map(Some),
        }
    }

    /// Whether the input offers this value.
    fn is_choice(self, value: &Value) -> bool {
        matches!(self.input.map(|input| &input.kind), Some(InputKind::Combo { options }) if options.contains(value))
    }

    /// Whether a value means "no file": an empty text, or an offered choice such as `none`.
    fn is_no_file(self, text: &str) -> bool {
        match self.input.map(|input| &input.kind) {
            Some(InputKind::Combo { .. }) => is_no_choice(text) && self.is_choice(&Value::from(text)),
            // An empty folder means the whole input folder.
            _ => text.is_empty() && !self.input.is_some_and(|input| input_use::is_folder(&input.name)),
        }
    }

    /// The worker's name of a submitted file.
    fn own_file(self, text: &str) -> Result<String, String> {
        let is_in = |folder: Folder| annotation(text).is_some_and(|(_, found)| found == folder);
        if is_in(Folder::Output) || is_in(Folder::Temp) {
            // A file of an earlier run is submitted under its whole value.
            return (self.own)(text).ok_or_else(|| {
                format!(
                    "{} (files of a worker's output and temp folders cannot be used; send the file with the prompt)",
                    self.invalid(text)
                )
            });
        }
        let find = |name: &str| {
            let spellings = [name.to_owned(), name.replace('\\', "/"), name.replace('/', "\\")];
            spellings.iter().find_map(|name| (self.own)(name))
        };
        let bare = text.strip_suffix(" [input]");
        let found = find(text).or_else(|| find(bare?)).ok_or_else(|| self.invalid(text))?;
        // Lists are compared literally and paths are opened literally, without annotations.
        let keeps_annotation = bare.is_some() && self.input.is_some_and(InputDefinition::is_upload);
        Ok(if keeps_annotation { format!("{found} [input]") } else { found })
    }

    fn invalid(self, text: &str) -> String {
        let flag = |input: &InputDefinition| {
            let words = [
                ("image_upload", "image file"),
                ("video_upload", "video file"),
                ("audio_upload", "audio file"),
                ("text_upload", "text file"),
            ];
            words.into_iter().find_map(|(key, word)| input.option(key).and_then(Value::as_bool)?.then_some(word))
        };
        match self.input {
            Some(input) if input.is_upload() => format!("Invalid {}: {text}", flag(input).unwrap_or("file")),
            _ => format!("Invalid file: {text} (only files that are sent with the prompt can be used)"),
        }
    }
}

#[cfg(test)]
mod tests;
