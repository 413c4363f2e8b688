//! Mini apps (workflow APIs), model names, and the workers' node definitions.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use actix_web::http::StatusCode;
use actix_web::http::header;
use actix_web::web::{self, Bytes, Data, Json, Path, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use uuid::Uuid;
use verdigraph_core::graph::{InputKind, Needs, NodeDefinitions, model_folder, public_object_info};
use verdigraph_core::ids::{WorkflowApiId, WorkflowId};
use verdigraph_core::mini_apps::{self, AppHealth, EditorNode, Inputs, MiniApp, NewMiniApp, Outputs, Rjsf};
use verdigraph_core::workflows::{AppFilter, Makes, Workflow, WorkflowOrder};
use verdigraph_core::{Core, Error, generators, jobs, names, users};

use super::CursorQuery;
use crate::caller::Caller;
use crate::error::Result;
use crate::extract::Body;
use crate::openapi::{self, IntoParams, OpenApi, ToSchema};
use crate::populate::Population;
use crate::query::Query;
use crate::site;
use crate::views::mini_apps::{
    AppHealthView, ComfyModelView, EditedView, EditorNodeView, EditorView, FormView, MissingView, NodeInputsView,
    PreviewView, ProposalView, SuggestedView, SuggestionsView, WorkflowApiView, WorksView,
};
use crate::views::words::{MakesWord, TakesWord, WorkflowKindWord, WorkflowSort};
use crate::views::workflows::WorkflowView;
use crate::views::{Cursor, Items};

#[derive(OpenApi)]
#[openapi(paths(save, editor, preview, find, find_public, update, delete, published, suggest, models, object_info))]
pub struct Api;

pub fn configure(config: &mut ServiceConfig) {
    config
        .service(web::resource("/general/workflow-api/editor/{workflowId}").get(editor))
        .service(web::resource("/general/workflow-api/preview").post(preview))
        .service(web::resource("/general/workflow-api/{id}").get(find).patch(update).delete(delete))
        .service(web::resource("/public/workflow-api/{id}").get(find_public))
        .service(web::resource("/public/mini-app").get(published))
        .service(web::resource("/public/mini-app/suggest").get(suggest))
        .service(web::resource("/public/comfy-model").get(models))
        .service(web::resource("/general/object-info").get(object_info));
}

/// A workflow API to save. A form in the request (`rjsf`) is ignored: the server generates it.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SaveBody {
    workflow: Uuid,
    /// Keyed `id.name`. Each entry needs `id`, `name` and `nodeName`; missing parts of `adapter` follow from the
    /// node. `adapter.translations` has texts in other languages, by language (`en`, `ko`): `name` of up to 200
    /// characters, `tooltip` of up to 2000, and `options`, up to 500 choices by their values with up to 200
    /// characters each. `adapter.isOptional` of up to 20 files lets runs go without them: nodes that require the file
    /// are then left out of the prompt.
    #[schema(value_type = Object)]
    inputs: Inputs,
    /// Keyed by node id. `translations` has the `name` in other languages, by language, of up to 200 characters.
    #[schema(value_type = Object)]
    outputs: Outputs,
}

/// Saves a workflow API; saving again creates a new version
#[openapi::path(post, path = "/api/general/workflow-api", tag = "mini apps", request_body = SaveBody,
    responses((status = 201, body = WorkflowApiView), (status = 404),
    (status = 422, description = "Unhealthy, or without inputs or outputs"),
    (status = 503, description = "No worker has reported its node classes yet")))]
pub(super) async fn save(core: Data<Core>, caller: Caller, Body(body): Body<SaveBody>) -> Result<HttpResponse> {
    let definitions = definitions(&core);
    let SaveBody { workflow, inputs, outputs } = body;
    let new = NewMiniApp { workflow: WorkflowId(workflow), inputs, outputs };
    let saved = mini_apps::save(&core, &caller, &definitions, new).await?;
    jobs::check_app(&core, saved.id, saved.version).await?;
    let (app, health) = mini_apps::find(&core, &caller, &definitions, saved.id).await?;
    Ok(HttpResponse::Created().json(view(&core, app, health).await?))
}

/// What the caller's workflow offers, a proposal, and what is saved
#[openapi::path(get, path = "/api/general/workflow-api/editor/{workflowId}", tag = "mini apps",
    params(("workflowId" = Uuid, Path)), responses((status = 200, body = EditorView)))]
async fn editor(core: Data<Core>, caller: Caller, workflow: Path<WorkflowId>) -> Result<Json<EditorView>> {
    let editor = mini_apps::editor(&core, &caller, &definitions(&core), *workflow).await?;
    let saved = match editor.saved {
        Some((app, health)) => Some(view(&core, app, health).await?),
        None => None,
    };
    let (inputs, outputs) = &editor.proposal;
    Ok(Json(EditorView {
        workflow: EditedView { id: editor.workflow.id.0, name: editor.workflow.name },
        nodes: editor.nodes.into_iter().map(node_view).collect::<std::result::Result<_, _>>()?,
        outputs: editor.outputs.iter().map(json).collect::<std::result::Result<_, _>>()?,
        proposal: ProposalView { inputs: json(inputs)?, outputs: json(outputs)? },
        dropped: editor.dropped.clone(),
        saved,
        has_prompt: editor.has_prompt,
    }))
}

fn node_view(node: EditorNode) -> std::result::Result<EditorNodeView, Error> {
    let inputs = NodeInputsView { required: json(&node.required)?, optional: json(&node.optional)? };
    Ok(EditorNodeView {
        id: node.id,
        name: node.class,
        display_name: node.display_name,
        python_module: node.python_module,
        output_node: node.output_node,
        title: node.title,
        missing: node.missing,
        inputs,
    })
}

/// The form that a save would generate; nothing is saved
#[openapi::path(post, path = "/api/general/workflow-api/preview", tag = "mini apps", request_body = SaveBody,
    responses((status = 200, body = PreviewView), (status = 404),
    (status = 422, description = "The workflow has no prompt"),
    (status = 503, description = "No worker has reported its node classes yet")))]
async fn preview(core: Data<Core>, caller: Caller, Body(body): Body<SaveBody>) -> Result<Json<PreviewView>> {
    let SaveBody { workflow, inputs, outputs } = body;
    let new = NewMiniApp { workflow: WorkflowId(workflow), inputs, outputs };
    let (rjsf, health) = mini_apps::preview(&core, &caller, &definitions(&core), new).await?;
    Ok(Json(PreviewView { rjsf: form_view(rjsf), health: health_view(&health)? }))
}

/// One mini app with its form: of a published workflow, the caller's own, or shared with the caller
#[openapi::path(get, path = "/api/general/workflow-api/{id}", tag = "mini apps", params(("id" = Uuid, Path)),
    responses((status = 200, body = WorkflowApiView)))]
async fn find(core: Data<Core>, caller: Caller, id: Path<WorkflowApiId>) -> Result<Json<WorkflowApiView>> {
    let (app, health) = mini_apps::find(&core, &caller, &definitions(&core), *id).await?;
    Ok(Json(view(&core, app, health).await?))
}

/// One published mini app with its form
#[openapi::path(get, path = "/api/public/workflow-api/{id}", tag = "mini apps", params(("id" = Uuid, Path)),
    responses((status = 200, body = WorkflowApiView)))]
async fn find_public(core: Data<Core>, caller: Caller, id: Path<WorkflowApiId>) -> Result<Json<WorkflowApiView>> {
    find(core, caller, id).await
}

/// Changes to a workflow API.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ApiChangesBody {
    /// As for a save; replaces all inputs.
    #[schema(value_type = Option<Object>)]
    inputs: Option<Inputs>,
    /// As for a save; replaces all outputs.
    #[schema(value_type = Option<Object>)]
    outputs: Option<Outputs>,
}

/// Replaces the inputs or outputs of one of the caller's mini apps, which makes a new version
///
/// Missing fields stay unchanged.
#[openapi::path(patch, path = "/api/general/workflow-api/{id}", tag = "mini apps", params(("id" = Uuid, Path)),
    request_body = ApiChangesBody, responses((status = 200, body = WorkflowApiView),
    (status = 422, description = "Unhealthy, or without inputs or outputs"),
    (status = 503, description = "No worker has reported its node classes yet")))]
pub(super) async fn update(
    core: Data<Core>,
    caller: Caller,
    id: Path<WorkflowApiId>,
    Body(body): Body<ApiChangesBody>,
) -> Result<Json<WorkflowApiView>> {
    let definitions = definitions(&core);
    let (app, _) = mini_apps::find(&core, &caller, &definitions, *id).await?;
    // Users with whom the app is shared may run it, but not change it.
    let inputs = body.inputs.or(app.inputs).ok_or(Error::Forbidden)?;
    let new = NewMiniApp { workflow: app.workflow.id, inputs, outputs: body.outputs.unwrap_or(app.outputs) };
    let saved = mini_apps::save(&core, &caller, &definitions, new).await?;
    jobs::check_app(&core, saved.id, saved.version).await?;
    let (app, health) = mini_apps::find(&core, &caller, &definitions, saved.id).await?;
    Ok(Json(view(&core, app, health).await?))
}

/// Deletes a mini app of the caller's; jobs that ran it stay
#[openapi::path(delete, path = "/api/general/workflow-api/{id}", tag = "mini apps", params(("id" = Uuid, Path)),
    responses((status = 204)))]
async fn delete(core: Data<Core>, caller: Caller, id: Path<WorkflowApiId>) -> Result<HttpResponse> {
    mini_apps::delete(&core, &caller, *id).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Order and filter of mini apps.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct SortQuery {
    /// `newest` (the default), `oldest`, `like` or `view`.
    #[param(inline, value_type = Option<WorkflowSort>)]
    sort: Option<String>,
    /// Only apps that take this: `image`, `video`, `audio`, `textfile`, or `text` for a prompt.
    #[param(inline, value_type = Option<TakesWord>)]
    takes: Option<String>,
    /// Only apps that make this: `image`, `video`, `audio`, `text` or `file`.
    #[param(inline, value_type = Option<MakesWord>)]
    makes: Option<String>,
    /// Only apps that some worker can run now, or with `false` those that none can.
    works: Option<bool>,
    /// Only apps of this kind: `easyapp`, `figma` or `generator`.
    #[param(inline, value_type = Option<WorkflowKindWord>)]
    kind: Option<String>,
    /// `nextCursor` of the previous page.
    #[param(max_length = 512)]
    cursor: Option<String>,
    /// Items per page, 1 to 100; 20 by default.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<i64>,
}

/// Published mini apps as cards
#[openapi::path(get, path = "/api/public/mini-app", tag = "mini apps", params(SortQuery),
    responses((status = 200, body = Cursor<WorkflowView>)))]
async fn published(core: Data<Core>, caller: Caller, query: Query<SortQuery>) -> Result<Json<Cursor<WorkflowView>>> {
    let sort: WorkflowOrder = query.sort.as_deref().unwrap_or("newest").parse()?;
    let SortQuery { takes, makes, works, kind, cursor, limit, .. } = query.into_inner();
    let filter = AppFilter {
        takes: takes.as_deref().map(str::parse).transpose()?,
        makes: makes.as_deref().map(str::parse).transpose()?,
        works,
        kind: kind.as_deref().map(str::parse).transpose()?,
    };
    let query = CursorQuery { cursor, limit };
    let page = mini_apps::published(&core, query.page()?.filtered(filter).sorted(sort)).await?;
    Ok(Json(Cursor {
        items: super::workflows::views(&core, &caller, page.items).await?,
        next_cursor: page.next_cursor,
    }))
}

/// A search for a mini app.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct WishQuery {
    /// A description in plain language, at most 500 characters.
    #[param(max_length = 500)]
    text: String,
    /// Only apps that make this: `image`, `video`, `audio`, `text` or `file`. A description that names no kind asks for
    /// this one.
    #[param(inline, value_type = Option<MakesWord>)]
    makes: Option<String>,
}

/// Longest description, in characters.
const MAX_WISH: usize = 500;

/// Mini apps that fit a description, and why: those that generate pictures from a prompt, and those that match its
/// words
///
/// `fitting` has only apps that some worker can run now; `waiting` has apps that would generate the picture if a worker
/// had what they need, and `drawingPools` names the pools whose workers could.
#[openapi::path(get, path = "/api/public/mini-app/suggest", tag = "mini apps", params(WishQuery),
    responses((status = 200, body = SuggestionsView)))]
async fn suggest(core: Data<Core>, caller: Caller, query: Query<WishQuery>) -> Result<Json<SuggestionsView>> {
    let wish = names::search_text("text", &query.text, MAX_WISH)?;
    let makes: Option<Makes> = query.makes.as_deref().map(str::parse).transpose()?;
    let all = core.settings.pool_names();
    let pools = match caller.user {
        None => all.clone(),
        Some(user) => users::plan(&core, user).await?.pools.clone(),
    };
    let roster = core.fleet.roster();
    let runs = |needs: &Needs| roster.pool_for(&pools, needs).is_some_and(|(_, connected)| connected > 0);
    let found = mini_apps::suggest(&core, &definitions(&core), &wish, makes, runs).await?;
    let drawing_pools = all
        .into_iter()
        .filter(|pool| mini_apps::draws_words(&roster.definitions(std::slice::from_ref(pool))))
        .collect();
    let asked = generators::for_sentence(&core, &caller, &wish, makes).await?;
    let is_generator = |app: &Workflow| asked.all.contains(&app.id);
    let without_generators = |apps: Vec<Workflow>| apps.into_iter().filter(|app| !is_generator(app)).collect();
    let mut reasons = Vec::new();
    let mut fitting = Vec::new();
    // Generators have their own list.
    for suggested in found.fitting.into_iter().filter(|suggested| !is_generator(&suggested.workflow)) {
        reasons.push((suggested.words, suggested.draws_words));
        fitting.push(suggested.workflow);
    }
    let apps = super::workflows::views(&core, &caller, fitting).await?;
    let fitting = apps.into_iter().zip(reasons);
    Ok(Json(SuggestionsView {
        fitting: fitting.map(|(app, (words, draws_words))| SuggestedView { app, words, draws_words }).collect(),
        waiting: super::workflows::views(&core, &caller, without_generators(found.waiting)).await?,
        others: super::workflows::views(&core, &caller, without_generators(found.others)).await?,
        drawing_pools,
        task: asked.task.name(),
        generators: super::workflows::views(&core, &caller, asked.live).await?,
        generators_away: super::workflows::views(&core, &caller, asked.away).await?,
    }))
}

/// Longest name of a model folder, in characters.
const MAX_FOLDER: usize = 255;

/// Filter of model files.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ModelsQuery {
    /// `name`, the only field.
    #[param(max_length = 100)]
    select: Option<String>,
    /// `checkpoints`, `loras`, `vae`, …; all by default.
    #[param(max_length = 255)]
    folder: Option<String>,
}

/// Model files of the workers
#[openapi::path(get, path = "/api/public/comfy-model", tag = "mini apps", params(ModelsQuery),
    responses((status = 200, body = Items<ComfyModelView>)))]
async fn models(core: Data<Core>, query: Query<ModelsQuery>) -> Result<Json<Items<ComfyModelView>>> {
    if query.select.as_deref().is_some_and(|select| select != "name") {
        return Err(Error::invalid("select", "may only be name").into());
    }
    let folder = query.folder.as_deref().map(|folder| names::search_text("folder", folder, MAX_FOLDER)).transpose()?;
    let names = model_names(&definitions(&core), folder.as_deref());
    let items = names.into_iter().map(|(folder, name)| ComfyModelView { id: format!("{folder}/{name}"), name });
    Ok(Json(Items { items: items.collect() }))
}

/// Folder and name of every model file that a node definition offers.
fn model_names(definitions: &NodeDefinitions, folder: Option<&str>) -> BTreeSet<(&'static str, String)> {
    let mut names = BTreeSet::new();
    for class in definitions.iter() {
        for input in &class.inputs {
            let InputKind::Combo { options } = &input.kind else { continue };
            let own = model_folder(&class.class, &input.name).filter(|own| folder.is_none_or(|folder| folder == *own));
            if let Some(own) = own {
                names.extend(options.iter().filter_map(Value::as_str).map(|name| (own, name.to_owned())));
            }
        }
    }
    names
}

/// The node definitions of all pools, in ComfyUI's format
#[openapi::path(get, path = "/api/general/object-info", tag = "mini apps",
    responses((status = 200, body = Object, description = "Class name → definition"), (status = 304)))]
async fn object_info(core: Data<Core>, request: HttpRequest) -> HttpResponse {
    /// The last response: it has megabytes with many nodes, and changes only with them.
    static LAST: Mutex<Option<(u64, usize, Bytes, String)>> = Mutex::new(None);
    let definitions = definitions(&core);
    let (generation, place) = (core.fleet.roster().generation(), Arc::as_ptr(&definitions).addr());
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    let (body, tag) = match &*last {
        Some((known, same, body, tag)) if (*known, *same) == (generation, place) => (body.clone(), tag.clone()),
        _ => {
            let body = Bytes::from(public_object_info(&definitions).to_string());
            let tag = format!("W/\"{}\"", site::tag_digits(&Sha256::digest(&body)));
            *last = Some((generation, place, body.clone(), tag.clone()));
            (body, tag)
        }
    };
    drop(last);
    let mut response = HttpResponse::Ok();
    response.insert_header((header::ETAG, tag.as_str())).insert_header((header::CACHE_CONTROL, "private, no-cache"));
    if site::matches_tag(request.headers(), tag.trim_start_matches("W/")) {
        return response.status(StatusCode::NOT_MODIFIED).finish();
    }
    response.content_type("application/json").body(body)
}

/// The node definitions of all workers.
pub(super) fn definitions(core: &Core) -> Arc<NodeDefinitions> {
    core.fleet.roster().definitions(&core.settings.pool_names())
}

async fn view(core: &Core, app: MiniApp, health: AppHealth) -> std::result::Result<WorkflowApiView, Error> {
    let population = Population::of(core, std::slice::from_ref(&app.workflow)).await?;
    let missing = app.missing.unwrap_or_default();
    let missing = MissingView { classes: missing.classes, models: missing.models };
    Ok(WorkflowApiView {
        id: app.id.0,
        id_again: app.id.0,
        version: app.version.0,
        workflow: population.card(&app.workflow),
        inputs: app.inputs.as_ref().map(json).transpose()?,
        outputs: json(&app.outputs)?,
        rjsf: form_view(app.rjsf),
        health: health_view(&health)?,
        works: WorksView { ok: app.workflow.app.works, checked_at: app.checked_at, missing },
        updated_at: app.updated_at,
    })
}

fn form_view(form: Rjsf) -> FormView {
    FormView { schema: form.schema, ui_schema: form.ui_schema }
}

fn health_view(health: &AppHealth) -> std::result::Result<AppHealthView, Error> {
    let problems = health.problems.iter().map(json).collect::<std::result::Result<_, _>>()?;
    Ok(AppHealthView { ok: health.ok, problems })
}

fn json(value: &impl Serialize) -> std::result::Result<Value, Error> {
    serde_json::to_value(value).map_err(|error| Error::Internal(error.to_string()))
}
