//! The ways to workers that agents connect: for each an address on loopback, whose connections go through the agent's
//! tunnel to the ComfyUI server beside it. So the client of a worker is the same for all.
//!
//! The address stays for a while when the tunnel ends ([`KEPT_FOR`]): connections are closed meanwhile, as they are by a
//! server that is not there. Then it is closed, and at once where the agent's token was revoked. It answers only who knows its secret, which the worker's
//! connection sends with every request: other programs of this machine do not reach the worker.

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
use verdigraph_agent::protocol::{MAX_HEADER_BYTES, STREAM_WINDOW, TUNNEL_WINDOW, carry};

use crate::connection::Secrets;

/// The head of a request of ours is shorter.
const HEAD_BYTES: usize = 16 << 10;
/// A head comes at once, and a tunnel opens a stream as fast as its network is.
const PATIENCE: Duration = Duration::from_secs(15);
/// How often an agent is asked for a sign of life.
const PING_EVERY: Duration = Duration::from_secs(5);
/// One that gives none for so long is gone.
const SILENT_FOR: Duration = Duration::from_secs(15);
/// How long the address stays without a tunnel. An agent that comes back later gets another one.
/// Longer than outputs are fetched for (`jobs.collect_seconds`): what waits for the agent goes on asking there.
const KEPT_FOR: Duration = Duration::from_secs(330);
/// The only answer to a stranger.
const STRANGER: &[u8] = b"HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";

/// The ways of one node. Cheap to clone.
#[derive(Clone, Default)]
pub struct Tunnels(Arc<Ways>);

#[derive(Default)]
struct Ways {
    secrets: Secrets,
    by_url: Mutex<HashMap<String, (Arc<Way>, Instant)>>,
    tunnels: AtomicU64,
    /// Another time than [`KEPT_FOR`], for tests.
    kept_for: Option<Duration>,
}

impl Ways {
    fn kept_for(&self) -> Duration {
        self.kept_for.unwrap_or(KEPT_FOR)
    }
}

/// The way to one worker: the tunnel that it goes through at present, by number.
struct Way {
    tunnel: watch::Sender<Option<(u64, SendRequest<Bytes>)>>,
    /// Told to the worker's connection.
    stands: watch::Sender<bool>,
    closed: watch::Sender<bool>,
}

impl Tunnels {
    /// Ways that are told to whoever reads `secrets`.
    #[must_use]
    pub fn new(secrets: Secrets) -> Self {
        Self(Arc::new(Ways { secrets, ..Ways::default() }))
    }

    /// Makes the way to the worker of this address, unless it is there.
    ///
    /// # Errors
    /// No port can be opened.
    pub fn prepare(&self, url: &str) -> std::io::Result<()> {
        let mut ways = self.0.by_url.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, wanted_at)) = ways.get_mut(url) {
            *wanted_at = Instant::now();
            return Ok(());
        }
        let listener = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        listener.set_nonblocking(true)?;
        let base = format!("http://{}", listener.local_addr()?);
        let listener = TcpListener::from_std(listener)?;
        let bytes: [u8; 32] = rand::rng().random();
        let secret = SecretString::from(bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>());
        let stands = self.0.secrets.lead(url, &base, secret.clone());
        let way = Arc::new(Way { tunnel: watch::Sender::new(None), stands, closed: watch::Sender::new(false) });
        let listening = tokio::spawn(listen(listener, Arc::clone(&way), secret));
        tokio::spawn(close_when_unused(self.clone(), url.to_owned(), Arc::clone(&way), listening));
        ways.insert(url.to_owned(), (way, Instant::now()));
        Ok(())
    }

    /// The server at the end of the way answers again: its connection tries at once.
    pub fn note_answers(&self, url: &str) {
        if let Some(way) = self.way(url) {
            way.stands.send_modify(|_| {});
        }
    }

    fn way(&self, url: &str) -> Option<Arc<Way>> {
        self.0.by_url.lock().unwrap_or_else(PoisonError::into_inner).get(url).map(|(way, _)| Arc::clone(way))
    }

    /// Closes the way to the worker of this address: nothing listens there any more.
    pub fn retire(&self, url: &str) {
        let way = self.0.by_url.lock().unwrap_or_else(PoisonError::into_inner).remove(url);
        if let Some((way, _)) = way {
            way.closed.send_replace(true);
        }
    }

    /// Closes a way that has had no tunnel for a while, unless an agent has just been let in; tells whether it is closed.
    fn retire_unused(&self, url: &str, way: &Arc<Way>) -> bool {
        let mut ways = self.0.by_url.lock().unwrap_or_else(PoisonError::into_inner);
        match ways.get(url) {
            Some((current, wanted_at)) if Arc::ptr_eq(current, way) => {
                let unused = way.tunnel.borrow().is_none() && wanted_at.elapsed() >= self.0.kept_for();
                if unused {
                    ways.remove(url);
                }
                unused
            }
            _ => true,
        }
    }

    /// Is the platform's side of a tunnel, for as long as that stands; tells why it ended.
    pub async fn run(&self, url: &str, io: impl AsyncRead + AsyncWrite + Send + Unpin + 'static) -> String {
        let Some(way) = self.way(url) else { return "nobody goes this way".to_owned() };
        let handshake = h2::client::Builder::new()
            .initial_window_size(STREAM_WINDOW)
            .initial_connection_window_size(TUNNEL_WINDOW)
            .max_header_list_size(MAX_HEADER_BYTES)
            .enable_push(false)
            .handshake::<_, Bytes>(io);
        let (sender, mut connection) = match tokio::time::timeout(PATIENCE, handshake).await {
            Ok(Ok(opened)) => opened,
            Ok(Err(error)) => return error.to_string(),
            Err(_) => return "the agent opens no tunnel".to_owned(),
        };
        let Some(mut pings) = connection.ping_pong() else { return "no pings can be sent".to_owned() };
        let number = self.0.tunnels.fetch_add(1, Ordering::Relaxed);
        let _attached = Attached::new(&way, number, sender);
        let alive = async {
            loop {
                tokio::time::sleep(PING_EVERY).await;
                match tokio::time::timeout(SILENT_FOR, pings.ping(Ping::opaque())).await {
                    Ok(Ok(_)) => {}
                    Ok(Err(error)) => return error.to_string(),
                    Err(_) => return "the agent gives no sign of life".to_owned(),
                }
            }
        };
        tokio::select! {
            ended = connection => ended.err().map_or_else(|| "the agent closed the tunnel".to_owned(), |error| error.to_string()),
            reason = alive => reason,
        }
    }
}

/// A tunnel that connections go through until this is dropped.
struct Attached<'a> {
    way: &'a Way,
    number: u64,
}

impl<'a> Attached<'a> {
    fn new(way: &'a Way, number: u64, sender: SendRequest<Bytes>) -> Self {
        way.tunnel.send_replace(Some((number, sender)));
        way.stands.send_replace(true);
        Self { way, number }
    }
}

impl Drop for Attached<'_> {
    fn drop(&mut self) {
        // A later tunnel of the same agent may have come meanwhile.
        self.way.tunnel.send_if_modified(|tunnel| {
            let is_this = tunnel.as_ref().is_some_and(|(number, _)| *number == self.number);
            if is_this {
                *tunnel = None;
                self.way.stands.send_replace(false);
            }
            is_this
        });
    }
}

/// Ends the listener of a way that is closed, or that has had no tunnel for a while.
async fn close_when_unused(tunnels: Tunnels, url: String, way: Arc<Way>, listening: JoinHandle<()>) {
    let (mut tunnel, mut closed) = (way.tunnel.subscribe(), way.closed.subscribe());
    let unused = async {
        loop {
            // Neither sender is dropped while this has the way.
            drop(tunnel.wait_for(Option::is_none).await.map(|_| ()));
            let used = tokio::time::timeout(tunnels.0.kept_for(), async {
                drop(tunnel.wait_for(Option::is_some).await.map(|_| ()))
            });
            if used.await.is_err() && tunnels.retire_unused(&url, &way) {
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

/// Takes connections on loopback, until the way is closed.
async fn listen(listener: TcpListener, way: Arc<Way>, secret: SecretString) {
    loop {
        match listener.accept().await {
            Ok((tcp, _)) => drop(tokio::spawn(pass(tcp, Arc::clone(&way), secret.clone()))),
            Err(error) => {
                tracing::warn!(%error, "a connection to an agent's worker was not taken");
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        }
    }
}

/// Carries one connection through the tunnel, where there is one and it is asked for by us.
async fn pass(mut tcp: TcpStream, way: Arc<Way>, secret: SecretString) {
    let mut head = BytesMut::new();
    let ours = tokio::time::timeout(PATIENCE, async {
        while head.len() < HEAD_BYTES {
            match end_of_head(&head) {
                Some(end) => return knows(head.get(..end).unwrap_or_default(), &secret),
                None if tcp.read_buf(&mut head).await.unwrap_or(0) == 0 => return false,
                None => {}
            }
        }
        false
    });
    if !ours.await.unwrap_or(false) {
        // Whoever it was may be gone.
        drop(tcp.write_all(STRANGER).await);
        return;
    }
    let Some((_, sender)) = way.tunnel.borrow().clone() else { return };
    let opening = async {
        let mut sender = sender.ready().await?;
        let (answer, send) =
            sender.send_request(Request::post("http://worker/").body(()).unwrap_or_default(), false)?;
        Ok::<_, h2::Error>((answer.await?, send))
    };
    match tokio::time::timeout(PATIENCE, opening).await {
        Ok(Ok((response, send))) if response.status() == StatusCode::OK => {
            drop(tcp.set_nodelay(true));
            carry(tcp, head.freeze(), send, response.into_body()).await;
        }
        // The server beside the agent is not there, or the tunnel is not any more.
        Ok(Ok(_) | Err(_)) | Err(_) => {}
    }
}

fn end_of_head(bytes: &[u8]) -> Option<usize> {
    bytes.windows(4).position(|four| four == b"\r\n\r\n")
}

/// Whether the head of a request has the secret.
fn knows(head: &[u8], secret: &SecretString) -> bool {
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
    fn nobody_without_the_secret_reaches_an_agents_worker() {
        let secret = SecretString::from("s3cret".to_owned());
        assert!(knows(b"GET / HTTP/1.1\r\nhost: x\r\nAuthorization: Bearer s3cret", &secret));
        for wrong in [
            "GET / HTTP/1.1\r\nhost: x",
            "GET /?authorization:Bearer%20s3cret HTTP/1.1\r\nhost: x",
            "GET / HTTP/1.1\r\nauthorization: Bearer s3cre",
            "GET / HTTP/1.1\r\nauthorization: Bearer ",
            "GET / HTTP/1.1\r\nx-authorization: Bearer s3cret",
        ] {
            assert!(!knows(wrong.as_bytes(), &secret), "{wrong}");
        }
    }

    #[tokio::test]
    async fn a_way_is_closed_to_strangers_and_without_a_tunnel() {
        let secrets = Secrets::default();
        let tunnels = Tunnels::new(secrets.clone());
        tunnels.prepare("agent:a").expect("a way");
        let base = secrets.base("agent:a");
        tunnels.prepare("agent:a").expect("the same way");
        assert_eq!(secrets.base("agent:a"), base, "jobs would be lost with every tunnel");
        let secret = secrets.of("agent:a").expect("a secret");
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
    async fn nothing_listens_for_an_agent_that_was_revoked_or_stays_away() {
        let secrets = Secrets::default();
        let kept_for = Some(Duration::from_millis(400));
        let tunnels = Tunnels(Arc::new(Ways { secrets: secrets.clone(), kept_for, ..Ways::default() }));
        let reached = async |url: &str| {
            let base = secrets.base(url);
            TcpStream::connect(base.trim_start_matches("http://")).await.is_ok()
        };
        tunnels.prepare("agent:away").expect("a way");
        tunnels.prepare("agent:revoked").expect("a way");
        assert!(reached("agent:revoked").await, "it listens before");
        tunnels.retire("agent:revoked");
        for url in ["agent:revoked", "agent:away"] {
            while reached(url).await {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            tunnels.prepare(url).expect("a new way");
            assert!(reached(url).await, "{url} came back");
        }
    }
}
