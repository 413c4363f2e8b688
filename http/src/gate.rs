//! The gate before `/api`, `/mcp`, `/media` and `/comfyui-editor`: identifies the caller, applies rate limits, checks the
//! XSRF token.
//!
//! Guests are refused at `/mcp` and below `general` and `admin` before anything else of the request is read. What a
//! caller may do with a particular object, the core decides.

use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::middleware::Next;
use actix_web::{HttpMessage as _, HttpRequest, ResponseError as _, web};
use verdigraph_core::caller::{AuthMethod, Trace};
use verdigraph_core::{Caller as CoreCaller, Core, Error, users};

use crate::area::Area;
use crate::caller::{self, Caller};
use crate::edge::Edge;
use crate::error::ApiError;
use crate::limits::{Counter, LimitExceeded, LimitState};
use crate::{client, cookies, limits, request};

/// The gate's middleware. A refusal is an ordinary response, so that it has the rate limit headers too.
pub async fn pass<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<BoxBody>, actix_web::Error> {
    let (core, edge) = match (request.app_data::<web::Data<Core>>(), request.app_data::<web::Data<Edge>>()) {
        (Some(core), Some(edge)) => (core.clone(), edge.clone()),
        _ => return Err(ApiError::internal().into()),
    };
    let identified = identify(&core, request.request()).await;
    let counted = match &identified {
        Ok(CoreCaller { user: Some(user), auth_method: AuthMethod::ApiKey(_), .. }) => Counter::Keys(*user),
        Ok(CoreCaller { user: Some(user), .. }) => Counter::Account(*user),
        // A wrong key counts for the address; otherwise guessing keys would be free.
        Ok(_) | Err(_) => Counter::Address(client::address(request.request(), &core.settings.server)),
    };
    // A page of pictures, and the editor, load many files at once, each of which a browser requests once and caches.
    let state = match Area::of(request.request()) {
        Area::Media | Area::EditorFile => None,
        _ => match edge.limits.count(&*core.shared, counted).await {
            Ok(state) => Some(state),
            Err(refusal) => return Ok(too_many(request, refusal)),
        },
    };
    let admitted = identified.and_then(|caller| admit(&caller, request.request()).map(|()| caller));
    let mut response = match admitted {
        Ok(caller) => {
            let caller = traced(caller, &core, request.request());
            request.extensions_mut().insert(Caller(caller));
            next.call(request).await?.map_into_boxed_body()
        }
        Err(error) => request.into_response(ApiError::from(error).error_response()),
    };
    if let Some(LimitState { limit, remaining, reset_seconds }) = state {
        limits::set_headers(response.headers_mut(), limit, remaining, reset_seconds);
    }
    Ok(response)
}

/// Adds the request's id and address to an admin's caller, for the audit log.
fn traced(caller: CoreCaller, core: &Core, request: &HttpRequest) -> CoreCaller {
    if !caller.admin {
        return caller;
    }
    let address = Some(client::address(request, &core.settings.server));
    caller.with_trace(Trace { request_id: request::current_id(), address })
}

fn too_many(request: ServiceRequest, refusal: LimitExceeded) -> ServiceResponse<BoxBody> {
    let LimitExceeded { limit, retry_after_seconds } = refusal;
    let error = ApiError::from(Error::RateLimited { retry_after_seconds });
    let mut response = request.into_response(error.error_response());
    limits::set_headers(response.headers_mut(), limit, 0, retry_after_seconds);
    response
}

/// An API key takes precedence over a session: a program that sends a key means it.
async fn identify(core: &Core, request: &HttpRequest) -> Result<CoreCaller, Error> {
    if let Some(key) = caller::api_key(request.headers()) {
        return Ok(users::by_api_key(core, key).await?.caller.clone());
    }
    match cookies::session(request) {
        // A session that has ended makes the caller a guest: public pages stay open, the rest asks to sign in.
        Some(token) => {
            let signed_in = users::by_session(core, &token).await?;
            Ok(signed_in.map_or_else(CoreCaller::guest, |signed_in| signed_in.caller.clone()))
        }
        None => Ok(CoreCaller::guest()),
    }
}

/// Checks the caller against the area of the path.
fn admit(caller: &CoreCaller, request: &HttpRequest) -> Result<(), Error> {
    match Area::of(request) {
        Area::General => drop(caller.signed_in()?),
        Area::Admin => caller.must_be_admin()?.read_only(),
        Area::Open | Area::Media | Area::EditorCall | Area::EditorFile | Area::Page => {}
    }
    let safe = matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    if caller.auth_method == AuthMethod::Session && !safe && !cookies::xsrf_matches(request) {
        return Err(Error::XsrfMismatch);
    }
    Ok(())
}
