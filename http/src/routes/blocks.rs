//! Whom the caller does not want to hear of.

use actix_web::HttpResponse;
use actix_web::web::{self, Data, Json, Path, ServiceConfig};
use serde::Deserialize;
use uuid::Uuid;
use verdigraph_core::ids::UserId;
use verdigraph_core::{Core, users};

use crate::caller::Caller;
use crate::described::{self, OpenApi, ToSchema};
use crate::error::{ErrorBody, Result};
use crate::extract::Body;
use crate::populate::blocks;
use crate::views::Items;
use crate::views::users::BlockView;

/// What is documented here.
#[derive(OpenApi)]
#[openapi(paths(list, block, unblock))]
pub struct Api;

/// Mounts the routes below `/api`.
pub fn configure(config: &mut ServiceConfig) {
    config
        .service(web::resource("/general/user-block").get(list).post(block))
        .service(web::resource("/general/user-block/{user}").delete(unblock));
}

/// Whom to block.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BlockBody {
    user: Uuid,
}

/// People whom the caller has blocked, newest first
#[described::path(get, path = "/api/general/user-block", tag = "people", responses(
    (status = 200, body = Items<BlockView>), (status = 401, body = ErrorBody)
))]
async fn list(core: Data<Core>, caller: Caller) -> Result<Json<Items<BlockView>>> {
    Ok(Json(Items { items: blocks(&core, &caller).await? }))
}

/// Blocks somebody: they can no longer comment on the caller's posts nor answer the caller
#[described::path(post, path = "/api/general/user-block", tag = "people", request_body = BlockBody, responses(
    (status = 204), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody), (status = 404, body = ErrorBody),
    (status = 409, body = ErrorBody, description = "TOO_MANY_BLOCKS")
))]
async fn block(core: Data<Core>, caller: Caller, Body(body): Body<BlockBody>) -> Result<HttpResponse> {
    users::block(&core, &caller, UserId(body.user)).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Takes a block back
#[described::path(delete, path = "/api/general/user-block/{user}", tag = "people", params(("user" = Uuid, Path)), responses(
    (status = 204), (status = 401, body = ErrorBody)
))]
async fn unblock(core: Data<Core>, caller: Caller, user: Path<UserId>) -> Result<HttpResponse> {
    users::unblock(&core, &caller, *user).await?;
    Ok(HttpResponse::NoContent().finish())
}
