//! Users whom the caller has blocked.

use actix_web::HttpResponse;
use actix_web::web::{self, Data, Json, Path, ServiceConfig};
use serde::Deserialize;
use uuid::Uuid;
use verdigraph_core::ids::UserId;
use verdigraph_core::{Core, users};

use crate::caller::Caller;
use crate::error::Result;
use crate::extract::Body;
use crate::openapi::{self, OpenApi, ToSchema};
use crate::populate::blocks;
use crate::views::Items;
use crate::views::users::BlockView;

#[derive(OpenApi)]
#[openapi(paths(list, block, unblock))]
pub struct Api;

pub fn configure(config: &mut ServiceConfig) {
    config
        .service(web::resource("/general/user-block").get(list).post(block))
        .service(web::resource("/general/user-block/{user}").delete(unblock));
}

/// The user to block.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BlockBody {
    user: Uuid,
}

/// Users whom the caller has blocked, newest first
#[openapi::path(get, path = "/api/general/user-block", tag = "people",
    responses((status = 200, body = Items<BlockView>)))]
async fn list(core: Data<Core>, caller: Caller) -> Result<Json<Items<BlockView>>> {
    Ok(Json(Items { items: blocks(&core, &caller).await? }))
}

/// Blocks a user, who can no longer comment on the caller's posts or answer the caller
#[openapi::path(post, path = "/api/general/user-block", tag = "people", request_body = BlockBody,
    responses((status = 204), (status = 404), (status = 409, description = "TOO_MANY_BLOCKS")))]
async fn block(core: Data<Core>, caller: Caller, Body(body): Body<BlockBody>) -> Result<HttpResponse> {
    users::block(&core, &caller, UserId(body.user)).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Removes a block
#[openapi::path(delete, path = "/api/general/user-block/{user}", tag = "people", params(("user" = Uuid, Path)),
    responses((status = 204)))]
async fn unblock(core: Data<Core>, caller: Caller, user: Path<UserId>) -> Result<HttpResponse> {
    users::unblock(&core, &caller, *user).await?;
    Ok(HttpResponse::NoContent().finish())
}
