//! Mini apps by filter: lists, counts, and counts over time. A caller who sees a workflow sees its mini app.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::filter::MiniAppFilter;
use super::store;
use crate::ids::{WorkflowApiId, WorkflowId};
use crate::list::{AgeOrder, Cursor, ListQuery, MAX_COUNT, MAX_PAGE, Page};
use crate::mini_apps::form::entries::{Inputs, Outputs};
use crate::mini_apps::form::rjsf::{Rjsf, rjsf};
use crate::periods::{PeriodCount, Periods};
use crate::workflows::{self, Workflow, WorkflowFilter};
use crate::{Caller, Core, Result, mini_apps};

/// A mini app as lists show it.
#[derive(Debug, Clone, PartialEq)]
pub struct ListedApp {
    pub id: WorkflowApiId,
    pub workflow: Workflow,
    /// The form that runs the app.
    pub rjsf: Rjsf,
    /// The entries that the form was made from, for callers who may change them.
    pub entries: Option<(Inputs, Outputs)>,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
}

/// Mini apps that the caller may see: on published workflows and on the caller's own, all for admins. A filter without
/// ids, owner and `is_private` lists those on published workflows, for admins all.
///
/// # Errors
/// [`crate::Error::LoginRequired`] for a guest who asks for private apps; [`crate::Error::Invalid`] for too many ids,
/// too large a skip, and a cursor that no list in this order returned.
pub async fn filtered(
    core: &Core,
    caller: &Caller,
    query: ListQuery<'_, &MiniAppFilter, AgeOrder>,
) -> Result<Page<ListedApp>> {
    let scope = query.filter.scope(caller)?;
    let keyset = query.keyset()?;
    if query.filter.matches_nothing() {
        return Ok(Page::empty());
    }
    let rows = store::list(&core.db, &scope, query.filter, keyset).await?;
    let Page { items, next_cursor } = keyset.page(rows, |last| Cursor::of(last.id));
    Ok(Page { items: listed(core, caller, items).await?, next_cursor })
}

/// The apps with their workflows and forms, without those that were hidden or deleted since their rows were read.
async fn listed(core: &Core, caller: &Caller, apps: Vec<mini_apps::store::App>) -> Result<Vec<ListedApp>> {
    let versions: Vec<Uuid> = apps.iter().map(|app| app.current.0).collect();
    let mut shapes = store::shapes(&core.db, &versions).await?;
    let named =
        WorkflowFilter { ids: Some(apps.iter().map(|app| app.workflow).collect()), ..WorkflowFilter::default() };
    let found = workflows::filtered(core, caller, ListQuery::at(&named, None, MAX_PAGE).sorted(None)).await?.items;
    let mut found: HashMap<WorkflowId, Workflow> = found.into_iter().map(|workflow| (workflow.id, workflow)).collect();
    let listed = apps.into_iter().filter_map(|app| {
        let (workflow, shape) = (found.remove(&app.workflow)?, shapes.remove(&app.current)?);
        let entries = caller.owns_or_admin(workflow.user).then_some((shape.inputs, shape.outputs));
        let mini_apps::store::App { id, created_at, updated_at, .. } = app;
        Some(ListedApp { id, workflow, rjsf: rjsf(&shape.fields), entries, created_at, updated_at })
    });
    Ok(listed.collect())
}

/// Counts what [`filtered`] lists, up to [`MAX_COUNT`].
///
/// # Errors
/// As [`filtered`].
pub async fn count(core: &Core, caller: &Caller, filter: &MiniAppFilter) -> Result<i64> {
    let scope = filter.scope(caller)?;
    if filter.matches_nothing() {
        return Ok(0);
    }
    Ok(store::count(&core.db, &scope, filter, MAX_COUNT).await?)
}

/// Counts the mini apps on published workflows that were made in each period.
pub async fn public_counts(core: &Core, periods: &Periods) -> Result<Vec<PeriodCount>> {
    Ok(periods.filled(store::public_counts(&core.db, periods).await?))
}

/// Counts the caller's mini apps that were made in each period and still exist; for an admin, those of all users.
///
/// # Errors
/// [`crate::Error::LoginRequired`] for a guest.
pub async fn counts(core: &Core, caller: &Caller, periods: &Periods) -> Result<Vec<PeriodCount>> {
    let owner = caller.own_or_all()?;
    Ok(periods.filled(store::counts(&core.db, owner, periods).await?))
}
