//! The generic calls of mini apps (workflow APIs): those of published workflows, and the caller's own.

use actix_web::web::{self, Data, Json, Path, ServiceConfig};
use serde::Deserialize;
use serde_json::Value;
use verdigraph_core::filter::MAX_IDS;
use verdigraph_core::ids::{UserId, WorkflowApiId};
use verdigraph_core::mini_apps::{self, ListedApp, MiniAppFilter};
use verdigraph_core::{Caller as CoreCaller, Core, Error};

use super::mini_apps::{ApiChangesBody, save, update};
use crate::caller::Caller;
use crate::error::Result;
use crate::extract::Body;
use crate::generic::filter::{Ids, Range};
use crate::generic::options::Options;
use crate::generic::stats::StatsQuery;
use crate::generic::{self, FilterQuery, ListQuery, relations};
use crate::openapi::{self, OpenApi};
use crate::populate::Population;
use crate::query::Query;
use crate::views::Cursor;
use crate::views::mini_apps::{FormView, ListedApiView, WorkflowApiView};
use crate::views::resources::{DeletedView, ResourceCountView, StatsView};

#[derive(OpenApi)]
#[openapi(paths(list, list_public, update_named, delete_several, count, count_public, stats, stats_public))]
pub struct Api;

/// Mounts the routes below `/api` that have a name where others have an id.
pub fn configure(config: &mut ServiceConfig) {
    config
        .service(web::resource("/general/workflow-api").get(list).post(save).patch(update_named).delete(delete_several))
        .service(web::resource("/public/workflow-api").get(list_public))
        .service(web::resource("/general/workflow-api/count").get(count))
        .service(web::resource("/public/workflow-api/count").get(count_public))
        .service(web::resource("/general/workflow-api/stats").get(stats))
        .service(web::resource("/public/workflow-api/stats").get(stats_public));
}

/// Relations, which views always contain.
const RELATIONS: [&str; 1] = ["workflow"];

/// Filter of mini apps. Flags and owner are those of their workflows.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct WorkflowApiFilter {
    #[serde(rename = "_id")]
    id: Option<Ids>,
    workflow: Option<Ids>,
    user: Option<UserId>,
    is_private: Option<bool>,
    is_nsfw: Option<bool>,
    #[serde(default)]
    created_at: Range,
}

impl From<WorkflowApiFilter> for MiniAppFilter {
    /// As for workflows, NSFW apps are left out unless the filter asks for them or names ids.
    fn from(filter: WorkflowApiFilter) -> Self {
        let is_about_some = filter.id.is_some()
            || filter.workflow.is_some()
            || filter.user.is_some()
            || filter.is_private == Some(true);
        Self {
            is_nsfw: filter.is_nsfw.or((!is_about_some).then_some(false)),
            ids: filter.id.map(Vec::from),
            workflows: filter.workflow.map(Vec::from),
            user: filter.user,
            is_private: filter.is_private,
            created: filter.created_at.into(),
        }
    }
}

async fn listed(core: &Core, seen_by: &CoreCaller, query: &ListQuery) -> Result<Json<Cursor<ListedApiView>>> {
    relations::check(query.populate.as_deref(), &RELATIONS)?;
    let options = Options::read(query.options.as_deref())?;
    let filter: WorkflowApiFilter = generic::filter(query.filter.as_deref())?;
    let named = filter.id.as_ref().or(filter.workflow.as_ref()).map(|ids| ids.0.len());
    let (sort, limit) = (options.order()?.unwrap_or_default(), options.limit_of(named)?);
    let page = mini_apps::filtered(core, seen_by, options.query(&filter.into(), sort, limit)).await?;
    Ok(Json(Cursor { items: views(core, page.items).await?, next_cursor: page.next_cursor }))
}

/// Mini apps that match a filter among those that the caller may see, by age
///
/// Mini apps of published workflows and the caller's own; for admins all. Filters may contain `_id`, `workflow`, `user`
/// (the owner), `isPrivate` and `isNsfw` (of the workflow), and a range of `createdAt`; NSFW apps are left out unless
/// the filter asks for them or names ids. Sorted by `createdAt`, in either direction. `inputs` and `outputs` are only
/// for callers who may change the app. Whether an app fits the workers is only part of the call for one app.
#[openapi::path(get, path = "/api/general/workflow-api", tag = "mini apps", params(ListQuery),
    responses((status = 200, body = Cursor<ListedApiView>)))]
async fn list(core: Data<Core>, caller: Caller, query: Query<ListQuery>) -> Result<Json<Cursor<ListedApiView>>> {
    listed(&core, &caller, &query).await
}

/// Public mini apps that match a filter, by age
#[openapi::path(get, path = "/api/public/workflow-api", tag = "mini apps", params(ListQuery),
    responses((status = 200, body = Cursor<ListedApiView>)))]
async fn list_public(core: Data<Core>, query: Query<ListQuery>) -> Result<Json<Cursor<ListedApiView>>> {
    listed(&core, &CoreCaller::guest(), &query).await
}

/// Replaces the inputs or outputs of one of the caller's mini apps, which makes a new version
///
/// The filter names it: `{"_id": "…"}`. It names only one, because inputs and outputs belong to one graph.
#[openapi::path(patch, path = "/api/general/workflow-api", tag = "mini apps", params(FilterQuery),
    request_body = ApiChangesBody, responses((status = 200, body = WorkflowApiView), (status = 404),
    (status = 422, description = "Unhealthy, or without inputs or outputs"),
    (status = 503, description = "No worker has reported its node classes yet")))]
async fn update_named(
    core: Data<Core>,
    caller: Caller,
    query: Query<FilterQuery>,
    body: Body<ApiChangesBody>,
) -> Result<Json<WorkflowApiView>> {
    caller.signed_in()?;
    let ids: Vec<WorkflowApiId> = generic::named(query.filter.as_deref())?;
    let [id] = ids.as_slice() else {
        return Err(Error::invalid("filter._id", "must name one mini app").into());
    };
    update(core, caller, Path::from(*id), body).await
}

/// Deletes mini apps of the caller's; jobs that ran them stay
///
/// The filter names them: `{"_id": {"$in": ["…"]}}`, at most 500. Deleted items and those of other users are skipped.
#[openapi::path(delete, path = "/api/general/workflow-api", tag = "mini apps", params(FilterQuery),
    responses((status = 200, body = DeletedView)))]
async fn delete_several(core: Data<Core>, caller: Caller, query: Query<FilterQuery>) -> Result<Json<DeletedView>> {
    caller.signed_in()?;
    let ids: Vec<WorkflowApiId> = generic::named(query.filter.as_deref())?;
    if ids.len() > MAX_IDS {
        return Err(Error::invalid("filter._id", format!("may name at most {MAX_IDS} ids")).into());
    }
    let mut deleted_count = 0;
    for id in ids {
        match mini_apps::delete(&core, &caller, id).await {
            Ok(()) => deleted_count += 1,
            Err(Error::NotFound { .. } | Error::Forbidden) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(Json(DeletedView { deleted_count }))
}

async fn counted(core: &Core, seen_by: &CoreCaller, query: &FilterQuery) -> Result<Json<ResourceCountView>> {
    let filter: WorkflowApiFilter = generic::filter(query.filter.as_deref())?;
    Ok(Json(mini_apps::count(core, seen_by, &filter.into()).await?.into()))
}

/// Number of mini apps that match a filter among those that the caller may see
#[openapi::path(get, path = "/api/general/workflow-api/count", tag = "mini apps", params(FilterQuery),
    responses((status = 200, body = ResourceCountView)))]
async fn count(core: Data<Core>, caller: Caller, query: Query<FilterQuery>) -> Result<Json<ResourceCountView>> {
    counted(&core, &caller, &query).await
}

/// Number of public mini apps that match a filter
#[openapi::path(get, path = "/api/public/workflow-api/count", tag = "mini apps", params(FilterQuery),
    responses((status = 200, body = ResourceCountView)))]
async fn count_public(core: Data<Core>, query: Query<FilterQuery>) -> Result<Json<ResourceCountView>> {
    counted(&core, &CoreCaller::guest(), &query).await
}

/// Number of mini apps that the caller made over time; for admins, of all users
#[openapi::path(get, path = "/api/general/workflow-api/stats", tag = "mini apps", params(StatsQuery),
    responses((status = 200, body = StatsView)))]
async fn stats(core: Data<Core>, caller: Caller, query: Query<StatsQuery>) -> Result<Json<StatsView>> {
    let periods = query.periods(core.clock.now())?;
    Ok(Json(mini_apps::counts(&core, &caller, &periods).await?.into()))
}

/// Number of public mini apps made over time
#[openapi::path(get, path = "/api/public/workflow-api/stats", tag = "mini apps", params(StatsQuery),
    responses((status = 200, body = StatsView)))]
async fn stats_public(core: Data<Core>, query: Query<StatsQuery>) -> Result<Json<StatsView>> {
    let periods = query.periods(core.clock.now())?;
    Ok(Json(mini_apps::public_counts(&core, &periods).await?.into()))
}

async fn views(core: &Core, apps: Vec<ListedApp>) -> std::result::Result<Vec<ListedApiView>, Error> {
    let workflows: Vec<_> = apps.iter().map(|app| app.workflow.clone()).collect();
    let population = Population::of(core, &workflows).await?;
    apps.into_iter().map(|app| view(&population, app)).collect()
}

fn view(population: &Population, app: ListedApp) -> std::result::Result<ListedApiView, Error> {
    let json = |value: serde_json::Result<Value>| value.map_err(|error| Error::Internal(error.to_string()));
    let (inputs, outputs) = app.entries.unzip();
    Ok(ListedApiView {
        id: app.id.0,
        id_again: app.id.0,
        workflow: population.card(&app.workflow),
        rjsf: FormView { schema: app.rjsf.schema, ui_schema: app.rjsf.ui_schema },
        inputs: inputs.map(|inputs| json(serde_json::to_value(inputs))).transpose()?,
        outputs: outputs.map(|outputs| json(serde_json::to_value(outputs))).transpose()?,
        created_at: app.created_at,
        updated_at: app.updated_at,
    })
}
