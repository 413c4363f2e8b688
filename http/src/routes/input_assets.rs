//! Input assets: pictures that somebody keeps at hand for the next run.

use actix_web::HttpResponse;
use actix_web::web::{self, Data, Json, Path, Query, ServiceConfig};
use serde::Deserialize;
use uuid::Uuid;
use verdigraph_core::gallery::{self, Asked, InputAsset, InputFilter};
use verdigraph_core::ids::{AssetId, InputAssetId, UserId};
use verdigraph_core::{Core, Error, account_deletion};

use crate::caller::Caller;
use crate::described::{self, IntoParams, OpenApi, ToSchema};
use crate::error::{ErrorBody, Result};
use crate::extract::Body;
use crate::generic::filter::{Ids, Kind, Range};
use crate::generic::options::Options;
use crate::generic::stats::StatsQuery;
use crate::generic::{self, FilterQuery, ListQuery, relations};
use crate::views::assets::InputAssetView;
use crate::views::resources::{DeletedView, ResourceCountView, StatsView};
use crate::views::words::InputKindWord;
use crate::views::{Cursor, Items, Page, Pagination};

/// Pictures on a page where nothing is said: what the picker shows at once.
const PAGE: i64 = 20;

/// What is documented here.
#[derive(OpenApi)]
#[openapi(paths(keep, mine, list, find, count, stats, update, update_several, delete, delete_several))]
pub struct Api;

/// Mounts the routes below `/api`.
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

/// A picture to keep among the inputs.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InputAssetBody {
    /// An asset of the caller's.
    asset: Uuid,
    /// Whether nobody else may see the picture; `true` when it is left out.
    #[serde(default = "yes")]
    is_private: bool,
}

fn yes() -> bool {
    true
}

/// Keeps an uploaded picture among the caller's inputs, and says who may see it
#[described::path(post, path = "/api/general/input-asset", tag = "files", request_body = InputAssetBody, responses(
    (status = 201, body = InputAssetView), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody),
    (status = 404, body = ErrorBody),
    (status = 409, body = ErrorBody, description = "MODERATION_LOCKED")
))]
async fn keep(core: Data<Core>, caller: Caller, Body(body): Body<InputAssetBody>) -> Result<HttpResponse> {
    let input = gallery::keep_input(&core, &caller, AssetId(body.asset), body.is_private).await?;
    Ok(HttpResponse::Created().json(view(&core, input)))
}

/// Which page of the caller's inputs is wanted.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct MineQuery {
    /// Counts from 1, which is the default.
    #[param(minimum = 1, maximum = 2_147_483_647)]
    page: Option<i32>,
    /// How many items, 1 to 100; 20 when it is left out.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<i32>,
    /// `Image`, `Video` or `Audio`: what is of this kind alone.
    #[param(inline, value_type = Option<InputKindWord>)]
    kind: Option<Kind>,
}

/// The files that the caller keeps at hand, the latest kept first
#[described::path(get, path = "/api/general/input-asset/my", tag = "files", params(MineQuery), responses(
    (status = 200, body = Page<InputAssetView>), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody)
))]
async fn mine(core: Data<Core>, caller: Caller, query: Query<MineQuery>) -> Result<Json<Page<InputAssetView>>> {
    let (page, limit) = (query.page.map_or(1, i64::from), query.limit.map_or(PAGE, i64::from));
    let found = gallery::my_inputs(&core, &caller, query.kind.map(Into::into), (page, limit)).await?;
    let pagination = Pagination::new(page, limit, found.total);
    Ok(Json(Page { items: views(&core, found.items), pagination }))
}

/// What a filter of inputs may say.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Wanted {
    #[serde(rename = "_id")]
    id: Option<Ids>,
    user: Option<UserId>,
    asset: Option<AssetId>,
    is_private: Option<bool>,
    kind: Option<Kind>,
    #[serde(default)]
    created_at: Range,
}

impl From<Wanted> for InputFilter {
    fn from(said: Wanted) -> Self {
        Self {
            ids: said.id.map(Vec::from),
            user: said.user,
            asset: said.asset,
            is_private: said.is_private,
            kind: said.kind.map(Into::into),
            created: said.created_at.into(),
        }
    }
}

/// What the caller keeps at hand, by a filter; for admins, what everybody keeps
///
/// Filters may say `_id`, `asset`, `isPrivate`, `kind`, a range of `createdAt`, and for admins `user`. Sorted by `createdAt`,
/// either way.
#[described::path(get, path = "/api/general/input-asset", tag = "files", params(ListQuery), responses(
    (status = 200, body = Cursor<InputAssetView>), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody),
    (status = 403, body = ErrorBody, description = "Somebody else's")
))]
async fn list(core: Data<Core>, caller: Caller, query: Query<ListQuery>) -> Result<Json<Cursor<InputAssetView>>> {
    relations::check(query.populate.as_deref(), &["asset"])?;
    let options = Options::read(query.options.as_deref())?;
    let said: Wanted = generic::filter(query.filter.as_deref())?;
    let limit = options.limit_of(said.id.as_ref().map(|ids| ids.0.len()))?;
    let asked = Asked { order: options.order()?, cursor: options.cursor.as_deref(), skip: options.skip(), limit };
    let page = gallery::inputs(&core, &caller, said.into(), asked).await?;
    Ok(Json(Cursor { items: views(&core, page.items), next_cursor: page.next }))
}

/// One picture that the caller keeps at hand
#[described::path(get, path = "/api/general/input-asset/{id}", tag = "files", params(("id" = Uuid, Path)), responses(
    (status = 200, body = InputAssetView), (status = 401, body = ErrorBody), (status = 404, body = ErrorBody)
))]
async fn find(core: Data<Core>, caller: Caller, id: Path<InputAssetId>) -> Result<Json<InputAssetView>> {
    Ok(Json(view(&core, gallery::find_input(&core, &caller, *id).await?)))
}

/// How many of what the caller keeps a filter finds; for admins, of what everybody keeps
#[described::path(get, path = "/api/general/input-asset/count", tag = "files", params(FilterQuery), responses(
    (status = 200, body = ResourceCountView), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody),
    (status = 403, body = ErrorBody, description = "Somebody else's")
))]
async fn count(core: Data<Core>, caller: Caller, query: Query<FilterQuery>) -> Result<Json<ResourceCountView>> {
    let said: Wanted = generic::filter(query.filter.as_deref())?;
    Ok(Json(gallery::count_inputs(&core, &caller, said.into()).await?.into()))
}

/// How many pictures the caller kept over time; for admins, everybody
#[described::path(get, path = "/api/general/input-asset/stats", tag = "files", params(StatsQuery), responses(
    (status = 200, body = StatsView), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody)
))]
async fn stats(core: Data<Core>, caller: Caller, query: Query<StatsQuery>) -> Result<Json<StatsView>> {
    let periods = query.periods(core.clock.now())?;
    Ok(Json(gallery::input_counts(&core, &caller, &periods).await?.into()))
}

/// Who may see the pictures of inputs.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct InputPrivacyBody {
    is_private: bool,
}

/// Says who may see the picture of an input
#[described::path(patch, path = "/api/general/input-asset/{id}", tag = "files", params(("id" = Uuid, Path)),
    request_body = InputPrivacyBody, responses((status = 200, body = InputAssetView), (status = 400, body = ErrorBody),
    (status = 401, body = ErrorBody), (status = 404, body = ErrorBody),
    (status = 409, body = ErrorBody, description = "MODERATION_LOCKED")
))]
async fn update(
    core: Data<Core>,
    caller: Caller,
    id: Path<InputAssetId>,
    Body(body): Body<InputPrivacyBody>,
) -> Result<Json<InputAssetView>> {
    let changed = gallery::set_inputs_private(&core, &caller, &[*id], body.is_private).await?.pop();
    Ok(Json(view(&core, changed.ok_or(Error::NotFound { what: "input asset" })?)))
}

/// Says who may see the pictures of inputs, of all of them or none
///
/// The filter names them: `{"_id": {"$in": ["…"]}}`, at most 500.
#[described::path(patch, path = "/api/general/input-asset", tag = "files", params(FilterQuery),
    request_body = InputPrivacyBody, responses((status = 200, body = Items<InputAssetView>),
    (status = 400, body = ErrorBody), (status = 401, body = ErrorBody), (status = 404, body = ErrorBody),
    (status = 409, body = ErrorBody, description = "MODERATION_LOCKED")
))]
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

/// Takes a picture from those that the caller keeps at hand; it stays wherever it is used
#[described::path(delete, path = "/api/general/input-asset/{id}", tag = "files", params(("id" = Uuid, Path)), responses(
    (status = 204), (status = 401, body = ErrorBody), (status = 404, body = ErrorBody)
))]
async fn delete(core: Data<Core>, caller: Caller, id: Path<InputAssetId>) -> Result<HttpResponse> {
    match account_deletion::delete_inputs(&core, &caller, &[*id]).await? {
        0 => Err(Error::NotFound { what: "input asset" }.into()),
        _ => Ok(HttpResponse::NoContent().finish()),
    }
}

/// Takes pictures from those that the caller keeps at hand
///
/// The filter names them: `{"_id": {"$in": ["…"]}}`, at most 500. What is gone already, or somebody else's, is passed
/// over.
#[described::path(delete, path = "/api/general/input-asset", tag = "files", params(FilterQuery), responses(
    (status = 200, body = DeletedView), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody)
))]
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
