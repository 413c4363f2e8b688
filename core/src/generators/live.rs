//! Which generators can run now.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::family::{KnownModels, matched_name, named_family};
use super::intent::task_for;
use super::offer::{Offer, offers};
use super::published::published;
use super::recipe::{Recipe, Task, recipes};
use super::store;
use crate::fleet::FleetOffer;
use crate::ids::WorkflowId;
use crate::workflows::{Makes, Workflow};
use crate::{Caller, Core, Result, users};

/// Generators of one answer to a sentence.
const MOST_FOR_SENTENCE: usize = 6;

/// A generator that a connected worker can run.
#[derive(Debug, Clone)]
pub struct LiveGenerator {
    pub recipe: &'static Recipe,
    /// The main model as the worker names it; empty for a recipe without models.
    pub model: String,
    pub workflow: WorkflowId,
}

/// A generator on the page of admins.
#[derive(Debug, Clone)]
pub struct GeneratorState {
    pub recipe: &'static Recipe,
    pub model: String,
    /// `None` where it could not be made, or an admin hid or deleted it.
    pub workflow: Option<WorkflowId>,
    /// Whether a connected worker has its nodes and models.
    pub is_live: bool,
    /// Why it could not be made or renewed.
    pub failure: Option<String>,
}

/// A model file of the connected workers, in a folder that generators use.
#[derive(Debug, Clone)]
pub struct WorkerModel {
    pub folder: String,
    pub file: String,
    /// The family that it is taken for; `None` where no generator uses it.
    pub family: Option<String>,
    /// An admin's word, if there is one: the name of a model that it is like.
    pub by_admin: Option<Option<String>>,
}

/// The generators that were made, and which of them the caller's workers can run.
pub(super) struct MadeGenerators {
    /// In the order of their recipes.
    pub live: Vec<LiveGenerator>,
    /// The caller's pools.
    pub pools: Vec<String>,
    /// In the order of their recipes, whether or not a worker can run them.
    made: Vec<(&'static Recipe, WorkflowId)>,
}

impl MadeGenerators {
    /// Reads all of them; guests see those of all pools.
    pub async fn read(core: &Core, caller: &Caller) -> Result<Self> {
        let pools = match caller.user {
            Some(user) if !caller.admin => users::plan(core, user).await?.pools.clone(),
            _ => core.settings.pool_names(),
        };
        let offers = connected_offers(core, &pools).await?;
        let rows = store::all(&core.db).await?;
        let mut by_recipe: HashMap<&str, Vec<(&str, WorkflowId)>> = HashMap::new();
        for row in rows.iter().filter(|row| !row.is_retired()) {
            if let Some(workflow) = row.workflow {
                by_recipe.entry(row.recipe.as_str()).or_default().push((row.model.as_str(), workflow));
            }
        }
        let of = |recipe: &Recipe| by_recipe.get(recipe.id.as_str()).into_iter().flatten().copied();
        let live = offers.into_iter().filter_map(|offer| {
            let (_, workflow) = of(offer.recipe).find(|(model, _)| *model == offer.model)?;
            Some(LiveGenerator { recipe: offer.recipe, model: offer.model, workflow })
        });
        let made = recipes()?.iter().flat_map(|recipe| of(recipe).map(move |(_, workflow)| (recipe, workflow)));
        Ok(Self { live: live.collect(), made: made.collect(), pools })
    }

    /// The live generators of a task.
    pub fn live_for(&self, task: Task) -> impl Iterator<Item = WorkflowId> {
        self.live.iter().filter(move |generator| generator.recipe.task == task).map(|generator| generator.workflow)
    }

    /// The live generators of a task, one of each recipe first, then the second of each, and so on: many models of one
    /// kind do not hide the other kinds.
    pub fn in_turns_for(&self, task: Task) -> impl Iterator<Item = WorkflowId> {
        let mut seen: HashMap<&str, usize> = HashMap::new();
        let of_task = self.live.iter().filter(|generator| generator.recipe.task == task);
        let mut turns: Vec<(usize, WorkflowId)> = of_task
            .map(|generator| {
                let turn = seen.entry(generator.recipe.id.as_str()).or_default();
                *turn += 1;
                (*turn, generator.workflow)
            })
            .collect();
        turns.sort_by_key(|(turn, _)| *turn);
        turns.into_iter().map(|(_, workflow)| workflow)
    }

    /// All generators of a task that were made.
    pub fn made_for(&self, task: Task) -> impl Iterator<Item = WorkflowId> {
        self.made.iter().filter(move |(recipe, _)| recipe.task == task).map(|(_, workflow)| *workflow)
    }
}

/// The generators that the caller's workers can run now, in the order of their recipes. Guests see those of all pools.
///
/// # Errors
/// For database errors.
pub async fn live(core: &Core, caller: &Caller) -> Result<Vec<LiveGenerator>> {
    Ok(MadeGenerators::read(core, caller).await?.live)
}

/// The live generators whose workflows are published, with their tasks. An admin may have hidden or deleted some.
///
/// # Errors
/// As [`live`].
pub async fn live_apps(core: &Core, caller: &Caller) -> Result<Vec<(Task, Workflow)>> {
    let live = live(core, caller).await?;
    let tasks: HashMap<WorkflowId, Task> =
        live.iter().map(|generator| (generator.workflow, generator.recipe.task)).collect();
    let published = published(core, live.into_iter().map(|generator| generator.workflow).collect()).await?;
    Ok(published.into_iter().filter_map(|workflow| Some((*tasks.get(&workflow.id)?, workflow))).collect())
}

/// What a sentence asks for, and the generators for it.
#[derive(Debug, Clone)]
pub struct GeneratorsForSentence {
    pub task: Task,
    /// Those that the caller's workers can run now, the best first.
    pub live: Vec<Workflow>,
    /// Those whose workers are not connected.
    pub away: Vec<Workflow>,
    /// The workflows of the generators for all tasks.
    pub all: HashSet<WorkflowId>,
}

/// The generators for what a sentence asks for; `makes` is the kind of output of the page where it was typed.
///
/// # Errors
/// As [`live`].
pub async fn for_sentence(
    core: &Core,
    caller: &Caller,
    sentence: &str,
    makes: Option<Makes>,
) -> Result<GeneratorsForSentence> {
    let task = task_for(sentence, makes);
    let known = MadeGenerators::read(core, caller).await?;
    let live: Vec<WorkflowId> = known.in_turns_for(task).collect();
    let away = known.made_for(task).filter(|id| !live.contains(id)).take(MOST_FOR_SENTENCE);
    let asked: Vec<WorkflowId> = live.iter().copied().take(MOST_FOR_SENTENCE).chain(away).collect();
    let (live, away) = published(core, asked).await?.into_iter().partition(|workflow| live.contains(&workflow.id));
    let all = known.made.iter().map(|(_, workflow)| *workflow).collect();
    Ok(GeneratorsForSentence { task, live, away, all })
}

async fn connected_offers(core: &Core, pools: &[String]) -> Result<Vec<Offer>> {
    let known = super::known_models(core).await?;
    Ok(offers(recipes()?, core.fleet.roster().offer(pools).connected(), &known))
}

/// All generators that were ever made or tried, and the model files of the connected workers; for admins.
///
/// # Errors
/// [`crate::Error::LoginRequired`] or [`crate::Error::Forbidden`] for callers other than admins.
pub async fn generators(core: &Core, caller: &Caller) -> Result<(Vec<GeneratorState>, Vec<WorkerModel>)> {
    caller.must_be_admin()?.read_only();
    let known = super::known_models(core).await?;
    let fleet = super::fleet_offer(core);
    let offers = offers(recipes()?, fleet.connected(), &known);
    let live: BTreeSet<(&str, &str)> =
        offers.iter().map(|offer| (offer.recipe.id.as_str(), offer.model.as_str())).collect();
    let by_id: BTreeMap<&str, &'static Recipe> = recipes()?.iter().map(|recipe| (recipe.id.as_str(), recipe)).collect();
    let rows = store::all(&core.db).await?;
    let made: Vec<WorkflowId> = rows.iter().filter_map(|row| row.workflow).collect();
    let published: HashSet<WorkflowId> = published(core, made).await?.into_iter().map(|workflow| workflow.id).collect();
    // A recipe that is no longer shipped leaves its workflow to its users.
    let states = rows.into_iter().filter(|row| !row.is_retired()).filter_map(|row| {
        let recipe = *by_id.get(row.recipe.as_str())?;
        let workflow = row.workflow.filter(|id| published.contains(id));
        let is_live = workflow.is_some() && live.contains(&(row.recipe.as_str(), row.model.as_str()));
        Some(GeneratorState { recipe, model: row.model, workflow, is_live, failure: row.failure })
    });
    let mut states: Vec<GeneratorState> = states.collect();
    states.sort_by(|a, b| (a.recipe.order, &a.model).cmp(&(b.recipe.order, &b.model)));
    Ok((states, models(recipes()?, &fleet, &known)))
}

fn models(recipes: &[Recipe], workers: &FleetOffer, known: &KnownModels) -> Vec<WorkerModel> {
    let folders: BTreeSet<&str> =
        recipes.iter().filter_map(Recipe::main_slot).map(|slot| slot.folder.as_str()).collect();
    let files: BTreeSet<(&str, &String)> = workers
        .connected()
        .iter()
        .flat_map(|worker| &worker.models)
        .filter_map(|(folder, files)| Some((*folders.get(folder.as_str())?, files)))
        .flat_map(|(folder, files)| files.iter().map(move |file| (folder, file)))
        .collect();
    let models = files.into_iter().map(|(folder, file)| {
        let name = matched_name(recipes, known, folder, file);
        let family = name.and_then(|name| named_family(recipes, folder, &name)).map(str::to_owned);
        let by_admin = known.by_admin.get(&(folder.to_owned(), file.clone())).cloned();
        WorkerModel { folder: folder.to_owned(), file: file.clone(), family, by_admin }
    });
    models.collect()
}
