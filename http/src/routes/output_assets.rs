//! Outputs of jobs in the gallery.

use actix_web::web::{self, Data, Json, Path, Query, ServiceConfig};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, OpenApi, ToSchema};
use uuid::Uuid;
use verdigraph_core::gallery;
use verdigraph_core::ids::OutputAssetId;
use verdigraph_core::{Core, Error};

use super::{CursorQuery, next_cursor};
use crate::caller::Caller;
use crate::error::{ErrorBody, Result};
use crate::extract::{self, Body};
use crate::views::output_assets::OutputAssetView;
use crate::views::{Cursor, Items};

/// What is documented here.
#[derive(OpenApi)]
#[openapi(paths(mine, published, find, find_public, set_private, delete))]
pub struct Api;

/// Mounts the routes below `/api`.
pub fn configure(config: &mut ServiceConfig) {
    config
        .service(web::resource("/general/output-asset").delete(delete))
        .service(web::resource("/general/output-asset/my").get(mine))
        .service(web::resource("/general/output-asset/privates").patch(set_private))
        .service(web::resource("/general/output-asset/{id}").get(find))
        .service(web::resource("/public/output-asset").get(published))
        .service(web::resource("/public/output-asset/{id}").get(find_public));
}

/// The caller's own outputs, newest first
#[utoipa::path(get, path = "/api/general/output-asset/my", tag = "gallery", params(CursorQuery), responses(
    (status = 200, body = Cursor<OutputAssetView>), (status = 401, body = ErrorBody)
))]
async fn mine(core: Data<Core>, caller: Caller, query: Query<CursorQuery>) -> Result<Json<Cursor<OutputAssetView>>> {
    let limit = query.limit()?;
    let mut assets = gallery::mine(&core, &caller, query.before::<OutputAssetId>()?, limit + 1).await?;
    let next_cursor = next_cursor(&mut assets, limit, |asset| asset.id.0);
    Ok(Json(Cursor { items: views(&core, assets), next_cursor }))
}

/// What people published, newest first
#[utoipa::path(get, path = "/api/public/output-asset", tag = "gallery", params(CursorQuery), responses(
    (status = 200, body = Cursor<OutputAssetView>)
))]
async fn published(core: Data<Core>, query: Query<CursorQuery>) -> Result<Json<Cursor<OutputAssetView>>> {
    let limit = query.limit()?;
    let mut assets = gallery::published(&core, query.before::<OutputAssetId>()?, limit + 1).await?;
    let next_cursor = next_cursor(&mut assets, limit, |asset| asset.id.0);
    Ok(Json(Cursor { items: views(&core, assets), next_cursor }))
}

/// One output: published, or the caller's own
#[utoipa::path(get, path = "/api/general/output-asset/{id}", tag = "gallery", params(("id" = Uuid, Path)), responses(
    (status = 200, body = OutputAssetView), (status = 401, body = ErrorBody), (status = 404, body = ErrorBody)
))]
async fn find(core: Data<Core>, caller: Caller, id: Path<OutputAssetId>) -> Result<Json<OutputAssetView>> {
    let asset = gallery::find(&core, &caller, *id).await?;
    Ok(Json(OutputAssetView::new(asset, core.settings.base_url())))
}

/// One output, for anyone who may see it
#[utoipa::path(get, path = "/api/public/output-asset/{id}", tag = "gallery", params(("id" = Uuid, Path)), responses(
    (status = 200, body = OutputAssetView), (status = 404, body = ErrorBody)
))]
async fn find_public(core: Data<Core>, caller: Caller, id: Path<OutputAssetId>) -> Result<Json<OutputAssetView>> {
    find(core, caller, id).await
}

/// Outputs to publish or to hide.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PrivatesBody {
    ids: Vec<Uuid>,
    is_private: bool,
}

/// Publishes or hides the caller's outputs, all of them or none
#[utoipa::path(patch, path = "/api/general/output-asset/privates", tag = "gallery", request_body = PrivatesBody,
    responses((status = 200, body = Items<OutputAssetView>), (status = 400, body = ErrorBody),
    (status = 401, body = ErrorBody), (status = 404, body = ErrorBody)
))]
async fn set_private(
    core: Data<Core>,
    caller: Caller,
    Body(body): Body<PrivatesBody>,
) -> Result<Json<Items<OutputAssetView>>> {
    let ids: Vec<OutputAssetId> = body.ids.into_iter().map(OutputAssetId).collect();
    let assets = gallery::set_private(&core, &caller, &ids, body.is_private).await?;
    Ok(Json(Items { items: views(&core, assets) }))
}

/// Which outputs to delete, as the specification's generic filter.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct DeleteQuery {
    /// `{"_id":{"$in":["…"]}}`, at most 500 ids.
    filter: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct IdFilter {
    #[serde(rename = "_id")]
    id: IdsIn,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct IdsIn {
    #[serde(rename = "$in")]
    ids: Vec<Uuid>,
}

/// How many were deleted.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeletedView {
    pub deleted_count: u64,
}

/// Deletes the caller's outputs
#[utoipa::path(delete, path = "/api/general/output-asset", tag = "gallery", params(DeleteQuery), responses(
    (status = 200, body = DeletedView), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody)
))]
async fn delete(core: Data<Core>, caller: Caller, query: Query<DeleteQuery>) -> Result<Json<DeletedView>> {
    let filter: IdFilter = extract::parse(query.filter.as_bytes()).map_err(in_filter)?;
    let ids: Vec<OutputAssetId> = filter.id.ids.into_iter().map(OutputAssetId).collect();
    let deleted_count = gallery::delete(&core, &caller, &ids).await?;
    Ok(Json(DeletedView { deleted_count }))
}

/// A fault inside the filter is named as a place in it.
fn in_filter(error: Error) -> Error {
    match error {
        Error::Invalid { field, message } if field == "body" => Error::Invalid { field: "filter".to_owned(), message },
        Error::Invalid { field, message } => Error::Invalid { field: format!("filter.{field}"), message },
        other => other,
    }
}

fn views(core: &Core, assets: Vec<gallery::OutputAsset>) -> Vec<OutputAssetView> {
    assets.into_iter().map(|asset| OutputAssetView::new(asset, core.settings.base_url())).collect()
}
