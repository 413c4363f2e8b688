//! Generators: shipped graphs that become published mini apps where a connected worker has their nodes and models.
//!
//! [`refresh`] makes them, in the name of the platform. Which of them can run at a moment is not stored: [`live`] asks
//! the workers.

mod bound;
mod cover;
mod family;
mod intent;
mod live;
mod offer;
mod published;
mod recipe;
mod simple_apps;
mod store;

use std::collections::{HashMap, HashSet};

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::json;

pub use live::{
    GeneratorState, GeneratorsForSentence, LiveGenerator, WorkerModel, for_sentence, generators, live, live_apps,
};
pub use recipe::{CommercialUse, Licence, Recipe, Task};
pub use simple_apps::{
    SimpleApp, SimpleAppAddress, SimpleAppBinding, SimpleAppState, bind_simple_app, simple_app, simple_app_bindings,
    simple_apps,
};

use crate::audit::{self, Act, Action};
use crate::database;
use crate::fleet::{self, FleetOffer};
use crate::graph::JsonText;
use crate::ids::{WorkflowId, WorkflowTagId};
use crate::jobs;
use crate::mini_apps::{self, NewMiniApp};
use crate::workflows::{self, NewGraph, NewWorkflow, Translation, Translations, WorkflowChanges, WorkflowKind};
use crate::{Caller, Core, Error, Result, assets, users};
use bound::{BoundedOffers, bounded};
use family::KnownModels;
use offer::{Offer, offers};
use recipe::recipes;
use store::Row;

/// How long a generator that could not be made is left alone.
const RETRY_AFTER: TimeDelta = TimeDelta::minutes(10);

/// Makes the generators of the connected workers that are missing, renews those whose recipe or files have changed, and
/// hides those whose file is another model. Of many models of one recipe, some get an app (see `bound`). Returns how
/// many were made, renewed or hidden. One that fails is noted and tried again later.
///
/// # Errors
/// For database errors.
pub async fn refresh(core: &Core) -> Result<u64> {
    let fleet = fleet_offer(core);
    let known = known_models(core).await?;
    let all_rows = store::all(&core.db).await?;
    let rows: HashMap<(&str, &str), &Row> =
        all_rows.iter().map(|row| ((row.recipe.as_str(), row.model.as_str()), row)).collect();
    let connected = offers(recipes()?, fleet.connected(), &known);
    let away = offers(recipes()?, fleet.away(), &known);
    let BoundedOffers { offers, surplus } = bounded(&connected, &away, &rows);
    let mut done = published::hide(core, &known, &all_rows, &surplus).await?;
    let now = core.clock.now();
    let due: Vec<(&Offer, Option<&Row>)> = offers
        .iter()
        .map(|offer| (offer, rows.get(&(offer.recipe.id.as_str(), offer.model.as_str())).copied()))
        .filter(|(offer, row)| row.is_none_or(|row| is_due(offer, row, now)))
        .collect();
    if due.is_empty() {
        return Ok(done);
    }
    let house = users::house(core).await?;
    delete_abandoned(core, &house).await?;
    for (offer, row) in due {
        let made = make(core, &house, &fleet, offer, row).await;
        let (workflow, failure) = match made {
            Ok(workflow) => (Some(workflow), None),
            Err(error @ (Error::Database(_) | Error::Unavailable { .. })) => return Err(error),
            Err(error) => {
                tracing::warn!(generator = %offer.recipe.id, model = %offer.model, %error, "a generator cannot be made");
                (row.and_then(|row| row.workflow), Some(error.to_string()))
            }
        };
        done += u64::from(failure.is_none());
        let (recipe, model, digest) = (offer.recipe.id.clone(), offer.model.clone(), offer.digest());
        store::put(&core.db, &Row { recipe, model, workflow, digest, failure, tried_at: now }).await?;
    }
    Ok(done)
}

/// Deletes workflows that a node made for a generator whose row it did not write, as it stopped or lost its database in
/// between. One node does a round, so none of them is being made now.
async fn delete_abandoned(core: &Core, house: &Caller) -> Result<()> {
    for id in store::abandoned(&core.db, house.signed_in()?).await? {
        workflows::delete(core, house, id).await?;
    }
    Ok(())
}

fn is_due(offer: &Offer, row: &Row, now: DateTime<Utc>) -> bool {
    row.digest != offer.digest() || (row.failure.is_some() && row.tried_at + RETRY_AFTER <= now)
}

/// What is known of model files beside their names.
async fn known_models(core: &Core) -> Result<KnownModels> {
    let by_admin = store::admin_words(&core.db).await?;
    Ok(KnownModels { by_admin, by_header: fleet::model_headers(core).await? })
}

/// What all workers offer.
fn fleet_offer(core: &Core) -> FleetOffer {
    core.fleet.roster().offer(&core.settings.pool_names())
}

/// Makes or renews the workflow of an offer and its mini app, and publishes a new or retired one. A workflow that an
/// admin deleted is not made again.
async fn make(core: &Core, house: &Caller, fleet: &FleetOffer, offer: &Offer, row: Option<&Row>) -> Result<WorkflowId> {
    let known = row.and_then(|row| row.workflow);
    let (name, description) = (offer.name(), offer.description());
    let korean = Translation { name: Some(name.ko), description: Some(description.ko) };
    let translations = Translations { ko: Some(korean), ..Translations::default() };
    let graph = NewGraph { ui: None, prompt: Some(JsonText::of(&offer.graph())) };
    let id = match known {
        Some(id) => {
            let changes = WorkflowChanges {
                name: Some(name.en),
                description: Some(description.en),
                translations: Some(translations),
                graph: Some(graph),
                ..WorkflowChanges::default()
            };
            match workflows::update(core, house, id, changes).await {
                Ok(workflow) => workflow.id,
                Err(Error::NotFound { .. }) => return Ok(id),
                Err(error) => return Err(error),
            }
        }
        None => {
            let picture = cover::png(offer.recipe.task, &format!("{} {}", offer.recipe.id, offer.model))?;
            let cover = assets::upload(core, house, &format!("{}.png", offer.recipe.id), picture).await?;
            let new = NewWorkflow {
                name: name.en,
                description: description.en,
                translations,
                graph,
                is_private: true,
                cover: Some(cover.id),
                thumbnails: vec![cover.id],
                tags: tags(core, &offer.recipe.tags).await?,
            };
            workflows::create(core, house, new).await?.id
        }
    };
    let read = |error: serde_json::Error| Error::Internal(format!("generator {}: {error}", offer.recipe.id));
    let new = NewMiniApp {
        workflow: id,
        inputs: serde_json::from_value(offer.api_inputs()).map_err(read)?,
        outputs: serde_json::from_value(offer.recipe.form.api_outputs()).map_err(read)?,
    };
    let app = match mini_apps::save(core, house, &fleet.definitions, new).await {
        Ok(app) => app,
        Err(error) if known.is_none() => {
            workflows::delete(core, house, id).await?;
            return Err(error);
        }
        Err(error) => return Err(error),
    };
    if known.is_none() || row.is_some_and(Row::is_retired) {
        let changes = WorkflowChanges {
            is_private: Some(false),
            marked_kind: Some(Some(WorkflowKind::Generator)),
            ..WorkflowChanges::default()
        };
        workflows::update(core, house, id, changes).await?;
    }
    jobs::check_app(core, app.id, app.version).await?;
    Ok(id)
}

/// The tags with these English names; a tag that an admin renamed or deleted is left out.
async fn tags(core: &Core, names: &[String]) -> Result<Vec<WorkflowTagId>> {
    let all = workflows::tags(core).await?;
    let known = |name: &String| all.iter().find(|tag| tag.name == *name).map(|tag| tag.id);
    let found: Vec<WorkflowTagId> = names.iter().filter_map(known).collect();
    // Publishing needs a tag.
    Ok(if found.is_empty() { all.first().map(|tag| tag.id).into_iter().collect() } else { found })
}

/// Names that an admin can give for a model file, with their families: what files of each are usually called.
///
/// # Errors
/// [`Error::Internal`] for recipes that cannot be read.
pub fn model_names() -> Result<Vec<(&'static str, &'static str, &'static str)>> {
    let mut seen = HashSet::new();
    Ok(recipes()?
        .iter()
        .filter_map(|recipe| {
            let slot = recipe.main_slot()?;
            Some((slot.folder.as_str(), slot.typical_name()?, recipe.family.as_deref()?))
        })
        .filter(|name| seen.insert(*name))
        .collect())
}

/// Records what model a file of the workers is: like the named one of [`model_names`], or with `Some(None)` none that a
/// generator uses. `None` lets header and name decide again. Generators follow with the next [`refresh`].
///
/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] for callers other than admins; [`Error::Invalid`] for an unknown
/// name, and a folder or file of no characters or more than 255.
pub async fn set_model(
    core: &Core,
    caller: &Caller,
    (folder, file): (&str, &str),
    word: Option<Option<&str>>,
) -> Result<()> {
    let by = caller.must_be_admin()?;
    for (field, text) in [("folder", folder), ("file", file)] {
        if text.is_empty() || text.chars().count() > 255 {
            return Err(Error::invalid(field, "must have 1 to 255 characters"));
        }
    }
    if let Some(Some(name)) = word
        && !model_names()?.iter().any(|(known, other, _)| *known == folder && *other == name)
    {
        return Err(Error::invalid("like", "is no known model of this folder"));
    }
    let now = core.clock.now();
    let mut tx = database::begin(&core.db).await?;
    let before = store::locked_model(&mut tx, folder, file).await?;
    let id = match (word, &before) {
        (Some(is_like), _) => store::set_model(&mut tx, folder, file, is_like, now).await?,
        (None, Some(row)) => {
            store::forget_model(&mut tx, row.id).await?;
            row.id
        }
        (None, None) => {
            by.read_only();
            return Ok(());
        }
    };
    let of = |word: Option<Option<&str>>| json!({ "folder": folder, "file": file, "isSet": word.is_some(), "like": word.flatten() });
    let before = of(before.as_ref().map(|row| row.is_like.as_deref()));
    audit::record(&mut tx, by, Act::new(Action::GeneratorModel, id).before(before).after(of(word)), now).await?;
    tx.commit().await?;
    Ok(())
}

#[cfg(test)]
mod tests;
