//! Workflows: a graph with a name, a description and a cover, private or published.
//!
//! The graph is stored in the editor's format, in the workers' API format, or in both. Each change of the graph makes a
//! new version, which never changes. For another user's private workflow the answer is [`Error::NotFound`], so that
//! callers cannot probe ids.

mod app_traits;
mod basics;
mod check;
mod copies;
mod drafts;
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
mod versions;
mod visits;
mod words;
mod workflow;

use chrono::{DateTime, Utc};
use serde_json::Value;
use sqlx::PgConnection;

pub use app_traits::kind::WorkflowKind;
pub use app_traits::{AppFilter, AppTraits, Makes, Takes};
pub use basics::{basics, order_basics};
pub use copies::copy;
pub use drafts::{Draft, NewDraft, delete_draft, draft, drafts_after, forget_drafts, save_draft};
#[cfg(any(test, feature = "testing"))]
pub use factory::{NewTestWorkflow, workflow};
pub use indexing::{
    TRAITLESS_AT_ONCE, WORDLESS_AT_ONCE, apps_without_traits, index_wordless, lock_all, set_app_traits, set_apps_work,
};
pub use likes::{LikeChange, LikeState, favourites, like, liked_among, toggle_like};
pub use limits::{MAX_BASICS, MAX_DESCRIPTION_BYTES, MAX_DRAFTS, MAX_IDS, MAX_NAME_CHARS, MAX_TAGS, MAX_THUMBNAILS};
pub use lists::filter::{WorkflowFilter, WorkflowOrder};
pub use lists::filtered::{count, counts, filtered, public_counts};
pub use lists::{
    all, basic, ids_by_name, mine, named, of_runs, published, published_apps, published_by, search, similar, tagged,
    unpublished_by,
};
pub use locking::{delete_tx, lock_tx, unlock_tx};
pub use pictures::{hide as hide_pictures, pictures_in_use, pictures_tx, release as release_pictures, thumbnails_of};
pub use several::{delete_several, set_nsfw, set_private};
pub use tags::editing::{
    MAX_TAG_CHARS, MAX_TAG_COUNT, create_tag, delete_tag, delete_tags, merge_tags, order_tags, tag_uses, update_tag,
    update_tags,
};
pub use tags::filter::{TagFilter, TagOrder, filtered_tags, public_tag_counts, tag_counts};
pub use tags::tag::{NewTag, Tag, TagChanges, TagUse, root_tag, tag_below};
pub use tags::{tags, tags_of};
pub use translations::{Translation, Translations};
pub use versions::{WorkflowVersion, restore_version, version_graph, versions};
pub use visits::{Visit, note_run, settle_visits, visit};
pub use words::SearchWords;
pub use workflow::{Graph, NewGraph, Workflow};

use crate::audit::{self, Act, Action};
use crate::caller::Authority;
use crate::database;
use crate::html::clean;
use crate::ids::{AssetId, UserId, WorkflowApiId, WorkflowId, WorkflowTagId};
use crate::users::{self, WritePermit};
use crate::{Caller, Code, Core, Error, Result};
use indexing::index;
use publishing::{EditPermit, VisibilityChange};

#[derive(Debug, Clone, PartialEq)]
pub struct NewWorkflow {
    pub name: String,
    pub description: String,
    pub translations: Translations,
    pub graph: NewGraph,
    pub is_private: bool,
    /// Required with tags and pictures where the workflow is published at once.
    pub cover: Option<AssetId>,
    pub thumbnails: Vec<AssetId>,
    pub tags: Vec<WorkflowTagId>,
}

/// Changes to a workflow; `None` keeps a field.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct WorkflowChanges {
    pub name: Option<String>,
    pub description: Option<String>,
    /// All translations. Changes to the original keep them.
    pub translations: Option<Translations>,
    pub graph: Option<NewGraph>,
    /// The version that the new graph changes. The update is refused if the workflow has another one by now.
    pub base_version: Option<i32>,
    pub is_private: Option<bool>,
    /// A picture of the caller; `Some(None)` removes the cover.
    pub cover: Option<Option<AssetId>>,
    /// The gallery in its order: pictures of the caller.
    pub thumbnails: Option<Vec<AssetId>>,
    pub tags: Option<Vec<WorkflowTagId>>,
    /// For admins only.
    pub is_nsfw: Option<bool>,
    /// Whether it is a basic workflow; for admins only.
    pub is_basic: Option<bool>,
    /// Figma, generator or neither; for admins only.
    pub marked_kind: Option<Option<WorkflowKind>>,
}

impl WorkflowChanges {
    /// Whether the change is an edit by the author, and not one of visibility or by admins.
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

/// Creates a workflow of the caller, published at once if it has what publishing needs (see [`set_private`]).
///
/// # Errors
/// [`Error::LoginRequired`]; [`Error::Banned`]; [`Error::Invalid`] for a name, description, translation or graph beyond
/// the limits; [`Error::InvalidPrompt`] for an invalid prompt; [`Error::Forbidden`] for another user's picture; to
/// publish also as [`users::may_publish`], and [`Error::InvalidFields`] without a tag or a picture.
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
        marked_kind: None,
        app: AppTraits::default(),
    };
    let graph = check::graph(new.graph)?;
    let mut tx = database::begin(&core.db).await?;
    insert(&mut tx, &permit, &workflow, &graph, &tags).await?;
    locking::check_graph_lock(&mut tx, caller, &workflow).await?;
    pictures::store::replace(&mut tx, workflow.id, &thumbnails).await?;
    if let Some(permit) = &exposed {
        pictures::show(&mut tx, caller, permit, &pictures::all(&workflow, &thumbnails)).await?;
    }
    pictures::write_words(&mut tx, caller, &workflow, exposed.as_ref()).await?;
    tx.commit().await?;
    Ok(workflow)
}

/// Writes a new workflow with its graph, tags, pictures and search words.
async fn insert(
    tx: &mut PgConnection,
    permit: &WritePermit,
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

/// A workflow that the caller may see: published, the caller's own, or any for an admin.
///
/// # Errors
/// [`Error::NotFound`].
pub async fn find(core: &Core, caller: &Caller, id: WorkflowId) -> Result<Workflow> {
    let found = store::find(&core.db, id).await?;
    found.filter(|workflow| workflow.is_visible_to(caller)).map(shown).ok_or(GONE)
}

/// The latest graph of a workflow that [`find`] has returned.
///
/// # Errors
/// [`Error::NotFound`] where it was deleted since.
pub async fn graph(core: &Core, workflow: &Workflow) -> Result<Graph> {
    store::graph(&core.db, workflow.id, workflow.version).await?.ok_or(GONE)
}

/// Changes a workflow of the caller (any, for an admin) and returns it. [`set_private`] describes changes of its
/// visibility.
///
/// # Errors
/// As [`find`], [`create`] and [`set_private`]; [`Error::Forbidden`] for another user's published workflow or picture,
/// and where a caller who is no admin changes a field of admins; [`Error::Conflict`] with `WORKFLOW_CHANGED` where
/// `base_version` is not the latest version.
pub async fn update(core: &Core, caller: &Caller, id: WorkflowId, mut changes: WorkflowChanges) -> Result<Workflow> {
    let is_edit = changes.is_edit();
    let name = changes.name.as_deref().map(|name| check::name("name", name)).transpose()?;
    let description = changes.description.as_deref().map(|html| check::description("description", html)).transpose()?;
    let translations = changes.translations.as_ref().map(check::translations).transpose()?;
    let graph = changes.graph.take().map(check::graph).transpose()?;
    let tags = changes.tags.take().map(check::tags).transpose()?;
    let thumbnails = changes.thumbnails.take().map(check::thumbnails).transpose()?;
    // Changes to admins' fields are audited on the admin's own workflows too.
    let marked_kind = match changes.marked_kind {
        Some(Some(kind)) => Some(Some(kind.must_be_marked_by_admins()?)),
        other => other,
    };
    let as_admin = match changes.is_nsfw.is_some() || changes.is_basic.is_some() || marked_kind.is_some() {
        true => Some(Authority::Admin(caller.must_be_admin()?)),
        false => None,
    };
    pictures::check_own(core, caller, "thumbnails", thumbnails.as_deref().unwrap_or_default()).await?;
    pictures::check_own(core, caller, "cover", changes.cover.flatten().as_slice()).await?;
    // Banned users may hide workflows; what others see stays unchanged.
    let change = match changes.is_private {
        Some(is_private) => Some(publishing::authorize(core, caller, is_private).await?),
        None => None,
    };
    let edit = if is_edit { Some(publishing::may_edit(core, caller, id, change.as_ref()).await?) } else { None };
    let now = core.clock.now();
    let mut tx = database::begin(&core.db).await?;
    let (mut workflow, by) = locked_own(&mut tx, caller, id).await?;
    let before = workflow.clone();
    let had = pictures::all(&workflow, &pictures::store::locked(&mut tx, id).await?);
    let is_new_graph = graph.is_some();
    if changes.base_version.is_some_and(|base| base != workflow.version) {
        let message = format!("the workflow has version {} by now", workflow.version);
        return Err(Error::conflict(Code::WorkflowChanged, message));
    }
    if let Some(graph) = graph {
        // Saving the same text again is not a new version.
        if store::graph(&mut *tx, id, workflow.version).await?.as_ref() != Some(&graph) {
            workflow.version += 1;
            store::insert_version(&mut tx, id, workflow.version, &graph, &check::graph_hash(&graph), now).await?;
        }
        if let Some(user) = caller.user {
            drafts::store::delete(&mut tx, user, Some(id)).await?;
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
    workflow.marked_kind = marked_kind.unwrap_or(workflow.marked_kind);
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
    if let Some(change) = &change {
        // The lock check reads the version of the new graph.
        store::update(&mut tx, &workflow).await?;
        locking::check_lock(&mut tx, caller, id, change).await?;
        publishing::apply(&mut tx, &mut workflow, change, now).await?;
    }
    if is_edit && !workflow.is_private {
        publishing::must_be_ready(&mut tx, id).await?;
    }
    store::update(&mut tx, &workflow).await?;
    index(&mut tx, &workflow).await?;
    if is_new_graph {
        locking::check_graph_lock(&mut tx, caller, &workflow).await?;
    }
    let has = pictures::all(&workflow, &gallery);
    let gone: Vec<AssetId> = had.into_iter().filter(|id| workflow.is_private || !has.contains(id)).collect();
    pictures::hide(&mut tx, caller, &gone).await?;
    let permit = change.as_ref().and_then(VisibilityChange::permit).or(edit.as_ref().and_then(EditPermit::permit));
    match permit.filter(|_| !workflow.is_private) {
        Some(permit) => {
            pictures::show(&mut tx, caller, permit, &has).await?;
            pictures::write_words(&mut tx, caller, &workflow, Some(permit)).await?;
        }
        None if workflow.is_private => pictures::write_words(&mut tx, caller, &workflow, None).await?,
        // Without a permit to publish, what others see stays unchanged.
        None => {}
    }
    let [was, is] = differences(&before, &workflow);
    let act = Act::new(Action::WorkflowUpdate, id).of(workflow.user).before(was).after(is);
    audit::record_if_admin(&mut tx, as_admin.unwrap_or(by), act, now).await?;
    tx.commit().await?;
    Ok(shown(workflow))
}

/// Deletes a workflow of the caller (any, for an admin). Its jobs stay.
///
/// # Errors
/// As [`update`].
pub async fn delete(core: &Core, caller: &Caller, id: WorkflowId) -> Result<()> {
    let mut tx = database::begin(&core.db).await?;
    let (workflow, by) = locked_own(&mut tx, caller, id).await?;
    let now = core.clock.now();
    locking::remove(&mut tx, caller, &workflow, now).await?;
    let before = serde_json::json!({ "name": workflow.name, "isPrivate": workflow.is_private });
    let act = Act::new(Action::WorkflowDelete, id).of(workflow.user).before(before);
    audit::record_if_admin(&mut tx, by, act, now).await?;
    tx.commit().await?;
    core.events.notify_written();
    Ok(())
}

/// Some workflows that were deleted before this time and never published, of one author or of all, locked until the
/// transaction ends. Another room deletes what is stored because of them.
pub async fn to_forget_tx(
    tx: &mut PgConnection,
    author: Option<UserId>,
    before: DateTime<Utc>,
    most: i64,
) -> Result<Vec<WorkflowId>> {
    Ok(store::to_forget(tx, author, before, most).await?)
}

/// Records that nothing is stored because of these workflows any more.
pub async fn note_forgotten_tx(tx: &mut PgConnection, ids: &[WorkflowId], now: DateTime<Utc>) -> Result<()> {
    Ok(store::set_forgotten(tx, ids, now).await?)
}

/// The changed fields for the audit log, before and after.
fn differences(before: &Workflow, after: &Workflow) -> [Value; 2] {
    let of = |workflow: &Workflow| {
        serde_json::json!({
            "name": workflow.name,
            "description": workflow.description,
            "translations": workflow.translations,
            "isPrivate": workflow.is_private,
            "isNsfw": workflow.is_nsfw,
            "isBasic": workflow.basic_at.is_some(),
            "kind": workflow.marked_kind.map(WorkflowKind::name),
            "cover": workflow.cover,
            "version": workflow.version,
        })
    };
    audit::changed(of(before), of(after))
}

/// The workflow, locked until the transaction ends, and the caller's right to change it. For rooms that write in the
/// same transaction.
///
/// # Errors
/// As [`update`].
pub async fn locked_own(tx: &mut PgConnection, caller: &Caller, id: WorkflowId) -> Result<(Workflow, Authority)> {
    let workflow = store::lock(tx, id).await?.filter(|workflow| workflow.is_visible_to(caller)).ok_or(GONE)?;
    let by = caller.authority_over(workflow.user)?;
    Ok((workflow, by))
}

/// The latest graph of a workflow that the transaction has locked.
///
/// # Errors
/// [`Error::NotFound`].
pub async fn locked_graph(tx: &mut PgConnection, workflow: &Workflow) -> Result<Graph> {
    store::graph(tx, workflow.id, workflow.version).await?.ok_or(GONE)
}

/// Sets the mini app of a workflow in the transaction that creates or deletes the app.
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
