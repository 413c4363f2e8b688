//! The generic calls of workflows: filters, counts, and changes to several at once.

use actix_web::HttpResponse;
use actix_web::web::{Data, Json};
use serde::Deserialize;
use verdigraph_core::filter::Nsfw;
use verdigraph_core::ids::{UserId, WorkflowId};
use verdigraph_core::workflows;
use verdigraph_core::{Caller as CoreCaller, Core, Error};

use super::views;
use crate::caller::Caller;
use crate::error::Result;
use crate::extract::Body;
use crate::generic::filter::{Exists, Ids, Range};
use crate::generic::stats::StatsQuery;
use crate::generic::{self, FilterQuery};
use crate::openapi::{self, IntoParams, ToSchema};
use crate::query::Query;
use crate::views::Items;
use crate::views::resources::{DeletedView, ResourceCountView, StatsView};
use crate::views::words::NsfwWord;
use crate::views::workflows::WorkflowView;

/// Relations, which views always contain.
pub(super) const RELATIONS: [&str; 6] = ["user", "thumbnails", "cover", "likes", "workflowTags", "workflowApi"];

/// Filter of workflows.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct WorkflowFilter {
    #[serde(rename = "_id")]
    pub id: Option<Ids>,
    user: Option<UserId>,
    is_private: Option<bool>,
    is_nsfw: Option<bool>,
    workflow_tags: Option<Ids>,
    workflow_api: Option<Exists>,
    #[serde(default)]
    created_at: Range,
    #[serde(default)]
    published_at: Range,
}

impl WorkflowFilter {
    /// The core's filter.
    pub fn conditions(self, nsfw: Option<Nsfw>) -> workflows::WorkflowFilter {
        workflows::WorkflowFilter {
            ids: self.id.map(Vec::from),
            user: self.user,
            is_private: self.is_private,
            is_nsfw: self.is_nsfw,
            nsfw,
            tags: self.workflow_tags.map(Vec::from),
            has_api: self.workflow_api.map(|api| api.exists),
            created: self.created_at.into(),
            published: self.published_at.into(),
        }
    }
}

/// Filter of a count.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct CountQuery {
    /// As in the list: `{"user": "…", "isPrivate": false}`, as a JSON text.
    #[param(max_length = 20_480)]
    filter: Option<String>,
    /// NSFW content: `Hide` (the default), `View` or `Only`.
    #[param(inline, value_type = Option<NsfwWord>)]
    nsfw: Option<String>,
}

async fn counted(core: &Core, seen_by: &CoreCaller, query: &CountQuery) -> Result<Json<ResourceCountView>> {
    let filter: WorkflowFilter = generic::filter(query.filter.as_deref())?;
    let nsfw = query.nsfw.as_deref().map(str::parse).transpose()?;
    Ok(Json(workflows::count(core, seen_by, &filter.conditions(nsfw)).await?.into()))
}

/// Number of public workflows that match a filter
#[openapi::path(get, path = "/api/public/workflow/count", tag = "workflows", params(CountQuery),
    responses((status = 200, body = ResourceCountView)))]
pub(super) async fn count_public(core: Data<Core>, query: Query<CountQuery>) -> Result<Json<ResourceCountView>> {
    counted(&core, &CoreCaller::guest(), &query).await
}

/// Number of workflows that match a filter among those that the caller may see
#[openapi::path(get, path = "/api/general/workflow/count", tag = "workflows", params(CountQuery),
    responses((status = 200, body = ResourceCountView)))]
pub(super) async fn count(
    core: Data<Core>,
    caller: Caller,
    query: Query<CountQuery>,
) -> Result<Json<ResourceCountView>> {
    counted(&core, &caller, &query).await
}

/// Number of workflows that the caller made over time; for admins, of all users
#[openapi::path(get, path = "/api/general/workflow/stats", tag = "workflows", params(StatsQuery),
    responses((status = 200, body = StatsView)))]
pub(super) async fn stats(core: Data<Core>, caller: Caller, query: Query<StatsQuery>) -> Result<Json<StatsView>> {
    let periods = query.periods(core.clock.now())?;
    Ok(Json(workflows::counts(&core, &caller, &periods).await?.into()))
}

/// Number of public workflows made over time
#[openapi::path(get, path = "/api/public/workflow/stats", tag = "workflows", params(StatsQuery),
    responses((status = 200, body = StatsView)))]
pub(super) async fn stats_public(core: Data<Core>, query: Query<StatsQuery>) -> Result<Json<StatsView>> {
    let periods = query.periods(core.clock.now())?;
    Ok(Json(workflows::public_counts(&core, &periods).await?.into()))
}

/// A change to several items. One of the two fields.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FlagBody {
    is_private: Option<bool>,
    /// For admins alone.
    is_nsfw: Option<bool>,
}

/// One flag of several items.
pub(in crate::routes) enum Flag {
    Private(bool),
    Nsfw(bool),
}

impl FlagBody {
    /// The flag that the body sets.
    pub(in crate::routes) fn flag(&self) -> std::result::Result<Flag, Error> {
        match (self.is_private, self.is_nsfw) {
            (Some(is_private), None) => Ok(Flag::Private(is_private)),
            (None, Some(is_nsfw)) => Ok(Flag::Nsfw(is_nsfw)),
            _ => Err(Error::invalid("body", "must have either isPrivate or isNsfw")),
        }
    }
}

/// Publishes, hides or marks workflows, all of them or none
///
/// The filter names them: `{"_id": {"$in": ["…"]}}`, at most 100.
#[openapi::path(patch, path = "/api/general/workflow", tag = "workflows", params(FilterQuery),
    request_body = FlagBody, responses((status = 200, body = Items<WorkflowView>), (status = 404),
    (status = 409, description = "MODERATION_LOCKED")))]
pub(super) async fn update_several(
    core: Data<Core>,
    caller: Caller,
    query: Query<FilterQuery>,
    Body(body): Body<FlagBody>,
) -> Result<Json<Items<WorkflowView>>> {
    let ids: Vec<WorkflowId> = generic::named(query.filter.as_deref())?;
    let changed = match body.flag()? {
        Flag::Private(is_private) => workflows::set_private(&core, &caller, &ids, is_private).await?,
        Flag::Nsfw(is_nsfw) => workflows::set_nsfw(&core, &caller, &ids, is_nsfw).await?,
    };
    Ok(Json(Items { items: views(&core, &caller, changed).await? }))
}

/// Deletes workflows of the caller's
///
/// The filter names them: `{"_id": {"$in": ["…"]}}`, at most 100. Deleted items and those of other users are skipped.
#[openapi::path(delete, path = "/api/general/workflow", tag = "workflows", params(FilterQuery),
    responses((status = 200, body = DeletedView)))]
pub(super) async fn delete_several(
    core: Data<Core>,
    caller: Caller,
    query: Query<FilterQuery>,
) -> Result<HttpResponse> {
    let ids: Vec<WorkflowId> = generic::named(query.filter.as_deref())?;
    let deleted_count = workflows::delete_several(&core, &caller, &ids).await?;
    Ok(HttpResponse::Ok().json(DeletedView { deleted_count }))
}
