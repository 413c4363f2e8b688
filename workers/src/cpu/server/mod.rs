//! ComfyUI's HTTP and WebSocket protocol in one of its versions, over this worker's nodes.
//!
//! - `routes`: paths, prefixes, the origin rule
//! - `prompts`: submit, queue, history, interrupt
//! - `jobs`: the same for newer editors
//! - `ws`, `socket`: clients and messages to them
//! - `view`, `upload`, `files`, `clean`: downloads, uploads, folder confinement, expiry
//! - `userdata`: settings and files of the editor
//! - `info`: capabilities
//! - `validate`, `literal`, `catalog`: validation of prompts
//! - `queue`, `executor`, `plan`, `mapping`, `progress`, `cache`, `history`: execution
//!
//! Where a real server answers 500 to bad input, this one answers 400 with a message.

mod cache;
mod catalog;
mod clean;
mod executor;
mod files;
mod history;
mod info;
mod jobs;
mod literal;
mod log;
mod mapping;
mod plan;
mod progress;
mod prompts;
mod queue;
mod routes;
mod socket;
mod upload;
mod userdata;
mod validate;
mod view;
mod worker;
mod ws;

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::JoinHandle;

use actix_web::dev::ServerHandle;
use actix_web::{App, HttpServer, web};
use secrecy::SecretString;
use tokio::task;
use verdigraph_core::graph::ComfyVersion;

pub(super) use self::clean::touch;
use self::worker::Worker;
use super::node::{Folders, Node};

/// Seconds for open requests to finish when the worker stops.
const SHUTDOWN_TIMEOUT_S: u64 = 5;
/// HTTP threads. Nodes never run on them.
const HTTP_THREADS: usize = 2;
/// Stack of the threads that run nodes, in bytes.
const STACK_BYTES: usize = 8 << 20;

/// Default memory limit for prompts: enough for two pictures of the largest size.
const MEMORY_BYTES: usize = 2 << 30;

/// Maximum body of a request that is not an upload, in bytes.
const JSON_BYTES: usize = 32 << 20;

#[derive(Debug, Clone)]
pub struct Options {
    /// Address to listen on. Port 0 selects a free one.
    pub bind: SocketAddr,
    /// The folder with `input`, `output`, `temp` and `user`. Created if missing.
    pub data: PathBuf,
    /// The emulated ComfyUI version.
    pub like: ComfyVersion,
    /// The secret that requests must carry (`Authorization: Bearer …`), if any.
    pub secret: Option<SecretString>,
    /// Threads that compute; 0 means one per core.
    pub threads: usize,
    /// Maximum bytes of cached results.
    pub cache_bytes: usize,
    /// Largest side of an image in pixels.
    pub max_side: usize,
    /// Maximum bytes of samples of a single output.
    pub max_node_bytes: usize,
    /// Memory limit for prompts: waiting, running, and cached results.
    pub memory_bytes: usize,
    /// Maximum number of ended prompts in history.
    pub history_limit: usize,
    /// Maximum number of waiting prompts. Beyond it, submitting answers 503.
    pub queue_limit: usize,
    /// Maximum body of a request in bytes, including uploads.
    pub body_bytes: usize,
}

impl Options {
    /// The newest version with default limits: 2 GiB of memory, 512 MiB of it for the cache, images up to 8192 pixels,
    /// 10,000 prompts in history and as many waiting.
    #[must_use]
    pub fn new(bind: SocketAddr, data: impl Into<PathBuf>) -> Self {
        Self {
            bind,
            data: data.into(),
            like: ComfyVersion::default(),
            secret: None,
            threads: 0,
            cache_bytes: 512 << 20,
            max_side: 8192,
            max_node_bytes: 1 << 30,
            memory_bytes: MEMORY_BYTES,
            history_limit: 10_000,
            queue_limit: 10_000,
            body_bytes: 100 << 20,
        }
    }

    fn folders(&self) -> Folders {
        let folder = |name: &str| self.data.join(name);
        Folders { input: folder("input"), output: folder("output"), temp: folder("temp") }
    }
}

/// A running worker.
pub struct Running {
    address: SocketAddr,
    http: ServerHandle,
    served: task::JoinHandle<io::Result<()>>,
    worker: Arc<Worker>,
    executor: JoinHandle<()>,
}

impl Running {
    /// The address with the actual port.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Interrupts the running prompt, closes every socket and waits until HTTP and execution have ended.
    pub async fn stop(self) -> io::Result<()> {
        self.worker.queue.close();
        self.worker.sockets.close();
        self.http.stop(true).await;
        self.join().await
    }

    /// Waits until the worker ends by itself, which happens only if serving fails.
    pub async fn join(self) -> io::Result<()> {
        let served = self.served.await.map_err(io::Error::other)?;
        self.worker.queue.close();
        let executor = self.executor;
        task::spawn_blocking(move || executor.join())
            .await
            .map_err(io::Error::other)?
            .map_err(|_| io::Error::other("the thread that runs prompts panicked"))?;
        served
    }
}

/// Starts a worker with every node of [`crate::cpu::nodes`]. Works inside an actix system and on a plain tokio runtime.
/// Does not install signal handlers.
pub async fn serve(options: Options) -> io::Result<Running> {
    let nodes = super::nodes(options.like);
    serve_nodes(options, nodes).await
}

/// Like [`serve`], with the given nodes.
pub async fn serve_nodes(options: Options, nodes: Vec<Box<dyn Node>>) -> io::Result<Running> {
    let (options, worker) = task::spawn_blocking(move || {
        prepare(&options)?;
        Ok::<_, io::Error>((options.clone(), Arc::new(Worker::new(options, nodes))))
    })
    .await
    .map_err(io::Error::other)??;
    let shared = Arc::clone(&worker);
    let (body_bytes, like) = (options.body_bytes, options.like);
    let server = HttpServer::new(move || {
        App::new()
            .app_data(web::Data::from(Arc::clone(&shared)))
            .app_data(web::PayloadConfig::new(body_bytes.min(JSON_BYTES)))
            .wrap(actix_web::middleware::from_fn(routes::require_same_origin))
            .wrap(actix_web::middleware::from_fn(routes::require_secret))
            .configure(move |config| routes::configure(config, like))
    })
    .workers(HTTP_THREADS)
    .shutdown_timeout(SHUTDOWN_TIMEOUT_S)
    .disable_signals()
    // The messages at the end of a prompt are small, and follow each other at once.
    .tcp_nodelay(true)
    .bind(options.bind)?;
    let address = server.addrs().first().copied().ok_or_else(|| io::Error::other("nothing was bound"))?;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(options.threads)
        .stack_size(STACK_BYTES)
        .thread_name(|index| format!("node-{index}"))
        .build()
        .map_err(io::Error::other)?;
    clean::run_cleanup(worker.folders.clone());
    let working = Arc::clone(&worker);
    let executor = std::thread::Builder::new()
        .name("prompts".to_owned())
        .stack_size(STACK_BYTES)
        .spawn(move || executor::work(&working, &pool))?;
    let server = server.run();
    let http = server.handle();
    let served = tokio::spawn(server);
    worker.log(&format!("Serving {} node classes on http://{address}", worker.catalog.len()));
    Ok(Running { address, http, served, worker, executor })
}

/// Creates the folders and empties the temp folder.
fn prepare(options: &Options) -> io::Result<()> {
    let folders = options.folders();
    match std::fs::remove_dir_all(&folders.temp) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    for folder in [&folders.input, &folders.output, &folders.temp, &userdata::folder(&options.data)] {
        std::fs::create_dir_all(folder)?;
    }
    clean::sweep(&folders, std::time::SystemTime::now());
    Ok(())
}
