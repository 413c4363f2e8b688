//! The generic calls of comments.

use actix_web::web::{self, Data, Json, ServiceConfig};
use serde::Deserialize;
use verdigraph_core::comments::{self, Post};
use verdigraph_core::ids::{CommentId, OutputAssetId, UserId, WorkflowId};
use verdigraph_core::{Core, Error};

use super::comments::CommentBody;
use crate::caller::Caller;
use crate::error::Result;
use crate::extract::Body;
use crate::generic::filter::{Ids, Range};
use crate::generic::options::Options;
use crate::generic::stats::StatsQuery;
use crate::generic::{self, FilterQuery, ListQuery, relations};
use crate::openapi::{self, OpenApi};
use crate::populate;
use crate::query::Query;
use crate::views::comments::CommentView;
use crate::views::resources::{DeletedView, ResourceCountView, StatsView};
use crate::views::{Cursor, Items};

#[derive(OpenApi)]
#[openapi(paths(list, list_public, count, count_public, stats, stats_public, edit_several, delete_several))]
pub struct Api;

/// Mounts the routes below `/api` that have a name where others have an id.
pub fn configure(config: &mut ServiceConfig) {
    config
        .service(web::resource("/public/comment").get(list_public))
        .service(web::resource("/public/comment/count").get(count_public))
        .service(web::resource("/general/comment/count").get(count))
        .service(web::resource("/general/comment/stats").get(stats))
        .service(web::resource("/public/comment/stats").get(stats_public));
}

/// Relations, which views always contain.
const RELATIONS: [&str; 1] = ["user"];

/// Filter of comments.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct CommentFilter {
    #[serde(rename = "_id")]
    id: Option<Ids>,
    user: Option<UserId>,
    workflow: Option<WorkflowId>,
    output_asset: Option<OutputAssetId>,
    parent: Option<CommentId>,
    depth: Option<u8>,
    #[serde(default)]
    created_at: Range,
}

impl CommentFilter {
    fn conditions(self) -> std::result::Result<comments::CommentFilter, Error> {
        let post = match (self.workflow, self.output_asset) {
            (Some(_), Some(_)) => {
                return Err(Error::invalid("filter.outputAsset", "cannot be combined with filter.workflow"));
            }
            (Some(id), None) => Some(Post::Workflow(id)),
            (None, id) => id.map(Post::OutputAsset),
        };
        let is_answer = match self.depth {
            None => None,
            Some(depth @ (0 | 1)) => Some(depth == 1),
            Some(_) => return Err(Error::invalid("filter.depth", "must be 0 or 1")),
        };
        let ids = self.id.map(Vec::from);
        let created = self.created_at.into();
        Ok(comments::CommentFilter { ids, user: self.user, post, parent: self.parent, is_answer, created })
    }
}

/// Comments that match a filter, by age
///
/// Filters may contain `_id`, `user`, `workflow` or `outputAsset` (comments directly below it), `parent` (its answers),
/// `depth` and a range of `createdAt`. Callers other than admins must name a place (`_id`, `workflow`, `outputAsset` or
/// `parent`) or themselves as `user`. Sorted by `createdAt`, in either direction. Deleted comments are left out.
#[openapi::path(get, path = "/api/general/comment", tag = "comments", params(ListQuery),
    responses((status = 200, body = Cursor<CommentView>),
    (status = 403, description = "FORBIDDEN: the comments of another user")))]
pub(super) async fn list(
    core: Data<Core>,
    caller: Caller,
    query: Query<ListQuery>,
) -> Result<Json<Cursor<CommentView>>> {
    relations::check(query.populate.as_deref(), &RELATIONS)?;
    let options = Options::read(query.options.as_deref())?;
    let filter: CommentFilter = generic::filter(query.filter.as_deref())?;
    let limit = options.limit_of(filter.id.as_ref().map(|ids| ids.0.len()))?;
    let sort = options.order()?.unwrap_or_default();
    let filter = filter.conditions()?;
    let page = comments::filtered(&core, &caller, options.query(&filter, sort, limit)).await?;
    Ok(Json(Cursor { items: populate::comments(&core, page.items).await?, next_cursor: page.next_cursor }))
}

/// Comments that match a filter, by age, for anyone
#[openapi::path(get, path = "/api/public/comment", tag = "comments", params(ListQuery),
    responses((status = 200, body = Cursor<CommentView>),
    (status = 403, description = "FORBIDDEN: the comments of another user")))]
async fn list_public(core: Data<Core>, caller: Caller, query: Query<ListQuery>) -> Result<Json<Cursor<CommentView>>> {
    list(core, caller, query).await
}

/// Number of comments that match a filter, with the list's restrictions
#[openapi::path(get, path = "/api/general/comment/count", tag = "comments", params(FilterQuery),
    responses((status = 200, body = ResourceCountView),
    (status = 403, description = "FORBIDDEN: the comments of another user")))]
async fn count(core: Data<Core>, caller: Caller, query: Query<FilterQuery>) -> Result<Json<ResourceCountView>> {
    let filter: CommentFilter = generic::filter(query.filter.as_deref())?;
    Ok(Json(comments::count(&core, &caller, &filter.conditions()?).await?.into()))
}

/// Number of comments that match a filter, for anyone
#[openapi::path(get, path = "/api/public/comment/count", tag = "comments", params(FilterQuery),
    responses((status = 200, body = ResourceCountView),
    (status = 403, description = "FORBIDDEN: the comments of another user")))]
async fn count_public(core: Data<Core>, caller: Caller, query: Query<FilterQuery>) -> Result<Json<ResourceCountView>> {
    count(core, caller, query).await
}

/// Number of the caller's comments over time; for admins, of all users
#[openapi::path(get, path = "/api/general/comment/stats", tag = "comments", params(StatsQuery),
    responses((status = 200, body = StatsView)))]
async fn stats(core: Data<Core>, caller: Caller, query: Query<StatsQuery>) -> Result<Json<StatsView>> {
    let periods = query.periods(core.clock.now())?;
    Ok(Json(comments::counts(&core, &caller, &periods).await?.into()))
}

/// Number of comments over time that are neither deleted nor hidden
#[openapi::path(get, path = "/api/public/comment/stats", tag = "comments", params(StatsQuery),
    responses((status = 200, body = StatsView)))]
async fn stats_public(core: Data<Core>, query: Query<StatsQuery>) -> Result<Json<StatsView>> {
    let periods = query.periods(core.clock.now())?;
    Ok(Json(comments::public_counts(&core, &periods).await?.into()))
}

/// Replaces the content of the caller's comments
///
/// The filter names them: `{"_id": {"$in": ["…"]}}`, at most 100. Deleted items and those of other users are skipped;
/// the changed comments are returned.
#[openapi::path(patch, path = "/api/general/comment", tag = "comments", params(FilterQuery),
    request_body = CommentBody, responses((status = 200, body = Items<CommentView>),
    (status = 409, description = "MODERATION_LOCKED")))]
pub(super) async fn edit_several(
    core: Data<Core>,
    caller: Caller,
    query: Query<FilterQuery>,
    Body(body): Body<CommentBody>,
) -> Result<Json<Items<CommentView>>> {
    let ids: Vec<CommentId> = generic::named(query.filter.as_deref())?;
    let edited = comments::edit_several(&core, &caller, &ids, &body.content).await?;
    Ok(Json(Items { items: populate::comments(&core, edited).await? }))
}

/// Deletes comments of the caller's, or below the caller's posts
///
/// The filter names them: `{"_id": {"$in": ["…"]}}`, at most 100. Deleted items and those of other users are skipped.
#[openapi::path(delete, path = "/api/general/comment", tag = "comments", params(FilterQuery),
    responses((status = 200, body = DeletedView)))]
pub(super) async fn delete_several(
    core: Data<Core>,
    caller: Caller,
    query: Query<FilterQuery>,
) -> Result<Json<DeletedView>> {
    let ids: Vec<CommentId> = generic::named(query.filter.as_deref())?;
    let deleted_count = comments::delete_several(&core, &caller, &ids).await?;
    Ok(Json(DeletedView { deleted_count }))
}
