//! The check of `POST /prompt`, with exactly ComfyUI's messages and shapes.
//!
//! Nodes are checked upstream first, each once, with an explicit stack instead of recursion, so a chain of any length
//! is fine. Three things differ from a real server on purpose: the order of several errors is always the order of the
//! declaration (there it follows a hash-ordered set), tracebacks name our own functions, and a node that is not an
//! object is refused with 400 (there: 500).

use std::collections::{HashMap, HashSet};

use indexmap::IndexMap;
use serde_json::{Map, Value as Json, json};

use super::catalog::{Catalog, Class, Input};
use super::literal::{Literal, literal, own_check};
use super::python;
use crate::cpu::like::Like;
use crate::cpu::node::Folders;

/// What validation found.
#[derive(Debug)]
pub(super) struct Verdict {
    /// The output nodes that can run, in the order of the prompt; empty exactly where `error` is set.
    pub outputs: Vec<String>,
    /// Node id to its errors. May be filled although some outputs are good.
    pub node_errors: Map<String, Json>,
    /// Why nothing can run.
    pub error: Option<Json>,
}

/// Checks a prompt and replaces its values by the converted ones (`"16"` for an INT becomes 16). `targets`: the output
/// nodes asked for (`partial_execution_targets`), all where `None`.
pub(super) fn validate(
    like: Like,
    catalog: &Catalog,
    folders: &Folders,
    prompt: &mut Map<String, Json>,
    targets: Option<&[String]>,
) -> Verdict {
    let outputs = match outputs(like, catalog, prompt, targets) {
        Ok(outputs) => outputs,
        Err(error) => {
            return Verdict { outputs: Vec::new(), node_errors: Map::new(), error: Some(error) };
        }
    };
    let mut check = Check { like, catalog, folders, prompt, cycles: HashMap::new(), done: IndexMap::new() };
    let mut good = Vec::new();
    let mut own_errors = Vec::new();
    let mut node_errors = Map::new();
    for output in outputs {
        let (valid, reasons) = check.output(&output);
        if valid {
            good.push(output);
            continue;
        }
        own_errors.extend(reasons);
        check.collect(&output, &mut node_errors);
    }
    let error = good.is_empty().then(|| {
        let details: Vec<String> = own_errors.iter().map(summary).collect();
        error("prompt_outputs_failed_validation", "Prompt outputs failed validation", &details.join("\n"))
    });
    Verdict { outputs: good, node_errors, error }
}

/// An error as the protocol has it.
pub(super) fn error(kind: &str, message: &str, details: &str) -> Json {
    json!({"type": kind, "message": message, "details": details, "extra_info": {}})
}

/// The output nodes asked for. Every node's class must exist, also of nodes nobody uses.
fn outputs(
    like: Like,
    catalog: &Catalog,
    prompt: &Map<String, Json>,
    targets: Option<&[String]>,
) -> Result<Vec<String>, Json> {
    let mut outputs = Vec::new();
    for (id, node) in prompt {
        let place = format!("Node ID '#{id}'");
        let Some(node) = node.as_object() else {
            return Err(error("invalid_prompt", "Cannot execute because a node is not an object.", &place));
        };
        let class = node.get("class_type");
        let Some(known) = class.and_then(Json::as_str).and_then(|class| catalog.class(class)) else {
            return Err(match like {
                Like::V0_3_64 => error("invalid_prompt", &cannot_execute(class), &place),
                Like::V0_33_0 => missing_node_type(id, node, class, &place),
            });
        };
        if known.is_output && targets.is_none_or(|targets| targets.contains(id)) {
            outputs.push(id.clone());
        }
    }
    if outputs.is_empty() { Err(error("prompt_no_outputs", "Prompt has no outputs", "")) } else { Ok(outputs) }
}

/// How a node of no known class is told before 0.33.0.
fn cannot_execute(class: Option<&Json>) -> String {
    match class {
        None => "Cannot execute because a node is missing the class_type property.".to_owned(),
        Some(class) => format!("Cannot execute because node {} does not exist.", python::str_of(class)),
    }
}

/// How it is told since.
fn missing_node_type(id: &str, node: &Map<String, Json>, class: Option<&Json>, place: &str) -> Json {
    let title = node.get("_meta").and_then(|meta| meta.get("title")).or(class).cloned().unwrap_or_default();
    let message = match class {
        None => {
            let name = if title.is_null() { format!("ID #{id}") } else { python::str_of(&title) };
            format!("Node '{name}' has no class_type. The workflow may be corrupted or a custom node is missing.")
        }
        Some(_) => format!("Node '{}' not found. The custom node may not be installed.", python::str_of(&title)),
    };
    let info = json!({"node_id": id, "class_type": class, "node_title": title});
    reason("missing_node_type", &message, place, info)
}

fn summary(reason: &Json) -> String {
    let text = |name: &str| reason.get(name).and_then(Json::as_str).unwrap_or_default().to_owned();
    format!("{}: {}", text("message"), text("details"))
}

/// What was found about one node.
struct Checked {
    valid: bool,
    reasons: Vec<Json>,
}

/// What Python would have raised while looking at a node.
pub(super) struct Exception {
    kind: &'static str,
    text: String,
}

impl Exception {
    pub(super) fn new(kind: &'static str, text: impl Into<String>) -> Self {
        Self { kind, text: text.into() }
    }
}

/// A node on the way to an output: which input of which node led to it first.
struct Visit {
    id: String,
    found_by: Option<(String, String)>,
    /// Whether it links back to a node that depends on it.
    closes_cycle: bool,
}

struct Check<'a> {
    like: Like,
    catalog: &'a Catalog,
    folders: &'a Folders,
    prompt: &'a mut Map<String, Json>,
    /// What is said of a node that depends on itself.
    cycles: HashMap<String, Json>,
    done: IndexMap<String, Checked>,
}

impl Check<'_> {
    /// Checks everything an output depends on, and the output.
    fn output(&mut self, output: &str) -> (bool, Vec<Json>) {
        let (visits, cycles) = self.visits(output);
        if self.like >= Like::V0_33_0 {
            cycles.iter().for_each(|cycle| self.report_cycle(cycle));
        }
        for visit in visits {
            let checked = match self.node(&visit) {
                Ok(checked) => checked,
                Err(exception) => Checked { valid: false, reasons: vec![self.exception_reason(&visit, &exception)] },
            };
            self.done.insert(visit.id, checked);
        }
        self.done.get(output).map_or((false, Vec::new()), |checked| (checked.valid, checked.reasons.clone()))
    }

    /// Adds every failed node so far to the answer, each with this output as a dependent one.
    fn collect(&self, output: &str, node_errors: &mut Map<String, Json>) {
        for (id, checked) in self.done.iter().filter(|(_, checked)| !checked.valid && !checked.reasons.is_empty()) {
            let class = self.prompt.get(id).and_then(|node| node.get("class_type")).cloned().unwrap_or_default();
            let entry = node_errors
                .entry(id.clone())
                .or_insert_with(|| json!({"errors": checked.reasons, "dependent_outputs": [], "class_type": class}));
            if let Some(dependents) = entry.get_mut("dependent_outputs").and_then(Json::as_array_mut) {
                dependents.push(json!(output));
            }
        }
    }

    /// Tells every node of a circle of the whole circle, unless it lies on another one.
    fn report_cycle(&mut self, cycle: &[String]) {
        let name = |id: &String| {
            let class = self.prompt.get(id).and_then(|node| node.get("class_type")).and_then(Json::as_str);
            format!("{id} ({})", class.unwrap_or_default())
        };
        let details = cycle.iter().chain(cycle.first()).map(name).collect::<Vec<_>>().join(" -> ");
        for id in cycle {
            let info = json!({"node_id": id, "cycle_nodes": cycle});
            let told = || reason("dependency_cycle", "Dependency cycle detected", &details, info);
            self.cycles.entry(id.clone()).or_insert_with(told);
        }
    }

    /// The nodes not yet checked that an output depends on, upstream first, the output last; and the circles they run
    /// in.
    fn visits(&self, output: &str) -> (Vec<Visit>, Vec<Vec<String>>) {
        let mut order = Vec::new();
        let mut cycles = Vec::new();
        let mut open: HashSet<String> = HashSet::new();
        let mut seen: HashSet<String> = HashSet::new();
        let mut stack: Vec<(Visit, std::vec::IntoIter<(String, String)>)> = Vec::new();
        let push = |stack: &mut Vec<_>, seen: &mut HashSet<String>, open: &mut HashSet<String>, visit: Visit| {
            seen.insert(visit.id.clone());
            open.insert(visit.id.clone());
            let links = self.links(&visit.id).into_iter();
            stack.push((visit, links));
        };
        if self.done.contains_key(output) {
            return (order, cycles);
        }
        let first = Visit { id: output.to_owned(), found_by: None, closes_cycle: false };
        push(&mut stack, &mut seen, &mut open, first);
        while let Some((visit, links)) = stack.last_mut() {
            let Some((input, upstream)) = links.next() else {
                if let Some((visit, _)) = stack.pop() {
                    open.remove(&visit.id);
                    order.push(visit);
                }
                continue;
            };
            if open.contains(&upstream) {
                visit.closes_cycle = true;
                let path = stack.iter().map(|(visit, _)| visit.id.clone());
                cycles.push(path.skip_while(|id| *id != upstream).collect());
            } else if !seen.contains(&upstream) && !self.done.contains_key(&upstream) {
                let found_by = Some((visit.id.clone(), input));
                push(&mut stack, &mut seen, &mut open, Visit { id: upstream, found_by, closes_cycle: false });
            }
        }
        (order, cycles)
    }

    /// The links of a node that a check follows: input name and upstream node.
    fn links(&self, id: &str) -> Vec<(String, String)> {
        let mut links = Vec::new();
        let Ok((class, inputs)) = self.parts(id) else {
            return links;
        };
        for input in &class.inputs {
            let Some(Json::Array(link)) = inputs.get(&input.name) else {
                continue;
            };
            if link.len() != 2 {
                continue;
            }
            match self.linked_type(link) {
                Err(_) => break,
                Ok(received) if types_agree(&received, &input.kind) => {
                    if let Some(upstream) = link.first().and_then(Json::as_str) {
                        links.push((input.name.clone(), upstream.to_owned()));
                    }
                }
                Ok(_) => {}
            }
        }
        links
    }

    fn parts(&self, id: &str) -> Result<(&Class, &Map<String, Json>), Exception> {
        let node = self.prompt.get(id).ok_or_else(|| Exception::new("KeyError", python::repr(&json!(id))))?;
        let class = node.get("class_type").and_then(Json::as_str).and_then(|class| self.catalog.class(class));
        let class = class.ok_or_else(|| Exception::new("KeyError", "'class_type'"))?;
        match node.get("inputs") {
            Some(Json::Object(inputs)) => Ok((class, inputs)),
            Some(other) => {
                Err(Exception::new("TypeError", format!("inputs must be a dict, not '{}'", python::type_name(other))))
            }
            None => Err(Exception::new("KeyError", "'inputs'")),
        }
    }

    /// The type of the slot a link of two parts points at.
    fn linked_type(&self, link: &[Json]) -> Result<Json, Exception> {
        let (Some(id), Some(slot)) = (link.first(), link.get(1)) else {
            return Err(Exception::new("IndexError", "list index out of range"));
        };
        let class = match id {
            Json::String(text) => self.prompt.get(text),
            Json::Array(_) | Json::Object(_) => {
                return Err(Exception::new("TypeError", format!("unhashable type: '{}'", python::type_name(id))));
            }
            _ => None,
        };
        let class = class.ok_or_else(|| Exception::new("KeyError", python::repr(id)))?;
        let class = class.get("class_type").and_then(Json::as_str).and_then(|class| self.catalog.class(class));
        let class = class.ok_or_else(|| Exception::new("KeyError", "'class_type'"))?;
        let slot = match slot {
            Json::Bool(flag) => i64::from(*flag),
            Json::Number(number) if number.is_i64() || number.is_u64() => number.as_i64().unwrap_or(i64::MAX),
            other => {
                let kind = python::type_name(other);
                return Err(Exception::new(
                    "TypeError",
                    format!("tuple indices must be integers or slices, not {kind}"),
                ));
            }
        };
        class.output(slot).cloned().ok_or_else(|| Exception::new("IndexError", "tuple index out of range"))
    }

    /// Checks one node whose upstream nodes are done.
    fn node(&mut self, visit: &Visit) -> Result<Checked, Exception> {
        let (class, inputs) = self.parts(&visit.id)?;
        let mut valid = !visit.closes_cycle;
        let mut reasons: Vec<Json> = self.cycles.get(&visit.id).cloned().into_iter().collect();
        let mut converted: Vec<(String, Json)> = Vec::new();
        for input in &class.inputs {
            let Some(value) = inputs.get(&input.name) else {
                if input.required {
                    reasons.push(missing(input));
                }
                continue;
            };
            if let Json::Array(link) = value {
                match self.link(input, link)? {
                    Link::Good => {}
                    Link::UpstreamFailed => valid = false,
                    Link::Bad(reason) => reasons.push(reason),
                }
                continue;
            }
            let Literal { converted: replacement, refusal } = literal(self.like, input, value);
            converted.extend(replacement.map(|value| (input.name.clone(), value)));
            reasons.extend(refusal);
        }
        reasons.extend(own_check(class, inputs, self.folders)?);
        if let Some(inputs) = self.prompt.get_mut(&visit.id).and_then(|node| node.get_mut("inputs")) {
            for (name, value) in converted {
                inputs[name] = value;
            }
        }
        Ok(Checked { valid: valid && reasons.is_empty(), reasons })
    }

    fn link(&self, input: &Input, link: &[Json]) -> Result<Link, Exception> {
        if link.len() != 2 {
            let message = "Bad linked input, must be a length-2 list of [node_id, slot_index]";
            let info = json!({"input_name": input.name, "input_config": input.config(), "received_value": link});
            return Ok(Link::Bad(reason("bad_linked_input", message, &input.name, info)));
        }
        let received = self.linked_type(link)?;
        if !types_agree(&received, &input.kind) {
            let details = format!(
                "{}, received_type({}) mismatch input_type({})",
                input.name,
                python::str_of(&received),
                python::str_of(&input.kind)
            );
            let info = json!({
                "input_name": input.name, "input_config": input.config(), "received_type": received, "linked_node": link,
            });
            let message = "Return type mismatch between linked nodes";
            return Ok(Link::Bad(reason("return_type_mismatch", message, &details, info)));
        }
        let upstream = link.first().and_then(Json::as_str).and_then(|id| self.done.get(id));
        // A node that is not done yet is one that depends on this one: the cycle is recorded where it closes.
        Ok(if upstream.is_none_or(|upstream| upstream.valid) { Link::Good } else { Link::UpstreamFailed })
    }

    /// How an exception is told: by the output itself, or by the node whose input led there.
    fn exception_reason(&self, visit: &Visit, exception: &Exception) -> Json {
        let Exception { kind, text } = exception;
        let Some((downstream, input)) = &visit.found_by else {
            let info = json!({"exception_type": kind, "traceback": traceback(&["validate_prompt", "validate_inputs"])});
            return reason("exception_during_validation", "Exception when validating node", text, info);
        };
        let parts = self.parts(downstream).ok();
        let config = parts.as_ref().and_then(|(class, _)| class.input(input)).map(Input::config);
        let link = parts.as_ref().and_then(|(_, inputs)| inputs.get(input)).cloned();
        let info = json!({
            "input_name": input,
            "input_config": config,
            "exception_message": text,
            "exception_type": kind,
            "traceback": traceback(&["validate_inputs", "validate_inputs"]),
            "linked_node": link,
        });
        reason("exception_during_inner_validation", "Exception when validating inner node", text, info)
    }
}

enum Link {
    Good,
    UpstreamFailed,
    Bad(Json),
}

pub(super) fn reason(kind: &str, message: &str, details: &str, extra_info: Json) -> Json {
    json!({"type": kind, "message": message, "details": details, "extra_info": extra_info})
}

fn missing(input: &Input) -> Json {
    let info = json!({"input_name": input.name});
    reason("required_input_missing", "Required input is missing", &input.name, info)
}

fn traceback(functions: &[&str]) -> Vec<String> {
    functions.iter().map(|function| format!("  File \"validate.rs\", in {function}\n")).collect()
}

/// Whether a link of this type may go into an input of that type: equal, or text types that share a part.
fn types_agree(received: &Json, wanted: &Json) -> bool {
    if received == wanted {
        return true;
    }
    let (Some(received), Some(wanted)) = (received.as_str(), wanted.as_str()) else {
        return false;
    };
    let received: HashSet<&str> = received.split(',').map(str::trim).collect();
    let wanted: HashSet<&str> = wanted.split(',').map(str::trim).collect();
    received.contains("*") || wanted.contains("*") || !received.is_disjoint(&wanted)
}

/// What a value links to, where it is a link: the upstream node and its slot.
pub(super) fn is_link(value: &Json) -> Option<(&str, i64)> {
    let Json::Array(parts) = value else {
        return None;
    };
    match parts.as_slice() {
        [Json::String(id), Json::Number(slot)] => Some((id, slot.as_i64()?)),
        [Json::String(id), Json::Bool(slot)] => Some((id, i64::from(*slot))),
        _ => None,
    }
}

/// The class of a node of a prompt.
pub(super) fn class_of<'a>(prompt: &'a Json, id: &str) -> &'a str {
    prompt.get(id).and_then(|node| node.get("class_type")).and_then(Json::as_str).unwrap_or_default()
}
