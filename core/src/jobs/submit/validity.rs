//! Whether a prompt can run, by the judgement of the workers that its owner may use.
//!
//! Each shape of worker judges by its own definitions, as the worker itself will: a prompt is good where one of them
//! takes it, and goes to no other. Where none does, the workers are asked again first, because models and nodes are
//! added to running servers; then the errors of the one that comes nearest are told. What only a custom node can judge
//! is no error: a worker that has no doubt is preferred, and otherwise a worker's refusal is the verdict.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::sync::Arc;

use indexmap::IndexMap;

use crate::fleet::{self, Judge};
use crate::graph::{
    Checked, Given, Needs, NodeDefinitions, NodeTroubles, Prompt, Refusal, Trouble, folder_of_place, validate,
};
use crate::{Core, Error, Result};

/// What somebody wants of a prompt of which some outputs cannot be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Want {
    /// Those that can, as ComfyUI does.
    Good,
    /// All or nothing.
    All,
}

/// A prompt that can run.
#[derive(Debug)]
pub(super) struct Verdict {
    pub needs: Needs,
    /// What is wrong with the outputs that are left out.
    pub node_errors: IndexMap<String, NodeTroubles>,
    /// Whether a value is on no worker's list, which its node may take all the same.
    is_off_all_lists: bool,
}

/// What one shape of worker says of a prompt.
struct Opinion {
    judge: Judge,
    connected: bool,
    said: Result<Checked, Refusal>,
}

/// Judges a prompt for these pools.
///
/// # Errors
/// [`Error::InvalidPrompt`] where no worker takes it; [`Error::Unavailable`] where no worker was ever there.
pub(super) async fn judge(
    core: &Core,
    pools: &[String],
    prompt: &Prompt,
    given: &Given,
    want: Want,
) -> Result<Verdict> {
    let first = among_known(core, pools, prompt, given, want)?;
    let asks_again = match &first {
        Ok(verdict) => verdict.is_off_all_lists,
        Err(refusal) => asks_for_the_unknown(refusal),
    };
    if asks_again && fleet::look_again(core, pools).await {
        match among_known(core, pools, prompt, given, want)? {
            Ok(verdict) => return Ok(verdict),
            Err(_) => tracing::debug!("a prompt asks for what no worker has, also when asked again"),
        }
    }
    first.map_err(refused)
}

/// As [`judge`], by what is known of the workers.
fn among_known(
    core: &Core,
    pools: &[String],
    prompt: &Prompt,
    given: &Given,
    want: Want,
) -> Result<Result<Verdict, Refusal>> {
    let (judges, connected) = core.fleet.roster().judges(pools);
    if judges.iter().all(|judge| judge.definitions.is_empty()) {
        return Err(Error::Unavailable {
            message: "no worker has ever been connected; nothing is known about nodes".into(),
            retry_after_seconds: 5,
        });
    }
    let found = opinions(judges, connected, prompt, given);
    let Some(verdict) = choose(prompt, &found, want) else { return Ok(Err(nearest(found))) };
    let workers = core.fleet.roster().each_of(pools);
    if workers.iter().any(|can| can.meet(&verdict.needs)) {
        return Ok(Ok(verdict));
    }
    // Workers of one shape have all of its models together, and none has them by itself.
    let alone = workers
        .into_iter()
        .map(|can| Judge { shape: Arc::clone(&can.shape), definitions: Arc::clone(&can.definitions) });
    let found = opinions(alone.collect(), usize::MAX, prompt, given);
    Ok(choose(prompt, &found, want).ok_or_else(|| nearest(found)))
}

fn opinions(judges: Vec<Judge>, connected: usize, prompt: &Prompt, given: &Given) -> Vec<Opinion> {
    let asked = judges.into_iter().enumerate();
    asked
        .map(|(index, judge)| Opinion {
            connected: index < connected,
            said: validate(prompt, &judge.definitions, given),
            judge,
        })
        .collect()
}

/// The verdict of those that make the most of a prompt: of connected workers, or else of those that were there before.
fn choose(prompt: &Prompt, opinions: &[Opinion], want: Want) -> Option<Verdict> {
    let fit = |opinion: &Opinion| match &opinion.said {
        Ok(checked) => want == Want::Good || checked.node_errors.is_empty(),
        Err(_) => false,
    };
    let most = opinions.iter().filter(|opinion| fit(opinion)).rev().max_by_key(|opinion| rank(opinion))?;
    let best = most.said.as_ref().ok()?;
    let mut needs = Needs::for_outputs(prompt, &most.judge.definitions, &best.outputs);
    let others = opinions.iter().filter(|opinion| opinion.judge.shape != most.judge.shape);
    needs.refused_by = others.filter(|opinion| !makes(opinion, best)).map(|opinion| shape(&opinion.judge)).collect();
    let is_off_all_lists = best.doubts.iter().any(|doubt| doubt.kind == "value_not_in_list");
    Some(Verdict { needs, node_errors: best.node_errors.clone(), is_off_all_lists })
}

fn rank(opinion: &Opinion) -> (bool, usize, Reverse<usize>) {
    let (outputs, doubts) =
        opinion.said.as_ref().map_or((0, 0), |checked| (checked.outputs.len(), checked.doubts.len()));
    (opinion.connected, outputs, Reverse(doubts))
}

/// Whether a worker makes all that the best one makes, with no more doubts, or lacks what is asked for by name anyway.
fn makes(opinion: &Opinion, best: &Checked) -> bool {
    let node_errors = match &opinion.said {
        Ok(checked) => {
            let made: BTreeSet<&String> = checked.outputs.iter().collect();
            if best.outputs.iter().all(|output| made.contains(output)) {
                return checked.doubts.len() <= best.doubts.len();
            }
            &checked.node_errors
        }
        Err(refusal) => &refusal.node_errors,
    };
    !node_errors.is_empty() && troubles(node_errors).all(|(class, trouble)| is_about_models(class, trouble))
        || troubles(node_errors).any(|(_, trouble)| trouble.kind == "missing_node_type")
}

fn shape(judge: &Judge) -> String {
    judge.shape.as_ref().to_owned()
}

/// The refusal of the worker that comes nearest: one that would leave the least out, then one with the least to say.
fn nearest(opinions: Vec<Opinion>) -> Refusal {
    let refusals = opinions.into_iter().map(|opinion| {
        let (made, refusal) = match opinion.said {
            Err(refusal) => (0, refusal),
            Ok(checked) => {
                let message = "Prompt outputs failed validation";
                let mut refusal = Refusal::whole("prompt_outputs_failed_validation", message, "");
                refusal.node_errors = checked.node_errors;
                (checked.outputs.len(), refusal)
            }
        };
        let unknown = troubles(&refusal.node_errors).filter(|(_, trouble)| trouble.kind == "missing_node_type").count();
        let found = troubles(&refusal.node_errors).count();
        ((!opinion.connected, unknown, Reverse(made), found), refusal)
    });
    let nearest = refusals.min_by_key(|(distance, _)| *distance).map(|(_, refusal)| refusal);
    nearest.unwrap_or_else(|| Refusal::whole("prompt_outputs_failed_validation", "no worker can run it", ""))
}

fn troubles(node_errors: &IndexMap<String, NodeTroubles>) -> impl Iterator<Item = (&str, &Trouble)> {
    node_errors.values().flat_map(|node| node.errors.iter().map(|trouble| (node.class_type.as_str(), trouble)))
}

fn is_about_models(class: &str, trouble: &Trouble) -> bool {
    let input = trouble.extra_info.get("input_name").and_then(|name| name.as_str());
    trouble.kind == "value_not_in_list" && input.is_some_and(|input| folder_of_place(class, input).is_some())
}

/// Whether a prompt names a class or a choice that may have been added to a worker a moment ago.
fn asks_for_the_unknown(refusal: &Refusal) -> bool {
    let is_news = |kind: &str| matches!(kind, "missing_node_type" | "value_not_in_list");
    is_news(&refusal.error.kind) || troubles(&refusal.node_errors).any(|(_, trouble)| is_news(&trouble.kind))
}

/// What every form of a mini app needs, where each shape of worker that knows its nodes says that all forms can run;
/// `None` where forms have to be judged one by one.
pub(super) fn of_every_form(
    core: &Core,
    pools: &[String],
    app: impl Fn(&NodeDefinitions) -> Option<Needs>,
    classes: &BTreeSet<String>,
) -> Option<Needs> {
    let (judges, _) = core.fleet.roster().judges(pools);
    let able = judges.iter().filter(|judge| classes.iter().all(|class| judge.definitions.contains(class)));
    let mut cleared = able.map(|judge| app(&judge.definitions));
    let first = cleared.next()??;
    cleared.all(|needs| needs.is_some()).then_some(first)
}

pub(super) fn refused(refusal: Refusal) -> Error {
    Error::InvalidPrompt { validation: refusal.to_value() }
}
