//! Comments on workflows and pictures, answers, and their likes.

use actix_web::HttpResponse;
use actix_web::web::{self, Data, Json, Path, ServiceConfig};
use serde::Deserialize;
use uuid::Uuid;
use verdigraph_core::comments::{self, Comment, CommentParent, Post, Reaction};
use verdigraph_core::ids::{CommentId, OutputAssetId, UserId, WorkflowId};
use verdigraph_core::{Core, Error};

use super::{CursorQuery, PageQuery, comment_filter};
use crate::caller::Caller;
use crate::error::{ApiError, Result};
use crate::extract::Body;
use crate::openapi::{self, IntoParams, OpenApi, ToSchema};
use crate::populate;
use crate::query::Query;
use crate::views::comments::{CommentView, CommentsView};
use crate::views::{Cursor, Pagination};

/// Comments per page by default.
const PAGE: i64 = 10;

#[derive(OpenApi)]
#[openapi(paths(
    of_workflow,
    of_workflow_public,
    of_output_asset,
    of_output_asset_public,
    answers,
    answers_public,
    one,
    one_public,
    write,
    edit,
    delete,
    like,
    dislike,
    search
))]
pub struct Api;

pub fn configure(config: &mut ServiceConfig) {
    // Names before ids: the first match wins.
    comment_filter::configure(config);
    config
        .service(
            web::resource("/general/comment")
                .get(comment_filter::list)
                .post(write)
                .patch(comment_filter::edit_several)
                .delete(comment_filter::delete_several),
        )
        .service(web::resource("/general/comment/workflow/{id}").get(of_workflow))
        .service(web::resource("/general/comment/output-asset/{id}").get(of_output_asset))
        .service(web::resource("/general/comment/child/{id}").get(answers))
        .service(web::resource("/general/comment/{id}").get(one).patch(edit).delete(delete))
        .service(web::resource("/general/comment-like/like/{id}").post(like))
        .service(web::resource("/general/comment-like/dislike/{id}").post(dislike))
        .service(web::resource("/public/comment/workflow/{id}").get(of_workflow_public))
        .service(web::resource("/public/comment/output-asset/{id}").get(of_output_asset_public))
        .service(web::resource("/public/comment/child/{id}").get(answers_public))
        .service(web::resource("/public/comment/{id}").get(one_public))
        .service(web::resource("/admin/comment").get(search));
}

async fn page(core: &Core, caller: &Caller, below: CommentParent, query: &PageQuery) -> Result<Json<CommentsView>> {
    let (number, limit) = query.place(PAGE);
    let page = comments::page(core, caller, below, number, limit).await?;
    Ok(Json(CommentsView {
        items: populate::comments(core, page.items).await?,
        pagination: Pagination::new(number, limit, page.places),
        comment_count: page.comment_count,
    }))
}

/// Comments on a workflow, newest first
#[openapi::path(get, path = "/api/general/comment/workflow/{id}", tag = "comments",
    params(("id" = Uuid, Path), PageQuery), responses((status = 200, body = CommentsView)))]
async fn of_workflow(
    core: Data<Core>,
    caller: Caller,
    id: Path<WorkflowId>,
    query: Query<PageQuery>,
) -> Result<Json<CommentsView>> {
    page(&core, &caller, CommentParent::Post(Post::Workflow(*id)), &query).await
}

/// Comments on a workflow, newest first, for anyone
#[openapi::path(get, path = "/api/public/comment/workflow/{id}", tag = "comments",
    params(("id" = Uuid, Path), PageQuery), responses((status = 200, body = CommentsView)))]
async fn of_workflow_public(
    core: Data<Core>,
    caller: Caller,
    id: Path<WorkflowId>,
    query: Query<PageQuery>,
) -> Result<Json<CommentsView>> {
    of_workflow(core, caller, id, query).await
}

/// Comments on a published picture, newest first
#[openapi::path(get, path = "/api/general/comment/output-asset/{id}", tag = "comments",
    params(("id" = Uuid, Path), PageQuery), responses((status = 200, body = CommentsView),
    (status = 403, description = "The picture is private")))]
async fn of_output_asset(
    core: Data<Core>,
    caller: Caller,
    id: Path<OutputAssetId>,
    query: Query<PageQuery>,
) -> Result<Json<CommentsView>> {
    page(&core, &caller, CommentParent::Post(Post::OutputAsset(*id)), &query).await
}

/// Comments on a published picture, newest first, for anyone
#[openapi::path(get, path = "/api/public/comment/output-asset/{id}", tag = "comments",
    params(("id" = Uuid, Path), PageQuery), responses((status = 200, body = CommentsView)))]
async fn of_output_asset_public(
    core: Data<Core>,
    caller: Caller,
    id: Path<OutputAssetId>,
    query: Query<PageQuery>,
) -> Result<Json<CommentsView>> {
    of_output_asset(core, caller, id, query).await
}

/// Answers to a comment, oldest first
#[openapi::path(get, path = "/api/general/comment/child/{id}", tag = "comments",
    params(("id" = Uuid, Path), PageQuery), responses((status = 200, body = CommentsView)))]
async fn answers(
    core: Data<Core>,
    caller: Caller,
    id: Path<CommentId>,
    query: Query<PageQuery>,
) -> Result<Json<CommentsView>> {
    page(&core, &caller, CommentParent::Comment(*id), &query).await
}

/// Answers to a comment, oldest first, for anyone
#[openapi::path(get, path = "/api/public/comment/child/{id}", tag = "comments",
    params(("id" = Uuid, Path), PageQuery), responses((status = 200, body = CommentsView)))]
async fn answers_public(
    core: Data<Core>,
    caller: Caller,
    id: Path<CommentId>,
    query: Query<PageQuery>,
) -> Result<Json<CommentsView>> {
    answers(core, caller, id, query).await
}

/// One comment, for links
#[openapi::path(get, path = "/api/general/comment/{id}", tag = "comments", params(("id" = Uuid, Path)),
    responses((status = 200, body = CommentView), (status = 403)))]
async fn one(core: Data<Core>, caller: Caller, id: Path<CommentId>) -> Result<Json<CommentView>> {
    let comment = comments::linked(&core, &caller, *id).await?;
    Ok(Json(view(&core, comment).await?))
}

/// One comment, for links, for anyone
#[openapi::path(get, path = "/api/public/comment/{id}", tag = "comments", params(("id" = Uuid, Path)),
    responses((status = 200, body = CommentView), (status = 403)))]
async fn one_public(core: Data<Core>, caller: Caller, id: Path<CommentId>) -> Result<Json<CommentView>> {
    one(core, caller, id).await
}

/// A comment: on a workflow, on a picture, or an answer to a comment. One of the three.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewCommentBody {
    #[serde(default)]
    workflow: Option<Uuid>,
    #[serde(default)]
    output_asset: Option<Uuid>,
    /// The comment that this answers.
    #[serde(default)]
    parent: Option<Uuid>,
    /// HTML with at most 580 characters of text; it is sanitized.
    #[schema(min_length = 1, max_length = 16_384)]
    content: String,
    /// 0 for a comment, 1 for an answer. It follows from the other fields; if given, it must agree.
    #[serde(default)]
    #[schema(maximum = 1)]
    depth: Option<u8>,
}

impl NewCommentBody {
    fn below(&self) -> std::result::Result<CommentParent, Error> {
        let below = match (self.workflow, self.output_asset, self.parent) {
            // A client may also repeat what the answered comment is below.
            (_, _, Some(parent)) => CommentParent::Comment(CommentId(parent)),
            (Some(workflow), None, None) => CommentParent::Post(Post::Workflow(WorkflowId(workflow))),
            (None, Some(picture), None) => CommentParent::Post(Post::OutputAsset(OutputAssetId(picture))),
            _ => return Err(Error::invalid("workflow", "name a workflow, an outputAsset or a parent")),
        };
        let depth = u8::from(self.parent.is_some());
        if self.depth.is_some_and(|given| given != depth) {
            return Err(Error::invalid("depth", format!("must be {depth} here")));
        }
        Ok(below)
    }
}

/// Writes a comment or an answer
#[openapi::path(post, path = "/api/general/comment", tag = "comments", request_body = NewCommentBody,
    responses((status = 201, body = CommentView),
    (status = 403, description = "Its author has blocked you, or the picture is private"), (status = 404),
    (status = 409, description = "MODERATION_LOCKED")))]
async fn write(core: Data<Core>, caller: Caller, Body(body): Body<NewCommentBody>) -> Result<HttpResponse> {
    let comment = comments::write(&core, &caller, body.below()?, &body.content).await?;
    Ok(HttpResponse::Created().json(view(&core, comment).await?))
}

/// New content of a comment.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CommentBody {
    /// HTML of at most 580 characters of text.
    #[schema(min_length = 1, max_length = 16_384)]
    pub(super) content: String,
}

/// Changes the caller's comment
#[openapi::path(patch, path = "/api/general/comment/{id}", tag = "comments", params(("id" = Uuid, Path)),
    request_body = CommentBody, responses((status = 200, body = CommentView),
    (status = 409, description = "MODERATION_LOCKED")))]
async fn edit(
    core: Data<Core>,
    caller: Caller,
    id: Path<CommentId>,
    Body(body): Body<CommentBody>,
) -> Result<Json<CommentView>> {
    let comment = comments::edit(&core, &caller, *id, &body.content).await?;
    Ok(Json(view(&core, comment).await?))
}

/// Deletes a comment of the caller's, or below the caller's post
#[openapi::path(delete, path = "/api/general/comment/{id}", tag = "comments", params(("id" = Uuid, Path)),
    responses((status = 204)))]
async fn delete(core: Data<Core>, caller: Caller, id: Path<CommentId>) -> Result<HttpResponse> {
    comments::delete(&core, &caller, *id).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Likes a comment, or removes the like
#[openapi::path(post, path = "/api/general/comment-like/like/{id}", tag = "comments", params(("id" = Uuid, Path)),
    responses((status = 200, body = CommentView), (status = 403, description = "FORBIDDEN: the caller's own comment")))]
async fn like(core: Data<Core>, caller: Caller, id: Path<CommentId>) -> Result<Json<CommentView>> {
    let comment = comments::react(&core, &caller, *id, Reaction::Like).await?;
    Ok(Json(view(&core, comment).await?))
}

/// Dislikes a comment, or removes the dislike
#[openapi::path(post, path = "/api/general/comment-like/dislike/{id}", tag = "comments", params(("id" = Uuid, Path)),
    responses((status = 200, body = CommentView), (status = 403, description = "FORBIDDEN: the caller's own comment")))]
async fn dislike(core: Data<Core>, caller: Caller, id: Path<CommentId>) -> Result<Json<CommentView>> {
    let comment = comments::react(&core, &caller, *id, Reaction::Dislike).await?;
    Ok(Json(view(&core, comment).await?))
}

/// An admin's search.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct SearchQuery {
    /// A word in the text; parts of words are enough.
    #[param(max_length = 100)]
    keyword: Option<String>,
    /// The author.
    #[param(value_type = Option<Uuid>)]
    user: Option<UserId>,
    /// `nextCursor` of the previous page.
    #[param(max_length = 512)]
    cursor: Option<String>,
    /// Items per page, 1 to 100; 20 by default.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<i64>,
}

/// All comments, newest first, including hidden ones (admins only)
///
/// A call reads some thousands of comments: a page may be empty although the list continues.
#[openapi::path(get, path = "/api/admin/comment", tag = "comments", params(SearchQuery),
    responses((status = 200, body = Cursor<CommentView>)))]
async fn search(core: Data<Core>, caller: Caller, query: Query<SearchQuery>) -> Result<Json<Cursor<CommentView>>> {
    let SearchQuery { keyword, user, cursor, limit } = query.into_inner();
    let place = CursorQuery { cursor, limit };
    let word = keyword.unwrap_or_default();
    let page = comments::search(&core, &caller, (&word, user), place.before()?, place.limit()?).await?;
    Ok(Json(Cursor { items: populate::comments(&core, page.items).await?, next_cursor: page.next_cursor }))
}

async fn view(core: &Core, comment: Comment) -> Result<CommentView> {
    let mut views = populate::comments(core, vec![comment]).await?;
    // One view for one comment.
    views.pop().ok_or_else(ApiError::internal)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(json: &str) -> std::result::Result<CommentParent, Error> {
        serde_json::from_str::<NewCommentBody>(json).expect("a body").below()
    }

    #[test]
    fn comment_is_below_exactly_one_object() {
        let id = Uuid::now_v7();
        let workflow = body(&format!(r#"{{"workflow":"{id}","content":"x","depth":0}}"#)).expect("a comment");
        assert_eq!(workflow, CommentParent::Post(Post::Workflow(WorkflowId(id))));
        let answer =
            body(&format!(r#"{{"workflow":"{id}","parent":"{id}","content":"x","depth":1}}"#)).expect("an answer");
        assert_eq!(answer, CommentParent::Comment(CommentId(id)));
        for wrong in [
            r#"{"content":"x"}"#.to_owned(),
            format!(r#"{{"workflow":"{id}","outputAsset":"{id}","content":"x"}}"#),
            format!(r#"{{"workflow":"{id}","content":"x","depth":1}}"#),
            format!(r#"{{"parent":"{id}","content":"x","depth":0}}"#),
        ] {
            assert!(body(&wrong).is_err(), "{wrong}");
        }
    }
}
