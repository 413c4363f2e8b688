//! Mini apps (workflow APIs) that are shared: with whom, and what is shared with the caller.

use actix_web::HttpResponse;
use actix_web::web::{self, Data, Json, Path, Query, ServiceConfig};
use serde::Deserialize;
use uuid::Uuid;
use verdigraph_core::ids::{WorkflowApiId, WorkflowApiShareId};
use verdigraph_core::{Core, mini_apps};

use super::CursorQuery;
use crate::caller::Caller;
use crate::described::{self, OpenApi, ToSchema};
use crate::error::{ErrorBody, Result};
use crate::extract::Body;
use crate::populate::shared_apps;
use crate::views::mini_apps::{ShareView, SharedApiView};
use crate::views::{Cursor, Items};

/// What is documented here.
#[derive(OpenApi)]
#[openapi(paths(shared_users, share, unshare, shared_with_me))]
pub struct Api;

/// Mounts the routes below `/api`.
pub fn configure(config: &mut ServiceConfig) {
    config
        .service(web::resource("/general/workflow-api-shared").get(shared_with_me).post(share))
        .service(web::resource("/general/workflow-api-shared/{workflowApiId}/shared-users").get(shared_users))
        .service(web::resource("/general/workflow-api-shared/{id}").delete(unshare));
}

/// Whom a mini app of the caller's is shared with, the latest first
#[described::path(get, path = "/api/general/workflow-api-shared/{workflowApiId}/shared-users", tag = "mini apps",
    params(("workflowApiId" = Uuid, Path)), responses(
    (status = 200, body = Items<ShareView>), (status = 401, body = ErrorBody), (status = 404, body = ErrorBody)
))]
async fn shared_users(core: Data<Core>, caller: Caller, app: Path<WorkflowApiId>) -> Result<Json<Items<ShareView>>> {
    let shares = mini_apps::shares(&core, &caller, *app).await?;
    Ok(Json(Items { items: shares.into_iter().map(ShareView::from).collect() }))
}

/// With whom to share what.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ShareBody {
    workflow_api_id: Uuid,
    #[schema(max_length = 254)]
    user_email: String,
}

/// Shares a mini app of the caller's with whoever has this address, and tells them
///
/// They see its documentation and run it with their own key and credits, also where the workflow is private; they see
/// neither the graph nor others' jobs. Taking the share back counts at once. At most 200 people for each app, and 60
/// addresses an hour.
#[described::path(post, path = "/api/general/workflow-api-shared", tag = "mini apps", request_body = ShareBody, responses(
    (status = 201, body = ShareView), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody),
    (status = 403, body = ErrorBody),
    (status = 404, body = ErrorBody, description = "SHARE_USER_UNKNOWN where nobody has this address"),
    (status = 409, body = ErrorBody, description = "SHARE_WITH_YOURSELF, SHARED_ALREADY"),
    (status = 422, body = ErrorBody, description = "SHARE_LIMIT"),
    (status = 429, body = ErrorBody)
))]
async fn share(core: Data<Core>, caller: Caller, Body(body): Body<ShareBody>) -> Result<HttpResponse> {
    let ShareBody { workflow_api_id, user_email } = body;
    let share = mini_apps::share(&core, &caller, WorkflowApiId(workflow_api_id), &user_email).await?;
    Ok(HttpResponse::Created().json(ShareView::from(share)))
}

/// Takes a share back: of a mini app of the caller's, or one that was given to the caller
#[described::path(delete, path = "/api/general/workflow-api-shared/{id}", tag = "mini apps", params(("id" = Uuid, Path)),
    responses((status = 204), (status = 401, body = ErrorBody), (status = 404, body = ErrorBody)
))]
async fn unshare(core: Data<Core>, caller: Caller, id: Path<WorkflowApiShareId>) -> Result<HttpResponse> {
    mini_apps::unshare(&core, &caller, *id).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Mini apps that are shared with the caller, the latest shared first
#[described::path(get, path = "/api/general/workflow-api-shared", tag = "mini apps", params(CursorQuery), responses(
    (status = 200, body = Cursor<SharedApiView>), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody)
))]
async fn shared_with_me(
    core: Data<Core>,
    caller: Caller,
    query: Query<CursorQuery>,
) -> Result<Json<Cursor<SharedApiView>>> {
    let page = mini_apps::shared_with(&core, &caller, query.cursor.as_deref(), query.limit()?).await?;
    let items = shared_apps(&core, page.items).await?;
    Ok(Json(Cursor { items, next_cursor: page.next_cursor }))
}
