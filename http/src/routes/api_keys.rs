//! API keys.

use actix_web::HttpResponse;
use actix_web::web::{self, Data, Json, Path, ServiceConfig};
use secrecy::ExposeSecret as _;
use serde::Deserialize;
use verdigraph_core::ids::ApiKeyId;
use verdigraph_core::{Core, users};

use crate::caller::Caller;
use crate::error::Result;
use crate::extract::Body;
use crate::openapi::{self, OpenApi, ToSchema};
use crate::views::Items;
use crate::views::users::{ApiKeyView, NewApiKeyView};

#[derive(OpenApi)]
#[openapi(paths(list, create, revoke))]
pub struct Api;

pub fn configure(config: &mut ServiceConfig) {
    config
        .service(web::resource("/general/api-key").get(list).post(create))
        .service(web::resource("/general/api-key/{id}").delete(revoke));
}

/// The caller's keys, without their secrets
#[openapi::path(get, path = "/api/general/api-key", tag = "api keys",
    responses((status = 200, body = Items<ApiKeyView>)))]
async fn list(core: Data<Core>, caller: Caller) -> Result<Json<Items<ApiKeyView>>> {
    let items = users::api_keys(&core, &caller).await?.into_iter().map(ApiKeyView::from).collect();
    Ok(Json(Items { items }))
}

/// A new key.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewApiKeyBody {
    /// What it is for; 1 to 50 characters.
    #[schema(min_length = 1, max_length = 50)]
    name: String,
}

/// Creates a key; it is shown only in this response
#[openapi::path(post, path = "/api/general/api-key", tag = "api keys", request_body = NewApiKeyBody,
    responses((status = 201, body = NewApiKeyView),
    (status = 403, description = "SESSION_REQUIRED: an API key cannot create API keys"),
    (status = 409, description = "API_KEY_LIMIT")))]
async fn create(core: Data<Core>, caller: Caller, Body(body): Body<NewApiKeyBody>) -> Result<HttpResponse> {
    let new = users::create_api_key(&core, &caller, &body.name).await?;
    let key = new.key.expose_secret().to_owned();
    Ok(HttpResponse::Created().json(NewApiKeyView { api_key: new.api_key.into(), key }))
}

/// Revokes a key of the caller's
#[openapi::path(delete, path = "/api/general/api-key/{id}", tag = "api keys", params(("id" = Uuid, Path)),
    responses((status = 204)))]
async fn revoke(core: Data<Core>, caller: Caller, id: Path<ApiKeyId>) -> Result<HttpResponse> {
    users::revoke_api_key(&core, &caller, *id).await?;
    Ok(HttpResponse::NoContent().finish())
}

impl From<users::ApiKey> for ApiKeyView {
    fn from(key: users::ApiKey) -> Self {
        Self {
            id: key.id.0,
            name: key.name,
            prefix: key.prefix,
            created_at: key.created_at,
            last_used_at: key.last_used_at,
            revoked_at: key.revoked_at,
        }
    }
}
