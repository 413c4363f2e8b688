//! Input assets: files that a user keeps for later runs.

use actix_web::HttpResponse;
use actix_web::web::{self, Data, Json, Path, ServiceConfig};
use serde::Deserialize;
use uuid::Uuid;
use verdigraph_core::gallery::{self, InputAsset, InputFilter};
use verdigraph_core::ids::{AssetId, InputAssetId, UserId};
use verdigraph_core::{Core, Error, account_deletion};

use crate::caller::Caller;
use crate::error::Result;
use crate::extract::Body;
use crate::generic::filter::{Ids, Kind, Range};
use crate::generic::options::Options;
use crate::generic::stats::StatsQuery;
use crate::generic::{self, FilterQuery, ListQuery, relations};
use crate::openapi::{self, IntoParams, OpenApi, ToSchema};
use crate::query::Query;
use crate::views::assets::InputAssetView;
use crate::views::resources::{DeletedView, ResourceCountView, StatsView};
use crate::views::words::InputKindWord;
use crate::views::{Cursor, Items, Page, Pagination};

/// Pictures per page by default, as many as the picker shows.
const PAGE: i64 = 20;

#[derive(OpenApi)]
#[openapi(paths(keep, mine, list, find, count, stats, update, update_several, delete, delete_several))]
pub struct Api;

pub fn configure(config: &mut ServiceConfig) {
    // Names before ids: the first match wins.
    config
        .service(
            web::resource("/general/input-asset").get(list).post(keep).patch(update_several).delete(delete_several),
        )
        .service(web::resource("/general/input-asset/my").get(mine))
        .service(web::resource("/general/input-asset/count").get(count))
        .service(web::resource("/general/input-asset/stats").get(stats))
        .service(web::resource("/general/input-asset/{id}").get(find).patch(update).delete(delete));
}

/// A picture to keep.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InputAssetBody {
    /// An asset of the caller's.
    asset: Uuid,
    /// Whether only the caller may see the picture; `true` by default.
    #[serde(default = "yes")]
    is_private: bool,
}

fn yes() -> bool {
    true
}

/// Keeps an upload as an input asset, private or public
#[openapi::path(post, path = "/api/general/input-asset", tag = "files", request_body = InputAssetBody,
    responses((status = 201, body = InputAssetView), (status = 404),
    (status = 409, description = "MODERATION_LOCKED")))]
async fn keep(core: Data<Core>, caller: Caller, Body(body): Body<InputAssetBody>) -> Result<HttpResponse> {
    let input = gallery::keep_input(&core, &caller, AssetId(body.asset), body.is_private).await?;
    Ok(HttpResponse::Created().json(view(&core, input)))
}

/// A page of the caller's inputs.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct MineQuery {
    /// The page number, from 1 (the default).
    #[param(minimum = 1, maximum = 2_147_483_647)]
    page: Option<i32>,
    /// Items per page, 1 to 100; 20 by default.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<i32>,
    /// Only files of this kind: `Image`, `Video`, `Audio` or `Text`.
    #[param(inline, value_type = Option<InputKindWord>)]
    kind: Option<Kind>,
}

/// The caller's input assets, the latest first
#[openapi::path(get, path = "/api/general/input-asset/my", tag = "files", params(MineQuery),
    responses((status = 200, body = Page<InputAssetView>)))]
async fn mine(core: Data<Core>, caller: Caller, query: Query<MineQuery>) -> Result<Json<Page<InputAssetView>>> {
    let (page, limit) = (query.page.map_or(1, i64::from), query.limit.map_or(PAGE, i64::from));
    let found = gallery::my_inputs(&core, &caller, query.kind.map(Into::into), (page, limit)).await?;
    let pagination = Pagination::new(page, limit, found.total);
    Ok(Json(Page { items: views(&core, found.items), pagination }))
}

/// Filter of inputs.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct InputAssetFilter {
    #[serde(rename = "_id")]
    id: Option<Ids>,
    user: Option<UserId>,
    asset: Option<AssetId>,
    is_private: Option<bool>,
    kind: Option<Kind>,
    #[serde(default)]
    created_at: Range,
}

impl From<InputAssetFilter> for InputFilter {
    fn from(filter: InputAssetFilter) -> Self {
        Self {
            ids: filter.id.map(Vec::from),
            user: filter.user,
            asset: filter.asset,
            is_private: filter.is_private,
            kind: filter.kind.map(Into::into),
            created: filter.created_at.into(),
        }
    }
}

/// The caller's input assets that match a filter; for admins, of all users
///
/// Filters may contain `_id`, `asset`, `isPrivate`, `kind`, a range of `createdAt`, and for admins `user`. Sorted by
/// `createdAt`, in either direction.
#[openapi::path(get, path = "/api/general/input-asset", tag = "files", params(ListQuery),
    responses((status = 200, body = Cursor<InputAssetView>),
    (status = 403, description = "FORBIDDEN: the inputs of another user")))]
async fn list(core: Data<Core>, caller: Caller, query: Query<ListQuery>) -> Result<Json<Cursor<InputAssetView>>> {
    relations::check(query.populate.as_deref(), &["asset"])?;
    let options = Options::read(query.options.as_deref())?;
    let filter: InputAssetFilter = generic::filter(query.filter.as_deref())?;
    let limit = options.limit_of(filter.id.as_ref().map(|ids| ids.0.len()))?;
    let sort = options.order()?;
    let page = gallery::inputs(&core, &caller, options.query(&filter.into(), sort, limit)).await?;
    Ok(Json(Cursor { items: views(&core, page.items), next_cursor: page.next_cursor }))
}

/// One of the caller's input assets
#[openapi::path(get, path = "/api/general/input-asset/{id}", tag = "files", params(("id" = Uuid, Path)),
    responses((status = 200, body = InputAssetView)))]
async fn find(core: Data<Core>, caller: Caller, id: Path<InputAssetId>) -> Result<Json<InputAssetView>> {
    Ok(Json(view(&core, gallery::find_input(&core, &caller, *id).await?)))
}

/// Number of the caller's input assets that match a filter; for admins, of all users
#[openapi::path(get, path = "/api/general/input-asset/count", tag = "files", params(FilterQuery),
    responses((status = 200, body = ResourceCountView),
    (status = 403, description = "FORBIDDEN: the inputs of another user")))]
async fn count(core: Data<Core>, caller: Caller, query: Query<FilterQuery>) -> Result<Json<ResourceCountView>> {
    let filter: InputAssetFilter = generic::filter(query.filter.as_deref())?;
    Ok(Json(gallery::count_inputs(&core, &caller, &filter.into()).await?.into()))
}

/// Number of input assets that the caller kept over time; for admins, of all users
#[openapi::path(get, path = "/api/general/input-asset/stats", tag = "files", params(StatsQuery),
    responses((status = 200, body = StatsView)))]
async fn stats(core: Data<Core>, caller: Caller, query: Query<StatsQuery>) -> Result<Json<StatsView>> {
    let periods = query.periods(core.clock.now())?;
    Ok(Json(gallery::input_counts(&core, &caller, &periods).await?.into()))
}

/// Whether the pictures of inputs are private.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct InputPrivacyBody {
    is_private: bool,
}

/// Makes the picture of an input private or public
#[openapi::path(patch, path = "/api/general/input-asset/{id}", tag = "files", params(("id" = Uuid, Path)),
    request_body = InputPrivacyBody, responses((status = 200, body = InputAssetView),
    (status = 409, description = "MODERATION_LOCKED")))]
async fn update(
    core: Data<Core>,
    caller: Caller,
    id: Path<InputAssetId>,
    Body(body): Body<InputPrivacyBody>,
) -> Result<Json<InputAssetView>> {
    let changed = gallery::set_inputs_private(&core, &caller, &[*id], body.is_private).await?.pop();
    Ok(Json(view(&core, changed.ok_or(Error::NotFound { what: "input asset" })?)))
}

/// Makes the pictures of inputs private or public, all of them or none
///
/// The filter names them: `{"_id": {"$in": ["…"]}}`, at most 500.
#[openapi::path(patch, path = "/api/general/input-asset", tag = "files", params(FilterQuery),
    request_body = InputPrivacyBody, responses((status = 200, body = Items<InputAssetView>), (status = 404),
    (status = 409, description = "MODERATION_LOCKED")))]
async fn update_several(
    core: Data<Core>,
    caller: Caller,
    query: Query<FilterQuery>,
    Body(body): Body<InputPrivacyBody>,
) -> Result<Json<Items<InputAssetView>>> {
    let ids: Vec<InputAssetId> = generic::named(query.filter.as_deref())?;
    let changed = gallery::set_inputs_private(&core, &caller, &ids, body.is_private).await?;
    Ok(Json(Items { items: views(&core, changed) }))
}

/// Removes an input asset; the picture stays wherever it is used
#[openapi::path(delete, path = "/api/general/input-asset/{id}", tag = "files", params(("id" = Uuid, Path)),
    responses((status = 204)))]
async fn delete(core: Data<Core>, caller: Caller, id: Path<InputAssetId>) -> Result<HttpResponse> {
    match account_deletion::delete_inputs(&core, &caller, &[*id]).await? {
        0 => Err(Error::NotFound { what: "input asset" }.into()),
        _ => Ok(HttpResponse::NoContent().finish()),
    }
}

/// Removes input assets
///
/// The filter names them: `{"_id": {"$in": ["…"]}}`, at most 500. Deleted items and those of other users are skipped.
#[openapi::path(delete, path = "/api/general/input-asset", tag = "files", params(FilterQuery),
    responses((status = 200, body = DeletedView)))]
async fn delete_several(core: Data<Core>, caller: Caller, query: Query<FilterQuery>) -> Result<Json<DeletedView>> {
    let ids: Vec<InputAssetId> = generic::named(query.filter.as_deref())?;
    let deleted_count = account_deletion::delete_inputs(&core, &caller, &ids).await?;
    Ok(Json(DeletedView { deleted_count }))
}

fn view(core: &Core, input: InputAsset) -> InputAssetView {
    InputAssetView::new(input, core.settings.base_url())
}

fn views(core: &Core, inputs: Vec<InputAsset>) -> Vec<InputAssetView> {
    inputs.into_iter().map(|input| view(core, input)).collect()
}
