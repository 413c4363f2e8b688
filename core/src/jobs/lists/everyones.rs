//! The jobs of all users, for admins.

use std::collections::HashMap;

use super::listed_job::{AnyJobFilter, ListedJob};
use super::store::everyones;
use crate::ids::WorkerId;
use crate::list::{Cursor, ListQuery, Page};
use crate::{Caller, Core, Result};

/// Jobs that a page reads at most. Where fewer of them match than the page has room for, its cursor is the last job read,
/// so that no filter reads a table of millions.
const READ_AT_MOST: i64 = 10_000;

/// The jobs of all users, newest first. A page that is not full can have a next one.
///
/// # Errors
/// [`crate::Error::LoginRequired`] for a guest, [`crate::Error::Forbidden`] for users other than admins,
/// [`crate::Error::Invalid`] for a cursor that this list did not return.
pub async fn list_all(core: &Core, caller: &Caller, query: ListQuery<'_, &AnyJobFilter>) -> Result<Page<ListedJob>> {
    caller.must_be_admin()?.read_only();
    let keyset = query.keyset()?;
    let filter = query.filter;
    let window = everyones::Window::of(filter.created, keyset.after.id);
    let last_read = everyones::last_read(&core.db, filter.user, window, READ_AT_MOST).await?;
    let read = last_read.map_or(window, |id| window.down_to(id));
    let mut jobs = everyones::list(&core.db, filter, read, keyset.limit).await?;
    name_workers(core, &mut jobs);
    let mut page = keyset.page(jobs, |job| Cursor::of(job.id));
    if page.next_cursor.is_none() {
        page.next_cursor = last_read.map(|id| Cursor::of(id).text(()));
    }
    Ok(page)
}

/// Adds the names of workers that this node knows.
fn name_workers(core: &Core, jobs: &mut [ListedJob]) {
    let mut names: HashMap<WorkerId, Option<String>> = HashMap::new();
    for (id, name) in jobs.iter_mut().filter_map(|job| job.worker.as_mut()) {
        let known = names.entry(*id).or_insert_with(|| core.fleet.roster().view(*id).map(|worker| worker.name));
        name.clone_from(known);
    }
}
