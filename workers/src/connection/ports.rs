//! What a connection needs from the platform: files by content hash, and its own limits.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use futures_util::future::BoxFuture;
use futures_util::stream::BoxStream;
use secrecy::SecretString;
use tokio::sync::watch;
use verdigraph_core::assets::{ContentHash, Embedded, MediaType, Spool};

use crate::comfy::Timeouts;

/// The platform's storage, as far as a job's files go.
pub trait Files: Send + Sync + 'static {
    /// A stored file.
    fn open(&self, content: &ContentHash) -> BoxFuture<'static, Result<OpenFile, FilesError>>;
    /// Stores a file under its hash and says what it is; storing it again gives the same answer.
    fn store(&self, file: Spool) -> BoxFuture<'static, Result<StoredFile, FilesError>>;
    /// Ends when a storage that was away is back, as far as anybody knows.
    fn back(&self) -> BoxFuture<'static, ()>;
}

/// A stored file that is about to be read, piece by piece.
pub struct OpenFile {
    pub size_bytes: u64,
    pub pieces: BoxStream<'static, std::io::Result<Bytes>>,
}

/// A file that is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredFile {
    pub content: ContentHash,
    /// Found from the bytes.
    pub media: MediaType,
    pub size_bytes: i64,
    /// In pixels, where it has any.
    pub width: Option<i32>,
    pub height: Option<i32>,
    /// A placeholder for pictures, in BlurHash form.
    pub blur_hash: Option<String>,
    /// Of videos that could be read.
    pub duration_ms: Option<i64>,
    /// Where the prompt and the graph are that the worker wrote into it.
    pub embedded: Embedded,
}

/// Why a file was not stored or read. The job's owner may read it: it names nothing of ours.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FilesError {
    /// The storage is away, whatever the file is: it is waited for.
    #[error("the storage is away")]
    Away,
    /// It is this file that cannot be stored or read.
    #[error("{0}")]
    Failed(String),
}

/// Everything that one connection is given.
#[derive(Clone)]
pub struct Ports {
    pub files: Arc<dyn Files>,
    pub http: reqwest::Client,
    /// Where every change of the worker is told.
    pub changes: actix::Recipient<verdigraph_core::fleet::WorkerChanged>,
    pub settings: Arc<Settings>,
}

/// How patient a connection is, and how much it takes in.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Settings {
    pub timeouts: Timeouts,
    pub pace: Pace,
    pub limits: Limits,
    pub secrets: Secrets,
}

/// What servers want to be told with every request, by their base address: the built-in worker answers nobody else. And
/// where those are reached whose address is none of the network's, because an agent connects them.
#[derive(Debug, Clone, Default)]
pub struct Secrets(Arc<Mutex<HashMap<String, Way>>>);

#[derive(Debug, Clone)]
struct Way {
    base: String,
    secret: SecretString,
    /// Whether a tunnel stands there, where the way goes through one.
    stands: Option<watch::Sender<bool>>,
}

impl Secrets {
    /// The server at this address wants this one.
    pub fn set(&self, url: &str, secret: SecretString) {
        let way = Way { base: url.to_owned(), secret, stands: None };
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(url.to_owned(), way);
    }

    /// The server of this address is reached at that one, and wants this secret there. The connection is told through
    /// what this gives whether a tunnel stands, and to try again; an address that is led elsewhere keeps it.
    pub fn lead(&self, url: &str, base: &str, secret: SecretString) -> watch::Sender<bool> {
        let mut ways = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = ways.get(url).and_then(|way| way.stands.clone());
        let stands = known.unwrap_or_else(|| watch::Sender::new(false));
        ways.insert(url.to_owned(), Way { base: base.to_owned(), secret, stands: Some(stands.clone()) });
        stands
    }

    /// Whether a tunnel stands on the way to this address.
    pub(crate) fn stands(&self, url: &str) -> Option<watch::Receiver<bool>> {
        let ways = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        ways.get(url).and_then(|way| way.stands.as_ref()).map(watch::Sender::subscribe)
    }

    pub(crate) fn base(&self, url: &str) -> String {
        let ways = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        ways.get(url).map_or_else(|| url.to_owned(), |way| way.base.clone())
    }

    pub(crate) fn of(&self, url: &str) -> Option<SecretString> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(url).map(|way| way.secret.clone())
    }
}

impl PartialEq for Secrets {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// Times of the state machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pace {
    /// How often deadlines are looked at.
    pub tick: Duration,
    /// The first wait before connecting again; doubles with each failure.
    pub backoff_first: Duration,
    pub backoff_max: Duration,
    /// How long a prompt is waited for whose worker's process is gone: nothing listens at its address. The history of a
    /// ComfyUI server ends with its process.
    pub grace: Duration,
    /// How long a prompt is waited for whose worker cannot be reached: it goes on without us, and its history says what
    /// came of it.
    pub gone: Duration,
    /// How long a socket may say nothing before the queue is asked where the prompt is.
    pub poll_every: Duration,
    /// How long after a prompt's last message its history is asked for again.
    pub settle_every: Duration,
    /// How long a prompt may be silent on the socket while its server, for the length of `grace`, answers no question.
    pub silence: Duration,
    /// How long it may be silent on the socket though its server says that it runs.
    pub silence_hard: Duration,
    /// How long it may take to fetch and store all that a prompt made.
    pub collect: Duration,
    /// How often an idle worker is asked for a sign of life.
    pub health_every: Duration,
    /// How often node classes and models are read again.
    pub refresh_every: Duration,
    /// A ping goes out this often; a socket without any frame for three times this long is dead.
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
            refresh_every: Duration::from_secs(300),
            ping_every: Duration::from_secs(15),
        }
    }
}

/// Sizes and counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// A larger preview is dropped.
    pub preview_bytes: usize,
    /// One output file, and all of a job.
    pub file_bytes: u64,
    pub job_bytes: u64,
    /// Output files of one job.
    pub files: usize,
    /// One WebSocket message, which is in memory whole. A larger one closes the socket.
    pub message_bytes: usize,
    /// Malformed messages of one connection before it counts as broken.
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
