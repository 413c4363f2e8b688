//! What a connection needs from the platform: files by content hash, settings and limits.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use futures_util::future::BoxFuture;
use futures_util::stream::BoxStream;
use secrecy::SecretString;
use tokio::sync::watch;
use verdigraph_core::assets::{ContentHash, EmbeddedMetadata, MediaType, Spool};
use verdigraph_core::ids::WorkerId;

use crate::comfy::Timeouts;

/// The platform's storage, reduced to what jobs need.
pub trait Files: Send + Sync + 'static {
    fn open(&self, content: &ContentHash) -> BoxFuture<'static, Result<OpenFile, FilesError>>;
    /// Stores a file under its hash. Idempotent.
    fn store(&self, file: Spool) -> BoxFuture<'static, Result<StoredFile, FilesError>>;
    /// Completes when an unavailable storage is believed to be back.
    fn back(&self) -> BoxFuture<'static, ()>;
}

/// A stored file that is read in chunks.
pub struct OpenFile {
    pub size_bytes: u64,
    pub pieces: BoxStream<'static, std::io::Result<Bytes>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredFile {
    pub content: ContentHash,
    /// Detected from the bytes.
    pub media: MediaType,
    pub size_bytes: i64,
    /// In pixels, for pictures and videos.
    pub width: Option<i32>,
    pub height: Option<i32>,
    /// A BlurHash placeholder for pictures.
    pub blur_hash: Option<String>,
    /// For videos that could be read.
    pub duration_ms: Option<i64>,
    /// Where the worker wrote the prompt and the graph into the file.
    pub embedded: EmbeddedMetadata,
}

/// Why a file was not stored or read. The job's owner may see it, so it contains no internals.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FilesError {
    /// The storage is unavailable. The caller waits for it.
    #[error("the storage is unavailable")]
    StorageAway,
    /// This file cannot be stored or read.
    #[error("{0}")]
    Failed(String),
}

/// Everything that one connection needs.
#[derive(Clone)]
pub struct Ports {
    pub files: Arc<dyn Files>,
    pub http: reqwest::Client,
    /// Receives every change of the worker.
    pub changes: actix::Recipient<verdigraph_core::fleet::WorkerChanged>,
    pub settings: Arc<Settings>,
}

/// Timeouts and limits of a connection.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Settings {
    pub timeouts: Timeouts,
    pub pace: Pace,
    pub limits: Limits,
    pub routes: WorkerRoutes,
    pub ownership: OwnershipCheck,
}

/// Whether this node owns a worker for sure. No prompt is sent to another one. The default allows all.
#[derive(Clone)]
pub struct OwnershipCheck(Arc<dyn Fn(WorkerId) -> bool + Send + Sync>);

impl OwnershipCheck {
    #[must_use]
    pub fn new(owns: impl Fn(WorkerId) -> bool + Send + Sync + 'static) -> Self {
        Self(Arc::new(owns))
    }

    pub(crate) fn owns(&self, worker: WorkerId) -> bool {
        (self.0)(worker)
    }
}

impl Default for OwnershipCheck {
    fn default() -> Self {
        Self::new(|_| true)
    }
}

impl std::fmt::Debug for OwnershipCheck {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("OwnershipCheck")
    }
}

impl PartialEq for OwnershipCheck {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// Secrets and base URLs by worker address. The built-in worker requires a secret; a worker behind an agent is reached
/// through a loopback address.
#[derive(Debug, Clone, Default)]
pub struct WorkerRoutes(Arc<Mutex<HashMap<String, Route>>>);

#[derive(Debug, Clone)]
struct Route {
    base: String,
    secret: SecretString,
    /// Whether the tunnel is connected, for a route through one.
    tunnel_up: Option<watch::Sender<bool>>,
}

impl WorkerRoutes {
    /// Sets the secret for the server at this address.
    pub fn set(&self, url: &str, secret: SecretString) {
        let route = Route { base: url.to_owned(), secret, tunnel_up: None };
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(url.to_owned(), route);
    }

    /// Routes requests for this address to `base`, with this secret. The returned sender tells the worker's connection
    /// whether the tunnel is connected, and to retry. Routing an address again keeps its sender.
    pub fn set_route(&self, url: &str, base: &str, secret: SecretString) -> watch::Sender<bool> {
        let mut routes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = routes.get(url).and_then(|route| route.tunnel_up.clone());
        let tunnel_up = known.unwrap_or_else(|| watch::Sender::new(false));
        routes.insert(url.to_owned(), Route { base: base.to_owned(), secret, tunnel_up: Some(tunnel_up.clone()) });
        tunnel_up
    }

    /// Whether the tunnel to this address is connected; `None` without a tunnel.
    pub(crate) fn tunnel_up(&self, url: &str) -> Option<watch::Receiver<bool>> {
        let routes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        routes.get(url).and_then(|route| route.tunnel_up.as_ref()).map(watch::Sender::subscribe)
    }

    pub(crate) fn base_url(&self, url: &str) -> String {
        let routes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        routes.get(url).map_or_else(|| url.to_owned(), |route| route.base.clone())
    }

    pub(crate) fn secret(&self, url: &str) -> Option<SecretString> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(url).map(|route| route.secret.clone())
    }
}

impl PartialEq for WorkerRoutes {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pace {
    /// How often deadlines are checked.
    pub tick: Duration,
    /// The first pause before reconnecting. Doubles with each failure.
    pub backoff_first: Duration,
    pub backoff_max: Duration,
    /// How long to wait for a prompt if the worker's process is gone (nothing listens at its address). ComfyUI's
    /// history ends with its process.
    pub grace: Duration,
    /// How long to wait for a prompt if the worker is unreachable. It goes on without a connection, and its history has
    /// the result.
    pub gone: Duration,
    /// How long the socket may be silent before the queue is asked for the prompt.
    pub poll_every: Duration,
    /// Interval between history requests after a prompt's last message.
    pub settle_every: Duration,
    /// How long a prompt may be silent on the socket if its server also answers no requests for the length of `grace`.
    pub silence: Duration,
    /// How long a prompt may be silent on the socket although its server says that it runs.
    pub silence_hard: Duration,
    /// How long fetching and storing all outputs of a prompt may take.
    pub collect: Duration,
    /// Interval between health checks of an idle worker.
    pub health_every: Duration,
    /// Interval between reads of the names of models. Other ones than before cause a refresh.
    pub models_every: Duration,
    /// Interval between refreshes: reads of node classes and models.
    pub refresh_every: Duration,
    /// Interval between pings. A socket without any frame for three times as long is dead.
    pub ping_every: Duration,
}

impl Default for Pace {
    fn default() -> Self {
        Self {
            tick: Duration::from_millis(250),
            backoff_first: Duration::from_millis(500),
            backoff_max: Duration::from_secs(4),
            grace: Duration::from_secs(20),
            gone: Duration::from_secs(150),
            poll_every: Duration::from_secs(5),
            settle_every: Duration::from_millis(500),
            silence: Duration::from_secs(120),
            silence_hard: Duration::from_secs(3600),
            collect: Duration::from_secs(300),
            health_every: Duration::from_secs(10),
            models_every: Duration::from_secs(20),
            refresh_every: Duration::from_secs(300),
            ping_every: Duration::from_secs(15),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Larger previews are dropped.
    pub preview_bytes: usize,
    /// Bytes of one output file, and of all files of a job.
    pub file_bytes: u64,
    pub job_bytes: u64,
    /// Output files of one job.
    pub files: usize,
    /// Bytes of one WebSocket message, which is in memory as a whole. A larger one closes the socket.
    pub message_bytes: usize,
    /// Malformed messages of one connection before it is closed.
    pub malformed: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            preview_bytes: 2 << 20,
            file_bytes: 256 << 20,
            job_bytes: 1 << 30,
            files: 1000,
            message_bytes: 32 << 20,
            malformed: 20,
        }
    }
}
