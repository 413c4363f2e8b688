//! Workflows and their graphs.

use actix_web::HttpResponse;
use actix_web::web::{self, Data, Json, Path, Query, ServiceConfig};
use serde::Deserialize;
use serde_json::Value;
use utoipa::{IntoParams, OpenApi, ToSchema};
use uuid::Uuid;
use verdigraph_core::ids::{AssetId, WorkflowId};
use verdigraph_core::workflows::{self, Changes, NewGraph, NewWorkflow, Workflow};
use verdigraph_core::{Core, Error, assets};

use super::CursorQuery;
use crate::caller::Caller;
use crate::error::{ErrorBody, Result};
use crate::extract::{self, Body};
use crate::populate::Population;
use crate::views::workflows::{WorkflowGraphView, WorkflowView};
use crate::views::{Cursor, Items};

/// What is documented here.
#[derive(OpenApi)]
#[openapi(paths(create, mine, find, find_public, update, delete, set_private, copy))]
pub struct Api;

/// Mounts the routes below `/api`.
pub fn configure(config: &mut ServiceConfig) {
    config
        .service(web::resource("/general/workflow").post(create))
        .service(web::resource("/general/workflow/my").get(mine))
        .service(web::resource("/general/workflow/copy").post(copy))
        .service(web::resource("/general/workflow/privates").patch(set_private))
        .service(web::resource("/general/workflow/{id}").get(find).patch(update).delete(delete))
        .service(web::resource("/public/workflow/{id}").get(find_public));
}

/// A graph: an object, or a JSON text of one, as browsers keep it.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum GraphBody {
    Text(String),
    #[schema(value_type = Object)]
    Parts(Box<GraphParts>),
}

/// Both forms of a graph; one of them at least.
#[derive(Debug, Deserialize, ToSchema)]
pub struct GraphParts {
    /// What the editor draws.
    #[serde(default)]
    workflow: Option<Value>,
    /// What a worker runs: ComfyUI's API format.
    #[serde(default)]
    output: Option<Value>,
}

impl GraphBody {
    fn read(self) -> std::result::Result<NewGraph, Error> {
        let parts = match self {
            Self::Parts(parts) => *parts,
            Self::Text(text) => extract::parse(text.as_bytes()).map_err(|error| match error {
                Error::Invalid { message, .. } => Error::invalid("prompt", message),
                other => other,
            })?,
        };
        Ok(NewGraph { ui: parts.workflow, prompt: parts.output })
    }
}

/// A new workflow.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewWorkflowBody {
    /// 1 to 100 characters.
    name: String,
    /// HTML; what is not allowed is taken out.
    #[serde(default)]
    description: String,
    prompt: GraphBody,
    #[serde(default = "yes")]
    is_private: bool,
}

fn yes() -> bool {
    true
}

/// Creates a workflow
#[utoipa::path(post, path = "/api/general/workflow", tag = "workflows", request_body = NewWorkflowBody, responses(
    (status = 201, body = WorkflowView), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody),
    (status = 422, body = ErrorBody, description = "INVALID_PROMPT")
))]
async fn create(core: Data<Core>, caller: Caller, Body(body): Body<NewWorkflowBody>) -> Result<HttpResponse> {
    let NewWorkflowBody { name, description, prompt, is_private } = body;
    let new = NewWorkflow { name, description, graph: prompt.read()?, is_private };
    let workflow = workflows::create(&core, &caller, new).await?;
    Ok(HttpResponse::Created().json(view(&core, workflow).await?))
}

/// The caller's workflows, newest first
#[utoipa::path(get, path = "/api/general/workflow/my", tag = "workflows", params(CursorQuery), responses(
    (status = 200, body = Cursor<WorkflowView>), (status = 401, body = ErrorBody)
))]
async fn mine(core: Data<Core>, caller: Caller, query: Query<CursorQuery>) -> Result<Json<Cursor<WorkflowView>>> {
    let page = workflows::mine(&core, &caller, query.cursor.as_deref(), query.limit()?).await?;
    Ok(Json(Cursor { items: views(&core, page.items).await?, next_cursor: page.next_cursor }))
}

/// Which parts of a workflow are wanted.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SelectQuery {
    /// `prompt name` gives id, name and graph.
    select: Option<String>,
}

/// One workflow: published, or the caller's own
///
/// With `select=prompt name` the answer is a `WorkflowGraphView` instead.
#[utoipa::path(get, path = "/api/general/workflow/{id}", tag = "workflows", params(("id" = Uuid, Path), SelectQuery),
    responses((status = 200, body = WorkflowView), (status = 401, body = ErrorBody), (status = 404, body = ErrorBody)
))]
async fn find(
    core: Data<Core>,
    caller: Caller,
    id: Path<WorkflowId>,
    query: Query<SelectQuery>,
) -> Result<HttpResponse> {
    let workflow = workflows::find(&core, &caller, *id).await?;
    match query.select.as_deref().map(|text| text.split([' ', ',']).filter(|word| !word.is_empty()).collect::<Vec<_>>())
    {
        None => Ok(HttpResponse::Ok().json(view(&core, workflow).await?)),
        Some(words) if words.iter().all(|word| matches!(*word, "prompt" | "name" | "_id")) => {
            let graph = workflows::graph(&core, &caller, *id).await?;
            let output = graph.prompt.map(|prompt| prompt.to_value());
            let prompt = serde_json::json!({ "workflow": graph.ui, "output": output }).to_string();
            Ok(HttpResponse::Ok().json(WorkflowGraphView { id: workflow.id.0, name: workflow.name, prompt }))
        }
        Some(_) => Err(Error::invalid("select", "may name prompt and name").into()),
    }
}

/// One published workflow
#[utoipa::path(get, path = "/api/public/workflow/{id}", tag = "workflows", params(("id" = Uuid, Path), SelectQuery),
    responses((status = 200, body = WorkflowView), (status = 404, body = ErrorBody)
))]
async fn find_public(
    core: Data<Core>,
    caller: Caller,
    id: Path<WorkflowId>,
    query: Query<SelectQuery>,
) -> Result<HttpResponse> {
    find(core, caller, id, query).await
}

/// What shall change; what is left out stays.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ChangesBody {
    name: Option<String>,
    description: Option<String>,
    prompt: Option<GraphBody>,
    is_private: Option<bool>,
    /// An asset of the caller's; `null` takes the cover away.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<Uuid>)]
    cover: Option<Option<Uuid>>,
}

/// Tells a field that is `null` from one that is missing.
fn present<'de, D: serde::Deserializer<'de>>(value: D) -> std::result::Result<Option<Option<Uuid>>, D::Error> {
    Option::<Uuid>::deserialize(value).map(Some)
}

/// Changes a workflow of the caller's
#[utoipa::path(patch, path = "/api/general/workflow/{id}", tag = "workflows", params(("id" = Uuid, Path)),
    request_body = ChangesBody, responses((status = 200, body = WorkflowView), (status = 400, body = ErrorBody),
    (status = 401, body = ErrorBody), (status = 403, body = ErrorBody), (status = 404, body = ErrorBody)
))]
async fn update(
    core: Data<Core>,
    caller: Caller,
    id: Path<WorkflowId>,
    Body(body): Body<ChangesBody>,
) -> Result<Json<WorkflowView>> {
    let cover = body.cover.map(|cover| cover.map(AssetId));
    if let Some(Some(cover)) = cover {
        // A cover is shown to everybody who sees the workflow: only the caller's own pictures may become one.
        let asset = assets::find(&core, &caller, cover).await?;
        if !caller.owns_or_admin(asset.user) {
            return Err(Error::Forbidden.into());
        }
    }
    let graph = body.prompt.map(GraphBody::read).transpose()?;
    let changes = Changes { name: body.name, description: body.description, graph, is_private: body.is_private, cover };
    let workflow = workflows::update(&core, &caller, *id, changes).await?;
    show_covers(&core, &caller, std::slice::from_ref(&workflow)).await?;
    Ok(Json(view(&core, workflow).await?))
}

/// Deletes a workflow of the caller's; what ran it stays
#[utoipa::path(delete, path = "/api/general/workflow/{id}", tag = "workflows", params(("id" = Uuid, Path)), responses(
    (status = 204), (status = 401, body = ErrorBody), (status = 403, body = ErrorBody), (status = 404, body = ErrorBody)
))]
async fn delete(core: Data<Core>, caller: Caller, id: Path<WorkflowId>) -> Result<HttpResponse> {
    workflows::delete(&core, &caller, *id).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Workflows to publish or to hide.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct WorkflowPrivatesBody {
    ids: Vec<Uuid>,
    is_private: bool,
}

/// Publishes or hides workflows of the caller's, all of them or none
#[utoipa::path(patch, path = "/api/general/workflow/privates", tag = "workflows", request_body = WorkflowPrivatesBody,
    responses((status = 200, body = Items<WorkflowView>), (status = 400, body = ErrorBody),
    (status = 401, body = ErrorBody), (status = 403, body = ErrorBody), (status = 404, body = ErrorBody)
))]
async fn set_private(
    core: Data<Core>,
    caller: Caller,
    Body(body): Body<WorkflowPrivatesBody>,
) -> Result<Json<Items<WorkflowView>>> {
    let ids: Vec<WorkflowId> = body.ids.into_iter().map(WorkflowId).collect();
    let changed = workflows::set_private(&core, &caller, &ids, body.is_private).await?;
    show_covers(&core, &caller, &changed).await?;
    Ok(Json(Items { items: views(&core, changed).await? }))
}

/// A workflow to copy.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CopyBody {
    workflow: Uuid,
    /// `Copy of …` when left out.
    name: Option<String>,
}

/// Makes the caller a private copy of a workflow
#[utoipa::path(post, path = "/api/general/workflow/copy", tag = "workflows", request_body = CopyBody, responses(
    (status = 201, body = WorkflowView), (status = 401, body = ErrorBody), (status = 404, body = ErrorBody)
))]
async fn copy(core: Data<Core>, caller: Caller, Body(body): Body<CopyBody>) -> Result<HttpResponse> {
    let workflow = workflows::copy(&core, &caller, WorkflowId(body.workflow), body.name.as_deref()).await?;
    Ok(HttpResponse::Created().json(view(&core, workflow).await?))
}

/// A cover is as visible as the workflow it stands on.
async fn show_covers(core: &Core, caller: &Caller, workflows: &[Workflow]) -> std::result::Result<(), Error> {
    for is_private in [true, false] {
        let chosen = workflows.iter().filter(|workflow| workflow.is_private == is_private);
        let covers: Vec<AssetId> = chosen.filter_map(|workflow| workflow.cover).collect();
        if !covers.is_empty() {
            assets::set_private(core, caller, &covers, is_private).await?;
        }
    }
    Ok(())
}

async fn view(core: &Core, workflow: Workflow) -> std::result::Result<WorkflowView, Error> {
    let population = Population::of(core, std::slice::from_ref(&workflow)).await?;
    Ok(population.workflow(workflow))
}

/// The views of a list.
pub(super) async fn views(core: &Core, workflows: Vec<Workflow>) -> std::result::Result<Vec<WorkflowView>, Error> {
    let population = Population::of(core, &workflows).await?;
    Ok(workflows.into_iter().map(|workflow| population.workflow(workflow)).collect())
}
