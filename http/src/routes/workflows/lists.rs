//! Lists of workflows: what everybody may see, what a person has, what admins look through.

use std::str::FromStr;

use actix_web::web::{Data, Json, Path, Query};
use serde::Deserialize;
use uuid::Uuid;
use verdigraph_core::filter::Nsfw;
use verdigraph_core::ids::{UserId, WorkflowId, WorkflowTagId};
use verdigraph_core::workflows::{self, Asked, Page, PageAt, Sort, Workflow};
use verdigraph_core::{Caller as CoreCaller, Core, Error};

use super::filter::{RELATIONS, WorkflowFilter};
use super::{CursorQuery, views};
use crate::caller::Caller;
use crate::described::{self, IntoParams, ToSchema};
use crate::error::{ErrorBody, Result};
use crate::extract::Body;
use crate::generic::options::Options;
use crate::generic::{self, relations};
use crate::views::words::{NsfwWord, WorkflowSort};
use crate::views::workflows::WorkflowView;
use crate::views::{Cursor, Items};

/// What of the published workflows is wanted, and in which order.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ListQuery {
    /// `{"_id": {"$in": ["…"]}}`, as a JSON text; what the asker may not see is missing in the answer. Also `user`,
    /// `isPrivate`, `isNsfw`, `workflowTags` (ids), `workflowApi` (`{"$exists": true}`), and ranges of `createdAt` and
    /// `publishedAt` (`{"$gte": "…", "$lt": "…"}`).
    #[param(max_length = 20_480)]
    filter: Option<String>,
    /// Relations to be filled in, as a JSON text. All of them always are; other names are refused.
    #[param(max_length = 20_480)]
    populate: Option<String>,
    /// `{"sort": "-likeCount", "limit": 20, "skip": 0, "cursor": "…"}`, as a JSON text. `skip` goes up to 10,000; a
    /// cursor goes on from everywhere.
    #[param(max_length = 20_480)]
    options: Option<String>,
    /// `newest`, `oldest`, `like`, `view` or `publishedAt` (the default). Lists of a tag and searches have an order of
    /// their own.
    #[param(inline, value_type = Option<WorkflowSort>)]
    sort: Option<String>,
    /// `nextCursor` of the page before.
    #[param(max_length = 512)]
    cursor: Option<String>,
    /// How many items, 1 to 100; 20 when it is left out.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<i64>,
    /// What is not safe for work: `Hide` (the default), `View` or `Only`.
    #[param(inline, value_type = Option<NsfwWord>)]
    nsfw: Option<String>,
    /// Words that name, description or tags must have.
    #[param(max_length = 500)]
    q: Option<String>,
    /// A tag of depth 0: what has any tag below it.
    parent_tag: Option<Uuid>,
    /// A tag of depth 1.
    children_tag: Option<Uuid>,
}

/// Published workflows
///
/// The newest published first, unless a tag, a search or an order is asked for. Descriptions are cut short.
#[described::path(get, path = "/api/public/workflow", tag = "workflows", params(ListQuery), responses(
    (status = 200, body = Cursor<WorkflowView>), (status = 400, body = ErrorBody)
))]
pub(super) async fn list_public(
    core: Data<Core>,
    caller: Caller,
    query: Query<ListQuery>,
) -> Result<Json<Cursor<WorkflowView>>> {
    // What is asked for here is what a guest may see, whoever asks.
    list(&core, &caller, &CoreCaller::guest(), query.into_inner()).await
}

/// Published workflows; by `_id` also the caller's own, and any for admins
#[described::path(get, path = "/api/general/workflow", tag = "workflows", params(ListQuery), responses(
    (status = 200, body = Cursor<WorkflowView>), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody)
))]
pub(super) async fn list_general(
    core: Data<Core>,
    caller: Caller,
    query: Query<ListQuery>,
) -> Result<Json<Cursor<WorkflowView>>> {
    list(&core, &caller, &caller, query.into_inner()).await
}

async fn list(
    core: &Core,
    caller: &CoreCaller,
    seen_by: &CoreCaller,
    query: ListQuery,
) -> Result<Json<Cursor<WorkflowView>>> {
    relations::check(query.populate.as_deref(), &RELATIONS)?;
    let options = Options::read(query.options.as_deref())?;
    let nsfw: Option<Nsfw> = parsed(query.nsfw.as_deref())?;
    let sort = parsed(query.sort.as_deref())?.or(options.order()?);
    let filter: Option<WorkflowFilter> = query.filter.as_deref().map(|text| generic::filter(Some(text))).transpose()?;
    let cursor = query.cursor.as_deref().or(options.cursor.as_deref());
    let limit = match query.limit {
        Some(_) => CursorQuery { cursor: None, limit: query.limit }.limit()?,
        None => options.limit_of(filter.as_ref().and_then(|filter| filter.id.as_ref()).map(|ids| ids.0.len()))?,
    };
    let at = PageAt { cursor, limit };
    let page = match (filter, query.q, query.parent_tag.or(query.children_tag)) {
        (None, Some(text), _) => workflows::search(core, &text, nsfw.unwrap_or_default(), at).await?,
        (None, None, Some(tag)) => workflows::tagged(core, WorkflowTagId(tag), nsfw.unwrap_or_default(), at).await?,
        (None, None, None) if options.skip() == 0 => {
            let sort = sort.unwrap_or(Sort::PublishedAt);
            workflows::published(core, sort, nsfw.unwrap_or_default(), at).await?
        }
        (filter, ..) => {
            let filter = filter.unwrap_or_default().wanted(nsfw);
            workflows::filtered(core, seen_by, &filter, Asked { sort, page: at, skip: options.skip() }).await?
        }
    };
    answer(core, caller, page).await
}

/// The caller's workflows, newest first
#[described::path(get, path = "/api/general/workflow/my", tag = "workflows", params(CursorQuery), responses(
    (status = 200, body = Cursor<WorkflowView>), (status = 401, body = ErrorBody)
))]
pub(super) async fn mine(
    core: Data<Core>,
    caller: Caller,
    query: Query<CursorQuery>,
) -> Result<Json<Cursor<WorkflowView>>> {
    let page = workflows::mine(&core, &caller, query.cursor.as_deref(), query.limit()?).await?;
    answer(&core, &caller, page).await
}

/// Basic workflows, which admins chose to begin with
#[described::path(get, path = "/api/public/workflow/basic", tag = "workflows", params(CursorQuery), responses(
    (status = 200, body = Cursor<WorkflowView>), (status = 400, body = ErrorBody)
))]
pub(super) async fn basic(
    core: Data<Core>,
    caller: Caller,
    query: Query<CursorQuery>,
) -> Result<Json<Cursor<WorkflowView>>> {
    let page = workflows::basic(&core, at(&query)?).await?;
    answer(&core, &caller, page).await
}

/// All basic workflows in their order, also those that are hidden at the moment
#[described::path(get, path = "/api/admin/basic-workflow", tag = "workflows", responses(
    (status = 200, body = Items<WorkflowView>), (status = 401, body = ErrorBody), (status = 403, body = ErrorBody)
))]
pub(super) async fn basics(core: Data<Core>, caller: Caller) -> Result<Json<Items<WorkflowView>>> {
    let items = workflows::basics(&core, &caller).await?;
    Ok(Json(Items { items: views(&core, &caller, items).await? }))
}

/// An order of the basic workflows.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BasicsOrderBody {
    /// Each basic workflow, once.
    #[schema(max_items = 100)]
    ids: Vec<Uuid>,
}

/// Puts the basic workflows into another order
#[described::path(put, path = "/api/admin/basic-workflow/order", tag = "workflows", request_body = BasicsOrderBody,
    responses((status = 200, body = Items<WorkflowView>), (status = 400, body = ErrorBody),
    (status = 401, body = ErrorBody), (status = 403, body = ErrorBody)
))]
pub(super) async fn order_basics(
    core: Data<Core>,
    caller: Caller,
    Body(body): Body<BasicsOrderBody>,
) -> Result<Json<Items<WorkflowView>>> {
    let ids: Vec<WorkflowId> = body.ids.into_iter().map(WorkflowId).collect();
    let items = workflows::order_basics(&core, &caller, &ids).await?;
    Ok(Json(Items { items: views(&core, &caller, items).await? }))
}

/// What somebody published, the latest first
#[described::path(get, path = "/api/public/workflow/published/{userId}", tag = "workflows",
    params(("userId" = Uuid, Path), CursorQuery),
    responses((status = 200, body = Cursor<WorkflowView>), (status = 400, body = ErrorBody)
))]
pub(super) async fn published_public(
    core: Data<Core>,
    caller: Caller,
    user: Path<UserId>,
    query: Query<CursorQuery>,
) -> Result<Json<Cursor<WorkflowView>>> {
    let page = workflows::published_by(&core, *user, Nsfw::View, at(&query)?).await?;
    answer(&core, &caller, page).await
}

/// What somebody published, the latest first
#[described::path(get, path = "/api/general/workflow/published/{userId}", tag = "workflows",
    params(("userId" = Uuid, Path), CursorQuery), responses((status = 200, body = Cursor<WorkflowView>),
    (status = 400, body = ErrorBody), (status = 401, body = ErrorBody)
))]
pub(super) async fn published(
    core: Data<Core>,
    caller: Caller,
    user: Path<UserId>,
    query: Query<CursorQuery>,
) -> Result<Json<Cursor<WorkflowView>>> {
    published_public(core, caller, user, query).await
}

/// What somebody keeps to themselves, newest first; for them and for admins
#[described::path(get, path = "/api/general/workflow/unpublished/{userId}", tag = "workflows",
    params(("userId" = Uuid, Path), CursorQuery), responses((status = 200, body = Cursor<WorkflowView>),
    (status = 400, body = ErrorBody), (status = 401, body = ErrorBody), (status = 403, body = ErrorBody)
))]
pub(super) async fn unpublished(
    core: Data<Core>,
    caller: Caller,
    user: Path<UserId>,
    query: Query<CursorQuery>,
) -> Result<Json<Cursor<WorkflowView>>> {
    let page = workflows::unpublished_by(&core, &caller, *user, at(&query)?).await?;
    answer(&core, &caller, page).await
}

/// Whose favourites are wanted.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct FavouritesQuery {
    /// Somebody else, for admins; the caller when it is left out.
    user: Option<Uuid>,
    /// `nextCursor` of the page before.
    #[param(max_length = 512)]
    cursor: Option<String>,
    /// How many items, 1 to 100; 20 when it is left out.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<i64>,
}

/// Favourites: the workflows that somebody likes, the latest like first
#[described::path(get, path = "/api/general/workflow/like", tag = "workflows", params(FavouritesQuery), responses(
    (status = 200, body = Cursor<WorkflowView>), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody),
    (status = 403, body = ErrorBody)
))]
pub(super) async fn favourites(
    core: Data<Core>,
    caller: Caller,
    query: Query<FavouritesQuery>,
) -> Result<Json<Cursor<WorkflowView>>> {
    let FavouritesQuery { user, cursor, limit } = query.into_inner();
    let user = match user {
        Some(user) => UserId(user),
        None => caller.signed_in()?,
    };
    let limit = CursorQuery { cursor: None, limit }.limit()?;
    let page = workflows::favourites(&core, &caller, user, cursor.as_deref(), limit).await?;
    answer(&core, &caller, page).await
}

/// What of everybody's workflows an admin wants to see.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct AdminQuery {
    /// `{"isPrivate": false}`, `{"isNsfw": true}`, both or neither, as a JSON text; or whatever else lists are filtered by.
    #[param(max_length = 20_480)]
    filter: Option<String>,
    /// What their names have in them, whatever its case: the latest 500 of those.
    #[param(max_length = 500)]
    q: Option<String>,
    /// `newest` (the default), `oldest`, `like`, `view` or `publishedAt`; also as `-_id`, `_id`, `-likeCount`,
    /// `-viewCount`, `-publishedAt`.
    #[param(inline, value_type = Option<WorkflowSort>)]
    sort: Option<String>,
    /// `nextCursor` of the page before.
    #[param(max_length = 512)]
    cursor: Option<String>,
    /// How many items, 1 to 100; 20 when it is left out.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<i64>,
}

/// All workflows of all people, for admins
#[described::path(get, path = "/api/general/workflow/admin", tag = "workflows", params(AdminQuery), responses(
    (status = 200, body = Cursor<WorkflowView>), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody),
    (status = 403, body = ErrorBody)
))]
pub(super) async fn admin(
    core: Data<Core>,
    caller: Caller,
    query: Query<AdminQuery>,
) -> Result<Json<Cursor<WorkflowView>>> {
    caller.must_be_admin()?.to_read();
    let AdminQuery { filter, q, sort, cursor, limit } = query.into_inner();
    let filter: WorkflowFilter = generic::filter(filter.as_deref())?;
    let mut filter = filter.wanted(Some(Nsfw::View));
    if let Some(text) = q.filter(|text| !text.trim().is_empty()) {
        let mut called = workflows::called(&core, &caller, &text).await?;
        if let Some(ids) = &filter.ids {
            called.retain(|id| ids.contains(id));
        }
        filter.ids = Some(called);
    }
    let sort = parsed(sort.as_deref())?.unwrap_or(Sort::Newest);
    let limit = CursorQuery { cursor: None, limit }.limit()?;
    let at = PageAt { cursor: cursor.as_deref(), limit };
    let asked = Asked { sort: Some(sort), page: at, skip: 0 };
    let page = workflows::filtered(&core, &caller, &filter, asked).await?;
    answer(&core, &caller, page).await
}

fn at(query: &CursorQuery) -> std::result::Result<PageAt<'_>, Error> {
    Ok(PageAt { cursor: query.cursor.as_deref(), limit: query.limit()? })
}

fn parsed<T: FromStr<Err = Error>>(word: Option<&str>) -> std::result::Result<Option<T>, Error> {
    word.map(T::from_str).transpose()
}

async fn answer(core: &Core, caller: &CoreCaller, page: Page<Workflow>) -> Result<Json<Cursor<WorkflowView>>> {
    Ok(Json(Cursor { items: views(core, caller, page.items).await?, next_cursor: page.next_cursor }))
}
