//! The outermost middleware: request id, log line, security headers, and the body of bare errors and panics.

use std::panic::AssertUnwindSafe;
use std::time::Instant;

use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use actix_web::http::uri::PathAndQuery;
use actix_web::http::{ConnectionType, StatusCode, Uri};
use actix_web::middleware::Next;
use actix_web::web::Data;
use actix_web::{Error, ResponseError as _};
use futures_util::FutureExt as _;
use uuid::Uuid;
use verdigraph_core::Error::Unavailable;

use crate::area::{self, Area};
use crate::connections::Connection;
use crate::edge::Edge;
use crate::error::{ApiError, REQUEST_ID};
use crate::{head, metrics, policy};

tokio::task_local! {
    static ID: String;
}

/// The id of the current request; a fresh one outside a request.
pub fn current_id() -> String {
    ID.try_with(Clone::clone).unwrap_or_else(|_| Uuid::now_v7().to_string())
}

/// Wraps the whole application. A panic fails only its request.
pub async fn wrap<B: MessageBody + 'static>(
    mut request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    trim_slash(&mut request);
    let started = Instant::now();
    // Never the client's own id: a client must not choose what the logs and the audit log say.
    let id = Uuid::now_v7().to_string();
    let client_id = given_id(request.headers());
    let method = request.method().clone();
    let is_head = head::rewrite_as_get(&mut request);
    let path = area::routed(request.request()).to_owned();
    let page = page_of(request.headers());
    if request.conn_data::<Connection>().is_some_and(|connection| !connection.admitted) {
        return Ok(crowded(request));
    }
    let outcome = ID.scope(id.clone(), AssertUnwindSafe(answer(request, next)).catch_unwind()).await;
    let mut response = match outcome {
        Ok(Ok(response)) => response,
        Ok(Err(error)) => {
            metrics::broken(&method, error.as_response_error().status_code(), started.elapsed());
            return Err(error);
        }
        Err(panic) => {
            let what = panic_text(&*panic);
            tracing::error!(request.id = %id, http.method = %method, http.path = %path, http.page = page, "a handler panicked: {what}");
            metrics::broken(&method, StatusCode::INTERNAL_SERVER_ERROR, started.elapsed());
            return Err(ApiError::internal().of_request(id).into());
        }
    };
    metrics::answered(response.request(), response.status(), started.elapsed());
    let edge = response.request().app_data::<Data<Edge>>().cloned();
    protect(response.headers_mut(), Area::of_path(&path), edge.as_ref().map(Data::get_ref));
    if let Ok(value) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(REQUEST_ID, value);
    }
    let (status, elapsed_ms) = (response.status().as_u16(), started.elapsed().as_secs_f64() * 1000.0);
    tracing::debug!(request.id = %id, request.client_id = client_id, http.method = %method, http.path = %path, http.page = page, http.status = status, elapsed_ms);
    Ok(if is_head { head::without_body(response) } else { response })
}

/// The page a browser says the request comes from, for the log. Its query is left out: links of our mails carry secrets
/// there.
fn page_of(headers: &HeaderMap) -> Option<String> {
    const LIMIT: usize = 200;
    let page = headers.get(header::REFERER)?.to_str().ok()?.split(['?', '#']).next()?;
    Some(page.chars().take(LIMIT).collect())
}

/// Removes the slash at the end of `/api/general/workflow/`, as the specification writes its generic calls. Pages and
/// files keep theirs.
fn trim_slash(request: &mut ServiceRequest) {
    if !(Area::of(request.request()).is_api() && request.path().ends_with('/')) {
        return;
    }
    let path = request.path().trim_end_matches('/');
    let whole = request.uri().query().map_or_else(|| path.to_owned(), |query| format!("{path}?{query}"));
    let mut parts = request.uri().clone().into_parts();
    parts.path_and_query = PathAndQuery::try_from(whole).ok();
    if let Ok(uri) = Uri::from_parts(parts) {
        request.match_info_mut().get_mut().update(&uri);
        request.head_mut().uri = uri;
    }
}

/// The response on a connection beyond the limit. The connection is closed, so that the next one may find room.
fn crowded(request: ServiceRequest) -> ServiceResponse<BoxBody> {
    let message = "too many connections are open".to_owned();
    let mut response = ApiError::from(Unavailable { message, retry_after_seconds: 5 }).error_response();
    response.head_mut().set_connection_type(ConnectionType::Close);
    request.into_response(response)
}

/// Calls the application. Errors become responses here, where the request's id is known.
async fn answer<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let response = next.call(request).await?;
    let bare = response.status().is_client_error() || response.status().is_server_error();
    if !bare || is_document(response.headers()) || response.response().extensions().contains::<OwnText>() {
        return Ok(response.map_into_boxed_body());
    }
    // Routing, actix's extractors and the compression middleware return plain text or an empty body.
    let mut document = match response.response().error().and_then(|error| error.as_error::<ApiError>()) {
        Some(error) => error.error_response(),
        None => ApiError::for_status(response.status()).error_response(),
    };
    if let Some(allowed) = response.headers().get(header::ALLOW) {
        document.headers_mut().insert(header::ALLOW, with_head(allowed));
    }
    Ok(response.into_response(document))
}

/// The allowed methods, with HEAD wherever GET is allowed.
fn with_head(allowed: &HeaderValue) -> HeaderValue {
    let mut methods: Vec<&str> = allowed.to_str().unwrap_or_default().split(',').map(str::trim).collect();
    if methods.contains(&"GET") && !methods.contains(&"HEAD") {
        methods.push("HEAD");
    }
    HeaderValue::from_str(&methods.join(", ")).unwrap_or_else(|_| allowed.clone())
}

/// Marks a plain text that the application wrote itself, in the extensions of a response.
#[derive(Debug)]
pub struct OwnText;

/// Whether the application wrote this body itself.
fn is_document(headers: &HeaderMap) -> bool {
    headers.get(header::CONTENT_TYPE).is_some_and(|value| is_json(value) || value.as_bytes().starts_with(b"text/html"))
}

fn is_json(content_type: &HeaderValue) -> bool {
    content_type.as_bytes().starts_with(b"application/json")
}

/// The id that the client or a proxy sent, if it is well-formed: logged beside ours.
fn given_id(headers: &HeaderMap) -> Option<String> {
    let id = headers.get(REQUEST_ID)?.to_str().ok()?;
    let sensible = (8..=64).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    sensible.then(|| id.to_owned())
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".to_owned())
}

const OPENER_POLICY: HeaderName = HeaderName::from_static("cross-origin-opener-policy");
const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");
const PERMISSIONS_POLICY: HeaderName = HeaderName::from_static("permissions-policy");

/// The policy that the handler has set.
fn own_policy(headers: &HeaderMap) -> HeaderValue {
    headers.get(header::CONTENT_SECURITY_POLICY).cloned().unwrap_or(policy::DATA)
}

/// Sets security headers. Without an `edge`, as outside the application, pages may load nothing.
fn protect(headers: &mut HeaderMap, area: Area, edge: Option<&Edge>) {
    let is_data = area.is_api() && headers.get(header::CONTENT_TYPE).is_some_and(is_json);
    let policy = match area {
        _ if is_data => policy::DATA,
        // What is not JSON there is a stored file too.
        Area::Media | Area::EditorCall => policy::MEDIA,
        Area::EditorFile if headers.contains_key(header::CONTENT_SECURITY_POLICY) => own_policy(headers),
        _ => edge.map_or(policy::DATA, |edge| edge.page_policy.clone()),
    };
    headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    let has_resource_policy = headers.contains_key(RESOURCE_POLICY);
    let mut set = |name: HeaderName, value: &'static str| headers.insert(name, HeaderValue::from_static(value));
    set(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    // A handler may show its file to pages of other sites.
    if !has_resource_policy {
        set(RESOURCE_POLICY, "same-origin");
    }
    if !is_data {
        set(header::REFERRER_POLICY, "strict-origin-when-cross-origin");
        set(header::X_FRAME_OPTIONS, "SAMEORIGIN");
        set(OPENER_POLICY, "same-origin");
        set(PERMISSIONS_POLICY, "camera=(), microphone=(), geolocation=()");
    }
    if edge.is_some_and(|edge| edge.is_https) {
        headers.insert(header::STRICT_TRANSPORT_SECURITY, policy::HTTPS_ONLY);
    }
    if area.is_api() && !headers.contains_key(header::CACHE_CONTROL) {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
}
