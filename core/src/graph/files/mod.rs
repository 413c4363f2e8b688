//! The one place that decides which values of a prompt name files on a worker, and what the worker gets for them.
//!
//! A worker's input, output and temp folders hold files of many accounts. A value that can name one of them is replaced by
//! the worker's name of a file that came with the submit, or it is refused. The check of a submit asks this before anything
//! is accepted, and the dispatch asks it again, by the definitions of the worker that runs the prompt ([`sent`]).
//!
//! ```text
//!   File     an upload, a list of the input folder     own file, or refused
//!   Path     a text that is a path                     own file, bytes or a web address, or refused
//!   Unknown  a custom text, an undeclared input        own file or refused where the value looks like a file
//!   Prefix   the start of the names of outputs         kept inside the output folder, or refused
//!   Text     prose, a list without files               kept as it was typed; a value that is not on the list of a
//!                                                      custom class is Path or Unknown
//! ```

mod sent;
mod spelling;
mod takes;

use serde_json::{Map, Value};

pub(in crate::graph) use self::sent::upstream;
pub use self::sent::{Sent, renamed, sent};
pub use self::spelling::Medium;
pub(in crate::graph) use self::spelling::is_model;
use self::spelling::{Folder, annotation, is_bad_prefix, is_no_path, names_a_file};
pub(in crate::graph) use self::takes::Takes;
pub use self::takes::{is_file_input, medium};
use self::takes::{is_file_key, is_no_choice, may_be_path, takes};
use super::check::python;
use super::classes::definitions::{NodeDefinition, NodeDefinitions, choices_mut};
use super::classes::input::{InputDefinition, InputKind};
use super::prompt::{Prompt, PromptNode};
use super::refusal::Trouble;

/// Values of editor widgets that show the files of an earlier run. No node reads them, and no worker is sent them.
const SHOWN_BY_EDITORS: [&str; 3] = ["videopreview", "rgthree_comparer", "audioUI"];

/// The files of a submit: the worker's name of each by the name that the prompt has for it.
pub type OwnFiles<'a> = &'a dyn Fn(&str) -> Option<String>;

/// What becomes of a value that is not sent as it was written.
#[derive(Debug, Clone, PartialEq)]
pub enum Change {
    /// Another value of an input that the node has.
    Replace(Value),
    /// A value of an input, also where the node has none.
    Set(Value),
    Drop,
}

/// What the file check of one node found.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct NodeFiles {
    /// By input.
    pub changes: Vec<(String, Change)>,
    pub refused: Vec<Trouble>,
}

/// The inputs of a node, held against the files of its submit. `class_of` gives the class of any node of the prompt.
pub fn node_files<'a>(
    prompt: &Prompt,
    node: &PromptNode,
    class: Option<&NodeDefinition>,
    class_of: &dyn Fn(&str) -> Option<&'a NodeDefinition>,
    own: OwnFiles<'_>,
) -> NodeFiles {
    let mut found = NodeFiles::default();
    for (name, value) in &node.inputs {
        let input = class.and_then(|class| class.input(name));
        if input.is_none() && SHOWN_BY_EDITORS.contains(&name.as_str()) {
            found.changes.push((name.clone(), Change::Drop));
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
                found.refused.push(Trouble::custom_validation_failed(name, text));
            }
            continue;
        }
        let beside = takes::beside_the_list(class, input);
        let place = Place { takes: takes(), beside, input, own };
        match place.value(value) {
            Ok(None) => {}
            Ok(Some(value)) => found.changes.push((name.clone(), Change::Replace(value))),
            Err(text) => found.refused.push(Trouble::custom_validation_failed(name, &text)),
        }
    }
    found
}

/// The definitions in ComfyUI's `object_info` shape, for people: a list that is filled from the input folder of a worker
/// has none of its files, since they belong to others and change nothing for a submit.
#[must_use]
pub fn public_object_info(definitions: &NodeDefinitions) -> Value {
    let public = |class: &NodeDefinition| {
        let mut raw = class.raw().clone();
        for section in ["required", "optional"] {
            let inputs = raw.pointer_mut(&format!("/input/{section}")).and_then(Value::as_object_mut);
            for (name, input) in inputs.into_iter().flatten() {
                if is_always_a_file(class, name)
                    && let Some(choices) = choices_mut(input)
                {
                    choices.retain(|choice| choice.as_str().is_some_and(is_no_choice));
                }
            }
        }
        raw
    };
    definitions.iter().map(|class| (class.class.clone(), public(class))).collect::<Map<_, _>>().into()
}

/// Whether an input never takes a file, whatever its value is.
#[must_use]
pub fn is_never_a_file(class: &NodeDefinition, name: &str) -> bool {
    takes(Some(class), &class.class, name) == Takes::Text
}

/// Whether an input takes files of the submit alone, so that its list of choices says nothing.
#[must_use]
pub fn is_always_a_file(class: &NodeDefinition, name: &str) -> bool {
    takes(Some(class), &class.class, name) == Takes::File
}

/// Whether a text that reaches this input may be opened as a file.
pub(in crate::graph) fn may_name_a_file(class: &NodeDefinition, name: &str) -> bool {
    may_be_path(&class.class, name, takes(Some(class), &class.class, name))
}

/// The node and the slot of a link to a node of this prompt, as a worker follows it.
fn link<'v>(prompt: &Prompt, value: &'v Value) -> Option<(&'v str, &'v Value)> {
    let [source, slot @ (Value::Number(_) | Value::Bool(_))] = value.as_array()?.as_slice() else { return None };
    let source = source.as_str()?;
    prompt.0.contains_key(source).then_some((source, slot))
}

/// Whether what comes over a link can be a text that the worker reads as a path. API nodes name only what they fetched.
fn gives_text(source: Option<&NodeDefinition>, slot: &Value) -> bool {
    let Some(source) = source else { return true };
    let slot = slot.as_i64().and_then(|slot| python::index(slot, source.outputs.len()));
    let kind = slot.and_then(|slot| source.outputs.get(slot)).map_or("*", |output| output.kind.as_str());
    !source.python_module.starts_with("comfy_api_nodes.")
        && kind.split(',').any(|kind| matches!(kind.trim(), "STRING" | "COMBO" | "*"))
}

/// Whether a text can come over a link into this input.
fn takes_text(input: Option<&InputDefinition>) -> bool {
    match input.map(|input| &input.kind) {
        Some(InputKind::Socket { types } | InputKind::MatchType { allowed: types }) => {
            types.split(',').any(|kind| matches!(kind.trim(), "STRING" | "*"))
        }
        Some(InputKind::Int | InputKind::Float | InputKind::Boolean) => false,
        _ => true,
    }
}

/// Where a value stands.
#[derive(Clone, Copy)]
struct Place<'a> {
    takes: Takes,
    /// The same for a text that is none of the input's choices.
    beside: Takes,
    input: Option<&'a InputDefinition>,
    own: OwnFiles<'a>,
}

impl Place<'_> {
    /// The value as the worker gets it, where that differs; else why it is refused.
    fn value(self, value: &Value) -> Result<Option<Value>, String> {
        match value {
            Value::String(text) => Ok(self.text(text)?.map(Value::String)),
            Value::Array(items) => {
                let placed: Vec<Option<Value>> = items.iter().map(|item| self.value(item)).collect::<Result<_, _>>()?;
                let changes = placed.iter().any(Option::is_some);
                let all = items.iter().zip(placed).map(|(item, placed)| placed.unwrap_or_else(|| item.clone()));
                Ok(changes.then(|| all.collect()))
            }
            Value::Object(fields) => self.object(fields),
            other if self.takes == Takes::File => Err(self.invalid(&python::text(other))),
            _ => Ok(None),
        }
    }

    fn object(self, fields: &Map<String, Value>) -> Result<Option<Value>, String> {
        let mut changed = None;
        for (key, value) in fields {
            let takes = match self.takes {
                Takes::File => Takes::File,
                takes if key != "__value__" && is_file_key(key) => takes.max(Takes::Path),
                takes => takes,
            };
            // A key can be read as a name, too.
            if self.takes != Takes::Text && names_a_file(key) {
                return Err(self.invalid(key));
            }
            // Numbers and switches beside a file's name are no names.
            let takes = if value.is_string() || value.is_array() || value.is_object() { takes } else { Takes::Unknown };
            if let Some(placed) = (Self { takes, ..self }).value(value)? {
                changed.get_or_insert_with(|| fields.clone()).insert(key.clone(), placed);
            }
        }
        Ok(changed.map(Value::Object))
    }

    fn text(self, text: &str) -> Result<Option<String>, String> {
        let is_chosen = match self.input.map(|input| &input.kind) {
            Some(InputKind::Combo { options }) => options.iter().any(|option| option.as_str() == Some(text)),
            _ => true,
        };
        match if is_chosen { self.takes } else { self.takes.max(self.beside) } {
            Takes::Text => Ok(None),
            Takes::Prefix if is_bad_prefix(text) => {
                Err(format!("Invalid file name prefix: {text} (it must stay inside the output folder)"))
            }
            Takes::Prefix => Ok(None),
            Takes::Unknown if !names_a_file(text) => Ok(None),
            Takes::Path if self.is_no_file(text) || is_no_path(text) || is_model(text) => Ok(None),
            Takes::File if self.is_no_file(text) => Ok(None),
            Takes::Unknown | Takes::Path | Takes::File => self.own_file(text).map(Some),
        }
    }

    /// Whether a value says that there is no file: an empty text, or a choice such as `none` that the list offers.
    fn is_no_file(self, text: &str) -> bool {
        match self.input.map(|input| &input.kind) {
            Some(InputKind::Combo { options }) => {
                is_no_choice(text) && options.iter().any(|option| option.as_str() == Some(text))
            }
            // An empty folder is the whole input folder.
            _ => text.is_empty() && !self.input.is_some_and(|input| takes::is_folder(&input.name)),
        }
    }

    /// The worker's name of the submit's file of this name.
    fn own_file(self, text: &str) -> Result<String, String> {
        let is_in = |folder: Folder| annotation(text).is_some_and(|(_, found)| found == folder);
        if is_in(Folder::Output) || is_in(Folder::Temp) {
            return Err(format!(
                "{} (files of a worker's output and temp folders cannot be used; send the file with the prompt)",
                self.invalid(text)
            ));
        }
        let find = |name: &str| {
            let spellings = [name.to_owned(), name.replace('\\', "/"), name.replace('/', "\\")];
            spellings.iter().find_map(|name| (self.own)(name))
        };
        let bare = text.strip_suffix(" [input]");
        let found = find(text).or_else(|| find(bare?)).ok_or_else(|| self.invalid(text))?;
        // A list that is compared word by word, and a path that is opened as it stands, know no annotation.
        let keeps_annotation = bare.is_some() && self.input.is_some_and(InputDefinition::is_upload);
        Ok(if keeps_annotation { format!("{found} [input]") } else { found })
    }

    fn invalid(self, text: &str) -> String {
        let flag = |input: &InputDefinition| {
            let words =
                [("image_upload", "image file"), ("video_upload", "video file"), ("audio_upload", "audio file")];
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
