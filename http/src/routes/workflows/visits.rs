//! Likes, launches, downloads and exports of workflows.

use actix_web::http::header;
use actix_web::web::{Data, Json, Path};
use actix_web::{HttpRequest, HttpResponse};
use serde::Deserialize;
use serde_json::value::RawValue;
use uuid::Uuid;
use verdigraph_core::graph::{JsonText, indented};
use verdigraph_core::ids::WorkflowId;
use verdigraph_core::workflows::{self, LikeChange, Visit};
use verdigraph_core::{Core, Error, mini_apps};

use super::origin;
use crate::attachment::attachment;
use crate::caller::Caller;
use crate::error::Result;
use crate::extract::{Body, GraphJson};
use crate::openapi::{self, ToSchema};
use crate::views::workflows::LikeView;

/// A workflow to like.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct WorkflowLikeBody {
    id: Uuid,
}

/// Likes a workflow, or removes the like
#[openapi::path(post, path = "/api/general/workflow-like", tag = "workflows", request_body = WorkflowLikeBody,
    responses((status = 200, body = LikeView), (status = 404), (status = 422, description = "LIKE_OWN, LIKE_PRIVATE")))]
pub(super) async fn like_named(
    core: Data<Core>,
    caller: Caller,
    Body(body): Body<WorkflowLikeBody>,
) -> Result<Json<LikeView>> {
    like(core, caller, Path::from(WorkflowId(body.id))).await
}

/// Likes a workflow, or removes the like
#[openapi::path(post, path = "/api/general/workflow-like/{id}", tag = "workflows", params(("id" = Uuid, Path)),
    responses((status = 200, body = LikeView), (status = 422, description = "LIKE_OWN, LIKE_PRIVATE")))]
pub(super) async fn like(core: Data<Core>, caller: Caller, id: Path<WorkflowId>) -> Result<Json<LikeView>> {
    let liked = workflows::toggle_like(&core, &caller, *id).await?;
    Ok(Json(LikeView { is_liked: liked.is_liked, like_count: liked.like_count }))
}

/// Likes a workflow; idempotent
#[openapi::path(put, path = "/api/general/workflow-like/{id}", tag = "workflows", params(("id" = Uuid, Path)),
    responses((status = 200, body = LikeView), (status = 422, description = "LIKE_OWN, LIKE_PRIVATE")))]
pub(super) async fn put_like(core: Data<Core>, caller: Caller, id: Path<WorkflowId>) -> Result<Json<LikeView>> {
    let liked = workflows::like(&core, &caller, *id, LikeChange::Like).await?;
    Ok(Json(LikeView { is_liked: liked.is_liked, like_count: liked.like_count }))
}

/// Removes the like of a workflow; idempotent
#[openapi::path(delete, path = "/api/general/workflow-like/{id}", tag = "workflows", params(("id" = Uuid, Path)),
    responses((status = 200, body = LikeView), (status = 422, description = "LIKE_OWN, LIKE_PRIVATE")))]
pub(super) async fn drop_like(core: Data<Core>, caller: Caller, id: Path<WorkflowId>) -> Result<Json<LikeView>> {
    let liked = workflows::like(&core, &caller, *id, LikeChange::Unlike).await?;
    Ok(Json(LikeView { is_liked: liked.is_liked, like_count: liked.like_count }))
}

/// Counts a launch: the workflow was opened to be run; once a day for each user
#[openapi::path(patch, path = "/api/public/workflow/{id}/launch", tag = "workflows", params(("id" = Uuid, Path)),
    responses((status = 204)))]
pub(super) async fn launch_public(
    core: Data<Core>,
    caller: Caller,
    id: Path<WorkflowId>,
    request: HttpRequest,
) -> Result<HttpResponse> {
    let workflow = workflows::find(&core, &caller, *id).await?;
    workflows::visit(&core, &caller, &origin(&core, &request), &workflow, Visit::Launch).await;
    Ok(HttpResponse::NoContent().finish())
}

/// Counts a launch, also of a private workflow
#[openapi::path(patch, path = "/api/general/workflow/{id}/launch", tag = "workflows", params(("id" = Uuid, Path)),
    responses((status = 204)))]
pub(super) async fn launch(
    core: Data<Core>,
    caller: Caller,
    id: Path<WorkflowId>,
    request: HttpRequest,
) -> Result<HttpResponse> {
    launch_public(core, caller, id, request).await
}

/// The graph of a published workflow as a file
///
/// The editor's graph if there is one, else the worker's prompt. The file has the workflow's name. A mini app of the
/// workflow is in the editor's graph as an app of ComfyUI.
#[openapi::path(get, path = "/api/public/workflow/{id}/download", tag = "workflows", params(("id" = Uuid, Path)),
    responses((status = 200, body = Object)))]
pub(super) async fn download_public(core: Data<Core>, caller: Caller, id: Path<WorkflowId>) -> Result<HttpResponse> {
    let workflow = workflows::find(&core, &caller, *id).await?;
    let graph = workflows::graph(&core, &workflow).await?;
    let with_app = match &graph.ui {
        Some(ui) => mini_apps::with_app(&core, &workflow, ui).await?,
        None => None,
    };
    let ending = if with_app.is_some() { "app.json" } else { "json" };
    let own = with_app.as_ref().or(graph.ui.as_ref()).map(JsonText::as_str);
    let text = own.or(graph.prompt.as_ref().map(|prompt| prompt.text.as_str()));
    let text = indented(text.ok_or(Error::NotFound { what: "graph" })?);
    let mut response = HttpResponse::Ok();
    response
        .content_type("application/json")
        .insert_header((header::CONTENT_DISPOSITION, attachment(&format!("{}.{ending}", workflow.name))));
    Ok(response.body(text))
}

/// The graph of a workflow as a file: published, or the caller's own
#[openapi::path(get, path = "/api/general/workflow/{id}/download", tag = "workflows", params(("id" = Uuid, Path)),
    responses((status = 200, body = Object)))]
pub(super) async fn download(core: Data<Core>, caller: Caller, id: Path<WorkflowId>) -> Result<HttpResponse> {
    download_public(core, caller, id).await
}

/// A graph to export, in the editor's format.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ExportBody {
    #[schema(value_type = Object)]
    workflow: Box<RawValue>,
}

/// A graph of a workflow with its mini app as an app of ComfyUI
///
/// The graph need not be saved. It is returned unchanged where the workflow has no mini app. Nothing is written.
#[openapi::path(post, path = "/api/general/workflow/{id}/export", tag = "workflows", params(("id" = Uuid, Path)),
    request_body = ExportBody, responses((status = 200, body = Object)))]
pub(super) async fn export(
    core: Data<Core>,
    caller: Caller,
    id: Path<WorkflowId>,
    GraphJson(body): GraphJson<ExportBody>,
) -> Result<HttpResponse> {
    let graph = JsonText::new(&body.workflow);
    let workflow = workflows::find(&core, &caller, *id).await?;
    let with_app = mini_apps::with_app(&core, &workflow, &graph).await?;
    Ok(HttpResponse::Ok().content_type("application/json").body(with_app.unwrap_or(graph).as_str().to_owned()))
}
