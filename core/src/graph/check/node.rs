//! Validation of one node: its inputs against the class's declaration.

use std::borrow::Cow;
use std::cmp::Ordering;

use serde_json::{Number, Value, json};

use super::outcome::NormalizedInput;
use super::rules::{Exception, ValidationRules};
use super::{convert, python};
use crate::graph::classes::definitions::NodeDefinition;
use crate::graph::classes::input::{InputDefinition, InputKind, InputPresence};
use crate::graph::classes::model_folder::model_folder;
use crate::graph::classes::paths::spelling;
use crate::graph::files::{is_always_a_file, may_name_a_file, node_files};
use crate::graph::prompt::{Prompt, PromptNode};
use crate::graph::refusal::PromptError;

/// Longer lists are not repeated in errors, as in ComfyUI: they are model folders.
const LONGEST_SHOWN_LIST: usize = 20;

/// The link over which a node was reached; some errors of ComfyUI name it.
pub(in crate::graph) struct IncomingLink<'a> {
    pub input: &'a str,
    pub link: &'a Value,
    pub definition: &'a InputDefinition,
}

#[derive(Default)]
pub(in crate::graph) struct NodeCheckResult {
    pub troubles: Vec<PromptError>,
    /// The nodes that this one depends on, by index, and the inputs of the links.
    pub links: Vec<(usize, String)>,
    pub normalised: Vec<NormalizedInput>,
    /// Mismatches that are left to the worker.
    pub doubts: Vec<PromptError>,
}

pub(in crate::graph) struct NodeCheck<'a> {
    prompt: &'a Prompt,
    classes: &'a [Option<&'a NodeDefinition>],
    rules: ValidationRules<'a>,
    node: Option<(&'a String, &'a PromptNode)>,
    class: &'a NodeDefinition,
    via: Option<IncomingLink<'a>>,
    found: NodeCheckResult,
    /// Validation of this node has stopped.
    is_over: bool,
}

impl<'a> NodeCheck<'a> {
    pub(in crate::graph) fn new(
        prompt: &'a Prompt,
        classes: &'a [Option<&'a NodeDefinition>],
        rules: ValidationRules<'a>,
        node: usize,
        class: &'a NodeDefinition,
        via: Option<IncomingLink<'a>>,
    ) -> Self {
        let node = prompt.0.get_index(node);
        Self { prompt, classes, rules, node, class, via, found: NodeCheckResult::default(), is_over: false }
    }

    pub(in crate::graph) fn run(mut self) -> NodeCheckResult {
        if let Some((id, node)) = self.node {
            self.broken(id);
            self.inputs(node, &self.class.inputs, "");
            self.files(node);
            self.undeclared_links(node);
            self.own_check(node);
        }
        self.found
    }

    fn broken(&mut self, id: &str) {
        if let ValidationRules::Server(_, own) = self.rules
            && let Some(exception) = own.broken(id)
        {
            self.raised(None, &exception);
        }
    }

    fn own_check(&mut self, node: &PromptNode) {
        let ValidationRules::Server(_, own) = self.rules else { return };
        if self.is_over {
            return;
        }
        match own.check(node) {
            Ok(trouble) => self.found.troubles.extend(trouble),
            Err(exception) => self.raised(None, &exception),
        }
    }

    fn inputs(&mut self, node: &'a PromptNode, inputs: &'a [InputDefinition], prefix: &str) {
        for input in inputs {
            if self.is_over {
                return;
            }
            let name = full_name(prefix, &input.name);
            match &input.kind {
                _ if input.presence == InputPresence::Hidden => {}
                InputKind::Autogrow { names, min, inner } => {
                    for (index, item) in names.iter().enumerate() {
                        self.input(node, inner, &format!("{name}.{item}"), index < *min);
                    }
                }
                InputKind::DynamicCombo { choices } => {
                    // As in ComfyUI: inner inputs are only checked if the key is one of the choices, and not if it is
                    // missing, linked or unknown.
                    let chosen = node.inputs.get(name.as_ref());
                    let choice =
                        choices.iter().find(|choice| chosen.is_some_and(|key| python::equal(key, &choice.key)));
                    if let Some(choice) = choice {
                        self.inputs(node, &choice.inputs, &name);
                    }
                }
                _ => self.input(node, input, &name, input.presence == InputPresence::Required),
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
            let exception = match source {
                Value::Array(_) | Value::Object(_) => {
                    Exception::new("TypeError", format!("unhashable type: '{}'", python::type_name(source)))
                }
                source => Exception::new("KeyError", python::repr(source)),
            };
            return self.raised(Some((name, link)), &exception);
        };
        if self.rules.reports_everything() {
            self.found.links.push((index, name.to_owned()));
        }
        // A node of unknown class is reported by itself.
        let Some(class) = self.classes.get(index).copied().flatten() else { return };
        let slot = match slot {
            Value::Bool(flag) => i64::from(*flag),
            Value::Number(number) if !number.is_f64() => number.as_i64().unwrap_or(i64::MAX),
            other => {
                let text = format!("tuple indices must be integers or slices, not {}", python::type_name(other));
                return self.raised(Some((name, link)), &Exception::new("TypeError", text));
            }
        };
        let Some(output) = python::index(slot, class.outputs.len()).and_then(|slot| class.outputs.get(slot)) else {
            let exception = Exception::new("IndexError", "tuple index out of range");
            return self.raised(Some((name, link)), &exception);
        };
        if types_meet(&output.kind, wanted_types(input)) {
            if !self.rules.reports_everything() {
                self.found.links.push((index, name.to_owned()));
            }
            return;
        }
        let message = "Return type mismatch between linked nodes";
        let details = format!("{name}, received_type({}) mismatch input_type({})", output.kind, shown_types(input));
        let extra = json!({
            "input_name": name, "input_config": input.config(), "received_type": output.kind, "linked_node": link,
        });
        let is_open = self.rules.defers_open_types() && (is_open_type(&output.kind) || is_open_input(input));
        let is_left = is_open || self.is_left_to_the_node() || self.rules.defers_to_node(class);
        // A custom node's output may be a string regardless of its type, and linked strings must not name files.
        let is_left = is_left && !may_name_a_file(self.class, name);
        self.trouble_or_doubt(is_left, PromptError::new("return_type_mismatch", message, details, extra));
    }

    fn literal(&mut self, input: &InputDefinition, name: &str, sent: &Value) {
        let value = convert::unwrapped(sent);
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
        match &input.kind {
            // Files come and go, so a server leaves them to the class's own check.
            _ if input.is_upload() => {}
            InputKind::Int | InputKind::Float => self.range(input, name, &converted),
            InputKind::Combo { options } => self.choice(input, name, &converted, options),
            _ => {}
        }
        if converted.as_ref() != sent
            && let Some((id, _)) = self.node
        {
            self.found.normalised.push(NormalizedInput {
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
        self.trouble_or_doubt(self.is_left_to_the_node(), PromptError::new(kind, message, name, extra));
    }

    fn choice(&mut self, input: &InputDefinition, name: &str, value: &Value, options: &[Value]) {
        if self.rules.checks_submitted_files() && is_always_a_file(self.class, name) {
            return;
        }
        let is_model = model_folder(&self.class.class, name).is_some();
        let is_open = input.is_remote() || (options.is_empty() && !is_model);
        if is_open && self.rules.accepts_open_lists() {
            return;
        }
        // The platform sends each worker its own spelling of a path.
        let respells = self.rules.accepts_other_separators();
        let offered = |value: &Value| {
            options.iter().any(|option| python::equal(option, value))
                || respells && value.as_str().is_some_and(|name| spelling(options, name).is_some())
        };
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
        let details = format!("{name}: {} not in {list}", self.rules.shown(value));
        let extra = json!({ "input_name": name, "input_config": config, "received_value": value });
        // A model in no list does not exist on a worker; models decide which worker can run the prompt.
        let is_left = !is_model && self.is_left_to_the_node();
        self.trouble_or_doubt(is_left, PromptError::new("value_not_in_list", "Value not in list", details, extra));
    }

    /// Checks values that name files against the submitted files. A server leaves them to the class's own check.
    fn files(&mut self, node: &PromptNode) {
        let ValidationRules::Platform(given) = self.rules else { return };
        let class_of = |id: &str| self.classes.get(self.prompt.0.get_index_of(id)?).copied().flatten();
        let own = |name: &str| given.files.get(name).cloned();
        let found = node_files(self.prompt, node, Some(self.class), &class_of, &own);
        self.found.troubles.extend(found.refused);
    }

    /// A worker also follows links of undeclared inputs, and of choices that are not selected.
    fn undeclared_links(&mut self, node: &PromptNode) {
        if !self.rules.reports_everything() {
            return;
        }
        for (name, value) in &node.inputs {
            let source = value.as_array().and_then(|link| link.first()?.as_str());
            let Some(index) = source.and_then(|id| self.prompt.0.get_index_of(id)) else { continue };
            if !self.found.links.iter().any(|(known, by)| *known == index && by == name) {
                self.found.links.push((index, name.clone()));
            }
        }
    }

    /// An exception of ComfyUI's validation, with its place if there is one. Tracebacks are empty, because there are no
    /// lines of Python.
    fn raised(&mut self, place: Option<(&str, &[Value])>, exception: &Exception) {
        let Exception { kind, text } = exception;
        let trouble = match &self.via {
            None => {
                let mut extra = json!({ "exception_type": kind, "traceback": [] });
                if let Some((name, link)) = place.filter(|_| self.rules.reports_everything()) {
                    extra["input_name"] = json!(name);
                    extra["linked_node"] = json!(link);
                }
                PromptError::new("exception_during_validation", "Exception when validating node", text, extra)
            }
            Some(via) => {
                let extra = json!({
                    "input_name": via.input, "input_config": via.definition.config(), "exception_message": text,
                    "exception_type": kind, "traceback": [], "linked_node": via.link,
                });
                let message = "Exception when validating inner node";
                PromptError::new("exception_during_inner_validation", message, text, extra)
            }
        };
        if !self.rules.reports_everything() {
            self.found.troubles.clear();
            self.found.normalised.clear();
            self.is_over = true;
        }
        self.found.troubles.push(trouble);
    }

    fn is_left_to_the_node(&self) -> bool {
        self.rules.defers_to_node(self.class)
    }

    fn trouble_or_doubt(&mut self, is_left: bool, trouble: PromptError) {
        let list = if is_left { &mut self.found.doubts } else { &mut self.found.troubles };
        list.push(trouble);
    }

    fn trouble(&mut self, kind: &str, message: impl Into<String>, details: impl Into<String>, extra: Value) {
        self.found.troubles.push(PromptError::new(kind, message, details, extra));
    }
}

/// The value as the node receives it.
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

fn wanted_types(input: &InputDefinition) -> &str {
    match &input.kind {
        InputKind::MatchType { allowed } => allowed,
        InputKind::Socket { types } => types,
        InputKind::DynamicCombo { .. } => "COMBO",
        _ => input.type_word(),
    }
}

/// The types in a message: for an old-style list of choices, the list itself.
fn shown_types(input: &InputDefinition) -> String {
    match input.raw().get(0) {
        Some(choices @ Value::Array(_)) => python::repr(choices),
        _ => wanted_types(input).to_owned(),
    }
}

/// Whether the node itself decides which types it accepts or returns: `object_info` tells none or several.
fn is_open_type(kind: &str) -> bool {
    kind.contains(['*', ','])
}

fn is_open_input(input: &InputDefinition) -> bool {
    match &input.kind {
        InputKind::MatchType { .. } | InputKind::DynamicCombo { .. } => true,
        InputKind::Socket { types } => is_open_type(types),
        _ => false,
    }
}

/// Both may be several types separated by commas; `*` is any type.
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
