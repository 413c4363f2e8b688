//! The jobs of all users, for admins.

use std::collections::{BTreeSet, HashMap};

use actix_web::web::{self, Data, Json, ServiceConfig};
use serde::Deserialize;
use verdigraph_core::filter::TimeRange;
use verdigraph_core::ids::{UserId, WorkerId, WorkflowApiId, WorkflowApiVersionId, WorkflowId};
use verdigraph_core::jobs::{self, AnyJobFilter, JobLabels, ListedJob, ListedJobs, Status};
use verdigraph_core::list::ListQuery;
use verdigraph_core::periods::TimesOfDays;
use verdigraph_core::{Core, Error, mini_apps, workflows};

use super::CursorQuery;
use crate::caller::Caller;
use crate::error::Result;
use crate::moment;
use crate::openapi::{self, IntoParams, OpenApi};
use crate::populate::user_cards;
use crate::query::Query;
use crate::views::any_jobs::{AnyJobView, AnyJobsView, JobSearchView, JobWorkflowView};
use crate::views::words::{LaneWord, PriceClassWord};

/// The longest pool and the longest type of an exception that a filter takes.
const MAX_POOL_CHARS: usize = 100;
const MAX_EXCEPTION_CHARS: usize = 200;

#[derive(OpenApi)]
#[openapi(paths(list))]
pub struct Api;

pub fn configure(config: &mut ServiceConfig) {
    config.service(web::resource("/admin/job").get(list));
}

/// Filter and page of all users' jobs.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct AnyJobsQuery {
    /// Only jobs in one of these statuses, separated by commas.
    #[param(max_length = 300)]
    status: Option<String>,
    /// Only jobs of this account.
    #[param(value_type = Option<Uuid>)]
    user: Option<UserId>,
    /// Only jobs of this mini app, in any version.
    #[param(value_type = Option<Uuid>)]
    workflow_api: Option<WorkflowApiId>,
    /// Only jobs with this label: `key=value`.
    #[param(max_length = 300, pattern = "^[A-Za-z0-9_.-]{1,40}=[^\\u0000-\\u001f\\u007f-\\u009f]{0,256}$")]
    label: Option<String>,
    /// Only jobs of this pool.
    #[param(max_length = 100, pattern = "^[^\\u0000-\\u001f\\u007f-\\u009f]*$")]
    pool: Option<String>,
    /// Only jobs whose last worker was this one.
    #[param(value_type = Option<Uuid>)]
    worker: Option<WorkerId>,
    /// All by default.
    #[param(inline, value_type = Option<LaneWord>)]
    lane: Option<String>,
    /// All by default.
    #[param(inline, value_type = Option<PriceClassWord>)]
    price_class: Option<String>,
    /// Only jobs that failed with a node's exception of this type.
    #[param(max_length = 200, pattern = "^[^\\u0000-\\u001f\\u007f-\\u009f]*$", example = "RuntimeError")]
    exception: Option<String>,
    /// The first day, in UTC.
    #[param(value_type = Option<chrono::NaiveDate>, example = "2026-01-01")]
    from: Option<String>,
    /// The last day, inclusive. Not before `from`.
    #[param(value_type = Option<chrono::NaiveDate>, example = "2026-01-31")]
    until: Option<String>,
    /// `nextCursor` of the previous page.
    #[param(max_length = 512)]
    cursor: Option<String>,
    /// Items per page, 1 to 100; 20 by default.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<i64>,
}

impl AnyJobsQuery {
    fn filter(self) -> std::result::Result<AnyJobFilter, Error> {
        let names = self.status.as_deref();
        let statuses = names.map_or(Ok(Vec::new()), |names| names.split(',').map(str::parse::<Status>).collect())?;
        let from = moment::date_field("from", self.from.as_deref())?;
        let days = TimesOfDays::new(from, moment::date_field("until", self.until.as_deref())?)?;
        Ok(AnyJobFilter {
            statuses,
            user: self.user,
            app: self.workflow_api,
            labels: self.label.as_deref().map(|label| JobLabels::parse_filter("label", label)).transpose()?,
            pool: line("pool", self.pool, MAX_POOL_CHARS)?,
            worker: self.worker,
            lane: self.lane.as_deref().map(str::parse).transpose()?,
            price_class: self.price_class.as_deref().map(str::parse).transpose()?,
            exception: line("exception", self.exception, MAX_EXCEPTION_CHARS)?,
            created: TimeRange { from: days.from, until: days.until },
        })
    }
}

/// A text in one line.
fn line(field: &str, text: Option<String>, most: usize) -> std::result::Result<Option<String>, Error> {
    match text {
        Some(text) if text.chars().count() > most || text.contains(char::is_control) => {
            Err(Error::invalid(field, format!("must have at most {most} characters in one line")))
        }
        text => Ok(text),
    }
}

/// Everybody's jobs, newest first (admins only)
///
/// A page reads at most 10,000 jobs. Where fewer of them match than the page has room for, also where none does,
/// `nextCursor` goes on behind them, and `searched` says how far back the page read. `nextCursor` is `null` after the
/// last job.
#[openapi::path(get, path = "/api/admin/job", tag = "jobs", params(AnyJobsQuery),
    responses((status = 200, body = AnyJobsView)))]
async fn list(core: Data<Core>, caller: Caller, query: Query<AnyJobsQuery>) -> Result<Json<AnyJobsView>> {
    let mut query = query.into_inner();
    let place = CursorQuery { cursor: query.cursor.take(), limit: query.limit };
    let limit = place.limit()?;
    let filter = query.filter()?;
    let ListedJobs { page, searched } =
        jobs::list_all(&core, &caller, ListQuery::at(&filter, place.cursor.as_deref(), limit)).await?;
    let users: BTreeSet<UserId> = page.items.iter().map(|job| job.user).collect();
    let cards = user_cards(&core, &Vec::from_iter(users)).await?;
    let apps = apps_of(&core, &page.items).await?;
    let view = |job: ListedJob| {
        let user = cards.get(&job.user).cloned();
        let app = job.version.and_then(|version| apps.get(&version)).cloned();
        AnyJobView::new(job, user, app)
    };
    Ok(Json(AnyJobsView {
        items: page.items.into_iter().map(view).collect(),
        next_cursor: page.next_cursor,
        searched: searched.map(JobSearchView::from),
    }))
}

type AppOfJob = (WorkflowApiId, Option<JobWorkflowView>);

/// The mini app of each version, and its workflow where that is not deleted.
async fn apps_of(core: &Core, jobs: &[ListedJob]) -> Result<HashMap<WorkflowApiVersionId, AppOfJob>> {
    let versions: BTreeSet<WorkflowApiVersionId> = jobs.iter().filter_map(|job| job.version).collect();
    let apps = mini_apps::versions(core, &Vec::from_iter(versions)).await?;
    let behind: BTreeSet<WorkflowId> = apps.values().map(|app| app.workflow).collect();
    let workflows = workflows::of_runs(core, &Vec::from_iter(behind)).await?.into_iter();
    let named: HashMap<WorkflowId, String> = workflows.map(|workflow| (workflow.id, workflow.name)).collect();
    let of = |id: WorkflowId| named.get(&id).map(|name| JobWorkflowView { id: id.0, name: name.clone() });
    Ok(apps.into_iter().map(|(version, app)| (version, (app.id, of(app.workflow)))).collect())
}
