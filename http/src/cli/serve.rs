//! `verdigraph serve`: runs a whole node in the foreground.

use std::fs::{File, TryLockError};
use std::io::{ErrorKind, Write as _};
use std::net::{IpAddr, Ipv6Addr, SocketAddr, TcpListener};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use actix_web::HttpServer;
use actix_web::dev::ServerHandle;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::signal::unix::{Signal, SignalKind, signal};
use verdigraph_core::settings::Settings;
use verdigraph_core::{assets, database};

use crate::app::application;
use crate::edge::Edge;
use crate::node::{Node, NodeError};
use crate::{connections, data_folder, metrics};

/// Interval at which a node that is not ready prints why.
const REPORT_INTERVAL: Duration = Duration::from_secs(10);
/// Open files beside client connections: the database's, the workers', pictures.
const OWN_FILES: u64 = 512;
/// Interval of readiness checks.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// Serves everything on one node: pages, API, queue, and a worker.
#[derive(Debug, clap::Args)]
pub struct Serve {
    /// The port to listen on [default: the settings', 8080].
    #[arg(long)]
    pub port: Option<u16>,
    /// The address to listen on [default: the settings', 127.0.0.1].
    #[arg(long)]
    pub host: Option<IpAddr>,
    /// The folder of the node's data [default: the settings', .data].
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// Also fills an empty installation with demo accounts, mini apps and pictures.
    #[arg(long)]
    pub demo: bool,
}

/// Runs the command until a signal ends it.
pub async fn run(args: Serve) -> ExitCode {
    match perform(args).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn perform(args: Serve) -> Result<(), NodeError> {
    let mut settings = Settings::load()?;
    settings.server.port = args.port.unwrap_or(settings.server.port);
    settings.server.host = args.host.unwrap_or(settings.server.host);
    settings.data.folder = args.data.unwrap_or(settings.data.folder);
    super::log(&settings.log)?;
    metrics::install();
    let mut signals = Signals::new()?;
    settings.limits.connections_per_node = allow_many_files(settings.limits.connections_per_node);
    let listeners = listen(&settings)?;
    // Port 0 takes a free one; from here on the settings have the real port.
    if let Some(Ok(address)) = listeners.first().map(TcpListener::local_addr) {
        settings.server.port = address.port();
    }
    let occupied = Occupied::take(&settings)?;
    let settings = Arc::new(settings);
    assets::set_sandbox_program(crate::builtin::program()?);
    // A signal during the start drops the started parts, which stops them.
    let node = tokio::select! {
        node = Node::start(&settings) => node?,
        () = signals.next() => return Ok(()),
    };
    occupied.tell(node.database.folder(&settings))?;
    let edge = Arc::new(Edge::new(&settings).with_tunnels(node.tunnels.clone()));
    let (handle, server) = serve(&node, &edge, listeners)?;
    let serving = actix_rt::spawn(server);
    let measuring = actix_rt::spawn(metrics::keep_up());
    let background = actix_rt::spawn(background(Arc::clone(&settings), node.core.clone(), args.demo));
    signals.next().await;
    print_line("stopping");
    background.abort();
    measuring.abort();
    let leave = async {
        edge.drain();
        tokio::time::sleep(Duration::from_secs(settings.server.drain_seconds)).await;
        edge.stop();
        handle.stop(true).await;
        drop(serving.await);
        node.stop().await
    };
    // A second signal skips the wait. Other nodes take jobs that were not handed over when their leases expire.
    tokio::select! {
        left = leave => left?,
            () = signals.next() => return Err(NodeError::Other("stopped at once by a second signal".to_owned())),
    }
    occupied.leave();
    print_line("stopped");
    Ok(())
}

/// Prints the progress of the stop. A closed standard output must not keep the node from handing over its jobs.
fn print_line(text: &str) {
    drop(writeln!(std::io::stdout(), "{text}"));
}

/// Raises the limit of open files, which is often a thousand, for the connections. Returns how many connections are
/// possible: the node needs files of its own.
fn allow_many_files(connections: u32) -> u32 {
    let limit = getrlimit(Resource::Nofile);
    // macOS reports "unlimited" but accepts no more than this.
    let wanted = limit.maximum.unwrap_or(u64::MAX).min(if cfg!(target_os = "macos") { 10_240 } else { 1 << 20 });
    if limit.current.is_some_and(|current| current < wanted)
        && let Err(error) = setrlimit(Resource::Nofile, Rlimit { current: Some(wanted), ..limit })
    {
        tracing::warn!(%error, "the limit of open files could not be raised");
    }
    let files = getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
    let most = u32::try_from(files - files.min(OWN_FILES).min(files / 4)).unwrap_or(u32::MAX);
    if most < connections {
        tracing::warn!(
            files,
            connections = most,
            "the system allows fewer open files than limits.connections_per_node"
        );
    }
    connections.min(most)
}

/// Opens the port before everything else: a busy port is the most common reason for a failed start.
fn listen(settings: &Settings) -> Result<Vec<TcpListener>, NodeError> {
    let (host, port) = (settings.server.host, settings.server.port);
    let bind = |host: IpAddr| TcpListener::bind(SocketAddr::new(host, port));
    let first = bind(host).and_then(wait_in_line).map_err(|error| {
        NodeError::Other(match error.kind() {
            ErrorKind::AddrInUse => format!(
                "port {port} is used by another program: stop that one, or choose another port \
                 (make run PORT={other}, verdigraph serve --port {other})",
                other = port.checked_add(1).unwrap_or(8080),
            ),
            ErrorKind::PermissionDenied => format!("port {port} needs an administrator: choose one above 1023"),
            _ => format!("cannot listen on {host}:{port}: {error}"),
        })
    })?;
    let port = first.local_addr().map_or(port, |address| address.port());
    let bind = |host: IpAddr| TcpListener::bind(SocketAddr::new(host, port));
    let mut listeners = vec![first];
    // Many programs resolve "localhost" to ::1. Without IPv6 the first listener is enough.
    if host == IpAddr::from([127, 0, 0, 1]) {
        listeners.extend(bind(Ipv6Addr::LOCALHOST.into()).and_then(wait_in_line).ok());
    }
    Ok(listeners)
}

/// Raises the backlog above the standard library's 128: connections of a larger burst would be dropped.
fn wait_in_line(listener: TcpListener) -> std::io::Result<TcpListener> {
    rustix::net::listen(&listener, 4096)?;
    Ok(listener)
}

/// The HTTP server, with a connection pool for each of its threads.
fn serve(
    node: &Node,
    edge: &Arc<Edge>,
    listeners: Vec<TcpListener>,
) -> Result<(ServerHandle, actix_web::dev::Server), NodeError> {
    let settings = &node.core.settings;
    let threads = match settings.server.threads {
        0 => std::thread::available_parallelism().map_or(2, |count| count.get().max(2)),
        threads => threads,
    };
    let connections = Arc::clone(&edge.connections);
    let (core, edge, url) = (node.core.clone(), Arc::clone(edge), node.database.url.clone());
    let mut server = HttpServer::new(move || {
        // The URL was parsed before, so this cannot fail; a shared pool would only be slower.
        let pool = database::pool(&url, &core.settings.database).unwrap_or_else(|_| core.db.clone());
        application(core.with_pool(pool), Arc::clone(&edge))
    })
    .workers(threads)
    .on_connect(connections::counted(Arc::clone(&connections)))
    // Above our own limit, which answers; actix' limit would leave clients waiting in the backlog.
    .max_connections(connections.limit().saturating_add(1024))
    .disable_signals()
    .shutdown_timeout(settings.server.shutdown_seconds)
    .client_request_timeout(Duration::from_secs(30))
    .keep_alive(Duration::from_secs(75))
    // An event is small, and would wait until the client acknowledges the one before.
    .tcp_nodelay(true);
    for listener in listeners {
        server = server.listen(listener).map_err(|error| NodeError::Other(format!("cannot listen: {error}")))?;
    }
    let server = server.run();
    Ok((server.handle(), server))
}

/// Prints when the node is ready, adds demo content, and runs upkeep for as long as the node runs.
async fn background(settings: Arc<Settings>, core: verdigraph_core::Core, demo: bool) {
    let url = format!("http://localhost:{}", settings.server.port);
    let asked = match settings.server.host {
        IpAddr::V4(host) if !host.is_unspecified() => format!("http://{host}:{}", settings.server.port),
        IpAddr::V6(host) if !host.is_unspecified() => format!("http://[{host}]:{}", settings.server.port),
        _ => url.clone(),
    };
    wait_until_ready(&asked).await;
    if !core.mail.uses_smtp() {
        println!("mail is written to {} (no SMTP server is set)", settings.mail_folder().display());
    }
    println!("ready {url}");
    drop(std::io::stdout().flush());
    if demo {
        super::demo::beside(&core, &settings, &asked).await;
    }
    let mut sweep = tokio::time::interval(Duration::from_secs(60));
    loop {
        sweep.tick().await;
        core.shared.sweep();
    }
}

/// Polls the node over HTTP.
async fn wait_until_ready(url: &str) {
    let http = reqwest::Client::builder().no_proxy().timeout(Duration::from_secs(5)).build().unwrap_or_default();
    let mut last_report = tokio::time::Instant::now();
    loop {
        let reason = match http.get(format!("{url}/api/health")).send().await {
            Ok(response) if response.status().is_success() => return,
            Ok(response) => {
                let view: serde_json::Value = response.json().await.unwrap_or_default();
                view.get("reason").and_then(|reason| reason.as_str()).unwrap_or("no reason was given").to_owned()
            }
            Err(error) => error.to_string(),
        };
        if last_report.elapsed() >= REPORT_INTERVAL {
            println!("not ready yet: {reason}");
            last_report = tokio::time::Instant::now();
        }
        tokio::time::sleep(POLL_INTERVAL).await;
    }
}

/// Ctrl-C and termination signals, from the start on.
struct Signals {
    interrupt: Signal,
    terminate: Signal,
}

impl Signals {
    fn new() -> Result<Self, NodeError> {
        let listen =
            |kind| signal(kind).map_err(|error| NodeError::Other(format!("cannot listen to signals: {error}")));
        Ok(Self { interrupt: listen(SignalKind::interrupt())?, terminate: listen(SignalKind::terminate())? })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}

/// The locked data folder. `make stop` finds the node by `verdigraph.pid`.
struct Occupied {
    lock: File,
    pid_file: PathBuf,
    postgres_file: PathBuf,
}

impl Occupied {
    fn take(settings: &Settings) -> Result<Self, NodeError> {
        let folder = &settings.data.folder;
        let failed = |error: std::io::Error| NodeError::Other(format!("{}: {error}", folder.display()));
        data_folder::secure(folder, settings.database.url.is_none()).map_err(failed)?;
        let lock_file = settings.data.join("verdigraph.lock");
        let lock = File::options().create(true).truncate(false).write(true).open(lock_file).map_err(failed)?;
        let pid_file = settings.data.join("verdigraph.pid");
        match lock.try_lock() {
            Ok(()) => Ok(Self { lock, pid_file, postgres_file: settings.data.join("postgres.folder") }),
            Err(TryLockError::WouldBlock) => {
                let pid = std::fs::read_to_string(&pid_file).unwrap_or_default();
                let pid = pid.lines().next().map_or_else(String::new, |pid| format!(" (process {pid})"));
                let data = folder.display();
                Err(NodeError::Other(format!("another server runs on {data}{pid}: stop it with make stop DATA={data}")))
            }
            Err(TryLockError::Error(error)) => Err(failed(error)),
        }
    }

    /// Writes the process id, and where the private PostgreSQL is.
    fn tell(&self, postgres: Option<PathBuf>) -> Result<(), NodeError> {
        let postgres = postgres.map(|folder| folder.display().to_string()).unwrap_or_default();
        let text = format!("{}\n{postgres}\n", std::process::id());
        let written =
            std::fs::write(&self.pid_file, text).and_then(|()| std::fs::write(&self.postgres_file, &postgres));
        written.map_err(|error| NodeError::Other(format!("{}: {error}", self.pid_file.display())))
    }

    fn leave(self) {
        // Leftover files name a process that has ended, which `make stop` notices.
        drop(std::fs::remove_file(&self.pid_file));
        drop(self.lock);
    }
}
