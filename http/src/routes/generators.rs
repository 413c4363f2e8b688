//! Generators, and the mini apps at fixed addresses.

use actix_web::HttpResponse;
use actix_web::web::{self, Data, Json, Path, ServiceConfig};
use serde::Deserialize;
use uuid::Uuid;
use verdigraph_core::generators::{self, SimpleAppAddress};
use verdigraph_core::ids::WorkflowApiId;
use verdigraph_core::{Core, Error};

use crate::caller::Caller;
use crate::error::Result;
use crate::extract::Body;
use crate::openapi::{self, IntoParams, OpenApi, ToSchema};
use crate::query::Query;
use crate::views::Items;
use crate::views::generators::{GeneratorPageView, GeneratorView, ModelNameView, SimpleAppBindingView, SimpleAppView};

#[derive(OpenApi)]
#[openapi(paths(simple_apps, simple_app, bindings, bind, unbind, live, page, set_model, forget_model))]
pub struct Api;

pub fn configure(config: &mut ServiceConfig) {
    config
        .service(web::resource("/public/simple-app").get(simple_apps))
        .service(web::resource("/public/simple-app/{address}").get(simple_app))
        .service(web::resource("/admin/simple-app").get(bindings))
        .service(web::resource("/admin/simple-app/{address}").put(bind).delete(unbind))
        .service(web::resource("/public/generator").get(live))
        .service(web::resource("/admin/generator").get(page))
        .service(web::resource("/admin/generator/model").put(set_model).delete(forget_model));
}

/// The mini apps at fixed addresses
#[openapi::path(get, path = "/api/public/simple-app", tag = "mini apps",
    responses((status = 200, body = Items<SimpleAppView>)))]
async fn simple_apps(core: Data<Core>, caller: Caller) -> Result<Json<Items<SimpleAppView>>> {
    let apps = generators::simple_apps(&core, &caller).await?;
    Ok(Json(Items { items: apps.into_iter().map(SimpleAppView::from).collect() }))
}

/// The mini app at a fixed address
#[openapi::path(get, path = "/api/public/simple-app/{address}", tag = "mini apps",
    params(("address" = String, Path, max_length = 32, description = "`background-remover`, `face-swap` or `image-to-prompt`")),
    responses((status = 200, body = SimpleAppView), (status = 404)))]
async fn simple_app(core: Data<Core>, caller: Caller, address: Path<String>) -> Result<Json<SimpleAppView>> {
    Ok(Json(generators::simple_app(&core, &caller, known(&address)?).await?.into()))
}

fn known(address: &str) -> verdigraph_core::Result<SimpleAppAddress> {
    address.parse().map_err(|_| Error::NotFound { what: "simple app" })
}

/// The apps that operators bind to the fixed addresses; for admins
#[openapi::path(get, path = "/api/admin/simple-app", tag = "admin",
    responses((status = 200, body = Items<SimpleAppBindingView>)))]
async fn bindings(core: Data<Core>, caller: Caller) -> Result<Json<Items<SimpleAppBindingView>>> {
    let bindings = generators::simple_app_bindings(&core, &caller).await?;
    Ok(Json(Items { items: bindings.into_iter().map(Into::into).collect() }))
}

/// The app of a fixed address.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct SimpleAppBody {
    /// A published mini app that takes a picture.
    workflow_api: Uuid,
}

/// Binds a published mini app to a fixed address; for admins
///
/// It counts before the app of the configuration.
#[openapi::path(put, path = "/api/admin/simple-app/{address}", tag = "admin", request_body = SimpleAppBody,
    params(("address" = String, Path, max_length = 32, description = "`background-remover`, `face-swap` or `image-to-prompt`")),
    responses((status = 204), (status = 404)))]
async fn bind(
    core: Data<Core>,
    caller: Caller,
    address: Path<String>,
    Body(body): Body<SimpleAppBody>,
) -> Result<HttpResponse> {
    let app = Some(WorkflowApiId(body.workflow_api));
    generators::bind_simple_app(&core, &caller, known(&address)?, app).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Lets the configuration and the generators decide again which app a fixed address has; for admins
#[openapi::path(delete, path = "/api/admin/simple-app/{address}", tag = "admin",
    params(("address" = String, Path, max_length = 32, description = "`background-remover`, `face-swap` or `image-to-prompt`")),
    responses((status = 204), (status = 404)))]
async fn unbind(core: Data<Core>, caller: Caller, address: Path<String>) -> Result<HttpResponse> {
    generators::bind_simple_app(&core, &caller, known(&address)?, None).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// The generators that workers can run now, best first
///
/// For a signed-in user those of the plan's pools.
#[openapi::path(get, path = "/api/public/generator", tag = "mini apps",
    responses((status = 200, body = Items<GeneratorView>)))]
async fn live(core: Data<Core>, caller: Caller) -> Result<Json<Items<GeneratorView>>> {
    let live = generators::live_apps(&core, &caller).await?;
    let (tasks, workflows): (Vec<_>, Vec<_>) = live.into_iter().unzip();
    let apps = super::workflows::views(&core, &caller, workflows).await?;
    let items = tasks.into_iter().zip(apps).map(|(task, app)| GeneratorView { task: task.name(), app });
    Ok(Json(Items { items: items.collect() }))
}

/// All generators with their licences, and the model files of the workers; for admins
#[openapi::path(get, path = "/api/admin/generator", tag = "admin", responses((status = 200, body = GeneratorPageView)))]
async fn page(core: Data<Core>, caller: Caller) -> Result<Json<GeneratorPageView>> {
    let (states, models) = generators::generators(&core, &caller).await?;
    let names = generators::model_names()?.into_iter();
    Ok(Json(GeneratorPageView {
        generators: states.into_iter().map(Into::into).collect(),
        models: models.into_iter().map(Into::into).collect(),
        names: names.map(|(folder, name, family)| ModelNameView { folder, name, family }).collect(),
    }))
}

/// What a model file is.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ModelWordBody {
    #[schema(min_length = 1, max_length = 255)]
    folder: String,
    #[schema(min_length = 1, max_length = 255)]
    file: String,
    /// The name of a model that it is like; `null` for a file that no generator uses.
    #[schema(max_length = 255)]
    like: Option<String>,
}

/// Says what a model file of the workers is; for admins
///
/// Generators for it follow within a minute.
#[openapi::path(put, path = "/api/admin/generator/model", tag = "admin", request_body = ModelWordBody,
    responses((status = 204)))]
async fn set_model(core: Data<Core>, caller: Caller, Body(body): Body<ModelWordBody>) -> Result<HttpResponse> {
    let ModelWordBody { folder, file, like } = body;
    generators::set_model(&core, &caller, (&folder, &file), Some(like.as_deref())).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// A model file.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ModelFileQuery {
    #[param(min_length = 1, max_length = 255)]
    folder: String,
    #[param(min_length = 1, max_length = 255)]
    file: String,
}

/// Lets header and name of a model file decide again what it is; for admins
#[openapi::path(delete, path = "/api/admin/generator/model", tag = "admin", params(ModelFileQuery),
    responses((status = 204)))]
async fn forget_model(core: Data<Core>, caller: Caller, query: Query<ModelFileQuery>) -> Result<HttpResponse> {
    generators::set_model(&core, &caller, (&query.folder, &query.file), None).await?;
    Ok(HttpResponse::NoContent().finish())
}
