//! Node classes and models that graphs require and workers do not have, and users' requests for them.

use actix_web::HttpResponse;
use actix_web::web::{self, Data, Json, Path, ServiceConfig};
use serde::Deserialize;
use verdigraph_core::Core;
use verdigraph_core::ids::RequirementRequestId;
use verdigraph_core::requirements::{self, Requirement};

use super::PromptGraphBody;
use crate::caller::Caller;
use crate::error::Result;
use crate::extract::{Body, GraphJson};
use crate::openapi::{self, OpenApi, ToSchema};
use crate::views::Items;
use crate::views::requirements::{RequestedRequirementView, RequirementRequestView, RequirementsView};

#[derive(OpenApi)]
#[openapi(paths(requirements_of_prompt, create, list, close))]
pub struct Api;

pub fn configure(config: &mut ServiceConfig) {
    config
        .service(web::resource("/general/workflow/requirements").post(requirements_of_prompt))
        .service(web::resource("/general/requirement-request").post(create))
        .service(web::resource("/admin/requirement-request").get(list))
        .service(web::resource("/admin/requirement-request/{id}").delete(close));
}

/// The node classes and models of a prompt that no worker of the caller's pools has
///
/// Runs nothing. Before something is called missing, the workers are asked again. What other pools have is told with the
/// plans that include them.
#[openapi::path(post, path = "/api/general/workflow/requirements", tag = "workflows", request_body = PromptGraphBody,
    responses((status = 200, body = RequirementsView), (status = 422, description = "INVALID_PROMPT"),
    (status = 503, description = "No worker was ever connected")))]
async fn requirements_of_prompt(
    core: Data<Core>,
    caller: Caller,
    GraphJson(body): GraphJson<PromptGraphBody>,
) -> Result<Json<RequirementsView>> {
    let found = requirements::requirements(&core, &caller, body.prompt.get().as_bytes()).await?;
    Ok(Json(RequirementsView::new(found, &core.settings)))
}

/// A node class or a model that workers shall have.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RequirementRequestBody {
    /// `NodeClass` or `Model`.
    #[schema(max_length = 20)]
    kind: String,
    /// The folder of a model, if it is known.
    #[serde(default)]
    #[schema(max_length = 60)]
    folder: Option<String>,
    /// The class, or the file with its subfolders.
    #[schema(min_length = 1, max_length = 300)]
    name: String,
}

/// Asks the operators for a node class or a model that no worker of the caller's pools has; idempotent
///
/// The latest 200 requests of a user are kept.
#[openapi::path(post, path = "/api/general/requirement-request", tag = "workflows",
    request_body = RequirementRequestBody, responses((status = 201, body = RequirementRequestView)))]
async fn create(core: Data<Core>, caller: Caller, Body(body): Body<RequirementRequestBody>) -> Result<HttpResponse> {
    let RequirementRequestBody { kind, folder, name } = body;
    let wanted = Requirement { kind: kind.parse()?, folder, name };
    let request = requirements::request(&core, &caller, &wanted).await?;
    Ok(HttpResponse::Created().json(RequirementRequestView::from(request)))
}

/// The node classes and models that users have requested, the most requested first: at most 500
#[openapi::path(get, path = "/api/admin/requirement-request", tag = "admin",
    responses((status = 200, body = Items<RequestedRequirementView>)))]
async fn list(core: Data<Core>, caller: Caller) -> Result<Json<Items<RequestedRequirementView>>> {
    let items = requirements::requested(&core, &caller).await?;
    Ok(Json(Items { items: items.into_iter().map(RequestedRequirementView::from).collect() }))
}

/// Deletes a request and all others for the same class or model
#[openapi::path(delete, path = "/api/admin/requirement-request/{id}", tag = "admin", params(("id" = Uuid, Path)),
    responses((status = 204)))]
async fn close(core: Data<Core>, caller: Caller, id: Path<RequirementRequestId>) -> Result<HttpResponse> {
    requirements::close(&core, &caller, *id).await?;
    Ok(HttpResponse::NoContent().finish())
}
