//! What any operation may be answered, beside what it says itself: the refusals of the gate, of the limits and of the
//! extractors. They are told by rule, in one place, as they are enforced in one place.

use utoipa::openapi::header::HeaderBuilder;
use utoipa::openapi::path::{HttpMethod, Operation};
use utoipa::openapi::{ContentBuilder, ObjectBuilder, Ref, RefOr, Response, ResponseBuilder, Type};

use crate::area::Area;

/// A refusal that many operations share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Common {
    status: &'static str,
    /// Its name among the components.
    name: &'static str,
    about: &'static str,
    /// Whether it says how long to wait.
    waits: bool,
}

const fn common(status: &'static str, name: &'static str, about: &'static str) -> Common {
    Common { status, name, about, waits: false }
}

const INVALID: Common = common("400", "Invalid", "VALIDATION_FAILED: details name each wrong field");
const UNKNOWN: Common = common("401", "Unauthorized", "AUTH_LOGIN_REQUIRED, or API_KEY_INVALID for a key that is none");
const FORBIDDEN: Common = common("403", "Forbidden", "FORBIDDEN, XSRF_MISMATCH, ACCOUNT_BANNED, AUTH_EMAIL_UNVERIFIED");
const SLOW_BODY: Common = common("408", "RequestTimeout", "REQUEST_TIMEOUT: the body took too long to arrive");
const LARGE_BODY: Common = common("413", "BodyTooLarge", "BODY_TOO_LARGE");
const OTHER_BODY: Common =
    common("415", "UnsupportedMediaType", "UNSUPPORTED_MEDIA_TYPE: the body must be as described");
const TOO_MANY: Common = Common { waits: true, ..common("429", "TooManyRequests", "RATE_LIMITED") };
const UNAVAILABLE: Common = Common {
    waits: true,
    ..common("503", "Unavailable", "SERVICE_UNAVAILABLE: too busy, or the answer takes too long")
};

/// All of them, for the components.
pub const ALL: [Common; 8] = [INVALID, UNKNOWN, FORBIDDEN, SLOW_BODY, LARGE_BODY, OTHER_BODY, TOO_MANY, UNAVAILABLE];

impl Common {
    /// The answer under its name.
    pub fn component(self) -> (String, RefOr<Response>) {
        let error = ContentBuilder::new().schema(Some(Ref::from_schema_name("ErrorBody"))).build();
        let mut response = ResponseBuilder::new().description(self.about).content("application/json", error);
        if self.waits {
            let seconds = ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(1));
            let header = HeaderBuilder::new().schema(Some(seconds)).description(Some("Seconds to wait")).build();
            response = response.header("Retry-After", header);
        }
        (self.name.to_owned(), RefOr::T(response.build()))
    }
}

/// The common answers of one operation.
fn of(path: &str, method: &HttpMethod, operation: &Operation) -> Vec<Common> {
    let area = Area::of_path(path);
    let has_body = operation.request_body.is_some();
    let has_parameters = operation.parameters.as_ref().is_some_and(|parameters| !parameters.is_empty());
    let changes = !matches!(method, HttpMethod::Get | HttpMethod::Head | HttpMethod::Options);
    let rules = [
        (has_body || has_parameters, INVALID),
        // A key that is none is refused wherever it is shown.
        (true, UNKNOWN),
        (changes || area == Area::Admin, FORBIDDEN),
        (has_body, SLOW_BODY),
        (has_body, LARGE_BODY),
        (has_body, OTHER_BODY),
        (true, TOO_MANY),
        (true, UNAVAILABLE),
    ];
    rules.into_iter().filter_map(|(holds, answer)| holds.then_some(answer)).collect()
}

/// Adds to an operation what it does not say itself.
pub fn add(path: &str, method: &HttpMethod, operation: &mut Operation) {
    for answer in of(path, method, operation) {
        let known = &mut operation.responses.responses;
        known.entry(answer.status.to_owned()).or_insert_with(|| RefOr::Ref(Ref::from_response_name(answer.name)));
    }
}
