//! Comfy API v2 at `/api/v2`: what the SDKs of ComfyUI call. They run unchanged with our address and an API key.
//!
//! ```text
//!   assets ──▶ bytes by BLAKE3 or by id          references ──▶ `core/ASSET` objects of a graph become file names
//!   jobs ────▶ submit, list, watch, cancel ──▶ views ──▶ events: the same as a stream
//!   waiting ─▶ a repeated read of a queued job waits for news
//! ```
//!
//! ComfyUI documents these calls, so the document of this API does not. Words and fields are theirs ([`views`]), and so
//! are errors ([`errors`]). Every call is for signed-in callers, and nothing here reveals what belongs to others, not even
//! to admins.

mod assets;
mod errors;
mod events;
mod file_views;
mod jobs;
mod references;
mod submission;
pub mod views;
mod waiting;

use actix_web::middleware::from_fn;
use actix_web::web::{self, ServiceConfig};

use self::errors::{ComfyError, Result};
use crate::area::COMFY_V2;
use crate::{deadline, gate};

/// Mounts the calls. They come before those below `/api`.
pub fn configure(config: &mut ServiceConfig) {
    config.service(
        web::scope(COMFY_V2)
            .wrap(from_fn(gate::pass))
            .wrap(from_fn(deadline::enforce))
            .wrap(from_fn(errors::reshape))
            .configure(jobs::configure)
            .configure(assets::configure)
            .default_service(web::to(not_found)),
    );
}

async fn not_found() -> Result<&'static str> {
    Err(ComfyError::not_found("not_found", "there is nothing at this address"))
}
