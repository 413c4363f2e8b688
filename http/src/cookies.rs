//! Cookies: the session, which no script can read; the XSRF token, which our pages read; and for some minutes a flow
//! cookie, which shows that a browser returning from a sign-in provider is the one that left.

use actix_web::cookie::{Cookie, SameSite};
use actix_web::http::header::HeaderMap;
use actix_web::{HttpRequest, HttpResponseBuilder};
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use rand::RngExt as _;
use subtle::ConstantTimeEq as _;
use time::Duration;
use verdigraph_core::settings::Settings;
use verdigraph_core::users;

use crate::client;

/// The session's cookie.
pub const SESSION: &str = "vg_session";
/// The cookie whose value comes back in [`XSRF_HEADER`].
pub const XSRF: &str = "XSRF-TOKEN";
/// The cookie of a sign-in at a provider that is not finished.
pub const FLOW: &str = "vg_flow";
/// The header that repeats [`XSRF`].
pub const XSRF_HEADER: &str = "x-xsrf-token";

/// The session token of a request.
pub fn session(request: &HttpRequest) -> Option<String> {
    request.cookie(SESSION).map(|cookie| cookie.value().to_owned()).filter(|token| !token.is_empty())
}

/// Whether the header holds the XSRF token of the request's session. Only a page of this site can read that cookie and
/// set the header. Another site, or a neighbouring host that sets cookies here, knows no such pair.
pub fn xsrf_matches(request: &HttpRequest) -> bool {
    let Some(session) = session(request) else { return false };
    let token = users::xsrf_token(&session);
    !token.is_empty() && header(request.headers()).is_some_and(|value| value.as_bytes().ct_eq(token.as_bytes()).into())
}

fn header(headers: &HeaderMap) -> Option<&str> {
    headers.get(XSRF_HEADER)?.to_str().ok()
}

/// Signs the browser in with a session token.
pub fn set_session(response: &mut HttpResponseBuilder, request: &HttpRequest, settings: &Settings, token: &str) {
    let days = i64::from(settings.sessions.days);
    let cookie = Cookie::build(SESSION, token.to_owned())
        .path("/")
        .http_only(true)
        .same_site(SameSite::Lax)
        .secure(client::is_secure(request, &settings.server))
        .max_age(Duration::days(days))
        .finish();
    response.cookie(cookie);
    response.cookie(xsrf_cookie(request, settings, users::xsrf_token(token)));
}

/// Signs the browser out.
pub fn clear_session(response: &mut HttpResponseBuilder, request: &HttpRequest, settings: &Settings) {
    let mut cookie = Cookie::build(SESSION, "")
        .path("/")
        .http_only(true)
        .same_site(SameSite::Lax)
        .secure(client::is_secure(request, &settings.server))
        .finish();
    cookie.make_removal();
    response.cookie(cookie);
}

/// The flow token that the browser got before it left for a sign-in provider.
pub fn flow(request: &HttpRequest) -> Option<String> {
    request.cookie(FLOW).map(|cookie| cookie.value().to_owned()).filter(|token| !token.is_empty())
}

/// Sets the flow cookie. `Lax`, because the browser returns from another site.
pub fn set_flow(response: &mut HttpResponseBuilder, request: &HttpRequest, settings: &Settings, token: &str) {
    let mut cookie = flow_cookie(request, settings, token);
    cookie.set_max_age(Duration::minutes(15));
    response.cookie(cookie);
}

/// Removes the flow cookie.
pub fn clear_flow(response: &mut HttpResponseBuilder, request: &HttpRequest, settings: &Settings) {
    let mut cookie = flow_cookie(request, settings, "");
    cookie.make_removal();
    response.cookie(cookie);
}

fn flow_cookie<'a>(request: &HttpRequest, settings: &Settings, token: &str) -> Cookie<'a> {
    Cookie::build(FLOW, token.to_owned())
        // Sign-in returns below /signup, connecting an account below /me.
        .path("/api/auth")
        .http_only(true)
        .same_site(SameSite::Lax)
        .secure(client::is_secure(request, &settings.server))
        .finish()
}

/// Sets the XSRF cookie if it does not match the session. Guests get a random token.
pub fn ensure_xsrf(response: &mut HttpResponseBuilder, request: &HttpRequest, settings: &Settings) {
    let known = request.cookie(XSRF).map(|cookie| cookie.value().to_owned()).unwrap_or_default();
    let wanted = session(request).map(|session| users::xsrf_token(&session));
    let token = match wanted {
        Some(wanted) if wanted == known => return,
        Some(wanted) => wanted,
        None if known.len() >= 32 => return,
        None => BASE64_URL_SAFE_NO_PAD.encode(rand::rng().random::<[u8; 32]>()),
    };
    response.cookie(xsrf_cookie(request, settings, token));
}

fn xsrf_cookie<'a>(request: &HttpRequest, settings: &Settings, token: String) -> Cookie<'a> {
    Cookie::build(XSRF, token)
        .path("/")
        .same_site(SameSite::Lax)
        .secure(client::is_secure(request, &settings.server))
        .finish()
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    #[test]
    fn xsrf_token_of_another_session_does_not_match() {
        let with = |session: Option<&str>, header: Option<&str>| {
            let mut request = TestRequest::post().cookie(Cookie::new(XSRF, header.unwrap_or_default().to_owned()));
            if let Some(value) = session {
                request = request.cookie(Cookie::new(SESSION, value.to_owned()));
            }
            if let Some(value) = header {
                request = request.insert_header((XSRF_HEADER, value.to_owned()));
            }
            xsrf_matches(&request.to_http_request())
        };
        let (own, others) = (users::xsrf_token("own"), users::xsrf_token("another"));
        assert_ne!(own, others);
        assert!(with(Some("own"), Some(&own)));
        for (session, header) in [
            (Some("own"), None),
            (Some("own"), Some("")),
            // A cookie and a header that match each other but another session.
            (Some("own"), Some(others.as_str())),
            (None, Some(own.as_str())),
            (Some(""), Some(own.as_str())),
        ] {
            assert!(!with(session, header), "{session:?} and {header:?} matched");
        }
    }
}
