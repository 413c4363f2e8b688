//! Versions and drafts of workflows.

use actix_web::HttpResponse;
use actix_web::web::{Data, Json, Path};
use serde::Deserialize;
use serde_json::value::RawValue;
use uuid::Uuid;
use verdigraph_core::Core;
use verdigraph_core::graph::JsonText;
use verdigraph_core::ids::WorkflowId;
use verdigraph_core::workflows::{self, NewDraft};

use super::{CursorQuery, view};
use crate::caller::Caller;
use crate::error::Result;
use crate::extract::{Body, GraphJson};
use crate::openapi::{self, ToSchema};
use crate::query::Query;
use crate::views::Cursor;
use crate::views::workflows::{DraftView, FoundDraftView, SavedDraftView, VersionGraphView, VersionView, WorkflowView};

/// The saved versions of one of the caller's workflows
///
/// The latest first. Each saved graph is a version.
#[openapi::path(get, path = "/api/general/workflow/{id}/version", tag = "workflows",
    params(("id" = Uuid, Path), CursorQuery), responses((status = 200, body = Cursor<VersionView>)))]
pub(super) async fn list(
    core: Data<Core>,
    caller: Caller,
    id: Path<WorkflowId>,
    query: Query<CursorQuery>,
) -> Result<Json<Cursor<VersionView>>> {
    let page = workflows::versions(&core, &caller, *id, query.page()?).await?;
    let items = page.items.into_iter().map(VersionView::from).collect();
    Ok(Json(Cursor { items, next_cursor: page.next_cursor }))
}

/// The graph of a version
#[openapi::path(get, path = "/api/general/workflow/{id}/version/{version}", tag = "workflows",
    params(("id" = Uuid, Path), ("version" = i32, Path, minimum = 1)),
    responses((status = 200, body = VersionGraphView)))]
pub(super) async fn find_version(
    core: Data<Core>,
    caller: Caller,
    path: Path<(WorkflowId, i32)>,
) -> Result<Json<VersionGraphView>> {
    let (id, version) = path.into_inner();
    let (created_at, graph) = workflows::version_graph(&core, &caller, id, version).await?;
    Ok(Json(VersionGraphView::new(version, created_at, &graph)))
}

/// How to restore a version.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RestoreBody {
    /// The latest version that the caller knows. If there is a later one, the answer is `WORKFLOW_CHANGED`.
    #[schema(minimum = 1)]
    base_version: Option<i32>,
}

/// Saves the graph of an earlier version as the latest one
#[openapi::path(post, path = "/api/general/workflow/{id}/version/{version}/restore", tag = "workflows",
    params(("id" = Uuid, Path), ("version" = i32, Path, minimum = 1)), request_body = RestoreBody,
    responses((status = 200, body = WorkflowView), (status = 409, description = "WORKFLOW_CHANGED, POST_LOCKED")))]
pub(super) async fn restore(
    core: Data<Core>,
    caller: Caller,
    path: Path<(WorkflowId, i32)>,
    Body(body): Body<RestoreBody>,
) -> Result<Json<WorkflowView>> {
    let (id, version) = path.into_inner();
    let restored = workflows::restore_version(&core, &caller, id, version, body.base_version).await?;
    Ok(Json(view(&core, &caller, restored).await?))
}

/// An unsaved graph to keep.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DraftBody {
    #[schema(min_length = 1, max_length = 100)]
    name: String,
    /// The editor's graph.
    #[schema(value_type = Object)]
    workflow: Box<RawValue>,
    /// The version of the workflow that the draft changes.
    #[schema(minimum = 1)]
    base_version: Option<i32>,
    /// The page that writes; each load of the editor has its own word.
    #[schema(min_length = 1, max_length = 64)]
    page: String,
    /// The revision that the page read or wrote last.
    revision: Option<Uuid>,
}

/// The caller's draft of a workflow
///
/// A draft is an unsaved graph of the editor. Saving the workflow deletes it.
#[openapi::path(get, path = "/api/general/workflow/{id}/draft", tag = "workflows", params(("id" = Uuid, Path)),
    responses((status = 200, body = FoundDraftView)))]
pub(super) async fn draft(core: Data<Core>, caller: Caller, id: Path<WorkflowId>) -> Result<Json<FoundDraftView>> {
    let draft = workflows::draft(&core, &caller, Some(*id)).await?;
    Ok(Json(FoundDraftView { draft: draft.map(DraftView::from) }))
}

/// Stores the caller's draft of a workflow
///
/// If another page has stored a draft that this page does not know, the answer is `DRAFT_CHANGED`.
#[openapi::path(put, path = "/api/general/workflow/{id}/draft", tag = "workflows", params(("id" = Uuid, Path)),
    request_body = DraftBody, responses((status = 200, body = SavedDraftView),
    (status = 409, description = "DRAFT_CHANGED")))]
pub(super) async fn put_draft(
    core: Data<Core>,
    caller: Caller,
    id: Path<WorkflowId>,
    GraphJson(body): GraphJson<DraftBody>,
) -> Result<Json<SavedDraftView>> {
    let revision = workflows::save_draft(&core, &caller, Some(*id), read(body)).await?;
    Ok(Json(SavedDraftView { revision }))
}

/// Deletes the caller's draft of a workflow
#[openapi::path(delete, path = "/api/general/workflow/{id}/draft", tag = "workflows", params(("id" = Uuid, Path)),
    responses((status = 204)))]
pub(super) async fn delete_draft(core: Data<Core>, caller: Caller, id: Path<WorkflowId>) -> Result<HttpResponse> {
    workflows::delete_draft(&core, &caller, Some(*id)).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// The caller's draft of the project that was never saved
#[openapi::path(get, path = "/api/general/workflow/draft", tag = "workflows",
    responses((status = 200, body = FoundDraftView)))]
pub(super) async fn new_draft(core: Data<Core>, caller: Caller) -> Result<Json<FoundDraftView>> {
    let draft = workflows::draft(&core, &caller, None).await?;
    Ok(Json(FoundDraftView { draft: draft.map(DraftView::from) }))
}

/// Stores the caller's draft of the project that was never saved
#[openapi::path(put, path = "/api/general/workflow/draft", tag = "workflows", request_body = DraftBody,
    responses((status = 200, body = SavedDraftView), (status = 409, description = "DRAFT_CHANGED")))]
pub(super) async fn put_new_draft(
    core: Data<Core>,
    caller: Caller,
    GraphJson(body): GraphJson<DraftBody>,
) -> Result<Json<SavedDraftView>> {
    let revision = workflows::save_draft(&core, &caller, None, read(body)).await?;
    Ok(Json(SavedDraftView { revision }))
}

/// Deletes the caller's draft of the project that was never saved
#[openapi::path(delete, path = "/api/general/workflow/draft", tag = "workflows", responses((status = 204)))]
pub(super) async fn delete_new_draft(core: Data<Core>, caller: Caller) -> Result<HttpResponse> {
    workflows::delete_draft(&core, &caller, None).await?;
    Ok(HttpResponse::NoContent().finish())
}

fn read(body: DraftBody) -> NewDraft {
    let DraftBody { name, workflow, base_version, page, revision } = body;
    NewDraft { name, ui: JsonText::new(&workflow), base_version, page, known: revision }
}
