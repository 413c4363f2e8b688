//! Workflows and their graphs.

pub(super) mod filter;
mod lists;
mod versions;
mod visits;

use actix_web::web::{self, Data, Json, Path, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;
use uuid::Uuid;
use verdigraph_core::graph::JsonText;
use verdigraph_core::ids::{AssetId, WorkflowId, WorkflowTagId};
use verdigraph_core::workflows::{self, NewGraph, NewWorkflow, Visit, Workflow, WorkflowChanges};
use verdigraph_core::{Caller as CoreCaller, Core, Error};

use super::auth::origin;
use super::{CursorQuery, SelectQuery};
use crate::caller::Caller;
use crate::error::Result;
use crate::extract::{self, Body, GraphJson};
use crate::generic::filter::present;
use crate::openapi::{self, OpenApi, ToSchema};
use crate::populate::Population;
use crate::query::Query;
use crate::views::Items;
use crate::views::translations::{ByLanguageView, TranslationView};
use crate::views::words::MarkedKindWord;
use crate::views::workflows::{FoundWorkflowView, WorkflowGraphView, WorkflowView, graph_text};

#[derive(OpenApi)]
#[openapi(paths(
    create,
    find,
    find_public,
    update,
    delete,
    set_private,
    copy,
    filter::count,
    filter::count_public,
    filter::stats,
    filter::stats_public,
    filter::update_several,
    filter::delete_several,
    lists::list_public,
    lists::list_general,
    lists::mine,
    lists::basic,
    lists::basics,
    lists::order_basics,
    lists::published,
    lists::published_public,
    lists::unpublished,
    lists::favourites,
    lists::admin,
    versions::list,
    versions::find_version,
    versions::restore,
    versions::draft,
    versions::put_draft,
    versions::delete_draft,
    versions::new_draft,
    versions::put_new_draft,
    versions::delete_new_draft,
    visits::like,
    visits::like_named,
    visits::put_like,
    visits::drop_like,
    visits::launch,
    visits::launch_public,
    visits::download,
    visits::download_public,
    visits::export
))]
pub struct Api;

pub fn configure(config: &mut ServiceConfig) {
    let resource = web::resource::<&str>;
    config
        .service(
            resource("/general/workflow")
                .get(lists::list_general)
                .post(create)
                .patch(filter::update_several)
                .delete(filter::delete_several),
        )
        .service(resource("/public/workflow").get(lists::list_public))
        .service(resource("/general/workflow/count").get(filter::count))
        .service(resource("/public/workflow/count").get(filter::count_public))
        .service(resource("/general/workflow/stats").get(filter::stats))
        .service(resource("/public/workflow/stats").get(filter::stats_public))
        .service(resource("/general/workflow/my").get(lists::mine))
        .service(resource("/general/workflow/copy").post(copy))
        .service(resource("/general/workflow/privates").patch(set_private))
        .service(
            resource("/general/workflow/draft")
                .get(versions::new_draft)
                .put(versions::put_new_draft)
                .delete(versions::delete_new_draft),
        )
        .service(resource("/general/workflow/admin").get(lists::admin))
        .service(resource("/general/workflow/like").get(lists::favourites))
        .service(resource("/general/workflow-like").post(visits::like_named))
        .service(
            resource("/general/workflow-like/{id}").post(visits::like).put(visits::put_like).delete(visits::drop_like),
        )
        .service(resource("/public/workflow/basic").get(lists::basic))
        .service(resource("/admin/basic-workflow").get(lists::basics))
        .service(resource("/admin/basic-workflow/order").put(lists::order_basics))
        .service(resource("/general/workflow/published/{user}").get(lists::published))
        .service(resource("/public/workflow/published/{user}").get(lists::published_public))
        .service(resource("/general/workflow/unpublished/{user}").get(lists::unpublished))
        .service(resource("/general/workflow/{id}/launch").patch(visits::launch))
        .service(resource("/public/workflow/{id}/launch").patch(visits::launch_public))
        .service(resource("/general/workflow/{id}/download").get(visits::download))
        .service(resource("/public/workflow/{id}/download").get(visits::download_public))
        .service(resource("/general/workflow/{id}/export").post(visits::export))
        .service(
            resource("/general/workflow/{id}/draft")
                .get(versions::draft)
                .put(versions::put_draft)
                .delete(versions::delete_draft),
        )
        .service(resource("/general/workflow/{id}/version").get(versions::list))
        .service(resource("/general/workflow/{id}/version/{version}").get(versions::find_version))
        .service(resource("/general/workflow/{id}/version/{version}/restore").post(versions::restore))
        .service(resource("/general/workflow/{id}").get(find).patch(update).delete(delete))
        .service(resource("/public/workflow/{id}").get(find_public));
}

/// A graph: an object, or its JSON text, as browsers store it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub enum GraphBody {
    Text(String),
    #[schema(value_type = Object)]
    Parts(Box<GraphParts>),
}

/// Both forms of a graph; at least one of them.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
pub struct GraphParts {
    /// The editor's graph.
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    workflow: Option<Box<RawValue>>,
    /// The worker's prompt in ComfyUI's API format.
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    output: Option<Box<RawValue>>,
}

impl<'de> Deserialize<'de> for GraphBody {
    /// A derived implementation would parse the parts before it knows their type, and numbers would lose digits.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        let read = |raw: &RawValue| match raw.get().starts_with('"') {
            true => extract::parse(raw.get().as_bytes()).map(Self::Text),
            false => extract::parse_graph(raw.get().as_bytes()).map(|parts| Self::Parts(Box::new(parts))),
        };
        read(&raw).map_err(|error| match error {
            Error::Invalid { field, message } if field != "body" => D::Error::custom(format!("{field}: {message}")),
            Error::Invalid { message, .. } => D::Error::custom(message),
            other => D::Error::custom(other),
        })
    }
}

impl GraphBody {
    fn read(self) -> std::result::Result<NewGraph, Error> {
        let parts = match self {
            Self::Parts(parts) => *parts,
            Self::Text(text) => extract::parse_graph(text.as_bytes()).map_err(|error| match error {
                Error::Invalid { field, message } if field != "body" => {
                    Error::invalid(format!("prompt.{field}"), message)
                }
                Error::Invalid { message, .. } => Error::invalid("prompt", message),
                other => other,
            })?,
        };
        let [ui, prompt] = [parts.workflow, parts.output].map(|text| text.map(|text| JsonText::new(&text)));
        Ok(NewGraph { ui, prompt })
    }
}

/// A new workflow.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewWorkflowBody {
    /// 1 to 100 characters.
    #[schema(min_length = 1, max_length = 100)]
    name: String,
    /// HTML; it is sanitized.
    #[serde(default)]
    #[schema(max_length = 65_536)]
    description: String,
    /// Name and description in other languages than the original one.
    translations: Option<ByLanguageView<TranslationView>>,
    prompt: GraphBody,
    /// `false` publishes it at once; then it needs a tag and a picture, as every published workflow does.
    #[serde(default = "yes")]
    is_private: bool,
    /// One of the caller's assets; by default the first of the gallery.
    cover: Option<Uuid>,
    /// The gallery in its order: up to 16 of the caller's assets.
    #[serde(default)]
    #[schema(max_items = 16)]
    thumbnails: Vec<Uuid>,
    /// Tags in their order: up to 5.
    #[serde(default)]
    #[schema(max_items = 5)]
    workflow_tags: Vec<Uuid>,
}

fn yes() -> bool {
    true
}

/// Creates a workflow
#[openapi::path(post, path = "/api/general/workflow", tag = "workflows", request_body = NewWorkflowBody,
    responses((status = 201, body = WorkflowView),
    (status = 403, description = "FORBIDDEN: a picture belongs to another user"), (status = 404),
    (status = 422, description = "INVALID_PROMPT"), (status = 409, description = "MODERATION_LOCKED")))]
async fn create(core: Data<Core>, caller: Caller, GraphJson(body): GraphJson<NewWorkflowBody>) -> Result<HttpResponse> {
    let NewWorkflowBody { name, description, translations, prompt, is_private, cover, thumbnails, workflow_tags } =
        body;
    let new = NewWorkflow {
        name,
        description,
        translations: translations.map(Into::into).unwrap_or_default(),
        graph: prompt.read()?,
        is_private,
        cover: cover.map(AssetId),
        thumbnails: thumbnails.into_iter().map(AssetId).collect(),
        tags: workflow_tags.into_iter().map(WorkflowTagId).collect(),
    };
    let workflow = workflows::create(&core, &caller, new).await?;
    Ok(HttpResponse::Created().json(view(&core, &caller, workflow).await?))
}

/// One workflow: published, or the caller's own
///
/// With `select=prompt name` the response is a `WorkflowGraphView` instead. Otherwise the view is counted: once a day
/// for each user.
#[openapi::path(get, path = "/api/general/workflow/{id}", tag = "workflows", params(("id" = Uuid, Path), SelectQuery),
    responses((status = 200, body = FoundWorkflowView)))]
async fn find(
    core: Data<Core>,
    caller: Caller,
    id: Path<WorkflowId>,
    query: Query<SelectQuery>,
    request: HttpRequest,
) -> Result<HttpResponse> {
    let workflow = workflows::find(&core, &caller, *id).await?;
    if query.is_of_graph()? {
        let graph = workflows::graph(&core, &workflow).await?;
        let prompt = graph_text(graph.ui.as_ref(), graph.prompt.as_ref());
        let graph = WorkflowGraphView { id: workflow.id.0, name: workflow.name, version: workflow.version, prompt };
        return Ok(HttpResponse::Ok().json(FoundWorkflowView::Graph(graph)));
    }
    workflows::visit(&core, &caller, &origin(&core, &request), &workflow, Visit::View).await;
    let whole = Box::new(view(&core, &caller, workflow).await?);
    Ok(HttpResponse::Ok().json(FoundWorkflowView::Whole(whole)))
}

/// One published workflow
#[openapi::path(get, path = "/api/public/workflow/{id}", tag = "workflows", params(("id" = Uuid, Path), SelectQuery),
    responses((status = 200, body = FoundWorkflowView)))]
async fn find_public(
    core: Data<Core>,
    caller: Caller,
    id: Path<WorkflowId>,
    query: Query<SelectQuery>,
    request: HttpRequest,
) -> Result<HttpResponse> {
    find(core, caller, id, query, request).await
}

/// Changes to a workflow; missing fields stay unchanged.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ChangesBody {
    #[schema(min_length = 1, max_length = 100)]
    name: Option<String>,
    #[schema(max_length = 65_536)]
    description: Option<String>,
    /// Name and description in other languages: all of them, `{}` for none. Unchanged by default, even if the
    /// original changes.
    translations: Option<ByLanguageView<TranslationView>>,
    prompt: Option<GraphBody>,
    /// The version that the new graph changes. If the workflow has another one by now, the answer is
    /// `WORKFLOW_CHANGED`.
    #[schema(minimum = 1)]
    base_version: Option<i32>,
    is_private: Option<bool>,
    /// One of the caller's assets; `null` removes the cover.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<Uuid>)]
    cover: Option<Option<Uuid>>,
    /// The gallery in its order: 1 to 16 of the caller's assets.
    #[schema(min_items = 1, max_items = 16)]
    thumbnails: Option<Vec<Uuid>>,
    /// Tags in their order: 1 to 5.
    #[schema(min_items = 1, max_items = 5)]
    workflow_tags: Option<Vec<Uuid>>,
    /// For admins only.
    is_nsfw: Option<bool>,
    /// Whether it is a basic workflow; for admins only.
    is_basic: Option<bool>,
    /// `figma` or `generator`; `null` for neither. For admins only.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<MarkedKindWord>)]
    kind: Option<Option<String>>,
}

/// Changes one of the caller's workflows
#[openapi::path(patch, path = "/api/general/workflow/{id}", tag = "workflows", params(("id" = Uuid, Path)),
    request_body = ChangesBody, responses((status = 200, body = WorkflowView),
    (status = 422, description = "INVALID_PROMPT"),
    (status = 409, description = "MODERATION_LOCKED, WORKFLOW_CHANGED")))]
async fn update(
    core: Data<Core>,
    caller: Caller,
    id: Path<WorkflowId>,
    GraphJson(body): GraphJson<ChangesBody>,
) -> Result<Json<WorkflowView>> {
    let changes = WorkflowChanges {
        name: body.name,
        description: body.description,
        translations: body.translations.map(Into::into),
        graph: body.prompt.map(GraphBody::read).transpose()?,
        base_version: body.base_version,
        is_private: body.is_private,
        cover: body.cover.map(|cover| cover.map(AssetId)),
        thumbnails: body.thumbnails.map(|ids| ids.into_iter().map(AssetId).collect()),
        tags: body.workflow_tags.map(|ids| ids.into_iter().map(WorkflowTagId).collect()),
        is_nsfw: body.is_nsfw,
        is_basic: body.is_basic,
        marked_kind: body.kind.map(|kind| kind.as_deref().map(str::parse).transpose()).transpose()?,
    };
    let workflow = workflows::update(&core, &caller, *id, changes).await?;
    Ok(Json(view(&core, &caller, workflow).await?))
}

/// Deletes one of the caller's workflows; its jobs stay
#[openapi::path(delete, path = "/api/general/workflow/{id}", tag = "workflows", params(("id" = Uuid, Path)),
    responses((status = 204)))]
async fn delete(core: Data<Core>, caller: Caller, id: Path<WorkflowId>) -> Result<HttpResponse> {
    workflows::delete(&core, &caller, *id).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Workflows to publish or to hide.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct WorkflowPrivatesBody {
    #[schema(max_items = 100)]
    ids: Vec<Uuid>,
    is_private: bool,
}

/// Publishes or hides the caller's workflows, all of them or none
#[openapi::path(patch, path = "/api/general/workflow/privates", tag = "workflows",
    request_body = WorkflowPrivatesBody, responses((status = 200, body = Items<WorkflowView>), (status = 404),
    (status = 409, description = "MODERATION_LOCKED")))]
async fn set_private(
    core: Data<Core>,
    caller: Caller,
    Body(body): Body<WorkflowPrivatesBody>,
) -> Result<Json<Items<WorkflowView>>> {
    let ids: Vec<WorkflowId> = body.ids.into_iter().map(WorkflowId).collect();
    let changed = workflows::set_private(&core, &caller, &ids, body.is_private).await?;
    Ok(Json(Items { items: views(&core, &caller, changed).await? }))
}

/// A workflow to copy.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CopyBody {
    workflow: Uuid,
    /// `Copy of …` by default or if empty.
    #[schema(max_length = 100)]
    name: Option<String>,
}

/// Creates a private copy of a workflow for the caller
#[openapi::path(post, path = "/api/general/workflow/copy", tag = "workflows", request_body = CopyBody,
    responses((status = 201, body = WorkflowView), (status = 404)))]
async fn copy(core: Data<Core>, caller: Caller, Body(body): Body<CopyBody>) -> Result<HttpResponse> {
    let workflow = workflows::copy(&core, &caller, WorkflowId(body.workflow), body.name.as_deref()).await?;
    Ok(HttpResponse::Created().json(view(&core, &caller, workflow).await?))
}

async fn view(core: &Core, caller: &CoreCaller, workflow: Workflow) -> std::result::Result<WorkflowView, Error> {
    let population = Population::of_post(core, caller, &workflow).await?;
    Ok(population.workflow(workflow))
}

/// The views of a list.
pub(super) async fn views(
    core: &Core,
    caller: &CoreCaller,
    workflows: Vec<Workflow>,
) -> std::result::Result<Vec<WorkflowView>, Error> {
    let population = Population::of_posts(core, caller, &workflows).await?;
    Ok(workflows.into_iter().map(|workflow| population.workflow(workflow)).collect())
}
