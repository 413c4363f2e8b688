//! The generic calls of mini apps (workflow APIs): those of published workflows for everybody, and one's own.

use actix_web::web::{self, Data, Json, Path, Query, ServiceConfig};
use serde::Deserialize;
use serde_json::Value;
use verdigraph_core::filter::{Asked, MAX_IDS};
use verdigraph_core::ids::{UserId, WorkflowApiId};
use verdigraph_core::mini_apps::{self, Filter, Listed};
use verdigraph_core::{Caller as CoreCaller, Core, Error};

use super::mini_apps::{ApiChangesBody, save, update};
use crate::caller::Caller;
use crate::described::{self, OpenApi};
use crate::error::{ErrorBody, Result};
use crate::extract::Body;
use crate::generic::filter::{Ids, Range};
use crate::generic::options::Options;
use crate::generic::stats::StatsQuery;
use crate::generic::{self, FilterQuery, ListQuery, relations};
use crate::populate::Population;
use crate::views::Cursor;
use crate::views::mini_apps::{FormView, ListedApiView, WorkflowApiView};
use crate::views::resources::{DeletedView, ResourceCountView, StatsView};

/// What is documented here.
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

/// Relations that views always fill in.
const RELATIONS: [&str; 1] = ["workflow"];

/// What a filter of mini apps may say. The flags and the owner are those of their workflows.
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

impl From<WorkflowApiFilter> for Filter {
    /// As for workflows: what is not safe for work is left out unless it is asked for, or something is named.
    fn from(said: WorkflowApiFilter) -> Self {
        let is_about_some =
            said.id.is_some() || said.workflow.is_some() || said.user.is_some() || said.is_private == Some(true);
        Self {
            is_nsfw: said.is_nsfw.or((!is_about_some).then_some(false)),
            ids: said.id.map(Vec::from),
            workflows: said.workflow.map(Vec::from),
            user: said.user,
            is_private: said.is_private,
            created: said.created_at.into(),
        }
    }
}

async fn listed(core: &Core, seen_by: &CoreCaller, query: &ListQuery) -> Result<Json<Cursor<ListedApiView>>> {
    relations::check(query.populate.as_deref(), &RELATIONS)?;
    let options = Options::read(query.options.as_deref())?;
    let said: WorkflowApiFilter = generic::filter(query.filter.as_deref())?;
    let named = said.id.as_ref().or(said.workflow.as_ref()).map(|ids| ids.0.len());
    let asked = Asked {
        order: options.order()?.unwrap_or_default(),
        cursor: options.cursor.as_deref(),
        skip: options.skip(),
        limit: options.limit_of(named)?,
    };
    let found = mini_apps::filtered(core, seen_by, &said.into(), asked).await?;
    Ok(Json(Cursor { items: views(core, found.items).await?, next_cursor: found.next }))
}

/// Mini apps that a filter finds among those that the caller may see, by age
///
/// Those of published workflows and the caller's own; for admins all. Filters may say `_id`, `workflow`, `user` (whose it
/// is), `isPrivate` and `isNsfw` (of its workflow), and a range of `createdAt`; what is not safe for work is left out
/// unless the filter says so or names something. Sorted by `createdAt`, either way. `inputs` and `outputs` are told to
/// those who may change them; how an app fits the workers now is told of one, by its id.
#[described::path(get, path = "/api/general/workflow-api", tag = "mini apps", params(ListQuery), responses(
    (status = 200, body = Cursor<ListedApiView>), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody)
))]
async fn list(core: Data<Core>, caller: Caller, query: Query<ListQuery>) -> Result<Json<Cursor<ListedApiView>>> {
    listed(&core, &caller, &query).await
}

/// Mini apps that a filter finds among those that everybody may see, by age
#[described::path(get, path = "/api/public/workflow-api", tag = "mini apps", params(ListQuery), responses(
    (status = 200, body = Cursor<ListedApiView>), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody)
))]
async fn list_public(core: Data<Core>, query: Query<ListQuery>) -> Result<Json<Cursor<ListedApiView>>> {
    listed(&core, &CoreCaller::guest(), &query).await
}

/// Gives a mini app of the caller's other inputs or outputs: a new version of it
///
/// The filter names it: `{"_id": "…"}`. It names one, because inputs and outputs belong to one graph.
#[described::path(patch, path = "/api/general/workflow-api", tag = "mini apps", params(FilterQuery),
    request_body = ApiChangesBody, responses((status = 200, body = WorkflowApiView), (status = 400, body = ErrorBody),
    (status = 401, body = ErrorBody), (status = 403, body = ErrorBody), (status = 404, body = ErrorBody),
    (status = 422, body = ErrorBody, description = "Unhealthy, or without inputs or outputs"),
    (status = 503, body = ErrorBody, description = "No worker has told yet what its nodes are")
))]
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
/// The filter names them: `{"_id": {"$in": ["…"]}}`, at most 500. What is gone already, or somebody else's, is passed
/// over.
#[described::path(delete, path = "/api/general/workflow-api", tag = "mini apps", params(FilterQuery), responses(
    (status = 200, body = DeletedView), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody)
))]
async fn delete_several(core: Data<Core>, caller: Caller, query: Query<FilterQuery>) -> Result<Json<DeletedView>> {
    caller.signed_in()?;
    let ids: Vec<WorkflowApiId> = generic::named(query.filter.as_deref())?;
    if ids.len() > MAX_IDS {
        return Err(Error::invalid("filter._id", format!("may name {MAX_IDS} ids at most")).into());
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
    let said: WorkflowApiFilter = generic::filter(query.filter.as_deref())?;
    Ok(Json(mini_apps::count(core, seen_by, &said.into()).await?.into()))
}

/// How many mini apps a filter finds among those that the caller may see
#[described::path(get, path = "/api/general/workflow-api/count", tag = "mini apps", params(FilterQuery), responses(
    (status = 200, body = ResourceCountView), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody)
))]
async fn count(core: Data<Core>, caller: Caller, query: Query<FilterQuery>) -> Result<Json<ResourceCountView>> {
    counted(&core, &caller, &query).await
}

/// How many mini apps a filter finds among those that everybody may see
#[described::path(get, path = "/api/public/workflow-api/count", tag = "mini apps", params(FilterQuery), responses(
    (status = 200, body = ResourceCountView), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody)
))]
async fn count_public(core: Data<Core>, query: Query<FilterQuery>) -> Result<Json<ResourceCountView>> {
    counted(&core, &CoreCaller::guest(), &query).await
}

/// How many mini apps the caller made over time; for admins, everybody
#[described::path(get, path = "/api/general/workflow-api/stats", tag = "mini apps", params(StatsQuery), responses(
    (status = 200, body = StatsView), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody)
))]
async fn stats(core: Data<Core>, caller: Caller, query: Query<StatsQuery>) -> Result<Json<StatsView>> {
    let periods = query.periods(core.clock.now())?;
    Ok(Json(mini_apps::counts(&core, &caller, &periods).await?.into()))
}

/// How many of the mini apps that everybody can see were made over time
#[described::path(get, path = "/api/public/workflow-api/stats", tag = "mini apps", params(StatsQuery), responses(
    (status = 200, body = StatsView), (status = 400, body = ErrorBody)
))]
async fn stats_public(core: Data<Core>, query: Query<StatsQuery>) -> Result<Json<StatsView>> {
    let periods = query.periods(core.clock.now())?;
    Ok(Json(mini_apps::public_counts(&core, &periods).await?.into()))
}

async fn views(core: &Core, apps: Vec<Listed>) -> std::result::Result<Vec<ListedApiView>, Error> {
    let workflows: Vec<_> = apps.iter().map(|app| app.workflow.clone()).collect();
    let population = Population::of(core, &workflows).await?;
    apps.into_iter().map(|app| view(&population, app)).collect()
}

fn view(population: &Population, app: Listed) -> std::result::Result<ListedApiView, Error> {
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
