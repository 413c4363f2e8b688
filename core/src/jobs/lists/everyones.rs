//! The jobs of all users, for admins.

use std::collections::HashMap;

use chrono::{DateTime, Utc};

use super::listed_job::{AnyJobFilter, ListedJob};
use super::store::everyones;
use crate::ids::WorkerId;
use crate::list::{Cursor, ListQuery, Page};
use crate::{Caller, Core, Result};

/// Jobs that a page reads at most. Where fewer of them match than the page has room for, its cursor is the last job read,
/// so that no filter reads a table of millions.
const READ_AT_MOST: i64 = 10_000;

/// A page of the jobs of all users.
#[derive(Debug, Clone, PartialEq)]
pub struct ListedJobs {
    pub page: Page<ListedJob>,
    /// How far the search went, where it ended before the page was full and older jobs are left.
    pub searched: Option<JobSearch>,
}

/// What a page read of the jobs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JobSearch {
    /// Jobs that were read, matching or not.
    pub jobs: i64,
    /// When the oldest of them was submitted.
    pub back_to: DateTime<Utc>,
}

/// The jobs of all users, newest first. A page that is not full can have a next one.
///
/// # Errors
/// [`crate::Error::LoginRequired`] for a guest, [`crate::Error::Forbidden`] for users other than admins,
/// [`crate::Error::Invalid`] for a cursor that this list did not return.
pub async fn list_all(core: &Core, caller: &Caller, query: ListQuery<'_, &AnyJobFilter>) -> Result<ListedJobs> {
    caller.must_be_admin()?.read_only();
    search(core, query, READ_AT_MOST).await
}

/// The page of a query that reads at most so many jobs.
async fn search(core: &Core, query: ListQuery<'_, &AnyJobFilter>, most: i64) -> Result<ListedJobs> {
    let keyset = query.keyset()?;
    let filter = query.filter;
    let window = everyones::Window::of(filter.created, keyset.after.id);
    let last_read = everyones::last_read(&core.db, filter.user, window, most).await?;
    let read = last_read.map_or(window, |(id, _)| window.down_to(id));
    let mut jobs = everyones::list(&core.db, filter, read, keyset.limit).await?;
    name_workers(core, &mut jobs);
    let mut page = keyset.page(jobs, |job| Cursor::of(job.id));
    let mut searched = None;
    if page.next_cursor.is_none()
        && let Some((id, back_to)) = last_read
    {
        page.next_cursor = Some(Cursor::of(id).text(()));
        searched = Some(JobSearch { jobs: most, back_to });
    }
    Ok(ListedJobs { page, searched })
}

/// Adds the names of workers that this node knows.
fn name_workers(core: &Core, jobs: &mut [ListedJob]) {
    let mut names: HashMap<WorkerId, Option<String>> = HashMap::new();
    for (id, name) in jobs.iter_mut().filter_map(|job| job.worker.as_mut()) {
        let known = names.entry(*id).or_insert_with(|| core.fleet.roster().view(*id).map(|worker| worker.name));
        name.clone_from(known);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jobs::tests::TestJob;
    use crate::testing::TestCore;

    #[actix::test]
    async fn page_that_ends_early_says_how_far_it_searched() {
        let core = TestCore::new().await;
        let mut jobs = Vec::new();
        for pool in ["rare", "cpu", "cpu", "cpu"] {
            jobs.push(TestJob { pool, ..TestJob::default() }.insert(&core).await);
        }
        let all = search(&core, ListQuery::at(&AnyJobFilter::default(), None, 10), 10).await.expect("a page");
        assert_eq!((all.page.items.len(), all.searched), (4, None), "all jobs were read");
        let filter = AnyJobFilter { pool: Some("rare".to_owned()), ..AnyJobFilter::default() };
        let first = search(&core, ListQuery::at(&filter, None, 10), 2).await.expect("a page");
        assert!(first.page.items.is_empty());
        let second = all.page.items.iter().find(|job| job.id == jobs[2]).expect("the second newest job");
        assert_eq!(first.searched, Some(JobSearch { jobs: 2, back_to: second.created_at }));
        let cursor = first.page.next_cursor.expect("older jobs are left");
        let next = search(&core, ListQuery::at(&filter, Some(&cursor), 10), 3).await.expect("a page");
        assert_eq!(next.page.items.iter().map(|job| job.id).collect::<Vec<_>>(), [jobs[0]]);
        assert_eq!((next.page.next_cursor, next.searched), (None, None), "no older job is left");
    }

    #[actix::test]
    async fn full_page_says_nothing_of_its_search() {
        let core = TestCore::new().await;
        for _ in 0..3 {
            TestJob::default().insert(&core).await;
        }
        let page = search(&core, ListQuery::at(&AnyJobFilter::default(), None, 1), 2).await.expect("a page");
        assert!(page.page.next_cursor.is_some());
        assert_eq!((page.page.items.len(), page.searched), (1, None));
    }
}
