//! Workflows: a graph with a name, a description and a cover, private or published.
//!
//! The graph is kept in both spellings where there are both: what the editor draws and what a worker runs. Each
//! change of the graph is a new version that is never changed again. Somebody else's private workflow does not
//! exist for the asker: the answer is [`Error::NotFound`], so that ids cannot be probed.

mod app_traits;
mod basics;
mod check;
mod copies;
mod factory;
mod indexing;
mod likes;
mod limits;
mod lists;
mod locking;
mod pictures;
mod publishing;
mod several;
mod store;
mod tags;
mod translations;
mod visits;
mod words;
mod workflow;

use chrono::{DateTime, Utc};
use serde_json::Value;
use sqlx::PgConnection;

pub use app_traits::{AppTraits, AppWanted, Makes, Takes};
pub use basics::{basics, order_basics};
pub use copies::copy;
#[cfg(any(test, feature = "testing"))]
pub use factory::{NewTestWorkflow, workflow};
pub use indexing::{
    TRAITLESS_AT_ONCE, WORDLESS_AT_ONCE, apps_without_traits, index_wordless, set_app_traits, set_app_works,
};
pub use likes::{Liked, Wish, favourites, like, liked_among, toggle_like};
pub use limits::{MAX_BASICS, MAX_DESCRIPTION_BYTES, MAX_IDS, MAX_NAME_CHARS, MAX_PAGE, MAX_TAGS, MAX_THUMBNAILS};
pub use lists::cursor::{Cursor, Sort};
pub use lists::filter::Filter;
pub use lists::filtered::{Asked, count, counts, filtered, public_counts};
pub use lists::{
    Page, PageAt, all, basic, called, mine, named, published, published_apps, published_by, ran, search, similar,
    tagged, unpublished_by,
};
pub use locking::{delete_within, lock_within, unlock_within};
pub use pictures::{
    hide as hide_pictures, pictures_in_use, pictures_within, release as release_pictures, thumbnails_of,
};
pub use several::{delete_several, set_nsfw, set_private};
pub use tags::editing::{
    MAX_TAG_CHARS, MAX_TAG_COUNT, create_tag, delete_tag, delete_tags, merge_tags, order_tags, tag_uses, update_tag,
    update_tags,
};
pub use tags::filter::{TagFilter, TagOrder, TagsAsked, TagsFound, public_tag_counts, tag_counts, tags_found};
pub use tags::tag::{NewTag, Tag, TagChanges, TagUse, root_tag, tag_below};
pub use tags::{tags, tags_of};
pub use translations::{Translation, Translations};
pub use visits::{Visit, note_run, settle_visits, visit};
pub use words::Words;
pub use workflow::{Graph, NewGraph, Workflow};

use crate::audit::{self, Act, Action};
use crate::caller::Authority;
use crate::html::clean;
use crate::ids::{AssetId, UserId, WorkflowApiId, WorkflowId, WorkflowTagId};
use crate::users::{self, Permit};
use crate::{Caller, Core, Error, Result};
use indexing::index;
use publishing::{Edit, Turn};

/// What a new workflow is made from.
#[derive(Debug, Clone, PartialEq)]
pub struct NewWorkflow {
    pub name: String,
    pub description: String,
    pub translations: Translations,
    pub graph: NewGraph,
    pub is_private: bool,
    /// What is published at once needs tags and pictures as every published workflow does.
    pub cover: Option<AssetId>,
    pub thumbnails: Vec<AssetId>,
    pub tags: Vec<WorkflowTagId>,
}

/// What shall change; `None` leaves a thing as it is.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Changes {
    pub name: Option<String>,
    pub description: Option<String>,
    /// All of them; they stay as they are where the original alone changes.
    pub translations: Option<Translations>,
    pub graph: Option<NewGraph>,
    pub is_private: Option<bool>,
    /// `Some(None)` takes the cover away. A picture of the caller's.
    pub cover: Option<Option<AssetId>>,
    /// The gallery, in its order: pictures of the caller's.
    pub thumbnails: Option<Vec<AssetId>>,
    pub tags: Option<Vec<WorkflowTagId>>,
    /// For admins alone.
    pub is_nsfw: Option<bool>,
    /// Whether it is among the basic workflows; for admins alone.
    pub is_basic: Option<bool>,
}

impl Changes {
    /// Whether the post itself becomes another: what admins and its visibility say of it is no edit.
    fn is_edit(&self) -> bool {
        self.name.is_some()
            || self.description.is_some()
            || self.translations.is_some()
            || self.graph.is_some()
            || self.cover.is_some()
            || self.thumbnails.is_some()
            || self.tags.is_some()
    }
}

/// Makes a workflow that belongs to the caller.
///
/// It may be published at once, if it has what a published one needs (see [`set_private`]).
///
/// # Errors
/// [`Error::LoginRequired`]; [`Error::Banned`]; [`Error::Invalid`] for a name, description, translation or graph beyond
/// the limits; [`Error::InvalidPrompt`] for a prompt that is none; [`Error::Forbidden`] for a picture of somebody else's;
/// to publish also as [`users::may_publish`], and [`Error::InvalidFields`] without a tag or a picture.
pub async fn create(core: &Core, caller: &Caller, new: NewWorkflow) -> Result<Workflow> {
    let user = caller.signed_in()?;
    let permit = users::may_take_part(core, caller).await?;
    let (tags, thumbnails) = (check::tags(new.tags)?, check::thumbnails(new.thumbnails)?);
    let exposed = match new.is_private {
        true => None,
        false => {
            let permit = users::may_publish(core, caller).await?;
            check::ready(tags.len(), thumbnails.len())?;
            Some(permit)
        }
    };
    pictures::check_own(core, caller, "thumbnails", &thumbnails).await?;
    pictures::check_own(core, caller, "cover", new.cover.as_slice()).await?;
    let now = core.clock.now();
    let workflow = Workflow {
        id: WorkflowId::new(),
        user,
        name: check::name("name", &new.name)?,
        description: check::description("description", &new.description)?,
        translations: check::translations(&new.translations)?,
        is_private: new.is_private,
        is_nsfw: false,
        cover: new.cover.or(thumbnails.first().copied()),
        workflow_api: None,
        version: 1,
        like_count: 0,
        view_count: 0,
        launch_count: 0,
        created_at: now,
        edited_at: now,
        published_at: (!new.is_private).then_some(now),
        basic_at: None,
        app: AppTraits::default(),
    };
    let graph = check::graph(new.graph)?;
    let mut tx = core.db.begin().await?;
    insert(&mut tx, &permit, &workflow, &graph, &tags).await?;
    locking::look_at_graph(&mut tx, caller, &workflow).await?;
    pictures::store::replace(&mut tx, workflow.id, &thumbnails).await?;
    if let Some(permit) = &exposed {
        pictures::show(&mut tx, caller, permit, &pictures::all(&workflow, &thumbnails)).await?;
    }
    pictures::write_words(&mut tx, caller, &workflow, exposed.as_ref()).await?;
    tx.commit().await?;
    Ok(workflow)
}

/// Writes a new workflow with all that belongs to it.
async fn insert(
    tx: &mut PgConnection,
    permit: &Permit,
    workflow: &Workflow,
    graph: &Graph,
    tags: &[WorkflowTagId],
) -> Result<()> {
    store::insert(tx, permit, workflow).await?;
    let hash = check::graph_hash(graph);
    store::insert_version(tx, workflow.id, workflow.version, graph, &hash, workflow.created_at).await?;
    tags::replace(tx, workflow.id, tags).await?;
    index(tx, workflow).await
}

/// A workflow that the caller may see: a published one, or their own; an admin sees all.
///
/// # Errors
/// [`Error::NotFound`].
pub async fn find(core: &Core, caller: &Caller, id: WorkflowId) -> Result<Workflow> {
    let found = store::find(&core.db, id).await?;
    found.filter(|workflow| workflow.is_visible_to(caller)).map(shown).ok_or(GONE)
}

/// The newest graph of a workflow that the caller may see.
///
/// # Errors
/// [`Error::NotFound`].
pub async fn graph(core: &Core, caller: &Caller, id: WorkflowId) -> Result<Graph> {
    let workflow = find(core, caller, id).await?;
    store::graph(&core.db, id, workflow.version).await?.ok_or(GONE)
}

/// Changes a workflow of the caller's (or any, for an admin) and gives what it is now. Whether it is public changes as
/// [`set_private`] says.
///
/// # Errors
/// As [`find`], [`create`] and [`set_private`]; [`Error::Forbidden`] for somebody else's published workflow, for a
/// picture of somebody else's, and where anybody but an admin changes what is the admins'.
pub async fn update(core: &Core, caller: &Caller, id: WorkflowId, mut changes: Changes) -> Result<Workflow> {
    let is_edit = changes.is_edit();
    let name = changes.name.as_deref().map(|name| check::name("name", name)).transpose()?;
    let description = changes.description.as_deref().map(|html| check::description("description", html)).transpose()?;
    let translations = changes.translations.as_ref().map(check::translations).transpose()?;
    let graph = changes.graph.take().map(check::graph).transpose()?;
    let tags = changes.tags.take().map(check::tags).transpose()?;
    let thumbnails = changes.thumbnails.take().map(check::thumbnails).transpose()?;
    // What is the admins' is written down even where it is done to their own.
    let as_admin = match changes.is_nsfw.is_some() || changes.is_basic.is_some() {
        true => Some(Authority::Admin(caller.must_be_admin()?)),
        false => None,
    };
    pictures::check_own(core, caller, "thumbnails", thumbnails.as_deref().unwrap_or_default()).await?;
    pictures::check_own(core, caller, "cover", changes.cover.flatten().as_slice()).await?;
    // Hiding is open to whoever is banned; what others may see of them stays as it is.
    let wish = match changes.is_private {
        Some(is_private) => Some(publishing::ask(core, caller, is_private).await?),
        None => None,
    };
    let edit = if is_edit { Some(publishing::may_edit(core, caller, id, wish.as_ref()).await?) } else { None };
    let now = core.clock.now();
    let mut tx = core.db.begin().await?;
    let (mut workflow, by) = locked_own(&mut tx, caller, id).await?;
    let before = workflow.clone();
    let had = pictures::all(&workflow, &pictures::store::locked(&mut tx, id).await?);
    let is_new_graph = graph.is_some();
    if let Some(graph) = graph {
        // Saving the same text again is not a new version.
        if store::graph(&mut *tx, id, workflow.version).await?.as_ref() != Some(&graph) {
            workflow.version += 1;
            store::insert_version(&mut tx, id, workflow.version, &graph, &check::graph_hash(&graph), now).await?;
        }
    }
    if let Some(tags) = tags {
        tags::replace(&mut tx, id, &tags).await?;
    }
    if let Some(thumbnails) = &thumbnails {
        pictures::store::replace(&mut tx, id, thumbnails).await?;
    }
    workflow.name = name.unwrap_or(workflow.name);
    workflow.description = description.unwrap_or(workflow.description);
    workflow.translations = translations.unwrap_or(workflow.translations);
    workflow.cover = changes.cover.unwrap_or(workflow.cover);
    workflow.is_nsfw = changes.is_nsfw.unwrap_or(workflow.is_nsfw);
    if let Some(is_basic) = changes.is_basic {
        if is_basic && workflow.basic_at.is_none() && store::basics::count(&mut tx).await? >= MAX_BASICS {
            return Err(Error::invalid("isBasic", format!("there are {MAX_BASICS} basic workflows already")));
        }
        workflow.basic_at = is_basic.then(|| workflow.basic_at.unwrap_or(now));
    }
    if is_edit {
        workflow.edited_at = now;
    }
    let gallery = pictures::store::locked(&mut tx, id).await?;
    // A gallery without a cover shows its first picture on the card.
    workflow.cover = workflow.cover.or(gallery.first().copied());
    if let Some(wish) = &wish {
        // The version of the new graph is the one that is looked at.
        store::update(&mut tx, &workflow).await?;
        locking::look(&mut tx, caller, id, wish).await?;
        publishing::change(&mut tx, &mut workflow, wish, now).await?;
    }
    if is_edit && !workflow.is_private {
        publishing::must_be_ready(&mut tx, id).await?;
    }
    store::update(&mut tx, &workflow).await?;
    index(&mut tx, &workflow).await?;
    if is_new_graph {
        locking::look_at_graph(&mut tx, caller, &workflow).await?;
    }
    let has = pictures::all(&workflow, &gallery);
    let gone: Vec<AssetId> = had.into_iter().filter(|id| workflow.is_private || !has.contains(id)).collect();
    pictures::hide(&mut tx, caller, &gone).await?;
    let permit = wish.as_ref().and_then(Turn::permit).or(edit.as_ref().and_then(Edit::permit));
    match permit.filter(|_| !workflow.is_private) {
        Some(permit) => {
            pictures::show(&mut tx, caller, permit, &has).await?;
            pictures::write_words(&mut tx, caller, &workflow, Some(permit)).await?;
        }
        None if workflow.is_private => pictures::write_words(&mut tx, caller, &workflow, None).await?,
        // What others see stays as it is, and nobody has asked whether more of it may be shown.
        None => {}
    }
    let [was, is] = differences(&before, &workflow);
    let act = Act::new(Action::WorkflowUpdate, id).of(workflow.user).before(was).after(is);
    audit::record_over(&mut tx, as_admin.unwrap_or(by), act, now).await?;
    tx.commit().await?;
    Ok(shown(workflow))
}

/// Deletes a workflow of the caller's (or any, for an admin). What ran it stays as it is.
///
/// # Errors
/// As [`update`].
pub async fn delete(core: &Core, caller: &Caller, id: WorkflowId) -> Result<()> {
    let mut tx = core.db.begin().await?;
    let (workflow, by) = locked_own(&mut tx, caller, id).await?;
    let now = core.clock.now();
    locking::remove(&mut tx, caller, &workflow, now).await?;
    let before = serde_json::json!({ "name": workflow.name, "isPrivate": workflow.is_private });
    let act = Act::new(Action::WorkflowDelete, id).of(workflow.user).before(before);
    audit::record_over(&mut tx, by, act, now).await?;
    tx.commit().await?;
    Ok(())
}

/// Some workflows that were deleted before this time without ever having been published, for the room that forgets what
/// is kept because of them; of one person, or of anybody. They are held until the transaction ends.
///
/// # Errors
/// Database errors.
pub async fn to_forget_within(
    tx: &mut PgConnection,
    author: Option<UserId>,
    before: DateTime<Utc>,
    most: i64,
) -> Result<Vec<WorkflowId>> {
    Ok(store::to_forget(tx, author, before, most).await?)
}

/// Notes that nothing is kept because of them any more.
///
/// # Errors
/// Database errors.
pub async fn note_forgotten_within(tx: &mut PgConnection, ids: &[WorkflowId], now: DateTime<Utc>) -> Result<()> {
    Ok(store::set_forgotten(tx, ids, now).await?)
}

/// What became otherwise, for the audit log: as it was, and as it is.
fn differences(before: &Workflow, after: &Workflow) -> [Value; 2] {
    let of = |workflow: &Workflow| {
        serde_json::json!({
            "name": workflow.name,
            "description": workflow.description,
            "translations": workflow.translations,
            "isPrivate": workflow.is_private,
            "isNsfw": workflow.is_nsfw,
            "isBasic": workflow.basic_at.is_some(),
            "cover": workflow.cover,
            "version": workflow.version,
        })
    };
    audit::changed(of(before), of(after))
}

/// The workflow, locked until the transaction ends, where the caller may change it, and by what right. For rooms that
/// write along.
///
/// # Errors
/// As [`update`].
pub async fn locked_own(tx: &mut PgConnection, caller: &Caller, id: WorkflowId) -> Result<(Workflow, Authority)> {
    let workflow = store::lock(tx, id).await?.filter(|workflow| workflow.is_visible_to(caller)).ok_or(GONE)?;
    let by = caller.authority_over(workflow.user)?;
    Ok((workflow, by))
}

/// The newest graph, inside a transaction that has the workflow locked.
///
/// # Errors
/// [`Error::NotFound`].
pub async fn locked_graph(tx: &mut PgConnection, workflow: &Workflow) -> Result<Graph> {
    store::graph(tx, workflow.id, workflow.version).await?.ok_or(GONE)
}

/// Notes which mini app stands on a workflow, inside the transaction that makes or deletes it.
///
/// # Errors
/// Only the database's.
pub async fn attach_api(tx: &mut PgConnection, id: WorkflowId, api: Option<WorkflowApiId>) -> Result<()> {
    Ok(store::attach_api(tx, id, api).await?)
}

const GONE: Error = Error::NotFound { what: "workflow" };

fn shown(mut workflow: Workflow) -> Workflow {
    workflow.description = clean(&workflow.description);
    workflow.translations = workflow.translations.shown();
    workflow
}

#[cfg(test)]
mod tests;
