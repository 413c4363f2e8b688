//! Tags of workflows.

use actix_web::web::{self, Data, Json, ServiceConfig};
use utoipa::OpenApi;
use verdigraph_core::{Core, workflows};

use crate::caller::Caller;
use crate::error::{ErrorBody, Result};
use crate::views::Items;
use crate::views::workflow_tags::{WorkflowTagView, tree};

/// What is documented here.
#[derive(OpenApi)]
#[openapi(paths(list, list_public))]
pub struct Api;

/// Mounts the routes below `/api`.
pub fn configure(config: &mut ServiceConfig) {
    config
        .service(web::resource("/general/workflow-tag").get(list))
        .service(web::resource("/public/workflow-tag").get(list_public));
}

/// All tags, with their parents and children, the oldest first
#[utoipa::path(get, path = "/api/public/workflow-tag", tag = "workflows", responses(
    (status = 200, body = Items<WorkflowTagView>)
))]
async fn list_public(core: Data<Core>) -> Result<Json<Items<WorkflowTagView>>> {
    Ok(Json(Items { items: tree(workflows::tags(&core).await?) }))
}

/// All tags, with their parents and children, the oldest first
#[utoipa::path(get, path = "/api/general/workflow-tag", tag = "workflows", responses(
    (status = 200, body = Items<WorkflowTagView>), (status = 401, body = ErrorBody)
))]
async fn list(core: Data<Core>, _: Caller) -> Result<Json<Items<WorkflowTagView>>> {
    list_public(core).await
}
