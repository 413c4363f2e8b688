//! Lists of outputs: what is public, somebody's own, what they show and what they like.

use actix_web::web::{self, Data, Json, Path, Query, ServiceConfig};
use serde::Deserialize;
use uuid::Uuid;
use verdigraph_core::filter::Nsfw;
use verdigraph_core::gallery::{self, Asked, Favourite, Filter, Order, OutputAsset, Page, Wanted};
use verdigraph_core::ids::{OutputAssetId, UserId};
use verdigraph_core::{Core, Error, moderation};

use super::CursorQuery;
use super::gallery_filter::{self, OutputAssetFilter, RELATIONS};
use crate::caller::Caller;
use crate::described::{self, IntoParams, OpenApi};
use crate::error::{ErrorBody, Result};
use crate::generic::options::Options;
use crate::generic::{self, relations};
use crate::populate;
use crate::views::Cursor;
use crate::views::output_assets::{HiddenView, OutputAssetView, Without};
use crate::views::words::{NsfwWord, OutputAssetSort};

/// What is documented here.
#[derive(OpenApi)]
#[openapi(paths(list, list_public, mine, likes, published, published_public, unpublished))]
pub struct Api;

/// Mounts the routes below `/api`.
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

/// Which page of which list.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ListQuery {
    /// `newest` (the default), `oldest`, `like` or `view`.
    #[param(inline, value_type = Option<OutputAssetSort>)]
    sort: Option<String>,
    /// `nextCursor` of the page before.
    #[param(max_length = 512)]
    cursor: Option<String>,
    /// How many items, 1 to 100; 20 when it is left out.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<i64>,
    /// What is not safe for work: `Hide` (the default for what is others'), `View` or `Only`.
    #[param(inline, value_type = Option<NsfwWord>)]
    nsfw: Option<String>,
}

/// The same, or certain outputs.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct FilterQuery {
    /// `newest` (the default), `oldest`, `like` or `view`.
    #[param(inline, value_type = Option<OutputAssetSort>)]
    sort: Option<String>,
    /// `nextCursor` of the page before.
    #[param(max_length = 512)]
    cursor: Option<String>,
    /// How many items, 1 to 100; 20 when it is left out.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<i64>,
    /// What is not safe for work: `Hide` (the default for all but admins), `View` or `Only`.
    #[param(inline, value_type = Option<NsfwWord>)]
    nsfw: Option<String>,
    /// `{"_id": {"$in": ["…"]}}`, as a JSON text; what the asker may not see is missing in the answer. Also `user`, `job`,
    /// `isPrivate`, `isNsfw`, `kind` (`Image`, `Video`, `Audio` or `File`), and a range of `createdAt`
    /// (`{"$gte": "…", "$lt": "…"}`).
    #[param(max_length = 20_480)]
    filter: Option<String>,
    /// Relations to be filled in, as a JSON text. All of them always are; other names are refused.
    #[param(max_length = 20_480)]
    populate: Option<String>,
    /// `{"sort": "-likeCount", "limit": 20, "skip": 0, "cursor": "…"}`, as a JSON text. `skip` goes up to 10,000; a
    /// cursor goes on from everywhere.
    #[param(max_length = 20_480)]
    options: Option<String>,
}

impl ListQuery {
    fn wanted(&self) -> std::result::Result<Wanted<'_>, Error> {
        let order = self.sort.as_deref().map(str::parse::<Order>).transpose()?.unwrap_or_default();
        let limit = CursorQuery { cursor: None, limit: self.limit }.limit()?;
        Ok(Wanted { order, cursor: self.cursor.as_deref(), limit, nsfw: nsfw(self.nsfw.as_deref())? })
    }
}

fn nsfw(word: Option<&str>) -> std::result::Result<Option<Nsfw>, Error> {
    word.map(str::parse).transpose()
}

/// What people published, or certain outputs; admins also see what is not safe for work
#[described::path(get, path = "/api/general/output-asset", tag = "gallery", params(FilterQuery), responses(
    (status = 200, body = Cursor<OutputAssetView>), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody)
))]
async fn list(core: Data<Core>, caller: Caller, query: Query<FilterQuery>) -> Result<Json<Cursor<OutputAssetView>>> {
    caller.signed_in()?;
    listed(&core, &caller, query.into_inner()).await
}

/// What people published, or certain outputs
#[described::path(get, path = "/api/public/output-asset", tag = "gallery", params(FilterQuery), responses(
    (status = 200, body = Cursor<OutputAssetView>), (status = 400, body = ErrorBody)
))]
async fn list_public(
    core: Data<Core>,
    caller: Caller,
    query: Query<FilterQuery>,
) -> Result<Json<Cursor<OutputAssetView>>> {
    // An admin who looks at the public pages sees what the public sees.
    let caller = Caller(verdigraph_core::Caller { admin: false, ..caller.0 });
    listed(&core, &caller, query.into_inner()).await
}

async fn listed(core: &Core, caller: &Caller, query: FilterQuery) -> Result<Json<Cursor<OutputAssetView>>> {
    relations::check(query.populate.as_deref(), &RELATIONS)?;
    let options = Options::read(query.options.as_deref())?;
    let order = query.sort.as_deref().map(str::parse::<Order>).transpose()?.or(options.order()?);
    let filter: Option<OutputAssetFilter> =
        query.filter.as_deref().map(|text| generic::filter(Some(text))).transpose()?;
    let cursor = query.cursor.as_deref().or(options.cursor.as_deref());
    let limit = match query.limit {
        Some(_) => CursorQuery { cursor: None, limit: query.limit }.limit()?,
        None => options.limit_of(filter.as_ref().and_then(|filter| filter.id.as_ref()).map(|ids| ids.0.len()))?,
    };
    let nsfw = nsfw(query.nsfw.as_deref())?;
    if filter.is_none() && options.skip() == 0 {
        let wanted = Wanted { order: order.unwrap_or_default(), cursor, limit, nsfw };
        return page(core, caller, gallery::published(core, caller, wanted).await?).await;
    }
    let asked = Asked { order, cursor, skip: options.skip(), limit };
    let filter = Filter { nsfw, ..filter.unwrap_or_default().into() };
    page(core, caller, gallery::filtered(core, caller, &filter, asked).await?).await
}

/// The caller's own outputs, newest first
#[described::path(get, path = "/api/general/output-asset/my", tag = "gallery", params(CursorQuery), responses(
    (status = 200, body = Cursor<OutputAssetView>), (status = 401, body = ErrorBody)
))]
async fn mine(core: Data<Core>, caller: Caller, query: Query<CursorQuery>) -> Result<Json<Cursor<OutputAssetView>>> {
    let wanted = Wanted { cursor: query.cursor.as_deref(), limit: query.limit()?, ..Wanted::default() };
    page(&core, &caller, gallery::mine(&core, &caller, wanted).await?).await
}

/// Whose favourites are wanted.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct LikesQuery {
    /// Whose; the caller's own when it is left out. Somebody else's are for admins.
    user: Option<Uuid>,
    /// `nextCursor` of the page before.
    #[param(max_length = 512)]
    cursor: Option<String>,
    /// How many items, 1 to 100; 20 when it is left out.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<i64>,
}

/// The outputs that the caller likes, the latest like first. What was hidden or deleted since keeps its place, without
/// addresses; what was deleted has a `viewCount` of -1
#[described::path(get, path = "/api/general/output-asset/like", tag = "gallery", params(LikesQuery), responses(
    (status = 200, body = Cursor<OutputAssetView>), (status = 401, body = ErrorBody), (status = 403, body = ErrorBody)
))]
async fn likes(core: Data<Core>, caller: Caller, query: Query<LikesQuery>) -> Result<Json<Cursor<OutputAssetView>>> {
    let user = match query.user {
        Some(user) => UserId(user),
        None => caller.signed_in()?,
    };
    let limit = CursorQuery { cursor: None, limit: query.limit }.limit()?;
    let wanted = Wanted { cursor: query.cursor.as_deref(), limit, ..Wanted::default() };
    let Page { items, next } = gallery::favourites(&core, &caller, user, wanted).await?;
    let shown = items.iter().filter_map(|item| match item {
        Favourite::Seen(asset) => Some((**asset).clone()),
        Favourite::Hidden(_) | Favourite::Deleted(_) => None,
    });
    let mut seen = views(&core, &caller, shown.collect()).await?.into_iter();
    let view = |item| match item {
        Favourite::Seen(_) => seen.next(),
        Favourite::Hidden(id) => Some(OutputAssetView::without(id.0, Without::Hidden)),
        Favourite::Deleted(id) => Some(OutputAssetView::without(id.0, Without::Deleted)),
    };
    Ok(Json(Cursor { items: items.into_iter().filter_map(view).collect(), next_cursor: next }))
}

/// What one person published
#[described::path(get, path = "/api/general/output-asset/published/{userId}", tag = "gallery",
    params(("userId" = Uuid, Path), ListQuery), responses((status = 200, body = Cursor<OutputAssetView>),
    (status = 400, body = ErrorBody), (status = 401, body = ErrorBody)
))]
async fn published(
    core: Data<Core>,
    caller: Caller,
    user: Path<UserId>,
    query: Query<ListQuery>,
) -> Result<Json<Cursor<OutputAssetView>>> {
    caller.signed_in()?;
    page(&core, &caller, gallery::published_of(&core, &caller, *user, query.wanted()?).await?).await
}

/// What one person published, for anyone
#[described::path(get, path = "/api/public/output-asset/published/{userId}", tag = "gallery",
    params(("userId" = Uuid, Path), ListQuery), responses((status = 200, body = Cursor<OutputAssetView>),
    (status = 400, body = ErrorBody)
))]
async fn published_public(
    core: Data<Core>,
    caller: Caller,
    user: Path<UserId>,
    query: Query<ListQuery>,
) -> Result<Json<Cursor<OutputAssetView>>> {
    page(&core, &caller, gallery::published_of(&core, &caller, *user, query.wanted()?).await?).await
}

/// What one person keeps private; for themselves and admins
#[described::path(get, path = "/api/general/output-asset/unpublished/{userId}", tag = "gallery",
    params(("userId" = Uuid, Path), ListQuery), responses((status = 200, body = Cursor<OutputAssetView>),
    (status = 400, body = ErrorBody), (status = 401, body = ErrorBody), (status = 403, body = ErrorBody)
))]
async fn unpublished(
    core: Data<Core>,
    caller: Caller,
    user: Path<UserId>,
    query: Query<ListQuery>,
) -> Result<Json<Cursor<OutputAssetView>>> {
    page(&core, &caller, gallery::unpublished_of(&core, &caller, *user, query.wanted()?).await?).await
}

async fn page(core: &Core, caller: &Caller, page: Page<OutputAsset>) -> Result<Json<Cursor<OutputAssetView>>> {
    Ok(Json(Cursor { items: views(core, caller, page.items).await?, next_cursor: page.next }))
}

/// Views with their authors and with the caller's likes, fetched for all of them at once.
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
        let mut view = OutputAssetView::new(asset.told_to(caller), core.settings.base_url());
        view.likes = caller.user.filter(|_| liked.contains(&id)).map(|user| user.0).into_iter().collect();
        view.user = cards.get(&user).cloned().or(view.user);
        // Which of its owner's runs made it is its owner's to know.
        if !caller.owns_or_admin(user) {
            view.job.id = None;
        }
        let reasons = hidden.remove(&id);
        view.moderation = reasons.map(|reasons| HiddenView { reasons: reasons.into_iter().map(Into::into).collect() });
        view
    };
    Ok(assets.into_iter().map(view).collect())
}

/// One output with its author and the caller's like.
pub(super) async fn one_view(core: &Core, caller: &Caller, asset: OutputAsset) -> Result<OutputAssetView> {
    let view = views(core, caller, vec![asset]).await?.pop();
    Ok(view.ok_or(Error::NotFound { what: "output asset" })?)
}
