//! Lists of workflows. Each first finds the ids of a page by the index of its order, then reads those rows.
//!
//! Descriptions in lists are cut short: only their beginning is there.

pub(in crate::workflows) mod cursor;
pub(in crate::workflows) mod filter;
pub(in crate::workflows) mod filtered;
pub(in crate::workflows) mod slice;
pub(in crate::workflows) mod store;

use std::collections::HashMap;

use super::app_traits::AppWanted;
use super::limits::MAX_PAGE;
use super::workflow::Workflow;
use super::{shown, words};
use crate::filter::{MAX_IDS, Nsfw};
use crate::ids::{UserId, WorkflowId, WorkflowTagId};
use crate::{Caller, Core, Error, Result, database, names};
use cursor::{Cursor, Sort};
use filter::Filter;
use slice::Slice;

/// A page of a list, and where the next page begins.
#[derive(Debug, Clone, PartialEq)]
pub struct Page<T> {
    pub items: Vec<T>,
    /// Give it back for what follows; `None` at the end.
    pub next_cursor: Option<String>,
}

/// The most characters of a search.
const MAX_QUESTION: usize = 500;

/// Which page of a list is wanted. `limit` is held between 1 and [`MAX_PAGE`].
#[derive(Debug, Clone, Copy, Default)]
pub struct PageAt<'a> {
    pub cursor: Option<&'a str>,
    pub limit: i64,
}

impl Nsfw {
    fn flags(self) -> &'static [bool] {
        match self {
            Self::View => &[false, true],
            Self::Hide => &[false],
            Self::Only => &[true],
        }
    }

    fn published(self) -> Vec<Slice> {
        self.flags().iter().map(|is_nsfw| Slice { is_private: false, is_nsfw: *is_nsfw }).collect()
    }
}

/// What everybody may see.
///
/// # Errors
/// [`Error::Invalid`] for a cursor that no list in this order gave.
pub async fn published(core: &Core, sort: Sort, nsfw: Nsfw, at: PageAt<'_>) -> Result<Page<Workflow>> {
    sliced(core, &nsfw.published(), sort, at).await
}

/// All workflows of all people, for admins; of the filter the flags alone are looked at.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest, [`Error::Forbidden`] for anybody but an admin; as [`published`].
pub async fn all(core: &Core, caller: &Caller, filter: &Filter, sort: Sort, at: PageAt<'_>) -> Result<Page<Workflow>> {
    caller.must_be_admin()?.to_read();
    let wanted = |chosen: Option<bool>, value: bool| chosen.is_none_or(|chosen| chosen == value);
    let mark = filter.mark();
    let slices: Vec<Slice> = [(false, false), (false, true), (true, false), (true, true)]
        .into_iter()
        .filter(|(private, nsfw)| wanted(filter.is_private, *private) && wanted(mark, *nsfw))
        .map(|(is_private, is_nsfw)| Slice { is_private, is_nsfw })
        .collect();
    sliced(core, &slices, sort, at).await
}

/// Published workflows with a tag, or with any tag below it; the latest published first.
///
/// Only in this order: another one would need the counts a second time in the index of tags.
///
/// # Errors
/// As [`published`].
pub async fn tagged(core: &Core, tag: WorkflowTagId, nsfw: Nsfw, at: PageAt<'_>) -> Result<Page<Workflow>> {
    let place = after(at.cursor, Sort::PublishedAt)?;
    let found = store::tagged(&core.db, tag, nsfw.flags(), place, one_more(at.limit)).await?;
    page(core, places(found, Sort::PublishedAt), at.limit).await
}

/// Published workflows that have all words of a question in name, description or tags: those that are called so first,
/// then the latest published. A question without a word finds nothing.
///
/// # Errors
/// As [`published`].
pub async fn search(core: &Core, text: &str, nsfw: Nsfw, at: PageAt<'_>) -> Result<Page<Workflow>> {
    let place = after(at.cursor, Sort::Found)?;
    let Some(question) = words::question(&names::words("q", text, MAX_QUESTION)?) else {
        return Ok(Page { items: Vec::new(), next_cursor: None });
    };
    let found = store::search::search(&core.db, &question, nsfw.flags(), place, one_more(at.limit)).await?;
    page(core, places(found, Sort::Found), at.limit).await
}

/// Workflows of everybody that have this text in their names, whatever its case: the latest made first, at most
/// [`MAX_IDS`].
///
/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] for anybody but an admin; [`Error::Invalid`] for a text that is too
/// long.
pub async fn called(core: &Core, caller: &Caller, text: &str) -> Result<Vec<WorkflowId>> {
    caller.must_be_admin()?.to_read();
    let text = names::words("q", text, MAX_QUESTION)?;
    Ok(store::search::called(&core.db, &text, i64::try_from(MAX_IDS).unwrap_or(i64::MAX)).await?)
}

/// Published workflows, safe for work, that a text means: those with all its words first, then those whose names are
/// like it, so that a typing error finds them too.
///
/// # Errors
/// Database errors.
pub async fn similar(core: &Core, text: &str, limit: i64) -> Result<Vec<Workflow>> {
    let limit = limit.clamp(1, MAX_PAGE);
    let mut found = search(core, text, Nsfw::Hide, PageAt { cursor: None, limit }).await?.items;
    let room = usize::try_from(limit).unwrap_or(0).saturating_sub(found.len());
    if room > 0 {
        let mut tx = core.db.begin().await?;
        database::be_lenient(&mut tx).await?;
        let mut ids = store::search::similar(&mut tx, text, limit).await?;
        tx.commit().await?;
        ids.retain(|id| found.iter().all(|known| known.id != *id));
        ids.truncate(room);
        found.extend(rows(core, &ids).await?);
    }
    Ok(found)
}

/// The basic workflows: those that admins chose for people to begin with, in the admins' order.
///
/// # Errors
/// As [`published`].
pub async fn basic(core: &Core, at: PageAt<'_>) -> Result<Page<Workflow>> {
    let place = after(at.cursor, Sort::BasicAt)?;
    let found = store::basic(&core.db, place, one_more(at.limit)).await?;
    page(core, places(found, Sort::BasicAt), at.limit).await
}

/// What somebody published, the latest first.
///
/// # Errors
/// As [`published`].
pub async fn published_by(core: &Core, user: UserId, nsfw: Nsfw, at: PageAt<'_>) -> Result<Page<Workflow>> {
    let place = after(at.cursor, Sort::PublishedAt)?;
    let found = store::published_by(&core.db, user, nsfw.flags(), place, one_more(at.limit)).await?;
    page(core, places(found, Sort::PublishedAt), at.limit).await
}

/// What somebody keeps to themselves, the latest made first. People see their own, admins everybody's.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest, [`Error::Forbidden`] for somebody else's; as [`published`].
pub async fn unpublished_by(core: &Core, caller: &Caller, user: UserId, at: PageAt<'_>) -> Result<Page<Workflow>> {
    caller.signed_in()?;
    if !caller.owns_or_admin(user) {
        return Err(Error::Forbidden);
    }
    let place = after(at.cursor, Sort::Newest)?;
    let found = store::unpublished_by(&core.db, user, place, one_more(at.limit)).await?;
    page(core, places(found, Sort::Newest), at.limit).await
}

/// The caller's workflows, newest first.
///
/// # Errors
/// [`Error::LoginRequired`]; [`Error::Invalid`] for a cursor that no list gave.
pub async fn mine(core: &Core, caller: &Caller, cursor: Option<&str>, limit: i64) -> Result<Page<Workflow>> {
    let user = caller.signed_in()?;
    let place = after(cursor, Sort::Newest)?;
    let found = store::mine(&core.db, user, place, one_more(limit)).await?;
    page(core, places(found, Sort::Newest), limit).await
}

/// Published workflows that have a mini app, for everybody.
///
/// # Errors
/// [`Error::Invalid`] for a cursor that no list in this order gave.
pub async fn published_apps(
    core: &Core,
    wanted: AppWanted,
    sort: Sort,
    cursor: Option<&str>,
    limit: i64,
) -> Result<Page<Workflow>> {
    let place = after(cursor, sort)?;
    let found = store::published_apps(&core.db, wanted, sort, place, one_more(limit)).await?;
    page(core, places(found, sort), limit).await
}

/// Those of the named workflows that the caller may see, in the order in which they were named.
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

/// Workflows that somebody ran, as they are now: hidden ones too, since whoever ran one knows its name. Deleted ones are
/// left out, and descriptions are cut.
///
/// # Errors
/// Database errors.
pub async fn ran(core: &Core, ids: &[WorkflowId]) -> Result<Vec<Workflow>> {
    rows(core, ids).await
}

async fn sliced(core: &Core, slices: &[Slice], sort: Sort, at: PageAt<'_>) -> Result<Page<Workflow>> {
    let place = after(at.cursor, sort)?;
    let found = store::sliced(&core.db, slices, place, one_more(at.limit)).await?;
    page(core, places(found, sort), at.limit).await
}

/// Where a list goes on, or its beginning.
pub(super) fn after(cursor: Option<&str>, sort: Sort) -> Result<Cursor> {
    match (cursor, sort) {
        (Some(cursor), _) => Cursor::parse(cursor, sort),
        (None, Sort::Oldest) => Ok(Cursor::bottom(sort)),
        (None, _) => Ok(Cursor::top(sort)),
    }
}

/// One more than asked for tells whether there is a next page.
pub(super) fn one_more(limit: i64) -> i64 {
    limit.clamp(1, MAX_PAGE) + 1
}

pub(super) fn places(found: Vec<(WorkflowId, i64)>, sort: Sort) -> Vec<Cursor> {
    found.into_iter().map(|(id, key)| Cursor { sort, key, id }).collect()
}

/// Reads the rows of a page that was found with [`one_more`].
pub(super) async fn page(core: &Core, mut found: Vec<Cursor>, limit: i64) -> Result<Page<Workflow>> {
    let limit = usize::try_from(limit.clamp(1, MAX_PAGE)).unwrap_or(1);
    let more = found.len() > limit;
    found.truncate(limit);
    let next_cursor = found.last().filter(|_| more).map(Cursor::to_string);
    let ids: Vec<WorkflowId> = found.into_iter().map(|place| place.id).collect();
    Ok(Page { items: rows(core, &ids).await?, next_cursor })
}

/// The rows in the order of the ids; what was deleted meanwhile is missing.
pub(super) async fn rows(core: &Core, ids: &[WorkflowId]) -> Result<Vec<Workflow>> {
    let mut found: HashMap<WorkflowId, Workflow> = HashMap::with_capacity(ids.len());
    for row in store::rows(&core.db, ids).await? {
        found.insert(row.id, shown(row));
    }
    Ok(ids.iter().filter_map(|id| found.remove(id)).collect())
}

#[cfg(test)]
mod tests;
