//! Worker agents and their tokens.

use actix_web::http::{StatusCode, header};
use actix_web::web::{self, Data, Json, Path, Payload, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse};
use serde::Deserialize;
use verdigraph_agent::protocol::{MAX_FRAME_BYTES, TOKEN_HEADER};
use verdigraph_core::ids::{AgentTokenId, WorkerId};
use verdigraph_core::{Code, Core, fleet};

use crate::agents;
use crate::caller::Caller;
use crate::edge::Edge;
use crate::error::{ApiError, Result};
use crate::extract::Body;
use crate::openapi::{self, OpenApi, ToSchema};
use crate::views::Items;
use crate::views::agents::{AgentTokenView, AgentView, NewAgentTokenView};

#[derive(OpenApi)]
#[openapi(paths(tokens, create, revoke, allow, list, one))]
pub struct Api;

pub fn configure(config: &mut ServiceConfig) {
    config
        .service(web::resource("/admin/agent-token").get(tokens).post(create))
        .service(web::resource("/admin/agent-token/{id}").delete(revoke))
        .service(web::resource("/admin/agent-token/{id}/allow").post(allow))
        .service(web::resource("/admin/agent").get(list))
        .service(web::resource("/admin/agent/{id}").get(one))
        .service(web::resource("/agent").get(connect));
}

/// The tokens of agents, without their secrets
#[openapi::path(get, path = "/api/admin/agent-token", tag = "admin",
    responses((status = 200, body = Items<AgentTokenView>)))]
async fn tokens(core: Data<Core>, caller: Caller) -> Result<Json<Items<AgentTokenView>>> {
    let items = fleet::agent_tokens(&core, &caller).await?.into_iter().map(AgentTokenView::from).collect();
    Ok(Json(Items { items }))
}

/// A new token.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewAgentTokenBody {
    /// What it is for.
    #[schema(min_length = 1, max_length = 60)]
    name: String,
    /// The configured pools that its agents may join.
    #[schema(min_items = 1, max_items = 100)]
    pools: Vec<PoolName>,
}

/// A configured pool.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(max_length = 60)]
pub struct PoolName(String);

/// Creates a token for agents; it is shown only in this response
#[openapi::path(post, path = "/api/admin/agent-token", tag = "admin", request_body = NewAgentTokenBody,
    responses((status = 201, body = NewAgentTokenView),
    (status = 403, description = "FORBIDDEN, or SESSION_REQUIRED for an API key")))]
async fn create(core: Data<Core>, caller: Caller, Body(body): Body<NewAgentTokenBody>) -> Result<HttpResponse> {
    let pools: Vec<String> = body.pools.into_iter().map(|PoolName(name)| name).collect();
    let new = fleet::create_agent_token(&core, &caller, &body.name, &pools).await?;
    Ok(HttpResponse::Created().json(NewAgentTokenView::from(new)))
}

/// Revokes a token; its agents are disconnected within seconds
#[openapi::path(delete, path = "/api/admin/agent-token/{id}", tag = "admin", params(("id" = Uuid, Path)),
    responses((status = 204)))]
async fn revoke(core: Data<Core>, caller: Caller, id: Path<AgentTokenId>) -> Result<HttpResponse> {
    fleet::revoke_agent_token(&core, &caller, *id).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Allows a token's agents whose workers were removed to connect again
#[openapi::path(post, path = "/api/admin/agent-token/{id}/allow", tag = "admin", params(("id" = Uuid, Path)),
    responses((status = 204)))]
async fn allow(core: Data<Core>, caller: Caller, id: Path<AgentTokenId>) -> Result<HttpResponse> {
    fleet::readmit_agents(&core, &caller, *id).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Connected and known agents, and their machines
#[openapi::path(get, path = "/api/admin/agent", tag = "admin", responses((status = 200, body = Items<AgentView>)))]
async fn list(core: Data<Core>, caller: Caller) -> Result<Json<Items<AgentView>>> {
    let items = fleet::agents(&core, &caller).await?.into_iter().map(AgentView::from).collect();
    Ok(Json(Items { items }))
}

/// The agent of one worker, with its models
#[openapi::path(get, path = "/api/admin/agent/{id}", tag = "admin", params(("id" = Uuid, Path)),
    responses((status = 200, body = AgentView)))]
async fn one(core: Data<Core>, caller: Caller, id: Path<WorkerId>) -> Result<Json<AgentView>> {
    Ok(Json(fleet::agent(&core, &caller, *id).await?.into()))
}

/// The agents' WebSocket endpoint. It is not part of the API, so it is not documented.
async fn connect(request: HttpRequest, body: Payload, core: Data<Core>, edge: Data<Edge>) -> Result<HttpResponse> {
    let token =
        request.headers().get(TOKEN_HEADER).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned();
    agents::check_admission(&core, &edge, &token).await?;
    let upgraded = actix_ws::handle(&request, body);
    // The request is not a WebSocket handshake.
    let (response, session, stream) = upgraded.map_err(|_| {
        let message = "this address accepts only the WebSocket connections of agents";
        ApiError::new(StatusCode::UPGRADE_REQUIRED, Code::UpgradeRequired, message)
            .with_header(header::UPGRADE, header::HeaderValue::from_static("websocket"))
    })?;
    actix_web::rt::spawn(agents::serve(core, edge, token, session, stream.max_frame_size(MAX_FRAME_BYTES)));
    Ok(response)
}
