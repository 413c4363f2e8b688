//! Lists of outputs: public ones, a user's own, and those a user likes.

use actix_web::web::{self, Data, Json, Path, ServiceConfig};
use serde::Deserialize;
use uuid::Uuid;
use verdigraph_core::filter::Nsfw;
use verdigraph_core::gallery::{self, Favourite, OutputAsset, OutputFilter, OutputOrder, OutputQuery};
use verdigraph_core::ids::{OutputAssetId, UserId};
use verdigraph_core::list::{self, Page};
use verdigraph_core::{Core, Error, moderation};

use super::CursorQuery;
use super::gallery_filter::{self, OutputAssetFilter, RELATIONS};
use crate::caller::Caller;
use crate::error::Result;
use crate::generic::options::Options;
use crate::generic::{self, relations};
use crate::openapi::{self, IntoParams, OpenApi};
use crate::populate;
use crate::query::Query;
use crate::views::Cursor;
use crate::views::output_assets::{HiddenView, OutputAssetView, Without};
use crate::views::words::{NsfwWord, OutputAssetSort};

#[derive(OpenApi)]
#[openapi(paths(list, list_public, mine, likes, published, published_public, unpublished))]
pub struct Api;

pub fn configure(config: &mut ServiceConfig) {
    config
        .service(
            web::resource("/general/output-asset")
                .get(list)
                .patch(gallery_filter::update_several)
                .delete(gallery_filter::delete_several),
        )
        .service(web::resource("/public/output-asset").get(list_public))
        .service(web::resource("/general/output-asset/my").get(mine))
        .service(web::resource("/general/output-asset/like").get(likes))
        .service(web::resource("/general/output-asset/published/{userId}").get(published))
        .service(web::resource("/public/output-asset/published/{userId}").get(published_public))
        .service(web::resource("/general/output-asset/unpublished/{userId}").get(unpublished));
}

/// Page, order and NSFW filter of a list.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ListQuery {
    /// `newest` (the default), `oldest`, `like` or `view`.
    #[param(inline, value_type = Option<OutputAssetSort>)]
    sort: Option<String>,
    /// `nextCursor` of the previous page.
    #[param(max_length = 512)]
    cursor: Option<String>,
    /// Items per page, 1 to 100; 20 by default.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<i64>,
    /// NSFW content: `Hide` (the default for others' outputs), `View` or `Only`.
    #[param(inline, value_type = Option<NsfwWord>)]
    nsfw: Option<String>,
}

/// The same, or a filter.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct FilterQuery {
    /// `newest` (the default), `oldest`, `like` or `view`.
    #[param(inline, value_type = Option<OutputAssetSort>)]
    sort: Option<String>,
    /// `nextCursor` of the previous page.
    #[param(max_length = 512)]
    cursor: Option<String>,
    /// Items per page, 1 to 100; 20 by default.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<i64>,
    /// NSFW content: `Hide` (the default for all but admins), `View` or `Only`.
    #[param(inline, value_type = Option<NsfwWord>)]
    nsfw: Option<String>,
    /// `{"_id": {"$in": ["…"]}}`, as a JSON text; items that the caller may not see are left out. Also `user`, `job`,
    /// `isPrivate`, `isNsfw`, `kind` (`Image`, `Video`, `Audio` or `File`), and a range of `createdAt` (`{"$gte":
    /// "…", "$lt": "…"}`).
    #[param(max_length = 20_480)]
    filter: Option<String>,
    /// Relations to fill in, as a JSON text. All of them always are; unknown names are refused.
    #[param(max_length = 20_480)]
    populate: Option<String>,
    /// `{"sort": "-likeCount", "limit": 20, "skip": 0, "cursor": "…"}`, as a JSON text. `skip` is at most 10,000; a
    /// cursor has no limit.
    #[param(max_length = 20_480)]
    options: Option<String>,
}

impl ListQuery {
    fn read(&self) -> std::result::Result<OutputQuery<'_>, Error> {
        let sort = self.sort.as_deref().map(str::parse::<OutputOrder>).transpose()?.unwrap_or_default();
        let limit = CursorQuery { cursor: None, limit: self.limit }.limit()?;
        Ok(list::ListQuery::at(nsfw(self.nsfw.as_deref())?, self.cursor.as_deref(), limit).sorted(sort))
    }
}

fn nsfw(word: Option<&str>) -> std::result::Result<Option<Nsfw>, Error> {
    word.map(str::parse).transpose()
}

/// Published outputs, or those that match a filter; admins also see NSFW outputs
#[openapi::path(get, path = "/api/general/output-asset", tag = "gallery", params(FilterQuery),
    responses((status = 200, body = Cursor<OutputAssetView>)))]
async fn list(core: Data<Core>, caller: Caller, query: Query<FilterQuery>) -> Result<Json<Cursor<OutputAssetView>>> {
    caller.signed_in()?;
    listed(&core, &caller, query.into_inner()).await
}

/// Published outputs, or those that match a filter
#[openapi::path(get, path = "/api/public/output-asset", tag = "gallery", params(FilterQuery),
    responses((status = 200, body = Cursor<OutputAssetView>)))]
async fn list_public(
    core: Data<Core>,
    caller: Caller,
    query: Query<FilterQuery>,
) -> Result<Json<Cursor<OutputAssetView>>> {
    // Public pages show an admin what guests see.
    let caller = Caller(verdigraph_core::Caller { admin: false, ..caller.0 });
    listed(&core, &caller, query.into_inner()).await
}

async fn listed(core: &Core, caller: &Caller, query: FilterQuery) -> Result<Json<Cursor<OutputAssetView>>> {
    relations::check(query.populate.as_deref(), &RELATIONS)?;
    let options = Options::read(query.options.as_deref())?;
    let sort = query.sort.as_deref().map(str::parse::<OutputOrder>).transpose()?.or(options.order()?);
    let filter: Option<OutputAssetFilter> =
        query.filter.as_deref().map(|text| generic::filter(Some(text))).transpose()?;
    let cursor = query.cursor.as_deref().or(options.cursor.as_deref());
    let limit = match query.limit {
        Some(_) => CursorQuery { cursor: None, limit: query.limit }.limit()?,
        None => options.limit_of(filter.as_ref().and_then(|filter| filter.id.as_ref()).map(|ids| ids.0.len()))?,
    };
    let nsfw = nsfw(query.nsfw.as_deref())?;
    let at = list::ListQuery { skip: options.skip(), ..list::ListQuery::at(nsfw, cursor, limit) };
    if filter.is_none() && at.skip == 0 {
        let query = at.sorted(sort.unwrap_or_default());
        return page(core, caller, gallery::published(core, caller, query).await?).await;
    }
    let filter = OutputFilter { nsfw, ..filter.unwrap_or_default().into() };
    page(core, caller, gallery::filtered(core, caller, at.filtered(&filter).sorted(sort)).await?).await
}

/// The caller's own outputs, newest first
#[openapi::path(get, path = "/api/general/output-asset/my", tag = "gallery", params(CursorQuery),
    responses((status = 200, body = Cursor<OutputAssetView>)))]
async fn mine(core: Data<Core>, caller: Caller, query: Query<CursorQuery>) -> Result<Json<Cursor<OutputAssetView>>> {
    page(&core, &caller, gallery::mine(&core, &caller, query.page()?).await?).await
}

/// Whose likes to list.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct LikesQuery {
    /// The user; the caller by default. Other users are for admins.
    user: Option<Uuid>,
    /// `nextCursor` of the previous page.
    #[param(max_length = 512)]
    cursor: Option<String>,
    /// Items per page, 1 to 100; 20 by default.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<i64>,
}

/// The outputs that the caller likes, the latest like first. Outputs hidden or deleted since then keep their place
/// without addresses; deleted ones have a `viewCount` of -1
#[openapi::path(get, path = "/api/general/output-asset/like", tag = "gallery", params(LikesQuery),
    responses((status = 200, body = Cursor<OutputAssetView>), (status = 403)))]
async fn likes(core: Data<Core>, caller: Caller, query: Query<LikesQuery>) -> Result<Json<Cursor<OutputAssetView>>> {
    let user = match query.user {
        Some(user) => UserId(user),
        None => caller.signed_in()?,
    };
    let limit = CursorQuery { cursor: None, limit: query.limit }.limit()?;
    let at = list::ListQuery::at((), query.cursor.as_deref(), limit);
    let Page { items, next_cursor } = gallery::favourites(&core, &caller, user, at).await?;
    let shown = items.iter().filter_map(|item| match item {
        Favourite::Shown(asset) => Some((**asset).clone()),
        Favourite::Hidden(_) | Favourite::Deleted(_) => None,
    });
    let mut seen = views(&core, &caller, shown.collect()).await?.into_iter();
    let view = |item| match item {
        Favourite::Shown(_) => seen.next(),
        Favourite::Hidden(id) => Some(OutputAssetView::without(id.0, Without::Hidden)),
        Favourite::Deleted(id) => Some(OutputAssetView::without(id.0, Without::Deleted)),
    };
    Ok(Json(Cursor { items: items.into_iter().filter_map(view).collect(), next_cursor }))
}

/// A user's published outputs
#[openapi::path(get, path = "/api/general/output-asset/published/{userId}", tag = "gallery",
    params(("userId" = Uuid, Path), ListQuery), responses((status = 200, body = Cursor<OutputAssetView>)))]
async fn published(
    core: Data<Core>,
    caller: Caller,
    user: Path<UserId>,
    query: Query<ListQuery>,
) -> Result<Json<Cursor<OutputAssetView>>> {
    caller.signed_in()?;
    page(&core, &caller, gallery::published_of(&core, &caller, *user, query.read()?).await?).await
}

/// A user's published outputs, for anyone
#[openapi::path(get, path = "/api/public/output-asset/published/{userId}", tag = "gallery",
    params(("userId" = Uuid, Path), ListQuery), responses((status = 200, body = Cursor<OutputAssetView>)))]
async fn published_public(
    core: Data<Core>,
    caller: Caller,
    user: Path<UserId>,
    query: Query<ListQuery>,
) -> Result<Json<Cursor<OutputAssetView>>> {
    page(&core, &caller, gallery::published_of(&core, &caller, *user, query.read()?).await?).await
}

/// A user's private outputs; for themselves and admins
#[openapi::path(get, path = "/api/general/output-asset/unpublished/{userId}", tag = "gallery",
    params(("userId" = Uuid, Path), ListQuery), responses((status = 200, body = Cursor<OutputAssetView>),
    (status = 403)))]
async fn unpublished(
    core: Data<Core>,
    caller: Caller,
    user: Path<UserId>,
    query: Query<ListQuery>,
) -> Result<Json<Cursor<OutputAssetView>>> {
    page(&core, &caller, gallery::unpublished_of(&core, &caller, *user, query.read()?).await?).await
}

async fn page(core: &Core, caller: &Caller, page: Page<OutputAsset>) -> Result<Json<Cursor<OutputAssetView>>> {
    Ok(Json(Cursor { items: views(core, caller, page.items).await?, next_cursor: page.next_cursor }))
}

/// Views with authors and the caller's likes, fetched for all at once.
pub(super) async fn views(core: &Core, caller: &Caller, assets: Vec<OutputAsset>) -> Result<Vec<OutputAssetView>> {
    let ids: Vec<OutputAssetId> = assets.iter().map(|asset| asset.id).collect();
    let liked = gallery::liked_among(core, caller, &ids).await?;
    let mut users: Vec<UserId> = assets.iter().map(|asset| asset.user).collect();
    users.sort_unstable();
    users.dedup();
    let cards = populate::user_cards(core, &users).await?;
    let mut hidden = moderation::hidden_among(core, caller, &assets).await?;
    let view = |asset: OutputAsset| {
        let (id, user) = (asset.id, asset.user);
        let mut view = OutputAssetView::new(asset.redacted_for(caller), core.settings.base_url());
        view.likes = caller.user.filter(|_| liked.contains(&id)).map(|user| user.0).into_iter().collect();
        view.user = cards.get(&user).cloned().or(view.user);
        // Only the owner learns which job made the output.
        if !caller.owns_or_admin(user) {
            view.job.id = None;
        }
        let reasons = hidden.remove(&id);
        view.moderation = reasons.map(|reasons| HiddenView { reasons: reasons.into_iter().map(Into::into).collect() });
        view
    };
    Ok(assets.into_iter().map(view).collect())
}

/// The view of one output, with its author and the caller's like.
pub(super) async fn one_view(core: &Core, caller: &Caller, asset: OutputAsset) -> Result<OutputAssetView> {
    let view = views(core, caller, vec![asset]).await?.pop();
    Ok(view.ok_or(Error::NotFound { what: "output asset" })?)
}
