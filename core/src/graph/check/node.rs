//! The check of one node: every input that its class declares, against what the prompt gives.

use std::borrow::Cow;
use std::cmp::Ordering;

use serde_json::{Number, Value, json};

use super::checked::{Given, Normalised};
use super::{convert, python};
use crate::graph::classes::definitions::NodeDefinition;
use crate::graph::classes::input::{InputDefinition, InputKind, Presence};
use crate::graph::classes::model_folder::model_folder;
use crate::graph::prompt::{Prompt, PromptNode};
use crate::graph::refusal::Trouble;

/// Lists longer than this are not sent back, as in ComfyUI: they are folders full of model files.
const LONGEST_SHOWN_LIST: usize = 20;

/// The link over which a node was reached; ComfyUI tells some troubles by it.
pub(in crate::graph) struct Via<'a> {
    pub input: &'a str,
    pub link: &'a Value,
    pub definition: &'a InputDefinition,
}

/// What the check of a node found.
#[derive(Default)]
pub(in crate::graph) struct Found {
    pub troubles: Vec<Trouble>,
    /// Nodes that this one takes something from, by index.
    pub links: Vec<usize>,
    pub normalised: Vec<Normalised>,
}

pub(in crate::graph) struct NodeCheck<'a> {
    prompt: &'a Prompt,
    classes: &'a [Option<&'a NodeDefinition>],
    given: &'a Given,
    node: Option<(&'a String, &'a PromptNode)>,
    class: &'a NodeDefinition,
    via: Option<Via<'a>>,
    found: Found,
}

impl<'a> NodeCheck<'a> {
    pub(in crate::graph) fn new(
        prompt: &'a Prompt,
        classes: &'a [Option<&'a NodeDefinition>],
        given: &'a Given,
        node: usize,
        class: &'a NodeDefinition,
        via: Option<Via<'a>>,
    ) -> Self {
        Self { prompt, classes, given, node: prompt.0.get_index(node), class, via, found: Found::default() }
    }

    pub(in crate::graph) fn run(mut self) -> Found {
        if let Some((_, node)) = self.node {
            self.inputs(node, &self.class.inputs, "");
        }
        self.found
    }

    fn inputs(&mut self, node: &'a PromptNode, inputs: &'a [InputDefinition], prefix: &str) {
        for input in inputs {
            let name = full_name(prefix, &input.name);
            match &input.kind {
                _ if input.presence == Presence::Hidden => {}
                InputKind::Autogrow { names, min, inner } => {
                    for (index, item) in names.iter().enumerate() {
                        self.input(node, inner, &format!("{name}.{item}"), index < *min);
                    }
                }
                InputKind::DynamicCombo { choices } => {
                    // As in ComfyUI, which takes such an input in only where its key is one of the choices: one that is
                    // absent, linked or unknown is not looked at, nor is anything that hangs on it.
                    let chosen = node.inputs.get(name.as_ref());
                    let choice =
                        choices.iter().find(|choice| chosen.is_some_and(|key| python::equal(key, &choice.key)));
                    if let Some(choice) = choice {
                        self.inputs(node, &choice.inputs, &name);
                    }
                }
                _ => self.input(node, input, &name, input.presence == Presence::Required),
            }
        }
    }

    fn input(&mut self, node: &'a PromptNode, input: &InputDefinition, name: &str, required: bool) {
        match node.inputs.get(name) {
            None if required => {
                self.trouble("required_input_missing", "Required input is missing", name, json!({ "input_name": name }))
            }
            None => {}
            Some(Value::Array(link)) => self.link(input, name, link),
            Some(value) => self.literal(input, name, value),
        }
    }

    fn link(&mut self, input: &InputDefinition, name: &str, link: &[Value]) {
        let [source, slot] = link else {
            let message = "Bad linked input, must be a length-2 list of [node_id, slot_index]";
            let extra = json!({ "input_name": name, "input_config": input.config(), "received_value": link });
            return self.trouble("bad_linked_input", message, name, extra);
        };
        let Some(index) = source.as_str().and_then(|id| self.prompt.0.get_index_of(id)) else {
            let exception = if matches!(source, Value::Array(_) | Value::Object(_)) { "TypeError" } else { "KeyError" };
            return self.raised(name, link, exception, &python::repr(source));
        };
        self.found.links.push(index);
        // A node of unknown class is told of by itself.
        let Some(class) = self.classes.get(index).copied().flatten() else { return };
        let Some(slot) = slot.as_i64() else {
            let details = format!("tuple indices must be integers or slices, not {}", python::type_name(slot));
            return self.raised(name, link, "TypeError", &details);
        };
        // Python counts negative slots from the end.
        let from_end = i64::try_from(class.outputs.len()).unwrap_or(i64::MAX);
        let slot = if slot < 0 { slot.saturating_add(from_end) } else { slot };
        let Some(output) = usize::try_from(slot).ok().and_then(|slot| class.outputs.get(slot)) else {
            return self.raised(name, link, "IndexError", "tuple index out of range");
        };
        let wanted = wanted_types(input);
        if !types_meet(&output.kind, wanted) {
            let message = "Return type mismatch between linked nodes";
            let details = format!("{name}, received_type({}) mismatch input_type({wanted})", output.kind);
            let extra = json!({ "input_name": name, "input_config": input.config(), "received_type": output.kind, "linked_node": link });
            self.trouble("return_type_mismatch", message, details, extra);
        }
    }

    fn literal(&mut self, input: &InputDefinition, name: &str, sent: &Value) {
        let value = sent.get("__value__").unwrap_or(sent);
        let converted = match converted(&input.kind, value) {
            Ok(converted) => converted,
            Err(exception) => {
                let word = input.type_word();
                let message = format!("Failed to convert an input value to a {word} value");
                let details = format!("{name}, {}, {exception}", python::text(value));
                let extra = json!({
                    "input_name": name, "input_config": input.config(),
                    "received_value": value, "exception_message": exception,
                });
                return self.trouble("invalid_input_type", message, details, extra);
            }
        };
        if input.is_upload() {
            self.file(input, name, &converted);
        } else {
            match &input.kind {
                InputKind::Int | InputKind::Float => self.range(input, name, &converted),
                InputKind::Combo { options } => self.choice(input, name, &converted, options),
                _ => {}
            }
        }
        if converted.as_ref() != sent
            && let Some((id, _)) = self.node
        {
            self.found.normalised.push(Normalised {
                node: id.clone(),
                input: name.to_owned(),
                value: converted.into_owned(),
            });
        }
    }

    fn range(&mut self, input: &InputDefinition, name: &str, value: &Value) {
        let Value::Number(number) = value else { return };
        let outside = match (input.min(), input.max()) {
            (Some(min), _) if compare(number, min) == Some(Ordering::Less) => {
                ("value_smaller_than_min", "smaller than min", min)
            }
            (_, Some(max)) if compare(number, max) == Some(Ordering::Greater) => {
                ("value_bigger_than_max", "bigger than max", max)
            }
            _ => return,
        };
        let (kind, words, limit) = outside;
        let message = format!("Value {} {words} of {}", python::number(number), python::number(limit));
        let extra = json!({ "input_name": name, "input_config": input.config(), "received_value": value });
        self.trouble(kind, message, name, extra);
    }

    fn choice(&mut self, input: &InputDefinition, name: &str, value: &Value, options: &[Value]) {
        let is_model = model_folder(&self.class.class, name).is_some();
        // A list that comes from elsewhere, or is made while editing, says nothing here.
        if input.is_remote() || (options.is_empty() && !is_model) {
            return;
        }
        let offered = |value: &Value| options.iter().any(|option| python::equal(option, value));
        let fits = match value {
            Value::Array(values) if input.is_multiselect() => values.iter().all(offered),
            value => offered(value),
        };
        if fits {
            return;
        }
        let (list, config) = if options.len() > LONGEST_SHOWN_LIST {
            (format!("(list of length {})", options.len()), Value::Null)
        } else {
            (python::repr(&Value::Array(options.to_vec())), input.config())
        };
        let details = format!("{name}: {} not in {list}", python::repr(value));
        let extra = json!({ "input_name": name, "input_config": config, "received_value": value });
        self.trouble("value_not_in_list", "Value not in list", details, extra);
    }

    fn file(&mut self, input: &InputDefinition, name: &str, value: &Value) {
        let file = python::text(value);
        if self.given.files.contains(&file) || self.given.files.contains(without_folder_mark(&file)) {
            return;
        }
        let word = [("image_upload", "image file"), ("video_upload", "video file"), ("audio_upload", "audio file")]
            .into_iter()
            .find_map(|(key, word)| input.option(key).and_then(Value::as_bool)?.then_some(word))
            .unwrap_or("file");
        let details = format!("{name} - Invalid {word}: {file}");
        self.trouble(
            "custom_validation_failed",
            "Custom validation failed for node",
            details,
            json!({ "input_name": name }),
        );
    }

    /// What makes ComfyUI's own check raise: told as the exception it shows, with the place added.
    fn raised(&mut self, name: &str, link: &[Value], exception_type: &str, details: &str) {
        let mut extra = json!({ "exception_type": exception_type, "traceback": [] });
        let (kind, message) = match &self.via {
            None => {
                extra["input_name"] = json!(name);
                extra["linked_node"] = json!(link);
                ("exception_during_validation", "Exception when validating node")
            }
            Some(via) => {
                extra["input_name"] = json!(via.input);
                extra["input_config"] = via.definition.config();
                extra["exception_message"] = json!(details);
                extra["linked_node"] = via.link.clone();
                ("exception_during_inner_validation", "Exception when validating inner node")
            }
        };
        self.trouble(kind, message, details, extra);
    }

    fn trouble(&mut self, kind: &str, message: impl Into<String>, details: impl Into<String>, extra: Value) {
        self.found.troubles.push(Trouble::new(kind, message, details, extra));
    }
}

/// The value as the node will see it.
fn converted<'v>(kind: &InputKind, value: &'v Value) -> Result<Cow<'v, Value>, String> {
    Ok(match (kind, value) {
        (InputKind::Int, Value::Number(number)) if !number.is_f64() => Cow::Borrowed(value),
        (InputKind::Float, Value::Number(number)) if number.is_f64() => Cow::Borrowed(value),
        (InputKind::String, Value::String(_)) | (InputKind::Boolean, Value::Bool(_)) => Cow::Borrowed(value),
        (InputKind::Int, value) => Cow::Owned(Value::Number(convert::int(value)?)),
        (InputKind::Float, value) => Cow::Owned(Value::Number(convert::float(value)?)),
        (InputKind::String, value) => Cow::Owned(Value::String(python::text(value))),
        (InputKind::Boolean, value) => Cow::Owned(Value::Bool(convert::boolean(value))),
        (_, value) => Cow::Borrowed(value),
    })
}

/// `name [input]` names the file in the input folder; ours are always there.
fn without_folder_mark(file: &str) -> &str {
    file.strip_suffix(" [input]").unwrap_or(file)
}

fn wanted_types(input: &InputDefinition) -> &str {
    match &input.kind {
        InputKind::MatchType { allowed } => allowed,
        InputKind::Socket { types } => types,
        InputKind::DynamicCombo { .. } => "COMBO",
        _ => input.type_word(),
    }
}

/// Both may name several types, parted by commas; `*` is every type.
fn types_meet(received: &str, wanted: &str) -> bool {
    if received == wanted || received == "*" || wanted == "*" {
        return true;
    }
    let wanted: Vec<&str> = wanted.split(',').map(str::trim).collect();
    received
        .split(',')
        .map(str::trim)
        .any(|kind| kind == "*" || wanted.iter().any(|wanted| *wanted == kind || *wanted == "*"))
}

fn compare(one: &Number, other: &Number) -> Option<Ordering> {
    match (one.as_i128(), other.as_i128()) {
        (Some(one), Some(other)) => Some(one.cmp(&other)),
        _ => one.as_f64()?.partial_cmp(&other.as_f64()?),
    }
}

/// The full name of an inner input: `resize_type.width`.
fn full_name<'a>(prefix: &str, name: &'a str) -> Cow<'a, str> {
    if prefix.is_empty() { Cow::Borrowed(name) } else { Cow::Owned(format!("{prefix}.{name}")) }
}
