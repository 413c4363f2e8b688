use std::sync::Arc;

use indexmap::IndexMap;
use serde_json::{Map, Value, json};

use super::input::{InputDefinition, InputKind, InputPresence, parse_sections};
use super::model_folder::model_folder;
use super::paths::is_same_path;
use crate::graph::prompt::content_hash;

/// Node classes by name.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct NodeDefinitions(IndexMap<String, Arc<NodeDefinition>>);

#[derive(Debug, Clone, PartialEq)]
pub struct NodeDefinition {
    pub class: String,
    /// The display name; the class if the worker does not tell one.
    pub display_name: String,
    /// The Python module: `nodes`, `comfy_extras.nodes_images`, `custom_nodes.pack`.
    pub python_module: String,
    /// Whether it is an output, that is, a reason to run a prompt.
    pub output_node: bool,
    /// Required, then optional, then hidden ones, each in the worker's order.
    pub inputs: Vec<InputDefinition>,
    pub outputs: Vec<OutputDefinition>,
    raw: Arc<Value>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutputDefinition {
    /// `IMAGE`, `COMBO` for a list of choices, `*` for any type.
    pub kind: String,
    pub name: String,
    /// Whether it is a list; later nodes run once per item.
    pub is_list: bool,
}

impl NodeDefinitions {
    /// Parses ComfyUI's `object_info`. Entries that are not objects are skipped. Names of files that the platform
    /// uploaded to the worker are removed, because they belong to other users.
    #[must_use]
    pub fn from_object_info(object_info: &Value) -> Self {
        let classes = object_info.as_object().into_iter().flatten();
        Self(
            classes
                .filter(|(_, raw)| raw.is_object())
                .map(|(class, raw)| {
                    let mut raw = raw.clone();
                    if let Some(input) = raw.get_mut("input") {
                        leave_out_uploads(input);
                    }
                    (class.clone(), Arc::new(NodeDefinition::parse(class, raw)))
                })
                .collect(),
        )
    }

    /// The definitions in the format of `object_info`.
    #[must_use]
    pub fn to_object_info(&self) -> Value {
        self.0.iter().map(|(class, node)| (class.clone(), node.raw.as_ref().clone())).collect::<Map<_, _>>().into()
    }

    /// Merges the definitions of several workers: all classes, and all choices of their lists. If definitions differ
    /// otherwise, the most common one wins, and the first of equally common ones. So a single worker cannot redefine a
    /// class.
    #[must_use]
    pub fn merged<'a>(workers: impl IntoIterator<Item = &'a Self>) -> Self {
        let merged = by_class(workers).into_iter().filter_map(|(class, nodes)| {
            let nodes: Vec<&Arc<NodeDefinition>> = nodes.into_iter().map(|(_, node)| node).collect();
            Some((class.clone(), united(&nodes)?))
        });
        Self(merged.collect())
    }

    /// For each worker, the classes that it defines differently from most workers. If there is no majority, all of them
    /// are listed.
    #[must_use]
    pub fn differing(workers: &[&Self]) -> Vec<Vec<String>> {
        let mut differing = vec![Vec::new(); workers.len()];
        for (class, nodes) in by_class(workers.iter().copied()) {
            let (owners, nodes): (Vec<usize>, Vec<&Arc<NodeDefinition>>) = nodes.into_iter().unzip();
            let groups = alike(&nodes);
            let is_tie = matches!(groups.as_slice(), [first, second, ..] if first.len() == second.len());
            for index in groups.iter().skip(usize::from(!is_tie)).flatten() {
                if let Some(classes) = owners.get(*index).and_then(|owner| differing.get_mut(*owner)) {
                    classes.push(class.clone());
                }
            }
        }
        differing
    }

    /// A hash of everything that decides about validity: inputs and outputs of all classes. Lists filled from folders
    /// are excluded: uploads come with each job, and models are checked by name.
    #[must_use]
    pub fn shape(&self) -> String {
        let classes = self.0.iter().map(|(class, node)| (class.clone(), node.shape()));
        content_hash(&classes.collect::<Map<_, _>>().into())
    }

    #[must_use]
    pub fn get(&self, class: &str) -> Option<&Arc<NodeDefinition>> {
        self.0.get(class)
    }

    #[must_use]
    pub fn contains(&self, class: &str) -> bool {
        self.0.contains_key(class)
    }

    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All classes, in the worker's order.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<NodeDefinition>> {
        self.0.values()
    }
}

impl NodeDefinition {
    fn parse(class: &str, raw: Value) -> Self {
        let text = |key: &str| raw.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
        Self {
            class: class.to_owned(),
            display_name: text("display_name").unwrap_or(class).to_owned(),
            python_module: text("python_module").unwrap_or_default().to_owned(),
            output_node: raw.get("output_node").and_then(Value::as_bool).unwrap_or(false),
            inputs: parse_sections(raw.get("input")),
            outputs: parse_outputs(&raw),
            raw: Arc::new(raw),
        }
    }

    /// The declared input of this name. Inner inputs of dynamic ones (`resize_type.width`) are found by their full
    /// name.
    #[must_use]
    pub fn input(&self, name: &str) -> Option<&InputDefinition> {
        find(&self.inputs, name)
    }

    /// Whether the node runs only with this input. The first inputs of a growing list are required; one that is not
    /// declared counts as required.
    pub(in crate::graph) fn requires(&self, name: &str) -> bool {
        let of_input = |input: &InputDefinition| {
            if input.name == name {
                return Some(input.presence == InputPresence::Required);
            }
            let inner = name.strip_prefix(input.name.as_str())?.strip_prefix('.')?;
            let InputKind::Autogrow { names, min, .. } = &input.kind else { return None };
            names.iter().position(|name| name == inner).map(|at| at < *min)
        };
        self.inputs.iter().find_map(of_input).unwrap_or(true)
    }

    /// All inputs of this name: inner inputs of several choices may share a name.
    pub(in crate::graph) fn inputs_named(&self, name: &str) -> Vec<&InputDefinition> {
        let mut found = Vec::new();
        find_all(&self.inputs, name, &mut found);
        found
    }

    /// As in `object_info`.
    #[must_use]
    pub fn raw(&self) -> &Value {
        &self.raw
    }

    /// Whether the class belongs to a custom node pack, which may have validation of its own.
    #[must_use]
    pub fn is_custom(&self) -> bool {
        self.python_module.starts_with("custom_nodes.")
    }

    /// Whether the class calls a service of another company, which needs an account there. Jobs have none.
    #[must_use]
    pub fn is_api_node(&self) -> bool {
        self.raw.get("api_node") == Some(&Value::Bool(true))
    }

    fn is_same_as(&self, other: &Arc<Self>) -> bool {
        std::ptr::eq(self, Arc::as_ptr(other)) || self.raw == other.raw
    }

    /// The parts that decide about validity.
    fn shape(&self) -> Value {
        let mut inputs = self.raw.get("input").cloned().unwrap_or_default();
        for section in ["required", "optional"] {
            for (name, raw) in inputs.get_mut(section).and_then(Value::as_object_mut).into_iter().flatten() {
                let from_a_folder = model_folder(&self.class, name).is_some()
                    || self.input(name).is_some_and(InputDefinition::is_upload);
                if let Some(choices) = choices_mut(raw).filter(|_| from_a_folder) {
                    choices.clear();
                }
            }
        }
        json!([inputs, self.raw.get("output"), self.output_node])
    }

    fn with_choices_of(&self, other: &Self) -> Self {
        let mut raw = self.raw.as_ref().clone();
        for section in ["required", "optional"] {
            let Some(ours) = raw.pointer_mut(&format!("/input/{section}")).and_then(Value::as_object_mut) else {
                continue;
            };
            for (name, input) in ours.iter_mut() {
                let Some(InputKind::Combo { options: theirs }) = other.input(name).map(|input| &input.kind) else {
                    continue;
                };
                if let Some(choices) = choices_mut(input) {
                    for choice in theirs {
                        let is_there = |name: &str| {
                            choices.iter().any(|ours| ours.as_str().is_some_and(|ours| is_same_path(ours, name)))
                        };
                        if !choices.contains(choice) && !choice.as_str().is_some_and(is_there) {
                            choices.push(choice.clone());
                        }
                    }
                }
            }
        }
        Self::parse(&self.class, raw)
    }
}

/// The definitions of each class, with the index of the worker.
fn by_class<'a>(
    workers: impl IntoIterator<Item = &'a NodeDefinitions>,
) -> IndexMap<&'a String, Vec<(usize, &'a Arc<NodeDefinition>)>> {
    let mut by_class: IndexMap<_, Vec<_>> = IndexMap::new();
    for (worker, definitions) in workers.into_iter().enumerate() {
        for (class, node) in &definitions.0 {
            by_class.entry(class).or_default().push((worker, node));
        }
    }
    by_class
}

/// Groups definitions with equal validation, by index: the largest group first, ties by the first index.
fn alike(nodes: &[&Arc<NodeDefinition>]) -> Vec<Vec<usize>> {
    // Nearly all are equal and need no shape.
    if nodes.iter().all(|node| nodes.first().is_some_and(|first| node.is_same_as(first))) {
        return vec![(0..nodes.len()).collect()];
    }
    let mut groups: Vec<(Value, Vec<usize>)> = Vec::new();
    for (index, node) in nodes.iter().enumerate() {
        let shape = node.shape();
        match groups.iter_mut().find(|(known, _)| *known == shape) {
            Some((_, group)) => group.push(index),
            None => groups.push((shape, vec![index])),
        }
    }
    groups.sort_by_key(|(_, group)| std::cmp::Reverse(group.len()));
    groups.into_iter().map(|(_, group)| group).collect()
}

/// Merges several definitions of one class: the most common one with all choices.
fn united(nodes: &[&Arc<NodeDefinition>]) -> Option<Arc<NodeDefinition>> {
    let usual = *alike(nodes).first()?.first()?;
    let mut all: Arc<NodeDefinition> = Arc::clone(nodes.get(usual)?);
    for (index, node) in nodes.iter().enumerate() {
        if index != usual && !node.is_same_as(&all) {
            all = Arc::new(all.with_choices_of(node));
        }
    }
    Some(all)
}

/// Removes names of uploads from all lists.
fn leave_out_uploads(value: &mut Value) {
    match value {
        Value::Array(items) => {
            items.retain(|item| !item.as_str().is_some_and(is_upload));
            items.iter_mut().for_each(leave_out_uploads);
        }
        Value::Object(fields) => fields.values_mut().for_each(leave_out_uploads),
        _ => {}
    }
}

/// Whether this is the name of an upload on a worker: `vg-<content hash>.<extension>`.
pub(in crate::graph) fn is_upload(name: &str) -> bool {
    let name = name.rsplit('/').next().unwrap_or(name);
    let hash = name.strip_prefix("vg-").and_then(|rest| rest.split_once('.')).map(|(hash, _)| hash);
    hash.is_some_and(|hash| hash.len() == 64 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// The list of choices in an input's JSON, in both formats.
pub(in crate::graph) fn choices_mut(input: &mut Value) -> Option<&mut Vec<Value>> {
    if input.get(0).is_some_and(Value::is_array) {
        return input.get_mut(0)?.as_array_mut();
    }
    if input.get(0).and_then(Value::as_str) != Some("COMBO") {
        return None;
    }
    input.get_mut(1)?.get_mut("options")?.as_array_mut()
}

fn find<'a>(inputs: &'a [InputDefinition], name: &str) -> Option<&'a InputDefinition> {
    if let Some(input) = inputs.iter().find(|input| input.name == name) {
        return Some(input);
    }
    inputs.iter().find_map(|input| {
        let inner = name.strip_prefix(input.name.as_str())?.strip_prefix('.')?;
        match &input.kind {
            InputKind::DynamicCombo { choices } => choices.iter().find_map(|choice| find(&choice.inputs, inner)),
            InputKind::Autogrow { names, inner: definition, .. } => {
                names.iter().any(|name| name == inner).then_some(definition.as_ref())
            }
            _ => None,
        }
    })
}

fn find_all<'a>(inputs: &'a [InputDefinition], name: &str, found: &mut Vec<&'a InputDefinition>) {
    for input in inputs {
        if input.name == name {
            found.push(input);
        }
        let inner = name.strip_prefix(input.name.as_str()).and_then(|rest| rest.strip_prefix('.'));
        match (&input.kind, inner) {
            (InputKind::DynamicCombo { choices }, Some(inner)) => {
                choices.iter().for_each(|choice| find_all(&choice.inputs, inner, found));
            }
            // The list may grow beyond the declared names.
            (InputKind::Autogrow { inner: definition, .. }, Some(_)) => found.push(definition),
            _ => {}
        }
    }
}

fn parse_outputs(raw: &Value) -> Vec<OutputDefinition> {
    let at = |key: &str, index: usize| raw.get(key).and_then(|list| list.get(index));
    let kinds = raw.get("output").and_then(Value::as_array).into_iter().flatten();
    kinds
        .enumerate()
        .map(|(index, kind)| {
            let kind = match kind {
                // The linked input decides the type.
                Value::String(kind) if kind == "COMFY_MATCHTYPE_V3" => "*",
                Value::String(kind) => kind,
                Value::Array(_) => "COMBO",
                _ => "*",
            };
            let name = at("output_name", index).and_then(Value::as_str).filter(|name| !name.is_empty());
            OutputDefinition {
                kind: kind.to_owned(),
                name: name.unwrap_or(kind).to_owned(),
                is_list: at("output_is_list", index).and_then(Value::as_bool).unwrap_or(false),
            }
        })
        .collect()
}
