//! Routes to workers behind agents. Each worker gets a loopback address whose connections go through the agent's tunnel
//! to the ComfyUI server, so that the client code is the same for all workers.
//!
//! When the tunnel ends, the address is kept for [`UNUSED_TIMEOUT`] and closes incoming connections, as if the server
//! were down. It is closed after that, or at once if the agent's token is revoked. A request must relay the route's
//! secret, so that other programs on this machine cannot reach the worker.

use std::collections::HashMap;
use std::net::Ipv4Addr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use h2::Ping;
use h2::client::SendRequest;
use http::{Request, StatusCode};
use rand::RngExt as _;
use secrecy::{ExposeSecret as _, SecretString};
use subtle::ConstantTimeEq as _;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::Instant;
use verdigraph_agent::protocol::{MAX_HEADER_BYTES, STREAM_WINDOW, TUNNEL_WINDOW, relay};

use crate::connection::WorkerRoutes;

/// Largest head of one of our requests.
const MAX_HEAD_BYTES: usize = 16 << 10;
/// Limit for receiving a head and for opening a stream.
const OPEN_TIMEOUT: Duration = Duration::from_secs(15);
/// Interval between pings to an agent.
const PING_EVERY: Duration = Duration::from_secs(5);
/// An agent that answers no ping for this long is disconnected.
const PING_TIMEOUT: Duration = Duration::from_secs(15);
/// How long the address is kept without a tunnel. An agent that returns later gets a new one. Longer than outputs are
/// fetched for (`jobs.collect_seconds`): those requests keep using the address.
const UNUSED_TIMEOUT: Duration = Duration::from_secs(330);
/// The answer to a request without the secret.
const UNAUTHORIZED: &[u8] = b"HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";

/// The routes of one node. Cheap to clone.
#[derive(Clone, Default)]
pub struct Tunnels(Arc<Inner>);

#[derive(Default)]
struct Inner {
    routes: WorkerRoutes,
    by_url: Mutex<HashMap<String, (Arc<Route>, Instant)>>,
    tunnels: AtomicU64,
    /// Overrides [`UNUSED_TIMEOUT`] in tests.
    unused_timeout: Option<Duration>,
}

impl Inner {
    fn unused_timeout(&self) -> Duration {
        self.unused_timeout.unwrap_or(UNUSED_TIMEOUT)
    }
}

/// The route to one worker, with its current tunnel and that tunnel's number.
struct Route {
    tunnel: watch::Sender<Option<(u64, SendRequest<Bytes>)>>,
    /// Watched by the worker's connection.
    tunnel_up: watch::Sender<bool>,
    closed: watch::Sender<bool>,
}

impl Tunnels {
    /// Announces its routes through `routes`.
    #[must_use]
    pub fn new(routes: WorkerRoutes) -> Self {
        Self(Arc::new(Inner { routes, ..Inner::default() }))
    }

    /// Creates the route to the worker at this address if it does not exist.
    pub fn prepare(&self, url: &str) -> std::io::Result<()> {
        let mut routes = self.0.by_url.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, admitted_at)) = routes.get_mut(url) {
            *admitted_at = Instant::now();
            return Ok(());
        }
        let listener = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        listener.set_nonblocking(true)?;
        let base = format!("http://{}", listener.local_addr()?);
        let listener = TcpListener::from_std(listener)?;
        let bytes: [u8; 32] = rand::rng().random();
        let secret = SecretString::from(bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>());
        let tunnel_up = self.0.routes.set_route(url, &base, secret.clone());
        let route = Arc::new(Route { tunnel: watch::Sender::new(None), tunnel_up, closed: watch::Sender::new(false) });
        let listening = tokio::spawn(listen(listener, Arc::clone(&route), secret));
        tokio::spawn(close_when_unused(self.clone(), url.to_owned(), Arc::clone(&route), listening));
        routes.insert(url.to_owned(), (route, Instant::now()));
        Ok(())
    }

    /// Wakes the worker's connection: the agent's server answers again.
    pub fn notify_server_up(&self, url: &str) {
        if let Some(route) = self.route(url) {
            route.tunnel_up.send_modify(|_| {});
        }
    }

    fn route(&self, url: &str) -> Option<Arc<Route>> {
        self.0.by_url.lock().unwrap_or_else(PoisonError::into_inner).get(url).map(|(route, _)| Arc::clone(route))
    }

    /// Closes the route to the worker at this address.
    pub fn retire(&self, url: &str) {
        let route = self.0.by_url.lock().unwrap_or_else(PoisonError::into_inner).remove(url);
        if let Some((route, _)) = route {
            route.closed.send_replace(true);
        }
    }

    /// Closes a route without a tunnel, unless an agent was admitted recently. Returns whether it is closed.
    fn retire_unused(&self, url: &str, route: &Arc<Route>) -> bool {
        let mut routes = self.0.by_url.lock().unwrap_or_else(PoisonError::into_inner);
        match routes.get(url) {
            Some((current, admitted_at)) if Arc::ptr_eq(current, route) => {
                let unused = route.tunnel.borrow().is_none() && admitted_at.elapsed() >= self.0.unused_timeout();
                if unused {
                    routes.remove(url);
                }
                unused
            }
            _ => true,
        }
    }

    /// Runs the platform's side of a tunnel until it ends. Returns why it ended.
    pub async fn run(&self, url: &str, io: impl AsyncRead + AsyncWrite + Send + Unpin + 'static) -> String {
        let Some(route) = self.route(url) else { return "unknown tunnel".to_owned() };
        let handshake = h2::client::Builder::new()
            .initial_window_size(STREAM_WINDOW)
            .initial_connection_window_size(TUNNEL_WINDOW)
            .max_header_list_size(MAX_HEADER_BYTES)
            .enable_push(false)
            .handshake::<_, Bytes>(io);
        let (sender, mut connection) = match tokio::time::timeout(OPEN_TIMEOUT, handshake).await {
            Ok(Ok(opened)) => opened,
            Ok(Err(error)) => return error.to_string(),
            Err(_) => return "the agent did not open the tunnel in time".to_owned(),
        };
        let Some(mut pings) = connection.ping_pong() else { return "pings are not available".to_owned() };
        let number = self.0.tunnels.fetch_add(1, Ordering::Relaxed);
        let _attached = AttachedTunnel::new(&route, number, sender);
        let alive = async {
            loop {
                tokio::time::sleep(PING_EVERY).await;
                match tokio::time::timeout(PING_TIMEOUT, pings.ping(Ping::opaque())).await {
                    Ok(Ok(_)) => {}
                    Ok(Err(error)) => return error.to_string(),
                    Err(_) => return "the agent did not answer a ping".to_owned(),
                }
            }
        };
        tokio::select! {
            ended = connection => ended.err().map_or_else(|| "the agent closed the tunnel".to_owned(), |error| error.to_string()),
            reason = alive => reason,
        }
    }
}

/// A route's current tunnel, detached on drop.
struct AttachedTunnel<'a> {
    route: &'a Route,
    number: u64,
}

impl<'a> AttachedTunnel<'a> {
    fn new(route: &'a Route, number: u64, sender: SendRequest<Bytes>) -> Self {
        route.tunnel.send_replace(Some((number, sender)));
        route.tunnel_up.send_replace(true);
        Self { route, number }
    }
}

impl Drop for AttachedTunnel<'_> {
    fn drop(&mut self) {
        // The same agent may have opened another tunnel since.
        self.route.tunnel.send_if_modified(|tunnel| {
            let is_this = tunnel.as_ref().is_some_and(|(number, _)| *number == self.number);
            if is_this {
                *tunnel = None;
                self.route.tunnel_up.send_replace(false);
            }
            is_this
        });
    }
}

/// Stops listening when the route is closed or has had no tunnel for a while.
async fn close_when_unused(tunnels: Tunnels, url: String, route: Arc<Route>, listening: JoinHandle<()>) {
    let (mut tunnel, mut closed) = (route.tunnel.subscribe(), route.closed.subscribe());
    let unused = async {
        loop {
            // Neither sender is dropped while this holds the route.
            drop(tunnel.wait_for(Option::is_none).await.map(|_| ()));
            let used = tokio::time::timeout(tunnels.0.unused_timeout(), async {
                drop(tunnel.wait_for(Option::is_some).await.map(|_| ()))
            });
            if used.await.is_err() && tunnels.retire_unused(&url, &route) {
                return;
            }
        }
    };
    tokio::select! {
        () = unused => {}
        _ = closed.wait_for(|closed| *closed) => {}
    }
    listening.abort();
}

/// Accepts connections on loopback until the route is closed.
async fn listen(listener: TcpListener, route: Arc<Route>, secret: SecretString) {
    loop {
        match listener.accept().await {
            Ok((tcp, _)) => drop(tokio::spawn(forward(tcp, Arc::clone(&route), secret.clone()))),
            Err(error) => {
                tracing::warn!(%error, "cannot accept a connection to an agent's worker");
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        }
    }
}

/// Forwards one connection through the tunnel, if there is one and the request has the secret.
async fn forward(mut tcp: TcpStream, route: Arc<Route>, secret: SecretString) {
    let mut head = BytesMut::new();
    let ours = tokio::time::timeout(OPEN_TIMEOUT, async {
        while head.len() < MAX_HEAD_BYTES {
            match end_of_head(&head) {
                Some(end) => return has_secret(head.get(..end).unwrap_or_default(), &secret),
                None if tcp.read_buf(&mut head).await.unwrap_or(0) == 0 => return false,
                None => {}
            }
        }
        false
    });
    if !ours.await.unwrap_or(false) {
        // The client may be gone.
        drop(tcp.write_all(UNAUTHORIZED).await);
        return;
    }
    let Some((_, sender)) = route.tunnel.borrow().clone() else { return };
    let opening = async {
        let mut sender = sender.ready().await?;
        let (answer, send) =
            sender.send_request(Request::post("http://worker/").body(()).unwrap_or_default(), false)?;
        Ok::<_, h2::Error>((answer.await?, send))
    };
    match tokio::time::timeout(OPEN_TIMEOUT, opening).await {
        Ok(Ok((response, send))) if response.status() == StatusCode::OK => {
            drop(tcp.set_nodelay(true));
            relay(tcp, head.freeze(), send, response.into_body()).await;
        }
        // The server behind the agent, or the tunnel, is gone.
        Ok(Ok(_) | Err(_)) | Err(_) => {}
    }
}

fn end_of_head(bytes: &[u8]) -> Option<usize> {
    bytes.windows(4).position(|four| four == b"\r\n\r\n")
}

fn has_secret(head: &[u8], secret: &SecretString) -> bool {
    let Ok(head) = std::str::from_utf8(head) else { return false };
    head.lines().skip(1).filter_map(|line| line.split_once(':')).any(|(name, value)| {
        let token = value.trim().strip_prefix("Bearer ").unwrap_or_default();
        name.eq_ignore_ascii_case("authorization")
            && bool::from(token.as_bytes().ct_eq(secret.expose_secret().as_bytes()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn request_without_the_secret_is_rejected() {
        let secret = SecretString::from("s3cret".to_owned());
        assert!(has_secret(b"GET / HTTP/1.1\r\nhost: x\r\nAuthorization: Bearer s3cret", &secret));
        for wrong in [
            "GET / HTTP/1.1\r\nhost: x",
            "GET /?authorization:Bearer%20s3cret HTTP/1.1\r\nhost: x",
            "GET / HTTP/1.1\r\nauthorization: Bearer s3cre",
            "GET / HTTP/1.1\r\nauthorization: Bearer ",
            "GET / HTTP/1.1\r\nx-authorization: Bearer s3cret",
        ] {
            assert!(!has_secret(wrong.as_bytes(), &secret), "{wrong}");
        }
    }

    #[tokio::test]
    async fn route_rejects_missing_secret_and_closes_without_tunnel() {
        let routes = WorkerRoutes::default();
        let tunnels = Tunnels::new(routes.clone());
        tunnels.prepare("agent:a").expect("a route");
        let base = routes.base_url("agent:a");
        tunnels.prepare("agent:a").expect("the same route");
        assert_eq!(routes.base_url("agent:a"), base, "jobs would be lost with every tunnel");
        let secret = routes.secret("agent:a").expect("a secret");
        for (token, answer) in [("none", "HTTP/1.1 401"), (secret.expose_secret(), "")] {
            let mut tcp = TcpStream::connect(base.trim_start_matches("http://")).await.expect("it listens");
            let head = format!("GET / HTTP/1.1\r\nauthorization: Bearer {token}\r\n\r\n");
            tcp.write_all(head.as_bytes()).await.expect("written");
            let mut text = String::new();
            tcp.read_to_string(&mut text).await.expect("closed");
            assert!(text.starts_with(answer) && text.is_empty() == answer.is_empty(), "{text}");
        }
    }

    #[tokio::test]
    async fn route_of_revoked_or_absent_agent_stops_listening() {
        let routes = WorkerRoutes::default();
        let unused_timeout = Some(Duration::from_millis(400));
        let tunnels = Tunnels(Arc::new(Inner { routes: routes.clone(), unused_timeout, ..Inner::default() }));
        let reached = async |url: &str| {
            let base = routes.base_url(url);
            TcpStream::connect(base.trim_start_matches("http://")).await.is_ok()
        };
        tunnels.prepare("agent:away").expect("a route");
        tunnels.prepare("agent:revoked").expect("a route");
        assert!(reached("agent:revoked").await, "it listens before");
        tunnels.retire("agent:revoked");
        for url in ["agent:revoked", "agent:away"] {
            while reached(url).await {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            tunnels.prepare(url).expect("a new route");
            assert!(reached(url).await, "{url} came back");
        }
    }
}
