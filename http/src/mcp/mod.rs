//! The server of the Model Context Protocol at `/mcp`: tools with which assistants find mini apps, run them within a
//! number of credits, and show the pictures.
//!
//! ```text
//!   endpoint ──▶ protocol: one message in either era ──▶ tools ──▶ the verbs that the REST calls use
//!                                                         └─ a tool that waits ──▶ stream: progress, then the result
//! ```
//!
//! `schema` lists the tools with the JSON schemas of their arguments, `results` has those of their results.
//!
//! The server keeps no sessions, so any node answers any request. The protocol documents these messages, so the
//! document of this API does not. A tool reveals nothing that belongs to others, not even to admins. Texts that users
//! wrote are in results alone, never in the descriptions of tools: an assistant follows those.

mod arguments;
mod endpoint;
mod failure;
mod outcome;
mod protocol;
mod results;
mod schema;
mod stream;
mod tools;

use actix_web::Error;
use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::StatusCode;
use actix_web::http::header::{HeaderValue, WWW_AUTHENTICATE};
use actix_web::middleware::{Next, from_fn};
use actix_web::web::{self, ServiceConfig};

use crate::area::MCP;
use crate::error::ApiError;
use crate::extract::JsonLimit;
use crate::{deadline, gate};

/// The largest message: an upload in Base64, or a graph.
const MESSAGE_BYTES: usize = 8 << 20;

/// Mounts the endpoint.
pub fn configure(config: &mut ServiceConfig) {
    config.service(
        web::scope(MCP)
            .app_data(JsonLimit(MESSAGE_BYTES))
            .wrap(from_fn(gate::pass))
            .wrap(from_fn(deadline::enforce))
            .wrap(from_fn(challenge))
            .configure(endpoint::configure)
            .default_service(web::to(not_found)),
    );
}

async fn not_found() -> Result<&'static str, ApiError> {
    Err(ApiError::for_status(StatusCode::NOT_FOUND))
}

/// Tells a client without a valid key how to authenticate.
async fn challenge<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, Error> {
    let mut response = next.call(request).await?;
    if response.status() == StatusCode::UNAUTHORIZED {
        response.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    Ok(response)
}
