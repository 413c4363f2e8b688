//! Generators that are published, and which of them are hidden: their file turned out to be another model, or there are
//! too many of their recipe.

use std::collections::HashSet;

use super::family::{KnownModels, matched_name};
use super::recipe::{Recipe, recipes};
use super::store::{self, Row};
use crate::ids::WorkflowId;
use crate::list::MAX_PAGE;
use crate::workflows::{self, Workflow, WorkflowChanges};
use crate::{Caller, Core, Error, Result, users};

/// The published ones of these workflows that have a mini app, in their order.
pub(super) async fn published(core: &Core, ids: Vec<WorkflowId>) -> Result<Vec<Workflow>> {
    let mut found = Vec::with_capacity(ids.len());
    for ids in ids.chunks(usize::try_from(MAX_PAGE).unwrap_or(1)) {
        found.extend(workflows::named(core, &Caller::guest(), ids).await?);
    }
    found.retain(|workflow| workflow.workflow_api.is_some());
    Ok(found)
}

/// Hides generators whose model file is taken for another model now: its header or size became known, or an admin says
/// so. The file has other generators then, or none. Hides those of `surplus` too. Returns how many were hidden; those
/// that are private already are left alone.
pub(super) async fn hide(core: &Core, known: &KnownModels, rows: &[Row], surplus: &[&Row]) -> Result<u64> {
    let recipes = recipes()?;
    let is_other_model = |row: &&Row| {
        let recipe = recipes.iter().find(|recipe| recipe.id == row.recipe);
        let Some(slot) = recipe.and_then(Recipe::main_slot) else { return false };
        let name = matched_name(recipes, known, &slot.folder, &row.model);
        name.is_none_or(|name| slot.rank(&name).is_none())
    };
    let made = rows.iter().filter(|row| row.workflow.is_some() && !row.is_retired());
    let is_surplus = |row: &Row| surplus.iter().any(|other| (&other.recipe, &other.model) == (&row.recipe, &row.model));
    let retired: Vec<&Row> = made.filter(|row| is_surplus(row) || is_other_model(row)).collect();
    if retired.is_empty() {
        return Ok(0);
    }
    let ids = retired.iter().filter_map(|row| row.workflow).collect();
    let public: HashSet<WorkflowId> = published(core, ids).await?.into_iter().map(|workflow| workflow.id).collect();
    let house = users::house(core).await?;
    let mut hidden = 0;
    for row in retired {
        let Some(id) = row.workflow.filter(|id| public.contains(id)) else { continue };
        let changes = WorkflowChanges { is_private: Some(true), ..WorkflowChanges::default() };
        match workflows::update(core, &house, id, changes).await {
            Ok(_) | Err(Error::NotFound { .. }) => {}
            Err(error) => return Err(error),
        }
        let row = Row { digest: String::new(), tried_at: core.clock.now(), ..row.clone() };
        store::put(&core.db, &row).await?;
        hidden += 1;
    }
    Ok(hidden)
}
