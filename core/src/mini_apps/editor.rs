//! The start of the editor of workflow APIs: the inputs and outputs that a graph offers, and a proposal for authors who
//! do not know the graph.

use std::collections::HashSet;

use indexmap::IndexMap;

use super::form::entries::{
    FormEntryKind, InputEntry, Inputs, OutputEntry, Outputs, UiType, describe_input, describe_output, safe,
};
use super::form::health::AppHealth;
use super::form::rjsf::{Rjsf, rjsf};
use super::form::traits::{is_drawn, makes};
use super::{MiniApp, NewMiniApp, find, plan};
use crate::graph::{NodeDefinitions, Prompt, PromptNode};
use crate::ids::WorkflowId;
use crate::workflows::{self, Makes, Workflow};
use crate::{Caller, Core, Error, Result};

/// The editor's data of a workflow.
#[derive(Debug, Clone, PartialEq)]
pub struct Editor {
    pub workflow: Workflow,
    /// Sorted by id where ids are numbers, otherwise in the order of the graph.
    pub nodes: Vec<EditorNode>,
    pub outputs: Vec<OutputEntry>,
    /// The proposal, empty where nothing fits.
    pub proposal: (Inputs, Outputs),
    pub saved: Option<(MiniApp, AppHealth)>,
    /// Whether the workflow has a prompt in the API format. Without one there is nothing to choose from.
    pub has_prompt: bool,
}

/// A node, and its inputs that a form can fill.
#[derive(Debug, Clone, PartialEq)]
pub struct EditorNode {
    pub id: String,
    pub class: String,
    pub display_name: String,
    pub python_module: String,
    pub output_node: bool,
    pub title: String,
    /// Whether no connected worker knows the class.
    pub missing: bool,
    /// Inputs by name, in the order of the class.
    pub required: IndexMap<String, InputEntry>,
    pub optional: IndexMap<String, InputEntry>,
}

/// The editor's data of a workflow of the caller (any, for an admin).
///
/// # Errors
/// [`Error::NotFound`] for another user's.
pub async fn editor(core: &Core, caller: &Caller, definitions: &NodeDefinitions, id: WorkflowId) -> Result<Editor> {
    let (workflow, prompt) = own(core, caller, id).await?;
    let saved = match workflow.workflow_api {
        Some(app) => match find(core, caller, definitions, app).await {
            // The app was deleted after the workflow was read.
            Err(Error::NotFound { .. }) => None,
            found => Some(found?),
        },
        None => None,
    };
    let has_prompt = prompt.is_some();
    let prompt = prompt.unwrap_or_default();
    let nodes = nodes(&prompt, definitions);
    let outputs: Vec<_> =
        nodes.iter().filter_map(|node| describe_output(definitions, &prompt, &node.id).ok()).collect();
    let proposal = propose(&prompt, &nodes, &outputs);
    Ok(Editor { workflow, nodes, outputs, proposal, saved, has_prompt })
}

/// The form that a save of these entries would make, without those that no longer fit the workflow. Nothing is written.
///
/// # Errors
/// [`Error::NotFound`] for another user's workflow; [`Error::Refused`] with `WORKFLOW_API_NO_PROMPT`;
/// [`Error::InvalidFields`] for an adapter that does not fit its node; [`Error::Unavailable`] while the node classes
/// are unknown.
pub async fn preview(
    core: &Core,
    caller: &Caller,
    definitions: &NodeDefinitions,
    new: NewMiniApp,
) -> Result<(Rjsf, AppHealth)> {
    let (_, prompt) = own(core, caller, new.workflow).await?;
    let prompt = prompt.ok_or_else(plan::no_prompt)?;
    plan::must_know(definitions)?;
    let (plan, health) = plan::tried(new.inputs, new.outputs, &prompt, definitions)?;
    Ok((rjsf(&plan.fields), health))
}

/// A workflow that the caller may make a mini app of, and its latest prompt.
async fn own(core: &Core, caller: &Caller, id: WorkflowId) -> Result<(Workflow, Option<Prompt>)> {
    let workflow = workflows::find(core, caller, id).await?;
    if !caller.owns_or_admin(workflow.user) {
        return Err(Error::NotFound { what: "workflow" });
    }
    let graph = workflows::graph(core, caller, id).await?;
    Ok((workflow, graph.prompt.map(|written| written.prompt)))
}

fn nodes(prompt: &Prompt, definitions: &NodeDefinitions) -> Vec<EditorNode> {
    let mut nodes: Vec<_> = prompt.0.iter().map(|(id, node)| described(prompt, definitions, id, node)).collect();
    nodes.sort_by_key(|node| node.id.parse::<u64>().unwrap_or(u64::MAX));
    nodes
}

fn described(prompt: &Prompt, definitions: &NodeDefinitions, id: &str, node: &PromptNode) -> EditorNode {
    let class = definitions.get(&node.class_type);
    let mut described = EditorNode {
        id: id.to_owned(),
        class: node.class_type.clone(),
        display_name: class.map_or(&node.class_type, |class| &class.display_name).clone(),
        python_module: class.map_or_else(String::new, |class| class.python_module.clone()),
        output_node: class.is_some_and(|class| class.output_node),
        title: node.title().to_owned(),
        missing: class.is_none(),
        required: IndexMap::new(),
        optional: IndexMap::new(),
    };
    // Inner inputs of dynamic ones are only in the prompt.
    let declared = class.into_iter().flat_map(|class| class.inputs.iter().map(|input| &input.name));
    let names: HashSet<&String> = declared.clone().collect();
    for name in declared.chain(node.inputs.keys().filter(|name| !names.contains(name))) {
        let Ok(entry) = describe_input(definitions, prompt, id, name) else { continue };
        let among = match entry.kind {
            FormEntryKind::Required => &mut described.required,
            FormEntryKind::Optional => &mut described.optional,
        };
        among.insert(name.clone(), entry);
    }
    described
}

/// Why an input is proposed, in the order of the form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Reason {
    Prompt,
    NegativePrompt,
    File,
    Size,
    Seed,
}

/// Proposes prompts, files, sizes and seeds as inputs and saving nodes as outputs, with readable names.
fn propose(prompt: &Prompt, nodes: &[EditorNode], outputs: &[OutputEntry]) -> (Inputs, Outputs) {
    let entries = nodes.iter().flat_map(|node| node.required.values().chain(node.optional.values()));
    let mut chosen: Vec<_> = entries.filter_map(|entry| Some((reason(prompt, entry)?, entry.clone()))).collect();
    chosen.sort_by_key(|(reason, _)| *reason);
    chosen.truncate(super::MAX_ENTRIES);
    let mut names = HashSet::new();
    let inputs = (1..).zip(chosen).map(|(order, (reason, mut entry))| {
        let name = match reason {
            Reason::Prompt => "Prompt".to_owned(),
            Reason::NegativePrompt => "Negative prompt".to_owned(),
            _ => entry.adapter.name.take().unwrap_or_else(|| entry.name.clone()),
        };
        let name = unused(&mut names, name);
        entry.adapter.api_field_name = Some(field_name(&name));
        entry.adapter.name = Some(name);
        (format!("{}.{}", entry.id, entry.name), InputEntry { order, ..entry })
    });
    let inputs = inputs.collect();
    let class = |output: &OutputEntry| prompt.0.get(&output.id).map_or("", |node| node.class_type.as_str());
    let saves = |output: &&OutputEntry| ["Save", "Combine"].iter().any(|word| class(output).contains(word));
    let mut saving: Vec<&OutputEntry> = outputs.iter().filter(saves).collect();
    if saving.is_empty() {
        saving = outputs.iter().collect();
    }
    saving.truncate(super::MAX_ENTRIES);
    let mut names = HashSet::new();
    let outputs = (1..).zip(saving).map(|(order, output)| {
        let titled = output.name != class(output);
        let name = unused(&mut names, if titled { output.name.clone() } else { word(makes(class(output))).into() });
        (output.id.clone(), OutputEntry { order, api_field_name: field_name(&name), name, ..output.clone() })
    });
    (inputs, outputs.collect())
}

fn reason(prompt: &Prompt, entry: &InputEntry) -> Option<Reason> {
    match entry.adapter.ui_type? {
        UiType::Text | UiType::Textarea if is_drawn(prompt, &entry.id, &entry.name) => {
            let negative = entry.name.contains("negative") || feeds_negative(prompt, &entry.id);
            Some(if negative { Reason::NegativePrompt } else { Reason::Prompt })
        }
        UiType::Image | UiType::Video | UiType::Audio => Some(Reason::File),
        UiType::Range if matches!(entry.name.as_str(), "width" | "height" | "batch_size") => Some(Reason::Size),
        UiType::Seed => Some(Reason::Seed),
        _ => None,
    }
}

/// Whether every consumer of the node uses it as a negative prompt in the end.
fn feeds_negative(prompt: &Prompt, node: &str) -> bool {
    let (mut seen, mut next, mut found) = (HashSet::new(), vec![node], false);
    while let Some(id) = next.pop() {
        if !seen.insert(id) {
            continue;
        }
        for (taker, taking) in &prompt.0 {
            for (input, value) in &taking.inputs {
                if value.get(0).and_then(serde_json::Value::as_str) != Some(id) {
                    continue;
                }
                match input.as_str() {
                    "negative" => found = true,
                    "positive" => return false,
                    _ => next.push(taker),
                }
            }
        }
    }
    found
}

/// The name, with the first free number if it is taken.
fn unused(names: &mut HashSet<String>, name: String) -> String {
    let mut tried = name.clone();
    let mut number = 2;
    while !names.insert(field_name(&tried)) {
        tried = format!("{name} {number}");
        number += 1;
    }
    tried
}

/// `Negative prompt` → `negative_prompt`.
fn field_name(name: &str) -> String {
    safe(name.trim_start_matches('_').to_lowercase().as_str())
}

fn word(makes: Makes) -> &'static str {
    match makes {
        Makes::Image => "Image",
        Makes::Video => "Video",
        Makes::Audio => "Sound",
        Makes::Text => "Text",
        Makes::File => "File",
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{definitions, prompt};
    use super::*;

    fn proposed(prompt: &Prompt) -> (Inputs, Outputs) {
        let [old, _] = definitions();
        let nodes = nodes(prompt, &old);
        let outputs: Vec<_> = nodes.iter().filter_map(|node| describe_output(&old, prompt, &node.id).ok()).collect();
        propose(prompt, &nodes, &outputs)
    }

    #[test]
    fn proposal_can_be_saved_unchanged() {
        let [old, _] = definitions();
        let (inputs, outputs) = proposed(&prompt());
        let chosen: Vec<_> = inputs.keys().map(String::as_str).collect();
        assert_eq!(
            chosen,
            ["7.text", "1.image", "2.width", "2.height", "4.seed"],
            "models and samplers are not proposed"
        );
        assert_eq!(inputs["4.seed"].adapter.is_random, Some(true));
        assert_eq!(inputs["7.text"].adapter.api_field_name.as_deref(), Some("prompt"));
        assert_eq!(outputs.keys().collect::<Vec<_>>(), ["10"], "a preview is proposed beside what saves");
        assert_eq!(outputs["10"].name, "The picture");
        let plan = plan::plan(inputs.clone(), outputs, &prompt(), &old).expect("what is proposed can be saved");
        assert_eq!(plan.fields.len(), inputs.len());
    }

    #[test]
    fn negative_prompts_are_named_so_and_names_are_unique() {
        let graph = Prompt::from_value(serde_json::json!({
            "1": {"class_type": "CLIPTextEncode", "inputs": {"text": "a cat", "clip": ["9", 1]}},
            "2": {"class_type": "CLIPTextEncode", "inputs": {"text": "blurred", "clip": ["9", 1]}},
            "3": {"class_type": "CLIPTextEncode", "inputs": {"text": "a dog", "clip": ["9", 1]}},
            "4": {"class_type": "KSampler", "inputs": {"positive": ["1", 0], "negative": ["2", 0], "seed": 1}},
            "5": {"class_type": "KSampler", "inputs": {"positive": ["3", 0], "negative": ["2", 0], "seed": 2}},
        }))
        .expect("a prompt");
        let (inputs, outputs) = proposed(&graph);
        let names: Vec<_> = inputs.values().filter_map(|entry| entry.adapter.name.as_deref()).collect();
        assert_eq!(names, ["Prompt", "Prompt 2", "Negative prompt", "Seed", "Seed 2"]);
        assert_eq!(inputs.values().map(|entry| entry.order).collect::<Vec<_>>(), [1, 2, 3, 4, 5]);
        assert!(outputs.is_empty());
    }

    #[test]
    fn nodes_list_their_inputs_and_unknown_classes_are_marked() {
        let [old, _] = definitions();
        let mut graph = prompt();
        graph.0["9"].class_type = "NobodyKnows".into();
        let nodes = nodes(&graph, &old);
        assert_eq!(
            nodes.iter().map(|node| node.id.as_str()).collect::<Vec<_>>(),
            ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11"]
        );
        assert!(nodes[8].missing && nodes[8].required.is_empty());
        let scale: Vec<_> = nodes[1].required.keys().map(String::as_str).collect();
        assert_eq!(scale, ["upscale_method", "width", "height", "crop"], "a linked input cannot be chosen");
        assert!(nodes[9].output_node);
    }

    #[test]
    fn entries_of_older_versions_get_a_kind() {
        let kind = |word: &str| serde_json::from_value::<FormEntryKind>(serde_json::json!(word)).expect("a kind");
        assert_eq!((kind("INT"), kind("optional")), (FormEntryKind::Required, FormEntryKind::Optional));
        assert_eq!(serde_json::json!(FormEntryKind::Optional), "optional");
    }

    #[test]
    fn preview_skips_and_names_entries_that_do_not_fit() {
        let [old, _] = definitions();
        let (inputs, outputs) = proposed(&prompt());
        let mut changed = prompt();
        changed.0.shift_remove("7");
        let (plan, health) = plan::tried(inputs, outputs, &changed, &old).expect("a form");
        assert_eq!(health.problems.iter().map(|problem| problem.place.as_str()).collect::<Vec<_>>(), ["inputs.7.text"]);
        assert!(plan.fields.iter().all(|field| field.node != "7") && plan.fields.len() == 4);
    }
}
