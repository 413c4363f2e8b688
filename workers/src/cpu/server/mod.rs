//! ComfyUI's HTTP and WebSocket protocol as one of its versions has it, served over this worker's nodes.
//!
//! - `routes`: paths, prefixes, the origin rule
//! - `prompts`: submitting, queue, history, interrupt
//! - `jobs`: the same as newer editors ask for it
//! - `ws`, `socket`: clients and what they are told
//! - `view`, `upload`, `files`, `clean`: pictures in and out, the folders they never leave, and how long they stay
//! - `userdata`: settings and files of the editor
//! - `info`: what the worker has and can do
//! - `validate`, `literal`, `catalog`: the check of a prompt
//! - `queue`, `executor`, `plan`, `mapping`, `progress`, `cache`, `history`: running it
//!
//! Where a real server answers 500 to bad input, this one answers 400 with a sentence.

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
use verdigraph_core::graph::Like;

pub(super) use self::clean::touch;
use self::worker::Worker;
use super::node::{Folders, Node};

/// Seconds that open requests get to finish when the worker stops.
const SHUTDOWN_TIMEOUT_S: u64 = 5;
/// Threads that answer HTTP. Nodes never run on them.
const HTTP_THREADS: usize = 2;
/// Stack of the threads that run nodes, in bytes.
const STACK_BYTES: usize = 8 << 20;

/// What prompts may take where nothing else is said: enough for two pictures of the largest size.
const MEMORY_BYTES: usize = 2 << 30;

/// Largest body of a request that is no upload, in bytes.
const JSON_BYTES: usize = 32 << 20;

/// How a worker is set up.
#[derive(Debug, Clone)]
pub struct Options {
    /// Where to listen; port 0 takes a free one.
    pub bind: SocketAddr,
    /// The folder that holds `input`, `output`, `temp` and `user`; made where it is missing.
    pub data: PathBuf,
    /// The version whose protocol and nodes it has.
    pub like: Like,
    /// What every request must know (`Authorization: Bearer …`); nobody needs to where there is none.
    pub secret: Option<SecretString>,
    /// Threads that compute; 0 takes one per core.
    pub threads: usize,
    /// Most bytes of results kept for later prompts.
    pub cache_bytes: usize,
    /// Largest side of an image a node may make or load, in pixels.
    pub max_side: usize,
    /// Most bytes of samples a single output of a node may take.
    pub max_node_bytes: usize,
    /// What prompts may take of the memory in all: waiting, running, and results kept for later.
    pub memory_bytes: usize,
    /// Most ended prompts kept in history.
    pub history_limit: usize,
    /// Most prompts that may wait; beyond it submitting answers 503.
    pub queue_limit: usize,
    /// Largest body of a request, uploads included, in bytes.
    pub body_bytes: usize,
}

impl Options {
    /// The newest version, and the usual limits: 2 GiB of memory, 512 MiB of it for the cache, images up to 8192 pixels,
    /// 10,000 prompts in history, as many waiting.
    #[must_use]
    pub fn new(bind: SocketAddr, data: impl Into<PathBuf>) -> Self {
        Self {
            bind,
            data: data.into(),
            like: Like::default(),
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

    /// The folders of files.
    fn folders(&self) -> Folders {
        let folder = |name: &str| self.data.join(name);
        Folders { input: folder("input"), output: folder("output"), temp: folder("temp") }
    }
}

/// A worker that serves.
pub struct Running {
    address: SocketAddr,
    http: ServerHandle,
    served: task::JoinHandle<io::Result<()>>,
    worker: Arc<Worker>,
    executor: JoinHandle<()>,
}

impl Running {
    /// Where it listens, with the real port.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Interrupts what runs, closes every socket and waits until both the HTTP side and the computing side have ended.
    ///
    /// # Errors
    /// What made the HTTP side fail, if it did.
    pub async fn stop(self) -> io::Result<()> {
        self.worker.queue.close();
        self.worker.sockets.close();
        self.http.stop(true).await;
        self.join().await
    }

    /// Waits until the worker ends by itself, which it does only where serving fails.
    ///
    /// # Errors
    /// What made the HTTP side fail.
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

/// Starts a worker with every node of [`crate::cpu::nodes`]. Works inside an actix system as well as on a plain tokio
/// runtime; the caller's signals are left alone.
///
/// # Errors
/// Where the folders cannot be made, the address cannot be bound, or threads cannot be started.
pub async fn serve(options: Options) -> io::Result<Running> {
    let nodes = super::nodes(options.like);
    serve_nodes(options, nodes).await
}

/// As [`serve`], over the given nodes.
///
/// # Errors
/// As [`serve`].
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
            .wrap(actix_web::middleware::from_fn(routes::only_own_origin))
            .wrap(actix_web::middleware::from_fn(routes::only_who_knows))
            .configure(move |config| routes::configure(config, like))
    })
    .workers(HTTP_THREADS)
    .shutdown_timeout(SHUTDOWN_TIMEOUT_S)
    .disable_signals()
    .bind(options.bind)?;
    let address = server.addrs().first().copied().ok_or_else(|| io::Error::other("nothing was bound"))?;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(options.threads)
        .stack_size(STACK_BYTES)
        .thread_name(|index| format!("node-{index}"))
        .build()
        .map_err(io::Error::other)?;
    clean::keep_up(worker.folders.clone());
    let working = Arc::clone(&worker);
    let executor = std::thread::Builder::new()
        .name("prompts".to_owned())
        .stack_size(STACK_BYTES)
        .spawn(move || executor::work(&working, &pool))?;
    let server = server.run();
    let http = server.handle();
    let served = tokio::spawn(server);
    worker.say(&format!("Serving {} node classes on http://{address}", worker.catalog.len()));
    Ok(Running { address, http, served, worker, executor })
}

/// Makes the folders; temporary files of an earlier start go.
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
