//! ComfyUI's WebSocket: what happens to the jobs that a client queued, on any node.
//!
//! - `client`: what a client says
//! - `follow`: the events of one job, and its worker's messages
//! - `relay`: pure decisions about the messages that a client gets about one job
//! - `outputs`, `ends`: outputs and ends of jobs in ComfyUI's shape
//! - `session`, `sender`: one open socket
//!
//! A client id comes from the client and is no secret: it only means something together with the account. Sockets of one
//! account with the same id all get its messages. A socket counts as one of the account's live streams, and closes with
//! the session or key that opened it.

mod client;
mod ends;
mod follow;
mod outputs;
mod relay;
mod sender;
mod session;

use actix_web::http::{StatusCode, header};
use actix_web::web::{self, Data, Payload, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse};
use serde::Deserialize;
use uuid::Uuid;
use verdigraph_core::caller::AuthMethod;
use verdigraph_core::users::{self, AuthWatch, Credential};
use verdigraph_core::{Code, Core, Error};

use crate::caller::{Caller, auth_watch};
use crate::client as client_address;
use crate::edge::Edge;
use crate::editor::dialect::Dialect;
use crate::editor::prompt::is_valid_id;
use crate::error::{ApiError, Result};
use crate::query::Query;

/// Bytes of a client's message, as in ComfyUI.
const MAX_MESSAGE_BYTES: usize = 4 << 20;

pub fn configure(config: &mut ServiceConfig) {
    config.service(web::resource("/ws").get(connect));
}

#[derive(Debug, Deserialize)]
struct SocketQuery {
    #[serde(rename = "clientId", default)]
    client_id: String,
    /// An API key, for clients that cannot send headers.
    token: Option<String>,
}

async fn connect(
    request: HttpRequest,
    body: Payload,
    core: Data<Core>,
    edge: Data<Edge>,
    caller: Caller,
    query: Query<SocketQuery>,
) -> Result<HttpResponse> {
    let SocketQuery { client_id, token } = query.into_inner();
    let (caller, auth) = authenticate(&core, &request, caller, token.as_deref()).await?;
    if caller.auth_method == AuthMethod::Session && !is_own_origin(&core, &request) {
        return Err(Error::Forbidden.into());
    }
    if edge.is_draining() {
        return Err(Error::Unavailable { message: "this node stops".to_owned(), retry_after_seconds: 1 }.into());
    }
    // The request is not a WebSocket handshake.
    let (response, socket, stream) = actix_ws::handle(&request, body).map_err(|_| {
        let message = "this address accepts only WebSocket connections";
        ApiError::new(StatusCode::UPGRADE_REQUIRED, Code::UpgradeRequired, message)
            .with_header(header::UPGRADE, header::HeaderValue::from_static("websocket"))
    })?;
    // A client with an id that no prompt can name gets a new one.
    let is_named = is_valid_id(&client_id);
    let client = session::Client {
        id: if is_named { client_id } else { Uuid::new_v4().simple().to_string() },
        is_named,
        dialect: Dialect::of_socket(&request, token.as_deref()),
    };
    let permit = edge.streams.open(&*core.shared, caller.signed_in()?).await?.of(auth);
    let session = session::Session::open(core.get_ref().clone(), caller.0, client, socket)?;
    let stream = stream.max_frame_size(MAX_MESSAGE_BYTES);
    actix_web::rt::spawn(session.serve(stream, permit, edge.stopping()));
    Ok(response)
}

/// The caller by session, key or token, and the watch over these credentials.
async fn authenticate(
    core: &Core,
    request: &HttpRequest,
    caller: Caller,
    token: Option<&str>,
) -> Result<(Caller, AuthWatch)> {
    if let (Err(_), Some(token)) = (caller.signed_in(), token) {
        let by_key = users::by_api_key(core, token).await?;
        let auth = AuthWatch::start(core, Credential::ApiKey(token)).await?.ok_or(Error::ApiKeyInvalid)?;
        return Ok((Caller(by_key.caller.clone()), auth));
    }
    caller.signed_in()?;
    Ok((caller, auth_watch(core, request).await?))
}

/// Whether the page that opens the socket is ours. Browsers send the session's cookie for pages of other sites too, and
/// a handshake has no XSRF token. Programs send no origin.
fn is_own_origin(core: &Core, request: &HttpRequest) -> bool {
    let Some(origin) = request.headers().get(header::ORIGIN) else { return true };
    let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok());
    let server = &core.settings.server;
    let is_secure = client_address::is_secure(request, server);
    origin.to_str().is_ok_and(|origin| is_page_of(origin, host, server.base_url.as_deref(), is_secure))
}

/// Whether an origin is that of the called host or of the public URL. Where our pages come by HTTPS, a page that came
/// by plain HTTP is not ours: it may have been changed on its way.
fn is_page_of(origin: &str, host: Option<&str>, base_url: Option<&str>, is_secure: bool) -> bool {
    let parts = |url: &str| {
        url.split_once("://").map(|(scheme, rest)| (scheme.to_owned(), rest.trim_end_matches('/').to_ascii_lowercase()))
    };
    let Some((scheme, authority)) = parts(origin) else { return false };
    let is_host = host.is_some_and(|host| host.eq_ignore_ascii_case(&authority));
    let is_base = base_url.and_then(parts).is_some_and(|(_, base)| base == authority);
    (is_host || is_base) && (scheme == "https" || !is_secure)
}

#[cfg(test)]
mod tests {
    use super::is_page_of;

    #[test]
    fn page_of_another_site_or_without_https_is_not_ours() {
        let base = Some("https://v.example/");
        for (origin, host, base, is_secure, expected) in [
            ("http://localhost:8000", Some("localhost:8000"), None, false, true),
            ("http://localhost:8001", Some("localhost:8000"), None, false, false),
            ("https://V.example", Some("inner:80"), base, true, true),
            ("https://v.example", Some("v.example"), None, true, true),
            ("http://v.example", Some("v.example"), base, true, false),
            ("https://v.example.evil.example", Some("v.example"), base, true, false),
            ("https://evil.example/v.example", Some("v.example"), base, true, false),
            ("null", Some("v.example"), base, true, false),
            ("", None, None, false, false),
        ] {
            assert_eq!(is_page_of(origin, host, base, is_secure), expected, "{origin} at {host:?}");
        }
    }
}
