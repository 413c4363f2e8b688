//! The start of the editor of workflow APIs: the inputs and outputs that a graph offers, and a proposal.

use std::collections::HashSet;

use indexmap::IndexMap;

use super::editor_node::EditorNode;
use super::form::entries::{FormEntryKind, Inputs, OutputEntry, Outputs, describe_input, describe_output};
use super::form::health::AppHealth;
use super::form::rjsf::{Rjsf, rjsf};
use super::proposals::{Offered, common_inputs, common_outputs};
use super::{MiniApp, NewMiniApp, app_mode, find, plan};
use crate::graph::{NodeDefinitions, Prompt, PromptNode, value_of};
use crate::ids::WorkflowId;
use crate::workflows::{self, Graph, Workflow};
use crate::{Caller, Core, Error, Result};

/// The editor's data of a workflow.
#[derive(Debug, Clone, PartialEq)]
pub struct Editor {
    pub workflow: Workflow,
    /// Sorted by id where ids are numbers, otherwise in the order of the graph.
    pub nodes: Vec<EditorNode>,
    pub outputs: Vec<OutputEntry>,
    /// The app that the graph brings, or else what fits the graph. Empty where nothing fits.
    pub proposal: (Inputs, Outputs),
    /// `None` where the graph brings no app. The inputs and outputs of the app that a mini app cannot
    /// have, for display.
    pub dropped: Option<Vec<String>>,
    pub saved: Option<(MiniApp, AppHealth)>,
    /// Whether the workflow has a prompt in the API format. Without one there is nothing to choose from.
    pub has_prompt: bool,
}

/// The editor's data of a workflow of the caller (any, for an admin).
///
/// # Errors
/// [`Error::NotFound`] for another user's.
pub async fn editor(core: &Core, caller: &Caller, definitions: &NodeDefinitions, id: WorkflowId) -> Result<Editor> {
    let (workflow, Graph { ui, prompt }) = own(core, caller, id).await?;
    let prompt = prompt.map(|written| written.prompt);
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
    let outputs = outputs(&prompt, definitions, &nodes);
    let ui = ui.filter(|_| has_prompt);
    let app = ui.and_then(|ui| app_mode::brought(&value_of(&ui.raw()), &prompt, definitions));
    let dropped = app.as_ref().map(|app| app.dropped.clone());
    let offered = Offered { prompt: &prompt, definitions, nodes: &nodes, outputs: &outputs };
    // An app without inputs, or whose inputs are all gone, is completed.
    let (inputs, chosen) = app.map(|app| (app.inputs, app.outputs)).unwrap_or_default();
    let proposal = (
        Some(inputs).filter(|inputs| !inputs.is_empty()).unwrap_or_else(|| common_inputs(&offered)),
        Some(chosen).filter(|outputs| !outputs.is_empty()).unwrap_or_else(|| common_outputs(&offered)),
    );
    Ok(Editor { workflow, nodes, outputs, proposal, dropped, saved, has_prompt })
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
    let (_, graph) = own(core, caller, new.workflow).await?;
    let prompt = graph.prompt.ok_or_else(plan::no_prompt)?;
    plan::must_know(definitions)?;
    let (plan, health) = plan::tried(new.inputs, new.outputs, &prompt, definitions)?;
    Ok((rjsf(&plan.fields), health))
}

/// A workflow that the caller may make a mini app of, and its latest graph.
async fn own(core: &Core, caller: &Caller, id: WorkflowId) -> Result<(Workflow, Graph)> {
    let workflow = workflows::find(core, caller, id).await?;
    if !caller.owns_or_admin(workflow.user) {
        return Err(Error::NotFound { what: "workflow" });
    }
    let graph = workflows::graph(core, &workflow).await?;
    Ok((workflow, graph))
}

pub(in crate::mini_apps) fn outputs(
    prompt: &Prompt,
    definitions: &NodeDefinitions,
    nodes: &[EditorNode],
) -> Vec<OutputEntry> {
    nodes.iter().filter_map(|node| describe_output(definitions, prompt, &node.id).ok()).collect()
}

pub(in crate::mini_apps) fn nodes(prompt: &Prompt, definitions: &NodeDefinitions) -> Vec<EditorNode> {
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

#[cfg(test)]
mod tests {
    use super::super::tests::{definitions, described, prompt};
    use super::*;

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
        let (inputs, outputs) = described(&old, &[("7", "text"), ("2", "width")], &["10"]);
        let mut changed = prompt();
        changed.0.shift_remove("7");
        let (plan, health) = plan::tried(inputs, outputs, &changed, &old).expect("a form");
        assert_eq!(health.problems.iter().map(|problem| problem.place.as_str()).collect::<Vec<_>>(), ["inputs.7.text"]);
        assert!(plan.fields.iter().all(|field| field.node != "7") && plan.fields.len() == 1);
    }
}
