//! Shared mini apps (workflow APIs): with whom, and those shared with the caller.

use actix_web::HttpResponse;
use actix_web::web::{self, Data, Json, Path, ServiceConfig};
use serde::Deserialize;
use uuid::Uuid;
use verdigraph_core::ids::{WorkflowApiId, WorkflowApiShareId};
use verdigraph_core::{Core, mini_apps};

use super::CursorQuery;
use crate::caller::Caller;
use crate::error::Result;
use crate::extract::Body;
use crate::openapi::{self, OpenApi, ToSchema};
use crate::populate::shared_apps;
use crate::query::Query;
use crate::views::mini_apps::{ShareView, SharedApiView};
use crate::views::{Cursor, Items};

#[derive(OpenApi)]
#[openapi(paths(shared_users, share, unshare, shared_with_me))]
pub struct Api;

pub fn configure(config: &mut ServiceConfig) {
    config
        .service(web::resource("/general/workflow-api-shared").get(shared_with_me).post(share))
        .service(web::resource("/general/workflow-api-shared/{workflowApiId}/shared-users").get(shared_users))
        .service(web::resource("/general/workflow-api-shared/{id}").delete(unshare));
}

/// The users with whom one of the caller's mini apps is shared, the latest first
#[openapi::path(get, path = "/api/general/workflow-api-shared/{workflowApiId}/shared-users", tag = "mini apps",
    params(("workflowApiId" = Uuid, Path)), responses((status = 200, body = Items<ShareView>)))]
async fn shared_users(core: Data<Core>, caller: Caller, app: Path<WorkflowApiId>) -> Result<Json<Items<ShareView>>> {
    let shares = mini_apps::shares(&core, &caller, *app).await?;
    Ok(Json(Items { items: shares.into_iter().map(ShareView::from).collect() }))
}

/// A mini app and the address of a user to share it with.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ShareBody {
    workflow_api_id: Uuid,
    #[schema(max_length = 254)]
    user_email: String,
}

/// Shares one of the caller's mini apps with the user who has this address, and notifies them
///
/// The user sees its documentation and runs it with their own key and credits, even if the workflow is private. They
/// see neither the graph nor others' jobs. Removing the share takes effect at once. At most 200 users for each app, and
/// 60 addresses an hour.
#[openapi::path(post, path = "/api/general/workflow-api-shared", tag = "mini apps", request_body = ShareBody,
    responses((status = 201, body = ShareView),
    (status = 404, description = "SHARE_USER_UNKNOWN: no account has this address"),
    (status = 409, description = "SHARE_WITH_YOURSELF, SHARED_ALREADY"), (status = 422, description = "SHARE_LIMIT")))]
async fn share(core: Data<Core>, caller: Caller, Body(body): Body<ShareBody>) -> Result<HttpResponse> {
    let ShareBody { workflow_api_id, user_email } = body;
    let share = mini_apps::share(&core, &caller, WorkflowApiId(workflow_api_id), &user_email).await?;
    Ok(HttpResponse::Created().json(ShareView::from(share)))
}

/// Removes a share: of one of the caller's mini apps, or one that the caller was given
#[openapi::path(delete, path = "/api/general/workflow-api-shared/{id}", tag = "mini apps",
    params(("id" = Uuid, Path)), responses((status = 204)))]
async fn unshare(core: Data<Core>, caller: Caller, id: Path<WorkflowApiShareId>) -> Result<HttpResponse> {
    mini_apps::unshare(&core, &caller, *id).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Mini apps shared with the caller, the latest first
#[openapi::path(get, path = "/api/general/workflow-api-shared", tag = "mini apps", params(CursorQuery),
    responses((status = 200, body = Cursor<SharedApiView>)))]
async fn shared_with_me(
    core: Data<Core>,
    caller: Caller,
    query: Query<CursorQuery>,
) -> Result<Json<Cursor<SharedApiView>>> {
    let page = mini_apps::shared_with(&core, &caller, query.page()?).await?;
    let items = shared_apps(&core, page.items).await?;
    Ok(Json(Cursor { items, next_cursor: page.next_cursor }))
}
