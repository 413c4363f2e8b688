//! Decides which requirements of a prompt workers meet.

use std::sync::Arc;

use indexmap::IndexMap;
use serde_json::Value;

use super::requirement::{MissingRequirement, Requirement, RequirementKind};
use crate::fleet::Capabilities;
use crate::graph::{InputKind, ModelNeed, Needs, NodeDefinitions, Prompt, PromptNode, is_model, model_folder, models};

/// A requirement of a prompt.
#[derive(Debug)]
pub(super) struct PromptRequirement {
    /// The ids of the nodes that have it.
    nodes: Vec<String>,
    /// The inputs that name a model; none for a class.
    models: Vec<ModelNeed>,
}

/// The requirements of a prompt. `definitions` tell which inputs name models.
pub(super) fn requirements(prompt: &Prompt, definitions: &NodeDefinitions) -> IndexMap<Requirement, PromptRequirement> {
    let mut found: IndexMap<Requirement, PromptRequirement> = IndexMap::new();
    let mut add = |requirement: Requirement, node: &String, model: Option<ModelNeed>| {
        let known = found.entry(requirement);
        let known = known.or_insert_with(|| PromptRequirement { nodes: Vec::new(), models: Vec::new() });
        if known.nodes.last() != Some(node) {
            known.nodes.push(node.clone());
        }
        known.models.extend(model);
    };
    for (id, node) in &prompt.0 {
        add(Requirement::node_class(&node.class_type), id, None);
        for model in models_of(id, node, definitions) {
            let folder = (!model.folder.is_empty()).then_some(model.folder);
            add(Requirement::model(folder, &model.name), id, Some(model));
        }
    }
    found
}

fn models_of(id: &str, node: &PromptNode, definitions: &NodeDefinitions) -> Vec<ModelNeed> {
    let Some(definition) = definitions.get(&node.class_type) else { return Vec::new() };
    let alone = Prompt(IndexMap::from_iter([(id.to_owned(), node.clone())]));
    let mut found: Vec<ModelNeed> = models(&alone, definitions).into_iter().collect();
    // Loaders of node packs, whose folder is unknown: a list without this model file.
    for (input, value) in &node.inputs {
        let Some(name) = value.as_str().filter(|name| is_model(name)) else { continue };
        let is_list = matches!(definition.input(input).map(|input| &input.kind), Some(InputKind::Combo { .. }));
        if is_list && model_folder(&node.class_type, input).is_none() {
            let (name, class) = (name.to_owned(), node.class_type.clone());
            found.push(ModelNeed { folder: "", name, class, input: input.clone() });
        }
    }
    found
}

/// The requirements that no worker meets, with the other pools whose workers do.
pub(super) fn missing(
    requirements: &IndexMap<Requirement, PromptRequirement>,
    own: &[Arc<Capabilities>],
    others: &[(String, Vec<Arc<Capabilities>>)],
) -> Vec<MissingRequirement> {
    let met = |workers: &[Arc<Capabilities>], requirement: &Requirement, used: &PromptRequirement| {
        workers.iter().any(|worker| meets(worker, requirement, used))
    };
    let lacking = requirements.iter().filter(|(requirement, used)| !met(own, requirement, used));
    lacking
        .map(|(requirement, used)| {
            let pools = others.iter().filter(|(_, workers)| met(workers, requirement, used));
            MissingRequirement {
                requirement: requirement.clone(),
                nodes: used.nodes.clone(),
                pools: pools.map(|(pool, _)| pool.clone()).collect(),
                is_requested: false,
            }
        })
        .collect()
}

/// Whether one of the workers meets all requirements.
pub(super) fn one_meets_all(
    requirements: &IndexMap<Requirement, PromptRequirement>,
    workers: &[Arc<Capabilities>],
) -> bool {
    workers.iter().any(|worker| requirements.iter().all(|(requirement, used)| meets(worker, requirement, used)))
}

fn meets(worker: &Capabilities, requirement: &Requirement, used: &PromptRequirement) -> bool {
    match requirement.kind {
        RequirementKind::NodeClass => has(worker, requirement),
        RequirementKind::Model => used.models.iter().all(|model| {
            if !worker.definitions.contains(&model.class) {
                return has(worker, requirement);
            }
            let needs = Needs { models: [model.clone()].into(), ..Needs::default() };
            needs.met_by(&worker.definitions)
        }),
    }
}

/// Whether a worker has a class that jobs can use, or lists a model in its folder, or in any list where the folder is
/// unknown.
pub(super) fn has(worker: &Capabilities, requirement: &Requirement) -> bool {
    let Requirement { kind, folder, name } = requirement;
    if *kind == RequirementKind::NodeClass {
        return worker.definitions.get(name).is_some_and(|class| !class.is_api_node());
    }
    let is_named = |listed: &str| listed.replace('\\', "/") == *name;
    let in_folder = folder.as_ref().and_then(|folder| worker.models.get(folder));
    if in_folder.is_some_and(|names| names.iter().any(|name| is_named(name))) {
        return true;
    }
    let mut lists = worker.definitions.iter().flat_map(|class| {
        let of_folder = |input: &str| match folder {
            Some(folder) => model_folder(&class.class, input) == Some(folder.as_str()),
            None => true,
        };
        class.inputs.iter().filter_map(move |input| match &input.kind {
            InputKind::Combo { options } if of_folder(&input.name) => Some(options),
            _ => None,
        })
    });
    lists.any(|options| options.iter().filter_map(Value::as_str).any(is_named))
}
