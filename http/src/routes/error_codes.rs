//! The table of error codes.

use actix_web::web::{self, Json, ServiceConfig};
use verdigraph_core::Code;

use crate::openapi::{self, OpenApi};
use crate::views::Items;
use crate::views::error_codes::ErrorCodeView;

#[derive(OpenApi)]
#[openapi(paths(list))]
pub struct Api;

pub fn configure(config: &mut ServiceConfig) {
    config.service(web::resource("/public/error-code").get(list));
}

/// All error codes: where the cause is, whether the same call may succeed later, and what to do next
#[openapi::path(get, path = "/api/public/error-code", tag = "operations",
    responses((status = 200, body = Items<ErrorCodeView>)))]
async fn list() -> Json<Items<ErrorCodeView>> {
    Json(Items { items: Code::ALL.into_iter().map(ErrorCodeView::from).collect() })
}
