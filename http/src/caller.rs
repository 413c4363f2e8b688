//! The caller of a request, identified once by the [`crate::gate`] and extracted by handlers.

use std::future::{Ready, ready};
use std::ops::Deref;

use actix_web::dev::Payload;
use actix_web::http::header::HeaderMap;
use actix_web::{FromRequest, HttpMessage as _, HttpRequest};

use verdigraph_core::users::{AuthWatch, Credential};
use verdigraph_core::{Core, Error};

use crate::cookies;
use crate::error::ApiError;

/// The caller of this request, or a guest.
#[derive(Debug, Clone)]
pub struct Caller(pub verdigraph_core::Caller);

impl Deref for Caller {
    type Target = verdigraph_core::Caller;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl FromRequest for Caller {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        // Only a route outside the gate has no caller, and such a route protects nothing.
        let caller = request.extensions().get::<Self>().cloned();
        ready(Ok(caller.unwrap_or_else(|| Self(verdigraph_core::Caller::guest()))))
    }
}

/// Watches the caller's session or API key, and tells when it ends.
pub async fn auth_watch(core: &Core, request: &HttpRequest) -> Result<AuthWatch, Error> {
    let session = cookies::session(request);
    let proof = api_key(request.headers()).map(Credential::ApiKey).or(session.as_deref().map(Credential::Session));
    let Some(proof) = proof else { return Err(Error::LoginRequired) };
    AuthWatch::start(core, proof).await?.ok_or(Error::LoginRequired)
}

/// The API key of a request: header `api-key`, `X-API-Key` as ComfyUI's clients send it, or `Authorization: Bearer`.
pub fn api_key(headers: &HeaderMap) -> Option<&str> {
    let named = ["api-key", "x-api-key"].into_iter().find_map(|name| headers.get(name)?.to_str().ok());
    if let Some(key) = named {
        return Some(key.trim());
    }
    let (scheme, key) = headers.get("authorization")?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| key.trim())
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    #[test]
    fn api_key_is_read_from_all_headers() {
        let key = |name: &'static str, value: &'static str| {
            let request = TestRequest::default().insert_header((name, value)).to_http_request();
            api_key(request.headers()).map(str::to_owned)
        };
        assert_eq!(key("api-key", " vg_a ").as_deref(), Some("vg_a"));
        assert_eq!(key("X-API-Key", "vg_a").as_deref(), Some("vg_a"));
        assert_eq!(key("Authorization", "bearer vg_a").as_deref(), Some("vg_a"));
        assert_eq!(key("Authorization", "Basic dXNlcg=="), None);
        assert_eq!(key("Authorization", "vg_a"), None);
    }
}
