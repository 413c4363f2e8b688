//! Copies of workflows, as a start for the caller's own.

use super::{MAX_NAME_CHARS, Workflow, check, find, graph, insert, pictures, store, tags};
use crate::database;
use crate::ids::{WorkflowId, WorkflowTagId};
use crate::{Caller, Core, Result, names, users};

/// Makes a private copy of a workflow that the caller may see. The default name is `Copy of …`.
///
/// Graph, description and tags are copied. Cover and gallery are not, because they show the original author's results.
///
/// # Errors
/// As [`find`] and [`super::create`].
pub async fn copy(core: &Core, caller: &Caller, id: WorkflowId, name: Option<&str>) -> Result<Workflow> {
    let user = caller.signed_in()?;
    let permit = users::may_take_part(core, caller).await?;
    let original = find(core, caller, id).await?;
    let graph = graph(core, &original).await?;
    let tags: Vec<WorkflowTagId> = tags::tags_of(core, &[id])
        .await?
        .remove(&id)
        .map(|tags| tags.into_iter().map(|tag| tag.id).collect())
        .unwrap_or_default();
    let name = match name {
        // Blanks count as no name, but more of them than a name has characters are refused.
        Some(name) if names::trimmed(name, 0..=MAX_NAME_CHARS).as_deref() != Some("") => check::name("name", name)?,
        _ => format!("Copy of {}", original.name).chars().take(MAX_NAME_CHARS).collect(),
    };
    let now = core.clock.now();
    let copied = Workflow {
        id: WorkflowId::new(),
        user,
        name,
        is_private: true,
        is_nsfw: original.is_nsfw,
        cover: None,
        workflow_api: None,
        version: 1,
        like_count: 0,
        view_count: 0,
        launch_count: 0,
        created_at: now,
        edited_at: now,
        published_at: None,
        basic_at: None,
        marked_kind: None,
        app: super::AppTraits::default(),
        translations: original.translations.nameless(),
        description: original.description,
    };
    let mut tx = database::begin(&core.db).await?;
    insert(&mut tx, &permit, &copied, &graph, &tags).await?;
    store::set_origin(&mut tx, copied.id, id).await?;
    pictures::write_words(&mut tx, caller, &copied, None).await?;
    tx.commit().await?;
    Ok(copied)
}
