//! Lists of workflows: public ones, a user's, and the admins' list.

use std::str::FromStr;

use actix_web::web::{Data, Json, Path};
use serde::Deserialize;
use uuid::Uuid;
use verdigraph_core::filter::Nsfw;
use verdigraph_core::ids::{UserId, WorkflowId, WorkflowTagId};
use verdigraph_core::list::{self, Page};
use verdigraph_core::workflows::{self, Workflow, WorkflowOrder};
use verdigraph_core::{Caller as CoreCaller, Core, Error};

use super::filter::{RELATIONS, WorkflowFilter};
use super::{CursorQuery, views};
use crate::caller::Caller;
use crate::error::Result;
use crate::extract::Body;
use crate::generic::options::Options;
use crate::generic::{self, relations};
use crate::openapi::{self, IntoParams, ToSchema};
use crate::query::Query;
use crate::views::words::{NsfwWord, WorkflowSort};
use crate::views::workflows::WorkflowView;
use crate::views::{Cursor, Items};

/// Filter and order of published workflows.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ListQuery {
    /// `{"_id": {"$in": ["…"]}}`, as a JSON text; items that the caller may not see are left out. Also `user`,
    /// `isPrivate`, `isNsfw`, `workflowTags` (ids), `workflowApi` (`{"$exists": true}`), and ranges of `createdAt`
    /// and `publishedAt` (`{"$gte": "…", "$lt": "…"}`).
    #[param(max_length = 20_480)]
    filter: Option<String>,
    /// Relations to fill in, as a JSON text. All of them always are; unknown names are refused.
    #[param(max_length = 20_480)]
    populate: Option<String>,
    /// `{"sort": "-likeCount", "limit": 20, "skip": 0, "cursor": "…"}`, as a JSON text. `skip` is at most 10,000; a
    /// cursor has no limit.
    #[param(max_length = 20_480)]
    options: Option<String>,
    /// `newest`, `oldest`, `like`, `view` or `publishedAt` (the default). Lists of a tag and searches have their own
    /// order.
    #[param(inline, value_type = Option<WorkflowSort>)]
    sort: Option<String>,
    /// `nextCursor` of the previous page.
    #[param(max_length = 512)]
    cursor: Option<String>,
    /// Items per page, 1 to 100; 20 by default.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<i64>,
    /// NSFW content: `Hide` (the default), `View` or `Only`.
    #[param(inline, value_type = Option<NsfwWord>)]
    nsfw: Option<String>,
    /// Words in name, description or tags.
    #[param(max_length = 500)]
    q: Option<String>,
    /// A tag of depth 0: workflows with any tag below it.
    parent_tag: Option<Uuid>,
    /// A tag of depth 1.
    children_tag: Option<Uuid>,
}

/// Published workflows
///
/// Latest publication first, unless a tag, a search or an order is given. Descriptions are shortened.
#[openapi::path(get, path = "/api/public/workflow", tag = "workflows", params(ListQuery),
    responses((status = 200, body = Cursor<WorkflowView>)))]
pub(super) async fn list_public(
    core: Data<Core>,
    caller: Caller,
    query: Query<ListQuery>,
) -> Result<Json<Cursor<WorkflowView>>> {
    // This call returns what a guest may see, for every caller.
    list(&core, &caller, &CoreCaller::guest(), query.into_inner()).await
}

/// Published workflows; by `_id` also the caller's own, and any for admins
#[openapi::path(get, path = "/api/general/workflow", tag = "workflows", params(ListQuery),
    responses((status = 200, body = Cursor<WorkflowView>)))]
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
    let at = list::ListQuery { skip: options.skip(), ..list::ListQuery::at(nsfw.unwrap_or_default(), cursor, limit) };
    let first = list::ListQuery { skip: 0, ..at };
    let page = match (filter, query.q, query.parent_tag.or(query.children_tag)) {
        (None, Some(text), _) => workflows::search(core, &text, first).await?,
        (None, None, Some(tag)) => workflows::tagged(core, WorkflowTagId(tag), first).await?,
        (None, None, None) if at.skip == 0 => {
            workflows::published(core, at.sorted(sort.unwrap_or(WorkflowOrder::PublishedAt))).await?
        }
        (filter, ..) => {
            let filter = filter.unwrap_or_default().conditions(nsfw);
            workflows::filtered(core, seen_by, at.filtered(&filter).sorted(sort)).await?
        }
    };
    answer(core, caller, page).await
}

/// The caller's workflows, newest first
#[openapi::path(get, path = "/api/general/workflow/my", tag = "workflows", params(CursorQuery),
    responses((status = 200, body = Cursor<WorkflowView>)))]
pub(super) async fn mine(
    core: Data<Core>,
    caller: Caller,
    query: Query<CursorQuery>,
) -> Result<Json<Cursor<WorkflowView>>> {
    let page = workflows::mine(&core, &caller, query.page()?).await?;
    answer(&core, &caller, page).await
}

/// Basic workflows, which admins selected for beginners
#[openapi::path(get, path = "/api/public/workflow/basic", tag = "workflows", params(CursorQuery),
    responses((status = 200, body = Cursor<WorkflowView>)))]
pub(super) async fn basic(
    core: Data<Core>,
    caller: Caller,
    query: Query<CursorQuery>,
) -> Result<Json<Cursor<WorkflowView>>> {
    let page = workflows::basic(&core, query.page()?).await?;
    answer(&core, &caller, page).await
}

/// All basic workflows in their order, including hidden ones
#[openapi::path(get, path = "/api/admin/basic-workflow", tag = "workflows",
    responses((status = 200, body = Items<WorkflowView>)))]
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

/// Reorders the basic workflows
#[openapi::path(put, path = "/api/admin/basic-workflow/order", tag = "workflows", request_body = BasicsOrderBody,
    responses((status = 200, body = Items<WorkflowView>)))]
pub(super) async fn order_basics(
    core: Data<Core>,
    caller: Caller,
    Body(body): Body<BasicsOrderBody>,
) -> Result<Json<Items<WorkflowView>>> {
    let ids: Vec<WorkflowId> = body.ids.into_iter().map(WorkflowId).collect();
    let items = workflows::order_basics(&core, &caller, &ids).await?;
    Ok(Json(Items { items: views(&core, &caller, items).await? }))
}

/// A user's published workflows, the latest first
#[openapi::path(get, path = "/api/public/workflow/published/{userId}", tag = "workflows",
    params(("userId" = Uuid, Path), CursorQuery), responses((status = 200, body = Cursor<WorkflowView>)))]
pub(super) async fn published_public(
    core: Data<Core>,
    caller: Caller,
    user: Path<UserId>,
    query: Query<CursorQuery>,
) -> Result<Json<Cursor<WorkflowView>>> {
    let page = workflows::published_by(&core, *user, query.page()?.filtered(Nsfw::View)).await?;
    answer(&core, &caller, page).await
}

/// A user's published workflows, the latest first
#[openapi::path(get, path = "/api/general/workflow/published/{userId}", tag = "workflows",
    params(("userId" = Uuid, Path), CursorQuery), responses((status = 200, body = Cursor<WorkflowView>)))]
pub(super) async fn published(
    core: Data<Core>,
    caller: Caller,
    user: Path<UserId>,
    query: Query<CursorQuery>,
) -> Result<Json<Cursor<WorkflowView>>> {
    published_public(core, caller, user, query).await
}

/// A user's private workflows, newest first; for themselves and admins
#[openapi::path(get, path = "/api/general/workflow/unpublished/{userId}", tag = "workflows",
    params(("userId" = Uuid, Path), CursorQuery), responses((status = 200, body = Cursor<WorkflowView>),
    (status = 403)))]
pub(super) async fn unpublished(
    core: Data<Core>,
    caller: Caller,
    user: Path<UserId>,
    query: Query<CursorQuery>,
) -> Result<Json<Cursor<WorkflowView>>> {
    let page = workflows::unpublished_by(&core, &caller, *user, query.page()?).await?;
    answer(&core, &caller, page).await
}

/// Whose likes to list.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct FavouritesQuery {
    /// Another user, for admins; the caller by default.
    user: Option<Uuid>,
    /// `nextCursor` of the previous page.
    #[param(max_length = 512)]
    cursor: Option<String>,
    /// Items per page, 1 to 100; 20 by default.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<i64>,
}

/// The workflows that a user likes, the latest like first
#[openapi::path(get, path = "/api/general/workflow/like", tag = "workflows", params(FavouritesQuery),
    responses((status = 200, body = Cursor<WorkflowView>), (status = 403)))]
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
    let page = workflows::favourites(&core, &caller, user, CursorQuery { cursor, limit }.page()?).await?;
    answer(&core, &caller, page).await
}

/// Filter of the admins' list.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct AdminQuery {
    /// `{"isPrivate": false}`, `{"isNsfw": true}`, both or neither, as a JSON text; or any other filter of lists.
    #[param(max_length = 20_480)]
    filter: Option<String>,
    /// A part of the name, ignoring case: the latest 500 matches.
    #[param(max_length = 500)]
    q: Option<String>,
    /// `newest` (the default), `oldest`, `like`, `view` or `publishedAt`; also as `-_id`, `_id`, `-likeCount`,
    /// `-viewCount`, `-publishedAt`.
    #[param(inline, value_type = Option<WorkflowSort>)]
    sort: Option<String>,
    /// `nextCursor` of the previous page.
    #[param(max_length = 512)]
    cursor: Option<String>,
    /// Items per page, 1 to 100; 20 by default.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<i64>,
}

/// All workflows of all users, for admins
#[openapi::path(get, path = "/api/general/workflow/admin", tag = "workflows", params(AdminQuery),
    responses((status = 200, body = Cursor<WorkflowView>), (status = 403)))]
pub(super) async fn admin(
    core: Data<Core>,
    caller: Caller,
    query: Query<AdminQuery>,
) -> Result<Json<Cursor<WorkflowView>>> {
    caller.must_be_admin()?.read_only();
    let AdminQuery { filter, q, sort, cursor, limit } = query.into_inner();
    let filter: WorkflowFilter = generic::filter(filter.as_deref())?;
    let mut filter = filter.conditions(Some(Nsfw::View));
    if let Some(text) = q.filter(|text| !text.trim().is_empty()) {
        let mut ids_by_name = workflows::ids_by_name(&core, &caller, &text).await?;
        if let Some(ids) = &filter.ids {
            ids_by_name.retain(|id| ids.contains(id));
        }
        filter.ids = Some(ids_by_name);
    }
    let sort = parsed(sort.as_deref())?.unwrap_or(WorkflowOrder::Newest);
    let query = CursorQuery { cursor, limit };
    let page = workflows::filtered(&core, &caller, query.page()?.filtered(&filter).sorted(Some(sort))).await?;
    answer(&core, &caller, page).await
}

fn parsed<T: FromStr<Err = Error>>(word: Option<&str>) -> std::result::Result<Option<T>, Error> {
    word.map(T::from_str).transpose()
}

async fn answer(core: &Core, caller: &CoreCaller, page: Page<Workflow>) -> Result<Json<Cursor<WorkflowView>>> {
    Ok(Json(Cursor { items: views(core, caller, page.items).await?, next_cursor: page.next_cursor }))
}
