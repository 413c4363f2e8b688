//! Mini apps by a filter: lists, how many there are, and how many were made over time. One is found by those who see its
//! workflow.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::filter::Filter;
use super::store;
use crate::filter::{self, Asked, MAX_COUNT, Order};
use crate::ids::{WorkflowApiId, WorkflowId};
use crate::mini_apps::form::entries::{Inputs, Outputs};
use crate::mini_apps::form::rjsf::{Rjsf, rjsf};
use crate::periods::{PeriodCount, Periods};
use crate::workflows::{self, MAX_PAGE, PageAt, Workflow};
use crate::{Caller, Core, Result, cursor, mini_apps};

/// A page of a filtered list.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    pub items: Vec<Listed>,
    /// Where the list goes on.
    pub next: Option<String>,
}

/// A mini app as lists show it.
#[derive(Debug, Clone, PartialEq)]
pub struct Listed {
    pub id: WorkflowApiId,
    pub workflow: Workflow,
    /// What whoever runs it is asked.
    pub rjsf: Rjsf,
    /// What the form was made from, for those who may change it.
    pub entries: Option<(Inputs, Outputs)>,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
}

/// Those that the caller may see, by age: on published workflows and on their own, all for admins. Without ids, an owner
/// or `is_private` a list is of those on published ones, for admins of all.
///
/// # Errors
/// [`crate::Error::LoginRequired`] for a guest who asks for private ones; [`crate::Error::Invalid`] for too many ids, for
/// too much to pass over, and for a cursor that no list gave.
pub async fn filtered(core: &Core, caller: &Caller, filter: &Filter, asked: Asked<'_>) -> Result<Found> {
    let reach = filter.reach(caller)?;
    filter::check_skip(asked.skip, asked.cursor)?;
    let after = match asked.cursor {
        Some(cursor) => Uuid::parse_str(cursor).map_err(|_| cursor::refused())?,
        None if asked.order == Order::Oldest => Uuid::nil(),
        None => Uuid::max(),
    };
    if filter.names_nothing() {
        return Ok(Found { items: Vec::new(), next: None });
    }
    let limit = asked.limit.clamp(1, MAX_PAGE);
    let mut apps = store::list(&core.db, &reach, filter, (asked.order, after), (asked.skip, limit + 1)).await?;
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let more = apps.len() > limit;
    apps.truncate(limit);
    let next = apps.last().filter(|_| more).map(|app| app.id.to_string());
    Ok(Found { items: listed(core, caller, apps).await?, next })
}

/// As a list shows them. What was hidden or deleted since they were found is left out.
async fn listed(core: &Core, caller: &Caller, apps: Vec<mini_apps::store::App>) -> Result<Vec<Listed>> {
    let versions: Vec<Uuid> = apps.iter().map(|app| app.current.0).collect();
    let mut shapes = store::shapes(&core.db, &versions).await?;
    let named = workflows::Filter { ids: Some(apps.iter().map(|app| app.workflow).collect()), ..Default::default() };
    let all = workflows::Asked { page: PageAt { cursor: None, limit: MAX_PAGE }, ..Default::default() };
    let found = workflows::filtered(core, caller, &named, all).await?.items;
    let mut found: HashMap<WorkflowId, Workflow> = found.into_iter().map(|workflow| (workflow.id, workflow)).collect();
    let listed = apps.into_iter().filter_map(|app| {
        let (workflow, shape) = (found.remove(&app.workflow)?, shapes.remove(&app.current)?);
        let entries = caller.owns_or_admin(workflow.user).then_some((shape.inputs, shape.outputs));
        let mini_apps::store::App { id, created_at, updated_at, .. } = app;
        Some(Listed { id, workflow, rjsf: rjsf(&shape.fields), entries, created_at, updated_at })
    });
    Ok(listed.collect())
}

/// How many there are of what [`filtered`] lists, up to [`MAX_COUNT`].
///
/// # Errors
/// As [`filtered`].
pub async fn count(core: &Core, caller: &Caller, filter: &Filter) -> Result<i64> {
    let reach = filter.reach(caller)?;
    if filter.names_nothing() {
        return Ok(0);
    }
    Ok(store::count(&core.db, &reach, filter, MAX_COUNT).await?)
}

/// How many of those that everybody can see were made in each period.
///
/// # Errors
/// Database errors.
pub async fn public_counts(core: &Core, periods: &Periods) -> Result<Vec<PeriodCount>> {
    Ok(periods.filled(store::public_counts(&core.db, periods).await?))
}

/// How many the caller made in each period and has still; an admin counts everybody's.
///
/// # Errors
/// [`crate::Error::LoginRequired`] for a guest.
pub async fn counts(core: &Core, caller: &Caller, periods: &Periods) -> Result<Vec<PeriodCount>> {
    let owner = caller.own_or_all()?;
    Ok(periods.filled(store::counts(&core.db, owner, periods).await?))
}
