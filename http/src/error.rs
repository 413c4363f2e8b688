//! The one shape of all errors: `{"code", "message", "details"?, "requestId"}` with a fitting status.

use actix_web::http::StatusCode;
use actix_web::http::header::{self, HeaderName, HeaderValue};
use actix_web::{HttpResponse, ResponseError};
use serde::Serialize;
use serde_json::Value;
#[cfg(feature = "describe")]
use utoipa::openapi::{Object, ObjectBuilder, Type};
use verdigraph_core::{Code, Error, ErrorKind};

use crate::openapi::ToSchema;
use crate::request;

/// A handler's result.
pub type Result<T> = std::result::Result<T, ApiError>;

/// The header with the request's id.
pub const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// An error to send to a client.
#[derive(Debug)]
pub struct ApiError {
    status: StatusCode,
    code: Code,
    message: String,
    details: Option<Value>,
    retry_after_seconds: Option<u64>,
    /// A header that belongs to the status.
    header: Option<(HeaderName, HeaderValue)>,
    /// Set where the error is answered outside the request's own scope.
    request_id: Option<String>,
}

/// The body of every error.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ErrorBody {
    /// For programs: what to switch on.
    #[schema(schema_with = codes)]
    pub code: &'static str,
    /// For people; its wording may change.
    pub message: String,
    /// For programs: wrong fields as `[{"field", "message"}]`, ComfyUI's validation result, ….
    #[serde(skip_serializing_if = "Option::is_none")]
    pub details: Option<Value>,
    /// The request's id in the logs.
    pub request_id: String,
}

/// One of several errors in a response; the response's own request id names them all.
#[derive(Debug, Serialize, ToSchema)]
pub struct ErrorLine {
    /// For programs: what to switch on.
    #[schema(schema_with = codes)]
    pub code: &'static str,
    /// For people; its wording may change.
    pub message: String,
    /// As in [`ErrorBody`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub details: Option<Value>,
}

/// Schema of the codes.
#[cfg(feature = "describe")]
fn codes() -> Object {
    ObjectBuilder::new()
        .schema_type(Type::String)
        .description(Some("For programs: what to switch on. Later versions may have more; a code keeps its meaning."))
        .enum_values(Some(Code::ALL.map(Code::name)))
        .build()
}

impl From<ApiError> for ErrorLine {
    fn from(error: ApiError) -> Self {
        Self { code: error.code.name(), message: error.message, details: error.details }
    }
}

impl ApiError {
    /// An error of the HTTP layer itself.
    pub fn new(status: StatusCode, code: Code, message: impl Into<String>) -> Self {
        let message = message.into();
        Self { status, code, message, details: None, retry_after_seconds: None, header: None, request_id: None }
    }

    /// A bug. The client learns nothing of the cause; the caller of this function logs it.
    pub fn internal() -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, Code::Internal, "something went wrong on our side")
    }

    /// An error for a bare status, as routing and middleware return it.
    pub fn for_status(status: StatusCode) -> Self {
        let (code, message) = match status {
            StatusCode::NOT_FOUND => (Code::NotFound, "there is nothing at this address"),
            StatusCode::METHOD_NOT_ALLOWED => (Code::MethodNotAllowed, "this address does not take this method"),
            StatusCode::PAYLOAD_TOO_LARGE => (Code::BodyTooLarge, "the body is too large"),
            StatusCode::UNSUPPORTED_MEDIA_TYPE => (Code::UnsupportedMediaType, "the content type is not supported"),
            StatusCode::NOT_ACCEPTABLE => (Code::NotAcceptable, "none of the accepted encodings can be given"),
            StatusCode::REQUEST_TIMEOUT => (Code::RequestTimeout, "the request took too long to arrive"),
            StatusCode::RANGE_NOT_SATISFIABLE => (Code::RangeNotSatisfiable, "the file has no such range"),
            status if status.is_server_error() => return Self { status, ..Self::internal() },
            _ => (Code::BadRequest, "the request is not valid"),
        };
        Self::new(status, code, message)
    }

    /// Adds details for programs.
    #[must_use]
    pub fn with_details(self, details: Value) -> Self {
        Self { details: Some(details), ..self }
    }

    /// Adds a header that belongs to the status.
    #[must_use]
    pub fn with_header(self, name: HeaderName, value: HeaderValue) -> Self {
        Self { header: Some((name, value)), ..self }
    }

    /// Sets the request's id, for an error answered outside the request's scope.
    #[must_use]
    pub fn of_request(self, id: impl Into<String>) -> Self {
        Self { request_id: Some(id.into()), ..self }
    }
}

impl std::fmt::Display for ApiError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.code.name(), self.message)
    }
}

impl std::error::Error for ApiError {}

impl From<Error> for ApiError {
    fn from(error: Error) -> Self {
        let status = status(error.kind());
        if status == StatusCode::INTERNAL_SERVER_ERROR {
            tracing::error!(error = &error as &dyn std::error::Error, "request failed");
            return Self::internal();
        }
        let retry_after_seconds = error.retry_after_seconds();
        Self {
            status,
            code: error.code(),
            message: error.to_string(),
            details: error.details(),
            retry_after_seconds,
            header: None,
            request_id: None,
        }
    }
}

/// The HTTP status of a kind of error.
fn status(kind: ErrorKind) -> StatusCode {
    match kind {
        ErrorKind::BadRequest => StatusCode::BAD_REQUEST,
        ErrorKind::Unauthorized => StatusCode::UNAUTHORIZED,
        ErrorKind::PaymentRequired => StatusCode::PAYMENT_REQUIRED,
        ErrorKind::Forbidden => StatusCode::FORBIDDEN,
        ErrorKind::NotFound => StatusCode::NOT_FOUND,
        ErrorKind::Conflict => StatusCode::CONFLICT,
        ErrorKind::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
        ErrorKind::Unsupported => StatusCode::UNSUPPORTED_MEDIA_TYPE,
        ErrorKind::Unprocessable => StatusCode::UNPROCESSABLE_ENTITY,
        ErrorKind::TooManyRequests => StatusCode::TOO_MANY_REQUESTS,
        ErrorKind::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
        ErrorKind::Internal => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

impl ResponseError for ApiError {
    fn status_code(&self) -> StatusCode {
        self.status
    }

    fn error_response(&self) -> HttpResponse {
        let request_id = self.request_id.clone().unwrap_or_else(request::current_id);
        let mut response = HttpResponse::build(self.status);
        response.insert_header((header::CACHE_CONTROL, HeaderValue::from_static("no-store")));
        if let Some(seconds) = self.retry_after_seconds {
            response.insert_header((header::RETRY_AFTER, seconds.to_string()));
        }
        if let Some(header) = self.header.clone() {
            response.insert_header(header);
        }
        if let Ok(value) = HeaderValue::from_str(&request_id) {
            response.insert_header((REQUEST_ID, value));
        }
        response.json(ErrorBody {
            code: self.code.name(),
            message: self.message.clone(),
            details: self.details.clone(),
            request_id,
        })
    }
}

#[cfg(test)]
mod tests {
    use actix_web::body::to_bytes;

    use super::*;

    #[actix_web::test]
    async fn internal_cause_is_not_sent_to_the_client() {
        let error = ApiError::from(Error::Internal("password=hunter2".to_owned()));
        let response = error.error_response();
        assert_eq!(response.status(), 500);
        let body = to_bytes(response.into_body()).await.unwrap();
        let text = String::from_utf8(body.to_vec()).unwrap();
        assert!(!text.contains("hunter2"), "the cause is told to the client: {text}");
        assert!(text.contains("\"code\":\"INTERNAL\""));
    }

    #[actix_web::test]
    async fn lost_database_connection_answers_503_without_its_message() {
        let broken = std::io::Error::other("connection to 10.0.0.7 was reset");
        let response = ApiError::from(Error::from(sqlx::Error::Io(broken))).error_response();
        assert_eq!(response.status(), 503);
        assert_eq!(response.headers().get("Retry-After").unwrap(), "2");
        let body = to_bytes(response.into_body()).await.unwrap();
        assert!(!String::from_utf8_lossy(&body).contains("10.0.0.7"));
    }

    #[actix_web::test]
    async fn error_with_a_wait_has_a_retry_after_header() {
        for error in [
            Error::RateLimited { retry_after_seconds: 7 },
            Error::Unavailable { message: "full".to_owned(), retry_after_seconds: 7 },
        ] {
            let response = ApiError::from(error).error_response();
            assert_eq!(response.headers().get("Retry-After").unwrap(), "7");
        }
        let response = ApiError::from(Error::StorageAway).error_response();
        assert_eq!(response.status(), 503);
        assert_eq!(response.headers().get("Retry-After").unwrap(), "5");
    }
}
