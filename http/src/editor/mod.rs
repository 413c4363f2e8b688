//! The node editor: the pinned ComfyUI front end as static files, and the API of a ComfyUI server that it calls.
//!
//! Other ComfyUI clients use the same API with an API key. As ComfyUI's server does, it answers every call at two
//! addresses: `/comfyui-editor/api/prompt` and `/comfyui-editor/prompt`. The modules below name paths without these
//! prefixes. These calls are ComfyUI's, so they are not part of this API's document.
//!
//! The [`crate::gate`] identifies the caller, checks the XSRF token of a session and counts the request. It admits
//! guests, because read-only frames of public workflows are open to them: a handler that is not for guests begins with
//! `caller.signed_in()?`. [`refusal`] adds ComfyUI's fields to errors.

pub mod catalog;
mod cloud;
mod dialect;
pub mod files;
pub mod prompt;
pub mod queue;
mod refusal;
pub mod settings;
pub mod site;
pub mod socket;
pub mod userdata;

use actix_web::http::StatusCode;
use actix_web::middleware::from_fn;
use actix_web::web::{self, ServiceConfig};

use crate::area::EDITOR;
use crate::error::ApiError;
use crate::{deadline, gate};

/// Mounts the editor. The static files answer at every path that is not a call.
pub fn configure(config: &mut ServiceConfig) {
    config.service(
        web::scope(EDITOR)
            .wrap(from_fn(gate::pass))
            .wrap(from_fn(deadline::enforce))
            .wrap(from_fn(refusal::reshape))
            .service(
                web::scope("/api").configure(calls).configure(cloud::configure).default_service(web::to(not_found)),
            )
            // Before the calls: of `/assets/…` these are the files, and Comfy Cloud's calls are below `/api` alone.
            .configure(site::configure)
            .configure(calls)
            .default_service(web::to(site::file)),
    );
}

/// The calls of a ComfyUI server.
fn calls(config: &mut ServiceConfig) {
    config
        .configure(catalog::configure)
        .configure(userdata::configure)
        .configure(settings::configure)
        .configure(prompt::configure)
        .configure(queue::configure)
        .configure(files::configure)
        .configure(socket::configure);
}

async fn not_found() -> Result<&'static str, ApiError> {
    Err(ApiError::for_status(StatusCode::NOT_FOUND))
}
