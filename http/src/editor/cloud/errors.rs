//! Errors with words of Comfy Cloud.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use serde_json::json;

/// A refusal for which this API has no code.
#[must_use]
pub fn refused(status: StatusCode, code: &str, message: &str) -> HttpResponse {
    HttpResponse::build(status).json(json!({ "code": code, "message": message }))
}
