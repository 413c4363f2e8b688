//! The application that each HTTP thread runs.

use actix_web::body::BoxBody;
use actix_web::dev::{ServiceFactory, ServiceRequest, ServiceResponse};
use actix_web::http::StatusCode;
use actix_web::middleware::{Compress, from_fn};
use actix_web::web::{self, Data};
use actix_web::{App, Error};
use std::sync::Arc;

use verdigraph_core::Core;

use crate::edge::Edge;
use crate::error::ApiError;
use crate::extract::{self, JsonLimit};
use crate::{comfy_v2, deadline, editor, gate, mcp, request, routes, site};

/// Routes and middleware over a core whose connection pool belongs to this thread.
#[must_use]
pub fn application(
    core: Core,
    edge: Arc<Edge>,
) -> App<
    impl ServiceFactory<ServiceRequest, Config = (), Response = ServiceResponse<BoxBody>, Error = Error, InitError = ()>,
> {
    let json_bytes = core.settings.limits.json_bytes;
    App::new()
        .app_data(Data::new(core))
        .app_data(Data::from(edge))
        .app_data(JsonLimit(json_bytes))
        .configure(extract::configure)
        .configure(routes::health::configure_probes)
        // Before `/api`, which has no calls below `/api/v2`.
        .configure(comfy_v2::configure)
        .service(
            web::scope("/api")
                .wrap(from_fn(gate::pass))
                .wrap(from_fn(deadline::enforce))
                .configure(routes::configure)
                .default_service(web::to(not_found)),
        )
        .configure(editor::configure)
        .configure(mcp::configure)
        .service(
            web::scope("/media")
                .wrap(from_fn(gate::pass))
                .configure(routes::media::configure)
                .default_service(web::to(not_found)),
        )
        .configure(routes::metrics::configure)
        .configure(routes::discovery::configure_files)
        .default_service(web::to(site::serve))
        .wrap(Compress::default())
        .wrap(from_fn(request::wrap))
}

async fn not_found() -> Result<&'static str, ApiError> {
    Err(ApiError::for_status(StatusCode::NOT_FOUND))
}
