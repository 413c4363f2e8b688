//! Validates prompts against the node definitions of the workers that the submitter may use.
//!
//! Workers with equal definitions form a validation group. A prompt is valid if one group accepts it, and only workers of
//! accepting groups get it. If no group accepts it, the workers are refreshed first, because nodes and models are added
//! to running servers; then the errors of the nearest group are returned. A value that only a custom node can validate is
//! a doubt, not an error: a group without doubts is preferred, otherwise the worker decides.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::sync::Arc;

use indexmap::IndexMap;

use crate::fleet::{self, ValidationGroup};
use crate::graph::{
    Needs, NodeDefinitions, NodeErrors, Prompt, PromptError, Refusal, SubmittedFiles, ValidPrompt, folder_of_place,
    validate,
};
use crate::{Core, Error, Result};

/// How to handle a prompt with invalid outputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Strictness {
    /// Omit them, as ComfyUI does.
    ValidOutputs,
    /// Refuse the prompt.
    AllOutputs,
}

/// A prompt that workers accept.
#[derive(Debug)]
pub(super) struct AcceptedPrompt {
    pub needs: Needs,
    /// The outputs that are made.
    pub outputs: Vec<String>,
    /// The errors of omitted outputs.
    pub node_errors: IndexMap<String, NodeErrors>,
    /// Whether a value is in no worker's list. Its node may accept it all the same.
    is_off_all_lists: bool,
}

/// The result of one validation group.
struct GroupResult {
    group: ValidationGroup,
    connected: bool,
    result: Result<ValidPrompt, Refusal>,
}

/// Validates a prompt for these pools.
///
/// # Errors
/// [`Error::InvalidPrompt`] where no group accepts it; [`Error::Unavailable`] where no worker was ever connected.
pub(super) async fn validate_for_pools(
    core: &Core,
    pools: &[String],
    prompt: &Prompt,
    given: &SubmittedFiles,
    strictness: Strictness,
) -> Result<AcceptedPrompt> {
    let first = validate_by_known(core, pools, prompt, given, strictness)?;
    let needs_refresh = match &first {
        Ok(valid) => valid.is_off_all_lists,
        Err(refusal) => names_unknown(refusal),
    };
    if needs_refresh && fleet::refresh_pools(core, pools).await {
        match validate_by_known(core, pools, prompt, given, strictness)? {
            Ok(valid) => return Ok(valid),
            Err(_) => tracing::debug!("a prompt names a class or value that no worker has, also after a refresh"),
        }
    }
    first.map_err(refused)
}

/// As [`validate_for_pools`], without a refresh.
fn validate_by_known(
    core: &Core,
    pools: &[String],
    prompt: &Prompt,
    given: &SubmittedFiles,
    strictness: Strictness,
) -> Result<Result<AcceptedPrompt, Refusal>> {
    let (groups, connected) = core.fleet.roster().validation_groups(pools);
    if groups.iter().all(|group| group.definitions.is_empty()) {
        return Err(Error::Unavailable {
            message: "no worker has ever been connected; nothing is known about nodes".into(),
            retry_after_seconds: 5,
        });
    }
    let results = validate_each(groups, connected, prompt, given);
    let Some(valid) = choose(prompt, &results, strictness) else { return Ok(Err(nearest(results))) };
    let workers = core.fleet.roster().capabilities_of(pools);
    if workers.iter().any(|can| can.meet(&valid.needs)) {
        return Ok(Ok(valid));
    }
    // The workers of a group may have all models only together, so each worker is validated alone.
    let alone = workers
        .into_iter()
        .map(|can| ValidationGroup { shape: Arc::clone(&can.shape), definitions: Arc::clone(&can.definitions) });
    let results = validate_each(alone.collect(), usize::MAX, prompt, given);
    Ok(choose(prompt, &results, strictness).ok_or_else(|| nearest(results)))
}

fn validate_each(
    groups: Vec<ValidationGroup>,
    connected: usize,
    prompt: &Prompt,
    given: &SubmittedFiles,
) -> Vec<GroupResult> {
    let numbered = groups.into_iter().enumerate();
    numbered
        .map(|(index, group)| GroupResult {
            connected: index < connected,
            result: validate(prompt, &group.definitions, given),
            group,
        })
        .collect()
}

/// The result of the group that makes the most outputs. Groups with connected workers come first.
fn choose(prompt: &Prompt, results: &[GroupResult], strictness: Strictness) -> Option<AcceptedPrompt> {
    let accepts = |result: &GroupResult| match &result.result {
        Ok(valid) => strictness == Strictness::ValidOutputs || valid.node_errors.is_empty(),
        Err(_) => false,
    };
    let chosen = results.iter().filter(|result| accepts(result)).rev().max_by_key(|result| rank(result))?;
    let best = chosen.result.as_ref().ok()?;
    let mut needs = Needs::for_outputs(prompt, &chosen.group.definitions, &best.outputs);
    let others = results.iter().filter(|result| result.group.shape != chosen.group.shape);
    needs.refused_by = others.filter(|result| !is_equal_to(result, best)).map(|result| shape(&result.group)).collect();
    let is_off_all_lists = best.doubts.iter().any(|doubt| doubt.kind == "value_not_in_list");
    Some(AcceptedPrompt {
        needs,
        outputs: best.outputs.clone(),
        node_errors: best.node_errors.clone(),
        is_off_all_lists,
    })
}

fn rank(result: &GroupResult) -> (bool, usize, Reverse<usize>) {
    let (outputs, doubts) = result.result.as_ref().map_or((0, 0), |valid| (valid.outputs.len(), valid.doubts.len()));
    (result.connected, outputs, Reverse(doubts))
}

/// Whether a group makes all outputs of the best one without more doubts, or lacks only classes and models, which the
/// needs exclude anyway.
fn is_equal_to(result: &GroupResult, best: &ValidPrompt) -> bool {
    let node_errors = match &result.result {
        Ok(valid) => {
            let made: BTreeSet<&String> = valid.outputs.iter().collect();
            if best.outputs.iter().all(|output| made.contains(output)) {
                return valid.doubts.len() <= best.doubts.len();
            }
            &valid.node_errors
        }
        Err(refusal) => &refusal.node_errors,
    };
    !node_errors.is_empty() && errors_of(node_errors).all(|(class, error)| is_about_models(class, error))
        || errors_of(node_errors).any(|(_, error)| error.kind == "missing_node_type")
}

fn shape(group: &ValidationGroup) -> String {
    group.shape.as_ref().to_owned()
}

/// The refusal of the nearest group: with the fewest unknown classes, the most valid outputs, and the fewest errors.
fn nearest(results: Vec<GroupResult>) -> Refusal {
    let refusals = results.into_iter().map(|result| {
        let (made, refusal) = match result.result {
            Err(refusal) => (0, refusal),
            Ok(valid) => {
                let message = "Prompt outputs failed validation";
                let mut refusal = Refusal::whole("prompt_outputs_failed_validation", message, "");
                refusal.node_errors = valid.node_errors;
                (valid.outputs.len(), refusal)
            }
        };
        let unknown = errors_of(&refusal.node_errors).filter(|(_, error)| error.kind == "missing_node_type").count();
        let found = errors_of(&refusal.node_errors).count();
        ((!result.connected, unknown, Reverse(made), found), refusal)
    });
    let nearest = refusals.min_by_key(|(distance, _)| *distance).map(|(_, refusal)| refusal);
    nearest.unwrap_or_else(|| Refusal::whole("prompt_outputs_failed_validation", "no worker can run it", ""))
}

fn errors_of(node_errors: &IndexMap<String, NodeErrors>) -> impl Iterator<Item = (&str, &PromptError)> {
    node_errors.values().flat_map(|node| node.errors.iter().map(|error| (node.class_type.as_str(), error)))
}

fn is_about_models(class: &str, error: &PromptError) -> bool {
    let input = error.extra_info.get("input_name").and_then(|name| name.as_str());
    error.kind == "value_not_in_list" && input.is_some_and(|input| folder_of_place(class, input).is_some())
}

/// Whether a prompt names a class or a value that may have been added to a worker since the last refresh.
fn names_unknown(refusal: &Refusal) -> bool {
    let is_unknown = |kind: &str| matches!(kind, "missing_node_type" | "value_not_in_list");
    is_unknown(&refusal.error.kind) || errors_of(&refusal.node_errors).any(|(_, error)| is_unknown(&error.kind))
}

/// The needs of every form of a mini app, if all forms are valid for each group that knows its classes; `None` where each
/// form has to be validated alone.
pub(super) fn needs_of_every_form(
    core: &Core,
    pools: &[String],
    needs_by: impl Fn(&NodeDefinitions) -> Option<Needs>,
    classes: &BTreeSet<String>,
) -> Option<Needs> {
    let (groups, _) = core.fleet.roster().validation_groups(pools);
    let able = groups.iter().filter(|group| classes.iter().all(|class| group.definitions.contains(class)));
    let mut needs = able.map(|group| needs_by(&group.definitions));
    let first = needs.next()??;
    needs.all(|needs| needs.is_some()).then_some(first)
}

pub(super) fn refused(refusal: Refusal) -> Error {
    Error::InvalidPrompt { validation: refusal.to_value() }
}
