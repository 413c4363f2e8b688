//! Errors in the shape of Comfy API v2: `{"error": {"code", "message", "details"?}}`.
//!
//! SDKs choose the exception by the code, and by the status for codes that they do not know. They repeat what is answered
//! with 429 and `Retry-After`, so nothing is answered like that which a repetition cannot change.

use actix_web::body::{BoxBody, MessageBody, to_bytes};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::StatusCode;
use actix_web::http::header::{self, HeaderName, HeaderValue};
use actix_web::middleware::Next;
use actix_web::{Error as ActixError, HttpResponse, ResponseError};
use serde::Deserialize;
use serde_json::{Value, json};
use verdigraph_core::{Code, Error};

use crate::error::{ApiError, ErrorLine};
use crate::request;

pub type Result<T> = std::result::Result<T, ComfyError>;

/// The id that SDKs show with an error.
const REQUEST_ID: HeaderName = HeaderName::from_static("x-comfy-request-id");
/// When to ask again for the job of a submit that is in progress with the same key.
const IN_FLIGHT_SECONDS: u64 = 1;

/// Statuses with one word for several codes of this API, which `details.code` tells apart: a ban from a missing right.
const COARSE: [StatusCode; 3] = [StatusCode::UNAUTHORIZED, StatusCode::PAYMENT_REQUIRED, StatusCode::FORBIDDEN];

/// An error to send to an SDK.
#[derive(Debug)]
pub struct ComfyError {
    status: StatusCode,
    code: String,
    message: String,
    /// Boxed, because results with errors should be small.
    details: Option<Box<Value>>,
    retry_after_seconds: Option<u64>,
    request_id: String,
}

impl ComfyError {
    pub fn new(status: StatusCode, code: &str, message: impl Into<String>) -> Self {
        Self {
            status,
            code: code.to_owned(),
            message: message.into(),
            details: None,
            retry_after_seconds: None,
            request_id: request::current_id(),
        }
    }

    /// For what is not there, or belongs to another account.
    pub fn not_found(code: &str, message: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, code, message)
    }

    /// For a request that is valid JSON and cannot be followed.
    pub fn unprocessable(code: &str, message: impl Into<String>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, code, message)
    }

    /// For an error that the same request may not meet later.
    pub fn later(code: &str, message: impl Into<String>, retry_after_seconds: u64) -> Self {
        let error = Self::new(StatusCode::TOO_MANY_REQUESTS, code, message);
        Self { retry_after_seconds: Some(retry_after_seconds), ..error }
    }

    #[must_use]
    pub fn with_details(self, details: Value) -> Self {
        Self { details: Some(Box::new(details)), ..self }
    }

    #[cfg(test)]
    pub fn details(&self) -> Option<&Value> {
        self.details.as_deref()
    }

    /// The error with another code.
    #[must_use]
    pub fn coded(self, status: StatusCode, code: &str) -> Self {
        Self { status, code: code.to_owned(), ..self }
    }

    /// The error of a call about a thing, whose absence has a code of its own.
    pub fn about(missing: &'static str) -> impl Fn(Error) -> Self {
        move |error| match error {
            Error::NotFound { .. } => Self::not_found(missing, error.to_string()),
            other => Self::from(other),
        }
    }

    /// An error of this API in the words of Comfy API v2.
    fn translated(status: StatusCode, line: SentError) -> Self {
        let SentError { code, message, details } = line;
        let (status, word) = words(status, &code, details.as_ref());
        let mut details = match details {
            Some(Value::Array(fields)) => Some(json!({ "fields": fields })),
            details => details.filter(Value::is_object),
        };
        if COARSE.contains(&status) {
            details.get_or_insert_with(|| json!({}))["code"] = json!(code);
        }
        Self { details: details.map(Box::new), ..Self::new(status, &word, message) }
    }

    /// The error that a response has; `None` if it is in this shape already.
    fn read(status: StatusCode, body: &[u8]) -> Option<Self> {
        match serde_json::from_slice::<SentBody>(body) {
            Ok(SentBody { error: Some(_), .. }) => None,
            Ok(SentBody { line: Some(line), .. }) => Some(Self::translated(status, line)),
            Ok(SentBody { line: None, .. }) | Err(_) => Some(Self::from(ApiError::for_status(status))),
        }
    }

    fn body(&self) -> Value {
        let mut error = json!({ "code": self.code, "message": self.message });
        if let Some(details) = &self.details {
            error["details"] = Value::clone(details);
        }
        json!({ "error": error })
    }
}

/// Status and code of an error of this API.
fn words(status: StatusCode, code: &str, details: Option<&Value>) -> (StatusCode, String) {
    let kind = || details.and_then(|details| details.pointer("/error/type")).and_then(Value::as_str);
    let (status, word) = match code.parse::<Code>() {
        // Whatever forbids to spend: SDKs do not repeat it.
        Ok(Code::OutOfCredits | Code::CreditCeiling) => (StatusCode::PAYMENT_REQUIRED, "insufficient_credits"),
        Ok(Code::InvalidPrompt) if kind() == Some("workflow_format_ui") => (status, "workflow_format_ui"),
        Ok(Code::InvalidPrompt) => (status, "invalid_workflow"),
        Ok(Code::IdempotencyMismatch) => (status, "idempotency_key_reuse"),
        // The SDK sends the same key again, and gets the job.
        Ok(Code::IdempotencyInFlight) => (StatusCode::TOO_MANY_REQUESTS, "rate_limited"),
        Ok(Code::BadRequest | Code::ValidationFailed) => (status, "invalid_request"),
        _ if status == StatusCode::UNAUTHORIZED => (status, "unauthorized"),
        _ if status == StatusCode::FORBIDDEN => (status, "forbidden"),
        _ if status == StatusCode::NOT_FOUND => (status, "not_found"),
        _ if status.is_server_error() => (status, "upstream_error"),
        _ => return (status, code.to_ascii_lowercase()),
    };
    (status, word.to_owned())
}

/// The body of an error of this API, or of one in this shape.
#[derive(Deserialize)]
struct SentBody {
    error: Option<Value>,
    #[serde(flatten)]
    line: Option<SentError>,
}

#[derive(Deserialize)]
struct SentError {
    code: String,
    message: String,
    details: Option<Value>,
}

impl From<ApiError> for ComfyError {
    fn from(error: ApiError) -> Self {
        let status = error.status_code();
        let ErrorLine { code, message, details } = error.into();
        Self::translated(status, SentError { code: code.to_owned(), message, details })
    }
}

impl From<Error> for ComfyError {
    fn from(error: Error) -> Self {
        let in_flight = (error.code() == Code::IdempotencyInFlight).then_some(IN_FLIGHT_SECONDS);
        let retry_after_seconds = error.retry_after_seconds().or(in_flight);
        Self { retry_after_seconds, ..Self::from(ApiError::from(error)) }
    }
}

impl std::fmt::Display for ComfyError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.code, self.message)
    }
}

impl std::error::Error for ComfyError {}

impl ResponseError for ComfyError {
    fn status_code(&self) -> StatusCode {
        self.status
    }

    fn error_response(&self) -> HttpResponse {
        let mut response = HttpResponse::build(self.status);
        response.insert_header((header::CACHE_CONTROL, "no-store"));
        response.insert_header((REQUEST_ID, self.request_id.as_str()));
        if let Some(seconds) = self.retry_after_seconds {
            response.insert_header((header::RETRY_AFTER, seconds.to_string()));
        }
        response.json(self.body())
    }
}

/// Puts all errors into the shape of Comfy API v2, and the request's id into each response.
pub async fn reshape<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> std::result::Result<ServiceResponse<BoxBody>, ActixError> {
    let response = match next.call(request).await {
        Ok(response) => response.map_into_boxed_body(),
        Err(error) => return Err(outside(error).await),
    };
    let (request, response) = response.into_parts();
    let is_error = response.status().is_client_error() || response.status().is_server_error();
    let mut response = if is_error { enveloped(response).await } else { response };
    if let Ok(id) = HeaderValue::from_str(&request::current_id()) {
        response.headers_mut().insert(REQUEST_ID, id);
    }
    Ok(ServiceResponse::new(request, response))
}

/// An error that no handler answered, such as a deadline that has passed.
async fn outside(error: ActixError) -> ActixError {
    let (head, body) = error.error_response().into_parts();
    let body = to_bytes(body).await.unwrap_or_default();
    let retry_after =
        head.headers().get(header::RETRY_AFTER).and_then(|seconds| seconds.to_str().ok()?.parse::<u64>().ok());
    match ComfyError::read(head.status(), &body) {
        Some(read) => ComfyError { retry_after_seconds: retry_after, ..read }.into(),
        None => error,
    }
}

/// The response with its error in this shape. It keeps its other headers, such as `Retry-After` and `Allow`.
async fn enveloped(response: HttpResponse<BoxBody>) -> HttpResponse<BoxBody> {
    let (mut head, body) = response.into_parts();
    let body = to_bytes(body).await.unwrap_or_default();
    let Some(error) = ComfyError::read(head.status(), &body) else {
        return head.set_body(body).map_into_boxed_body();
    };
    *head.status_mut() = error.status;
    head.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    head.set_body(error.body().to_string()).map_into_boxed_body()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(error: Error) -> (u16, String, Option<Value>) {
        let error = ComfyError::from(error);
        (error.status.as_u16(), error.code, error.details.map(|details| *details))
    }

    #[test]
    fn errors_have_the_codes_that_sdks_know() {
        let prompt = |kind: &str| Error::InvalidPrompt {
            validation: json!({ "error": { "type": kind, "message": "no" }, "node_errors": { "1": {} } }),
        };
        let ceiling =
            || Error::Refused { code: Code::CreditCeiling, message: "too much".to_owned(), details: Value::Null };
        for (error, expected) in [
            (Error::LoginRequired, (401, "unauthorized")),
            (Error::ApiKeyInvalid, (401, "unauthorized")),
            (Error::Forbidden, (403, "forbidden")),
            (Error::NotFound { what: "job" }, (404, "not_found")),
            (Error::OutOfCredits { needed: 2, available: 1 }, (402, "insufficient_credits")),
            (ceiling(), (402, "insufficient_credits")),
            (prompt("prompt_outputs_failed_validation"), (422, "invalid_workflow")),
            (prompt("workflow_format_ui"), (422, "workflow_format_ui")),
            (Error::IdempotencyMismatch, (422, "idempotency_key_reuse")),
            (Error::IdempotencyInFlight, (429, "rate_limited")),
            (Error::RateLimited { retry_after_seconds: 3 }, (429, "rate_limited")),
            (Error::conflict(Code::AssetInUse, "in use"), (409, "asset_in_use")),
            (Error::invalid("limit", "is wrong"), (400, "invalid_request")),
            (Error::FileEmpty, (415, "file_empty")),
            (Error::StorageAway, (503, "upstream_error")),
            (Error::Internal("secret".to_owned()), (500, "upstream_error")),
        ] {
            let text = error.to_string();
            let (status, code, _) = sent(error);
            assert_eq!((status, code.as_str()), expected, "{text}");
        }
    }

    #[test]
    fn details_are_an_object_and_have_the_errors_of_nodes() {
        let (_, _, details) = sent(Error::invalid("limit", "is wrong"));
        assert_eq!(details, Some(json!({ "fields": [{ "field": "limit", "message": "is wrong" }] })));
        let validation = json!({ "error": { "type": "x" }, "node_errors": { "1": { "errors": [] } } });
        let (_, _, details) = sent(Error::InvalidPrompt { validation: validation.clone() });
        assert_eq!(details, Some(validation));
    }

    #[test]
    fn refusals_with_one_word_are_told_apart_by_the_code_in_their_details() {
        let banned = Error::Banned { until: None, reason: "spam".to_owned() };
        for (error, word, details) in [
            (banned, "forbidden", json!({ "code": "ACCOUNT_BANNED", "until": null, "reason": "spam" })),
            (Error::SessionRequired, "forbidden", json!({ "code": "SESSION_REQUIRED" })),
            (Error::LoginRequired, "unauthorized", json!({ "code": "AUTH_LOGIN_REQUIRED" })),
            (Error::ApiKeyInvalid, "unauthorized", json!({ "code": "API_KEY_INVALID" })),
            (
                Error::refused(Code::CreditCeiling, "too much"),
                "insufficient_credits",
                json!({ "code": "CREDIT_CEILING" }),
            ),
        ] {
            let (_, code, told) = sent(error);
            assert_eq!((code.as_str(), told), (word, Some(details)));
        }
        assert_eq!(sent(Error::NotFound { what: "job" }).2, None);
    }

    #[test]
    fn every_answer_to_repeat_says_when() {
        for error in [Error::RateLimited { retry_after_seconds: 7 }, Error::IdempotencyInFlight] {
            let response = ComfyError::from(error).error_response();
            assert_eq!(response.status(), 429);
            let seconds = response.headers().get("retry-after").and_then(|value| value.to_str().ok()?.parse().ok());
            assert!(seconds.is_some_and(|seconds: u64| seconds > 0));
        }
    }

    #[test]
    fn bare_and_foreign_bodies_are_read_and_own_ones_are_kept() {
        let code = |status: u16, body: &str| {
            let status = StatusCode::from_u16(status).expect("a status");
            ComfyError::read(status, body.as_bytes()).map(|error| error.code)
        };
        assert_eq!(code(405, "").as_deref(), Some("method_not_allowed"));
        assert_eq!(code(404, "Not Found").as_deref(), Some("not_found"));
        assert_eq!(code(401, r#"{"code":"API_KEY_INVALID","message":"no"}"#).as_deref(), Some("unauthorized"));
        assert_eq!(code(404, r#"{"error":{"code":"job_not_found","message":"no"}}"#), None);
    }
}
