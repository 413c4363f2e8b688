//! Lists of workflows. Each reads the ids of a page by the index of its order, then the rows of those ids, with the
//! beginnings of their descriptions.

pub(in crate::workflows) mod filter;
pub(in crate::workflows) mod filtered;
pub(in crate::workflows) mod store;

use std::collections::HashMap;

use super::app_traits::AppFilter;
use super::workflow::Workflow;
use super::{shown, words};
use crate::filter::{MAX_IDS, Nsfw};
use crate::ids::{UserId, WorkflowId, WorkflowTagId};
use crate::list::{Cursor, Keyset, ListQuery, MAX_PAGE, Page, RankedPart, RankedRange};
use crate::{Caller, Core, Error, Result, database, names};
use filter::{Slice, WorkflowFilter, WorkflowOrder};

/// The most characters of a search.
const MAX_QUESTION: usize = 500;

impl Nsfw {
    fn flags(self) -> &'static [bool] {
        match self {
            Self::View => &[false, true],
            Self::Hide => &[false],
            Self::Only => &[true],
        }
    }
}

/// Published workflows.
///
/// # Errors
/// [`Error::Invalid`] for a cursor that no list in this order returned.
pub async fn published(core: &Core, query: ListQuery<'_, Nsfw, WorkflowOrder>) -> Result<Page<Workflow>> {
    let slices: Vec<Slice> =
        query.filter.flags().iter().map(|is_nsfw| Slice { is_private: false, is_nsfw: *is_nsfw }).collect();
    sliced(core, &slices, query.keyset()?).await
}

/// Workflows of all users, for admins. Of the filter, only the flags apply.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest, [`Error::Forbidden`] for a user who is no admin; as [`published`].
pub async fn all(
    core: &Core,
    caller: &Caller,
    query: ListQuery<'_, &WorkflowFilter, WorkflowOrder>,
) -> Result<Page<Workflow>> {
    caller.must_be_admin()?.read_only();
    let matches = |condition: Option<bool>, value: bool| condition.is_none_or(|condition| condition == value);
    let nsfw_flag = query.filter.nsfw_flag();
    let slices: Vec<Slice> = [(false, false), (false, true), (true, false), (true, true)]
        .into_iter()
        .filter(|(private, nsfw)| matches(query.filter.is_private, *private) && matches(nsfw_flag, *nsfw))
        .map(|(is_private, is_nsfw)| Slice { is_private, is_nsfw })
        .collect();
    sliced(core, &slices, query.keyset()?).await
}

/// Published workflows with a tag, or with any tag below it; the latest published first. Another order would need the
/// counts in the index of tags as well.
///
/// # Errors
/// As [`published`].
pub async fn tagged(core: &Core, tag: WorkflowTagId, query: ListQuery<'_, Nsfw>) -> Result<Page<Workflow>> {
    let keyset = query.sorted(WorkflowOrder::PublishedAt).keyset()?;
    page(core, store::tagged(&core.db, tag, query.filter.flags(), keyset).await?, keyset).await
}

/// Published workflows that have all words of a text in name, description or tags: matches of the name first, then the
/// latest published. A text without a word matches nothing.
///
/// # Errors
/// As [`published`].
pub async fn search(core: &Core, text: &str, query: ListQuery<'_, Nsfw>) -> Result<Page<Workflow>> {
    let keyset = query.sorted(WorkflowOrder::Found).keyset()?;
    let Some(question) = words::question(&names::search_text("q", text, MAX_QUESTION)?) else {
        return Ok(Page::empty());
    };
    page(core, store::search::search(&core.db, &question, query.filter.flags(), keyset).await?, keyset).await
}

/// Workflows of all users whose names contain a text in any case: the latest made first, at most [`MAX_IDS`].
///
/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] for a caller who is no admin; [`Error::Invalid`] for a text that is
/// too long.
pub async fn ids_by_name(core: &Core, caller: &Caller, text: &str) -> Result<Vec<WorkflowId>> {
    caller.must_be_admin()?.read_only();
    let text = names::search_text("q", text, MAX_QUESTION)?;
    Ok(store::search::ids_by_name(&core.db, &text, i64::try_from(MAX_IDS).unwrap_or(i64::MAX)).await?)
}

/// Published workflows, safe for work, that match a text: those with all its words first, then those whose names
/// resemble it, so that a typing error finds them too.
pub async fn similar(core: &Core, text: &str, range: RankedRange) -> Result<RankedPart<Workflow>> {
    let reach = range.reach();
    let mut ids = match words::question(&names::search_text("q", text, MAX_QUESTION)?) {
        Some(question) => with_words(core, &question, reach).await?,
        None => Vec::new(),
    };
    let room = usize::try_from(reach).unwrap_or(0).saturating_sub(ids.len());
    if room > 0 {
        let mut tx = database::begin(&core.db).await?;
        database::lower_word_similarity(&mut tx).await?;
        let mut alike = store::search::similar(&mut tx, text, reach).await?;
        tx.commit().await?;
        alike.retain(|id| !ids.contains(id));
        alike.truncate(room);
        ids.append(&mut alike);
    }
    let RankedPart { items, has_more } = range.cut(ids);
    Ok(RankedPart { items: rows(core, &items).await?, has_more })
}

/// The first published workflows, safe for work, that have all words of a question.
async fn with_words(core: &Core, question: &str, limit: i64) -> Result<Vec<WorkflowId>> {
    let sort = WorkflowOrder::Found;
    let keyset = Keyset { sort, after: Cursor::start(sort), skip: 0, limit };
    let found = store::search::search(&core.db, question, Nsfw::Hide.flags(), keyset).await?;
    Ok(found.into_iter().map(|(id, _)| id).collect())
}

/// The basic workflows, which admins choose for beginners, in the admins' order.
///
/// # Errors
/// As [`published`].
pub async fn basic(core: &Core, query: ListQuery<'_>) -> Result<Page<Workflow>> {
    let keyset = query.sorted(WorkflowOrder::BasicAt).keyset()?;
    page(core, store::basic(&core.db, keyset).await?, keyset).await
}

/// Published workflows of a user, the latest published first.
///
/// # Errors
/// As [`published`].
pub async fn published_by(core: &Core, user: UserId, query: ListQuery<'_, Nsfw>) -> Result<Page<Workflow>> {
    let keyset = query.sorted(WorkflowOrder::PublishedAt).keyset()?;
    page(core, store::published_by(&core.db, user, query.filter.flags(), keyset).await?, keyset).await
}

/// Private workflows of a user, the latest made first; for that user and for admins.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest, [`Error::Forbidden`] for another user's; as [`published`].
pub async fn unpublished_by(
    core: &Core,
    caller: &Caller,
    user: UserId,
    query: ListQuery<'_>,
) -> Result<Page<Workflow>> {
    caller.signed_in()?;
    if !caller.owns_or_admin(user) {
        return Err(Error::Forbidden);
    }
    let keyset = query.sorted(WorkflowOrder::Newest).keyset()?;
    page(core, store::unpublished_by(&core.db, user, keyset).await?, keyset).await
}

/// The caller's workflows, newest first.
///
/// # Errors
/// [`Error::LoginRequired`]; [`Error::Invalid`] for a cursor that this list did not return.
pub async fn mine(core: &Core, caller: &Caller, query: ListQuery<'_>) -> Result<Page<Workflow>> {
    let user = caller.signed_in()?;
    let keyset = query.sorted(WorkflowOrder::Newest).keyset()?;
    page(core, store::mine(&core.db, user, keyset).await?, keyset).await
}

/// Published workflows that have a mini app.
///
/// # Errors
/// [`Error::Invalid`] for a cursor that no list in this order returned.
pub async fn published_apps(core: &Core, query: ListQuery<'_, AppFilter, WorkflowOrder>) -> Result<Page<Workflow>> {
    let keyset = query.keyset()?;
    page(core, store::published_apps(&core.db, query.filter, keyset).await?, keyset).await
}

/// Those of the named workflows that the caller may see, in the order of the ids.
///
/// # Errors
/// [`Error::Invalid`] for more than [`MAX_PAGE`] ids.
pub async fn named(core: &Core, caller: &Caller, ids: &[WorkflowId]) -> Result<Vec<Workflow>> {
    if i64::try_from(ids.len()).is_ok_and(|count| count > MAX_PAGE) {
        return Err(Error::invalid("filter", format!("may name {MAX_PAGE} ids at most")));
    }
    let mut found = rows(core, ids).await?;
    found.retain(|workflow| workflow.is_visible_to(caller));
    Ok(found)
}

/// Workflows that a user ran, private ones too, because the user knows their names. Deleted ones are left out.
pub async fn of_runs(core: &Core, ids: &[WorkflowId]) -> Result<Vec<Workflow>> {
    rows(core, ids).await
}

async fn sliced(core: &Core, slices: &[Slice], keyset: Keyset<WorkflowOrder>) -> Result<Page<Workflow>> {
    page(core, store::sliced(&core.db, slices, keyset).await?, keyset).await
}

/// Reads the rows of a page, whose ids come with their sort keys.
pub(super) async fn page(
    core: &Core,
    found: Vec<(WorkflowId, i64)>,
    keyset: Keyset<WorkflowOrder>,
) -> Result<Page<Workflow>> {
    let Page { items, next_cursor } = keyset.page(found, |(id, key)| Cursor { key: *key, id: id.0 });
    let ids: Vec<WorkflowId> = items.into_iter().map(|(id, _)| id).collect();
    Ok(Page { items: rows(core, &ids).await?, next_cursor })
}

/// The rows in the order of the ids, without those that were deleted.
pub(super) async fn rows(core: &Core, ids: &[WorkflowId]) -> Result<Vec<Workflow>> {
    let mut found: HashMap<WorkflowId, Workflow> = HashMap::with_capacity(ids.len());
    for row in store::rows(&core.db, ids).await? {
        found.insert(row.id, shown(row));
    }
    Ok(ids.iter().filter_map(|id| found.remove(id)).collect())
}

#[cfg(test)]
mod tests;
