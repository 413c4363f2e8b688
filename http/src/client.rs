//! The client's address and scheme. Proxy headers count only where the settings trust them.

use std::net::{IpAddr, Ipv4Addr};

use actix_web::HttpRequest;
use actix_web::http::header::HeaderMap;
use verdigraph_core::settings::ServerSettings;

/// The client's address.
///
/// Behind a trusted proxy it is the last entry of `X-Forwarded-For`, which that proxy has added. The client may have
/// written the earlier ones.
pub fn address(request: &HttpRequest, server: &ServerSettings) -> IpAddr {
    let forwarded = server.trust_forwarded.then(|| last_forwarded(request.headers())).flatten();
    let peer = request.peer_addr().map(|peer| peer.ip());
    forwarded.or(peer).unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED))
}

fn last_forwarded(headers: &HeaderMap) -> Option<IpAddr> {
    let value = headers.get_all("x-forwarded-for").last()?.to_str().ok()?;
    value.rsplit(',').next()?.trim().parse().ok()
}

/// Whether clients reach the installation by HTTPS, so that cookies must be `Secure`.
pub fn is_secure(request: &HttpRequest, server: &ServerSettings) -> bool {
    let named = server.base_url.as_deref().is_some_and(|url| url.starts_with("https://"));
    let forwarded = || {
        let scheme = request.headers().get("x-forwarded-proto").and_then(|value| value.to_str().ok());
        server.trust_forwarded && scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case("https"))
    };
    named || forwarded()
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;
    use verdigraph_core::settings::Settings;

    use super::*;

    fn server(trust_forwarded: bool) -> ServerSettings {
        let settings = Settings::defaults("unused").expect("the embedded defaults");
        ServerSettings { trust_forwarded, ..settings.server }
    }

    #[test]
    fn forwarded_header_of_a_client_is_ignored() {
        let request = TestRequest::default()
            .peer_addr("192.0.2.9:1".parse().unwrap())
            .insert_header(("X-Forwarded-For", "203.0.113.7, 198.51.100.1"))
            .insert_header(("X-Forwarded-Proto", "https"))
            .to_http_request();
        assert_eq!(address(&request, &server(false)).to_string(), "192.0.2.9");
        assert!(!is_secure(&request, &server(false)));
        assert_eq!(address(&request, &server(true)).to_string(), "198.51.100.1", "only the proxy's own entry counts");
        assert!(is_secure(&request, &server(true)));
    }
}
