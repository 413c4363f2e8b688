//! Error responses that follow from a rule: refusals of the gate, the rate limits, the extractors and the database.
//!
//! A route lists an error only where it has something to say about it. `(status = 404)` without a description adds the
//! shared response where no rule does.

use utoipa::openapi::header::HeaderBuilder;
use utoipa::openapi::path::{HttpMethod, Operation};
use utoipa::openapi::{ContentBuilder, ObjectBuilder, Ref, RefOr, Response, ResponseBuilder, Type};

use crate::area::Area;

/// An error response that many operations share, as a component of the document.
#[derive(Debug, Clone, Copy)]
pub struct SharedResponse {
    status: &'static str,
    component: &'static str,
    description: &'static str,
    has_retry_after: bool,
}

const fn shared(status: &'static str, component: &'static str, description: &'static str) -> SharedResponse {
    SharedResponse { status, component, description, has_retry_after: false }
}

const INVALID: SharedResponse = shared("400", "Invalid", "VALIDATION_FAILED: details name each wrong field");
const UNAUTHORIZED: SharedResponse =
    shared("401", "Unauthorized", "AUTH_LOGIN_REQUIRED, or API_KEY_INVALID for an unknown key");
const FORBIDDEN: SharedResponse =
    shared("403", "Forbidden", "FORBIDDEN, XSRF_MISMATCH, ACCOUNT_BANNED, AUTH_EMAIL_UNVERIFIED");
const NOT_FOUND: SharedResponse =
    shared("404", "NotFound", "NOT_FOUND: the request names something that does not exist or the caller may not see");
const SLOW_BODY: SharedResponse = shared("408", "RequestTimeout", "REQUEST_TIMEOUT: the body took too long to arrive");
const LARGE_BODY: SharedResponse = shared("413", "BodyTooLarge", "BODY_TOO_LARGE");
const OTHER_BODY: SharedResponse =
    shared("415", "UnsupportedMediaType", "UNSUPPORTED_MEDIA_TYPE: the body must be as described");
const RATE_LIMITED: SharedResponse =
    SharedResponse { has_retry_after: true, ..shared("429", "TooManyRequests", "RATE_LIMITED") };
const UNAVAILABLE: SharedResponse = SharedResponse {
    has_retry_after: true,
    ..shared("503", "Unavailable", "UNAVAILABLE: too busy, or the answer takes too long")
};

/// All shared responses.
pub const ALL: [SharedResponse; 9] =
    [INVALID, UNAUTHORIZED, FORBIDDEN, NOT_FOUND, SLOW_BODY, LARGE_BODY, OTHER_BODY, RATE_LIMITED, UNAVAILABLE];

impl SharedResponse {
    /// The component's name and content.
    pub fn component(self) -> (String, RefOr<Response>) {
        let mut response = ResponseBuilder::new().description(self.description).build();
        set_error_body(&mut response);
        if self.has_retry_after {
            let seconds = ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(1));
            let header = HeaderBuilder::new().schema(Some(seconds)).description(Some("Seconds to wait")).build();
            response.headers.insert("Retry-After".to_owned(), header.into());
        }
        (self.component.to_owned(), RefOr::T(response))
    }

    fn reference(self) -> RefOr<Response> {
        RefOr::Ref(Ref::from_response_name(self.component))
    }
}

fn set_error_body(response: &mut Response) {
    let content = ContentBuilder::new().schema(Some(Ref::from_schema_name("ErrorBody"))).build();
    response.content.insert("application/json".to_owned(), content.into());
}

/// The shared responses of an operation.
fn by_rule(path: &str, method: &HttpMethod, operation: &Operation) -> impl Iterator<Item = SharedResponse> {
    let has_body = operation.request_body.is_some();
    let has_parameters = operation.parameters.as_ref().is_some_and(|parameters| !parameters.is_empty());
    let changes = !matches!(method, HttpMethod::Get | HttpMethod::Head | HttpMethod::Options);
    let rules = [
        (has_body || has_parameters, INVALID),
        // An unknown API key is refused at every address.
        (true, UNAUTHORIZED),
        (changes || Area::of_path(path) == Area::Admin, FORBIDDEN),
        (path.contains('{'), NOT_FOUND),
        (has_body, SLOW_BODY),
        (has_body, LARGE_BODY),
        (has_body, OTHER_BODY),
        (true, RATE_LIMITED),
        (true, UNAVAILABLE),
    ];
    rules.into_iter().filter_map(|(applies, response)| applies.then_some(response))
}

/// Adds the shared responses to an operation, and the error body to its own error responses.
pub fn add(path: &str, method: &HttpMethod, operation: &mut Operation) {
    let rules: Vec<SharedResponse> = by_rule(path, method, operation).collect();
    let responses = &mut operation.responses.responses;
    for shared in rules {
        responses.entry(shared.status.to_owned()).or_insert_with(|| shared.reference());
    }
    for (status, entry) in responses.iter_mut().filter(|(status, _)| status.starts_with(['4', '5'])) {
        let RefOr::T(response) = &mut *entry else { continue };
        let shared = ALL.into_iter().find(|shared| response.description.is_empty() && shared.status == status);
        match shared {
            Some(shared) if response.content.is_empty() => *entry = shared.reference(),
            _ if response.content.is_empty() => set_error_body(response),
            _ => {}
        }
    }
}
