//! The simple apps: mini apps at fixed addresses, bound by an operator or chosen among the generators.

mod bindings;
mod store;

use std::collections::{BTreeSet, HashMap};

pub use bindings::{SimpleAppAddress, SimpleAppBinding, bind_simple_app, simple_app_bindings};

use super::live::MadeGenerators;
use super::published::published;
use super::recipe::{Recipe, Task, recipes};
use crate::fleet::FleetOffer;
use crate::graph::{Needs, NodeDefinitions};
use crate::ids::{WorkflowApiId, WorkflowId};
use crate::mini_apps;
use crate::word_list::word_list;
use crate::workflows::Workflow;
use crate::{Caller, Core, Error, Result};

word_list! {
    /// Whether a simple app can be used.
    pub enum SimpleAppState for "state" {
        Ready,
        /// It has an app, but no connected worker of the caller's pools can run it.
        Waiting,
        /// No app is bound, and no shipped one could be made for the workers.
        Unbound,
    }
}

#[derive(Debug, Clone)]
pub struct SimpleApp {
    pub address: SimpleAppAddress,
    pub state: SimpleAppState,
    /// The workflow of the app.
    pub workflow: Option<Workflow>,
    /// Node classes and model files that the nearest worker lacks.
    pub missing: Vec<String>,
}

impl SimpleAppAddress {
    fn task(self) -> Task {
        match self {
            Self::BackgroundRemover => Task::RemoveBackground,
            Self::FaceSwap => Task::SwapFace,
            Self::ImageToPrompt => Task::DescribeImage,
        }
    }
}

/// All simple apps, as the caller may use them.
///
/// # Errors
/// For database errors.
pub async fn simple_apps(core: &Core, caller: &Caller) -> Result<Vec<SimpleApp>> {
    at(core, caller, &SimpleAppAddress::ALL).await
}

/// A simple app. The bound one counts, even where a worker cannot run it.
///
/// # Errors
/// For database errors.
pub async fn simple_app(core: &Core, caller: &Caller, address: SimpleAppAddress) -> Result<SimpleApp> {
    at(core, caller, &[address]).await?.pop().ok_or(Error::NotFound { what: "simple app" })
}

async fn at(core: &Core, caller: &Caller, addresses: &[SimpleAppAddress]) -> Result<Vec<SimpleApp>> {
    let known = MadeGenerators::read(core, caller).await?;
    let fleet = super::fleet_offer(core);
    let own = core.fleet.roster().offer(&known.pools);
    let mut candidates: Vec<Vec<WorkflowId>> = Vec::with_capacity(addresses.len());
    let bindings = bindings::read(core).await?;
    let bound: Vec<WorkflowApiId> = bindings.iter().filter_map(SimpleAppBinding::app).collect();
    let workflows = mini_apps::workflows_of(core, &bound).await?;
    for address in addresses {
        let bound = bindings.iter().find(|binding| binding.address == *address).and_then(SimpleAppBinding::app);
        candidates.push(match bound.and_then(|app| workflow_of(&workflows, *address, app)) {
            Some(workflow) => vec![workflow],
            None => known.live_for(address.task()).chain(known.made_for(address.task())).collect(),
        });
    }
    let published: HashMap<WorkflowId, Workflow> = published(core, candidates.iter().flatten().copied().collect())
        .await?
        .into_iter()
        .map(|workflow| (workflow.id, workflow))
        .collect();
    let mut apps = Vec::with_capacity(addresses.len());
    for (address, candidates) in addresses.iter().copied().zip(candidates) {
        let workflow = candidates.into_iter().find_map(|id| published.get(&id));
        let is_live = |workflow: &Workflow| known.live_for(address.task()).any(|id| id == workflow.id);
        let (state, missing) = match workflow {
            Some(workflow) if is_live(workflow) => (SimpleAppState::Ready, Vec::new()),
            Some(workflow) => state_of(core, &fleet.definitions, &own, workflow).await?,
            None => (SimpleAppState::Unbound, missing_classes(&fleet, address.task())?),
        };
        apps.push(SimpleApp { address, state, workflow: workflow.cloned(), missing });
    }
    Ok(apps)
}

/// The workflow of a bound app. One that was deleted, also with its workflow, leaves the choice to the generators.
fn workflow_of(
    workflows: &HashMap<WorkflowApiId, WorkflowId>,
    address: SimpleAppAddress,
    app: WorkflowApiId,
) -> Option<WorkflowId> {
    let workflow = workflows.get(&app).copied();
    if workflow.is_none() {
        tracing::warn!(address = address.name(), %app, "the app that is bound to this address does not exist");
    }
    workflow
}

/// Whether a connected worker of the caller's pools can run the app of a workflow, and what the nearest one lacks.
async fn state_of(
    core: &Core,
    definitions: &NodeDefinitions,
    own: &FleetOffer,
    workflow: &Workflow,
) -> Result<(SimpleAppState, Vec<String>)> {
    let app = match workflow.workflow_api {
        Some(api) => Some(mini_apps::compiled(core, &Caller::guest(), api).await?),
        None => None,
    };
    let needs = app.map(|app| Needs::of(app.prompt(), definitions)).unwrap_or_default();
    if own.is_met(&needs) {
        return Ok((SimpleAppState::Ready, Vec::new()));
    }
    Ok((SimpleAppState::Waiting, own.unmet(&needs).map_or_else(Vec::new, |unmet| unmet.names())))
}

/// The classes that the connected workers lack for the recipe of this task that needs the fewest more. Where they have
/// all classes, the folder of the missing model.
fn missing_classes(fleet: &FleetOffer, task: Task) -> Result<Vec<String>> {
    let lacking = |recipe: &Recipe| {
        let nodes = recipe.form.graph.as_object().into_iter().flatten();
        let classes: BTreeSet<&str> = nodes.filter_map(|(_, node)| node.get("class_type")?.as_str()).collect();
        let mut missing: Vec<String> =
            classes.into_iter().filter(|class| !fleet.definitions.contains(class)).map(str::to_owned).collect();
        if missing.is_empty() {
            missing.extend(recipe.models.iter().map(|slot| format!("{}/…", slot.folder)));
        }
        missing
    };
    let of_task = recipes()?.iter().filter(|recipe| recipe.task == task);
    Ok(of_task.map(lacking).min_by_key(Vec::len).unwrap_or_default())
}
