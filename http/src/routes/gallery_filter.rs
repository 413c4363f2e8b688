//! The generic calls of outputs: filters, counts, and changes to one or several.

use actix_web::HttpResponse;
use actix_web::web::{self, Data, Json, Path, ServiceConfig};
use serde::Deserialize;
use verdigraph_core::gallery::{self, OutputAsset, OutputFilter};
use verdigraph_core::ids::{JobId, OutputAssetId, UserId};
use verdigraph_core::{Caller as CoreCaller, Core, Error};

use super::gallery_lists::{one_view, views};
use super::workflows::filter::{Flag, FlagBody};
use crate::caller::Caller;
use crate::error::Result;
use crate::extract::Body;
use crate::generic::filter::{Ids, Kind, Range};
use crate::generic::stats::StatsQuery;
use crate::generic::{self, FilterQuery};
use crate::openapi::{self, OpenApi};
use crate::query::Query;
use crate::views::Items;
use crate::views::output_assets::OutputAssetView;
use crate::views::resources::{DeletedView, ResourceCountView, StatsView};

#[derive(OpenApi)]
#[openapi(paths(count, count_public, stats, stats_public, update_several, delete_several, update, delete))]
pub struct Api;

/// Mounts the routes below `/api` that have a name where others have an id.
pub fn configure(config: &mut ServiceConfig) {
    config
        .service(web::resource("/general/output-asset/count").get(count))
        .service(web::resource("/public/output-asset/count").get(count_public))
        .service(web::resource("/general/output-asset/stats").get(stats))
        .service(web::resource("/public/output-asset/stats").get(stats_public));
}

/// Relations, which views always contain.
pub(super) const RELATIONS: [&str; 4] = ["user", "asset", "likes", "job"];

/// Filter of outputs.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct OutputAssetFilter {
    #[serde(rename = "_id")]
    pub id: Option<Ids>,
    user: Option<UserId>,
    job: Option<JobId>,
    is_private: Option<bool>,
    is_nsfw: Option<bool>,
    kind: Option<Kind>,
    #[serde(default)]
    created_at: Range,
}

impl From<OutputAssetFilter> for OutputFilter {
    fn from(filter: OutputAssetFilter) -> Self {
        Self {
            ids: filter.id.map(Vec::from),
            user: filter.user,
            job: filter.job,
            is_private: filter.is_private,
            is_nsfw: filter.is_nsfw,
            nsfw: None,
            kind: filter.kind.map(Into::into),
            created: filter.created_at.into(),
        }
    }
}

async fn counted(core: &Core, seen_by: &CoreCaller, query: &FilterQuery) -> Result<Json<ResourceCountView>> {
    let filter: OutputAssetFilter = generic::filter(query.filter.as_deref())?;
    Ok(Json(gallery::count(core, seen_by, &filter.into()).await?.into()))
}

/// Number of outputs that match a filter among those that the caller may see
#[openapi::path(get, path = "/api/general/output-asset/count", tag = "gallery", params(FilterQuery),
    responses((status = 200, body = ResourceCountView)))]
async fn count(core: Data<Core>, caller: Caller, query: Query<FilterQuery>) -> Result<Json<ResourceCountView>> {
    counted(&core, &caller, &query).await
}

/// Number of public outputs that match a filter; admins also count NSFW outputs
#[openapi::path(get, path = "/api/public/output-asset/count", tag = "gallery", params(FilterQuery),
    responses((status = 200, body = ResourceCountView)))]
async fn count_public(core: Data<Core>, caller: Caller, query: Query<FilterQuery>) -> Result<Json<ResourceCountView>> {
    counted(&core, &CoreCaller { admin: false, ..caller.0 }, &query).await
}

/// Number of the caller's outputs over time; for admins, of all users
#[openapi::path(get, path = "/api/general/output-asset/stats", tag = "gallery", params(StatsQuery),
    responses((status = 200, body = StatsView)))]
async fn stats(core: Data<Core>, caller: Caller, query: Query<StatsQuery>) -> Result<Json<StatsView>> {
    let periods = query.periods(core.clock.now())?;
    Ok(Json(gallery::counts(&core, &caller, &periods).await?.into()))
}

/// Number of public outputs over time
#[openapi::path(get, path = "/api/public/output-asset/stats", tag = "gallery", params(StatsQuery),
    responses((status = 200, body = StatsView)))]
async fn stats_public(core: Data<Core>, query: Query<StatsQuery>) -> Result<Json<StatsView>> {
    let periods = query.periods(core.clock.now())?;
    Ok(Json(gallery::public_counts(&core, &periods).await?.into()))
}

async fn set(core: &Core, caller: &Caller, ids: &[OutputAssetId], body: &FlagBody) -> Result<Vec<OutputAsset>> {
    Ok(match body.flag()? {
        Flag::Private(is_private) => gallery::set_private(core, caller, ids, is_private).await?,
        Flag::Nsfw(is_nsfw) => gallery::set_nsfw(core, caller, ids, is_nsfw).await?,
    })
}

/// Publishes, hides or marks outputs, all of them or none
///
/// The filter names them: `{"_id": {"$in": ["…"]}}`, at most 500.
#[openapi::path(patch, path = "/api/general/output-asset", tag = "gallery", params(FilterQuery),
    request_body = FlagBody, responses((status = 200, body = Items<OutputAssetView>), (status = 404),
    (status = 409, description = "MODERATION_LOCKED"),
    (status = 422, description = "NOT_PUBLISHABLE: others could not see one of them")))]
pub(super) async fn update_several(
    core: Data<Core>,
    caller: Caller,
    query: Query<FilterQuery>,
    Body(body): Body<FlagBody>,
) -> Result<Json<Items<OutputAssetView>>> {
    let ids: Vec<OutputAssetId> = generic::named(query.filter.as_deref())?;
    let changed = set(&core, &caller, &ids, &body).await?;
    Ok(Json(Items { items: views(&core, &caller, changed).await? }))
}

/// Publishes, hides or marks an output
#[openapi::path(patch, path = "/api/general/output-asset/{id}", tag = "gallery", params(("id" = Uuid, Path)),
    request_body = FlagBody, responses((status = 200, body = OutputAssetView),
    (status = 409, description = "MODERATION_LOCKED"),
    (status = 422, description = "NOT_PUBLISHABLE: others could not see one of them")))]
pub(super) async fn update(
    core: Data<Core>,
    caller: Caller,
    id: Path<OutputAssetId>,
    Body(body): Body<FlagBody>,
) -> Result<Json<OutputAssetView>> {
    let changed = set(&core, &caller, &[*id], &body).await?.pop();
    Ok(Json(one_view(&core, &caller, changed.ok_or(Error::NotFound { what: "output asset" })?).await?))
}

/// Deletes the caller's outputs
///
/// The filter names them: `{"_id": {"$in": ["…"]}}`, at most 500. Deleted items and those of other users are skipped.
#[openapi::path(delete, path = "/api/general/output-asset", tag = "gallery", params(FilterQuery),
    responses((status = 200, body = DeletedView)))]
pub(super) async fn delete_several(
    core: Data<Core>,
    caller: Caller,
    query: Query<FilterQuery>,
) -> Result<Json<DeletedView>> {
    let ids: Vec<OutputAssetId> = generic::named(query.filter.as_deref())?;
    let deleted_count = gallery::delete(&core, &caller, &ids).await?;
    Ok(Json(DeletedView { deleted_count }))
}

/// Deletes an output of the caller's
#[openapi::path(delete, path = "/api/general/output-asset/{id}", tag = "gallery", params(("id" = Uuid, Path)),
    responses((status = 204)))]
pub(super) async fn delete(core: Data<Core>, caller: Caller, id: Path<OutputAssetId>) -> Result<HttpResponse> {
    match gallery::delete(&core, &caller, &[*id]).await? {
        0 => Err(Error::NotFound { what: "output asset" }.into()),
        _ => Ok(HttpResponse::NoContent().finish()),
    }
}
