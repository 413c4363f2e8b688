//! The generic calls of comments.

use actix_web::web::{self, Data, Json, Query, ServiceConfig};
use serde::Deserialize;
use verdigraph_core::comments::{self, Filter, Post};
use verdigraph_core::filter::Asked;
use verdigraph_core::ids::{CommentId, OutputAssetId, UserId, WorkflowId};
use verdigraph_core::{Core, Error};

use super::comments::CommentBody;
use crate::caller::Caller;
use crate::described::{self, OpenApi};
use crate::error::{ErrorBody, Result};
use crate::extract::Body;
use crate::generic::filter::{Ids, Range};
use crate::generic::options::Options;
use crate::generic::stats::StatsQuery;
use crate::generic::{self, FilterQuery, ListQuery, relations};
use crate::populate;
use crate::views::comments::CommentView;
use crate::views::resources::{DeletedView, ResourceCountView, StatsView};
use crate::views::{Cursor, Items};

/// What is documented here.
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

/// Relations that views always fill in.
const RELATIONS: [&str; 1] = ["user"];

/// What a filter of comments may say.
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
    fn wanted(self) -> std::result::Result<Filter, Error> {
        let post = match (self.workflow, self.output_asset) {
            (Some(_), Some(_)) => {
                return Err(Error::invalid("filter.outputAsset", "cannot stand beside filter.workflow"));
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
        Ok(Filter { ids, user: self.user, post, parent: self.parent, is_answer, created })
    }
}

/// Comments that a filter finds, by age
///
/// Filters may say `_id`, `user`, `workflow` or `outputAsset` (what stands directly below it), `parent` (its answers),
/// `depth` and a range of `createdAt`. All but admins say where to look (`_id`, `workflow`, `outputAsset` or `parent`), or
/// name themselves as `user`. Sorted by `createdAt`, either way. What is deleted is not among them.
#[described::path(get, path = "/api/general/comment", tag = "comments", params(ListQuery), responses(
    (status = 200, body = Cursor<CommentView>), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody),
    (status = 403, body = ErrorBody, description = "All that somebody else wrote")
))]
pub(super) async fn list(
    core: Data<Core>,
    caller: Caller,
    query: Query<ListQuery>,
) -> Result<Json<Cursor<CommentView>>> {
    relations::check(query.populate.as_deref(), &RELATIONS)?;
    let options = Options::read(query.options.as_deref())?;
    let said: CommentFilter = generic::filter(query.filter.as_deref())?;
    let limit = options.limit_of(said.id.as_ref().map(|ids| ids.0.len()))?;
    let order = options.order()?.unwrap_or_default();
    let asked = Asked { order, cursor: options.cursor.as_deref(), skip: options.skip(), limit };
    let found = comments::filtered(&core, &caller, &said.wanted()?, asked).await?;
    Ok(Json(Cursor { items: populate::comments(&core, found.items).await?, next_cursor: found.next }))
}

/// Comments that a filter finds, by age, for anyone
#[described::path(get, path = "/api/public/comment", tag = "comments", params(ListQuery), responses(
    (status = 200, body = Cursor<CommentView>), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody),
    (status = 403, body = ErrorBody, description = "All that somebody else wrote")
))]
async fn list_public(core: Data<Core>, caller: Caller, query: Query<ListQuery>) -> Result<Json<Cursor<CommentView>>> {
    list(core, caller, query).await
}

/// How many comments a filter finds, which says as much as in the list
#[described::path(get, path = "/api/general/comment/count", tag = "comments", params(FilterQuery), responses(
    (status = 200, body = ResourceCountView), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody),
    (status = 403, body = ErrorBody, description = "All that somebody else wrote")
))]
async fn count(core: Data<Core>, caller: Caller, query: Query<FilterQuery>) -> Result<Json<ResourceCountView>> {
    let said: CommentFilter = generic::filter(query.filter.as_deref())?;
    Ok(Json(comments::count(&core, &caller, &said.wanted()?).await?.into()))
}

/// How many comments a filter finds, for anyone
#[described::path(get, path = "/api/public/comment/count", tag = "comments", params(FilterQuery), responses(
    (status = 200, body = ResourceCountView), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody),
    (status = 403, body = ErrorBody, description = "All that somebody else wrote")
))]
async fn count_public(core: Data<Core>, caller: Caller, query: Query<FilterQuery>) -> Result<Json<ResourceCountView>> {
    count(core, caller, query).await
}

/// How many comments the caller wrote over time; for admins, everybody
#[described::path(get, path = "/api/general/comment/stats", tag = "comments", params(StatsQuery), responses(
    (status = 200, body = StatsView), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody)
))]
async fn stats(core: Data<Core>, caller: Caller, query: Query<StatsQuery>) -> Result<Json<StatsView>> {
    let periods = query.periods(core.clock.now())?;
    Ok(Json(comments::counts(&core, &caller, &periods).await?.into()))
}

/// How many comments were written over time that are neither deleted nor hidden
#[described::path(get, path = "/api/public/comment/stats", tag = "comments", params(StatsQuery), responses(
    (status = 200, body = StatsView), (status = 400, body = ErrorBody)
))]
async fn stats_public(core: Data<Core>, query: Query<StatsQuery>) -> Result<Json<StatsView>> {
    let periods = query.periods(core.clock.now())?;
    Ok(Json(comments::public_counts(&core, &periods).await?.into()))
}

/// Gives comments of the caller's the same words
///
/// The filter names them: `{"_id": {"$in": ["…"]}}`, at most 100. What is gone already, or somebody else's, is passed
/// over; those that changed are given.
#[described::path(patch, path = "/api/general/comment", tag = "comments", params(FilterQuery), request_body = CommentBody,
    responses((status = 200, body = Items<CommentView>), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody),
    (status = 403, body = ErrorBody),
    (status = 409, body = ErrorBody, description = "MODERATION_LOCKED")
))]
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
/// The filter names them: `{"_id": {"$in": ["…"]}}`, at most 100. What is gone already, or somebody else's, is passed
/// over.
#[described::path(delete, path = "/api/general/comment", tag = "comments", params(FilterQuery), responses(
    (status = 200, body = DeletedView), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody)
))]
pub(super) async fn delete_several(
    core: Data<Core>,
    caller: Caller,
    query: Query<FilterQuery>,
) -> Result<Json<DeletedView>> {
    let ids: Vec<CommentId> = generic::named(query.filter.as_deref())?;
    let deleted_count = comments::delete_several(&core, &caller, &ids).await?;
    Ok(Json(DeletedView { deleted_count }))
}
