//! `/metrics`, for Prometheus on this machine or an operator with a key.

use std::net::IpAddr;

use actix_web::http::StatusCode;
use actix_web::http::header::HeaderMap;
use actix_web::middleware::from_fn;
use actix_web::web::{self, Data, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse};
use verdigraph_core::Core;

use crate::caller::Caller;
use crate::edge::Edge;
use crate::error::{ApiError, Result};
use crate::{gate, metrics};

/// Headers that proxies add.
const FORWARDED: [&str; 4] = ["x-forwarded-for", "forwarded", "x-real-ip", "via"];

/// Mounts the route at the top.
pub fn configure(config: &mut ServiceConfig) {
    config.service(web::resource("/metrics").wrap(from_fn(gate::pass)).get(scrape));
}

/// The node's metrics in Prometheus' text format. For other callers the address does not exist.
async fn scrape(core: Data<Core>, edge: Data<Edge>, caller: Caller, request: HttpRequest) -> Result<HttpResponse> {
    if !is_local(&request) {
        let by = caller.must_be_admin().map_err(|error| match caller.user {
            None => ApiError::for_status(StatusCode::NOT_FOUND),
            Some(_) => error.into(),
        })?;
        by.read_only();
    }
    let text = metrics::render(&core, &edge).await;
    Ok(HttpResponse::Ok().content_type("text/plain; version=0.0.4; charset=utf-8").body(text))
}

/// Whether the request comes from this machine: not through a proxy, and not from a web page whose host name resolves
/// to it.
fn is_local(request: &HttpRequest) -> bool {
    let near = request.peer_addr().is_some_and(|peer| is_loopback(peer.ip()));
    let headers = request.headers();
    near && !FORWARDED.iter().any(|name| headers.contains_key(*name)) && names_this_machine(headers)
}

fn names_this_machine(headers: &HeaderMap) -> bool {
    let Some(host) = headers.get("host").and_then(|host| host.to_str().ok()) else { return true };
    // "[::1]:8080", "127.0.0.1:8080", "localhost"
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next(),
        None => host.split(':').next(),
    };
    name.is_some_and(|name| name.eq_ignore_ascii_case("localhost") || name.parse::<IpAddr>().is_ok_and(is_loopback))
}

fn is_loopback(address: IpAddr) -> bool {
    address.to_canonical().is_loopback()
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    fn local(peer: &str, headers: &[(&'static str, &'static str)]) -> bool {
        let mut request = TestRequest::default().peer_addr(peer.parse().expect("an address"));
        for header in headers {
            request = request.insert_header(*header);
        }
        is_local(&request.to_http_request())
    }

    #[test]
    fn only_this_machine_is_local() {
        for (peer, host) in
            [("127.0.0.1:9", "localhost:8080"), ("[::1]:9", "[::1]:8080"), ("[::ffff:127.0.0.1]:9", "127.0.0.1")]
        {
            assert!(local(peer, &[("host", host)]), "{peer} {host}");
        }
        assert!(!local("192.0.2.1:9", &[("host", "localhost")]), "a neighbour in the network");
        for forwarded in FORWARDED {
            assert!(!local("127.0.0.1:9", &[("host", "localhost"), (forwarded, "192.0.2.1")]), "{forwarded}");
        }
        assert!(
            !local("127.0.0.1:9", &[("host", "evil.example:8080")]),
            "a foreign name that resolves to this machine"
        );
    }
}
