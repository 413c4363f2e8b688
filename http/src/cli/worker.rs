//! `verdigraph worker`: runs only the CPU worker, which serves ComfyUI's protocol.

use std::io::ErrorKind;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use rustix::fs::Mode;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use secrecy::SecretString;
use tokio::sync::oneshot;
use verdigraph_workers::cpu::ComfyVersion;
use verdigraph_workers::cpu::server::{self, Options};

/// Serves ComfyUI's protocol with the built-in nodes, without GPU and without Python.
#[derive(Debug, clap::Args)]
pub struct Worker {
    /// The port to listen on; 0 takes a free one.
    #[arg(long, default_value_t = 8188)]
    pub port: u16,
    /// The address to listen on. Everyone who can reach it may run graphs.
    #[arg(long, default_value = "127.0.0.1")]
    pub host: IpAddr,
    /// The folder that holds input, output and temp.
    #[arg(long, value_name = "DIR", default_value = ".data/worker")]
    pub data: PathBuf,
    /// The ComfyUI version whose protocol, nodes and pictures it reproduces: 0.33.0 or 0.3.64.
    #[arg(long, value_name = "VERSION", default_value_t)]
    pub like: ComfyVersion,
    /// Compute threads; 0 takes one for each processor.
    #[arg(long, default_value_t = 0)]
    pub threads: usize,
    /// Most bytes of results cached for later prompts.
    #[arg(long, default_value_t = 268_435_456)]
    pub cache_bytes: u64,
    /// Most memory of the process, in bytes.
    #[arg(long, default_value_t = 2_147_483_648)]
    pub memory_bytes: u64,
    /// Started by a node: reads a secret from standard input, which every request must carry, and exits when that
    /// input closes.
    #[arg(long, hide = true)]
    pub watched: bool,
}

/// Memory beside prompts: code, threads, connections, and the history.
const OWN_BYTES: u64 = 256 << 20;
/// How long a worker whose node has ended may take to exit.
const ENDS_WITHIN: Duration = Duration::from_secs(10);

/// Runs the command until a signal ends it.
pub async fn run(args: Worker) -> ExitCode {
    if let Err(error) =
        verdigraph_core::settings::Settings::load().map_err(Into::into).and_then(|all| super::log(&all.log))
    {
        eprintln!("error: {error}");
        return ExitCode::FAILURE;
    }
    // Only this user may read the files.
    rustix::process::umask(Mode::RWXG | Mode::RWXO);
    limit_memory(args.memory_bytes);
    let mut options = Options::new(SocketAddr::new(args.host, args.port), args.data);
    options.like = args.like;
    options.threads = args.threads;
    options.cache_bytes = usize::try_from(args.cache_bytes).unwrap_or(usize::MAX);
    options.memory_bytes = usize::try_from(args.memory_bytes.saturating_sub(OWN_BYTES)).unwrap_or(usize::MAX);
    let lifeline = match args.watched.then(Lifeline::hold).transpose() {
        Ok(lifeline) => lifeline,
        Err(error) => {
            eprintln!("error: no secret on standard input: {error}");
            return ExitCode::FAILURE;
        }
    };
    options.secret = lifeline.as_ref().map(|lifeline| lifeline.secret.clone());
    let mut started = server::serve(options.clone()).await;
    if args.watched && started.as_ref().is_err_and(|error| error.kind() == ErrorKind::AddrInUse) {
        options.bind.set_port(0);
        started = server::serve(options).await;
    }
    let running = match started {
        Ok(running) => running,
        Err(error) if error.kind() == ErrorKind::AddrInUse => {
            eprintln!("error: port {} is used by another program: choose another with --port", args.port);
            return ExitCode::FAILURE;
        }
        Err(error) => {
            eprintln!("error: the worker does not start: {error}");
            return ExitCode::FAILURE;
        }
    };
    println!("ready http://{}", running.address());
    match lifeline {
        Some(lifeline) => lifeline.ended().await,
        None => super::signaled().await,
    }
    match running.stop().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: the worker failed: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The standard input of a watched worker. The node holds its other end as long as it lives.
struct Lifeline {
    secret: SecretString,
    cut: oneshot::Receiver<()>,
}

impl Lifeline {
    /// Reads the secret and starts to wait for the end of the input.
    fn hold() -> std::io::Result<Self> {
        let mut secret = String::new();
        std::io::stdin().read_line(&mut secret)?;
        let secret = secret.trim_end();
        if secret.is_empty() {
            return Err(std::io::Error::from(ErrorKind::UnexpectedEof));
        }
        let (cuts, cut) = oneshot::channel();
        // A thread of its own that nothing can block: a worker must not outlive its node.
        std::thread::Builder::new().name("lifeline".to_owned()).spawn(move || {
            let ended = std::io::copy(&mut std::io::stdin(), &mut std::io::sink());
            tracing::debug!(?ended, "the node closed this worker's standard input");
            if cuts.send(()).is_ok() {
                std::thread::sleep(ENDS_WITHIN);
            }
            std::process::exit(1);
        })?;
        Ok(Self { secret: SecretString::from(secret), cut })
    }

    async fn ended(self) {
        // An error means that the thread has ended too.
        drop(self.cut.await);
    }
}

/// Limits the process's memory far above what prompts can reserve, against faults in the reservations. If the machine
/// runs out of memory, the system kills this process first.
fn limit_memory(memory_bytes: u64) {
    let most = memory_bytes.saturating_mul(2).saturating_add(1 << 30);
    let limit = getrlimit(Resource::Data);
    let most = limit.maximum.map_or(most, |maximum| maximum.min(most));
    if let Err(error) = setrlimit(Resource::Data, Rlimit { current: Some(most), maximum: limit.maximum }) {
        tracing::warn!(%error, "the memory of this process could not be limited");
    }
    if let Err(error) = std::fs::write("/proc/self/oom_score_adj", "900") {
        tracing::debug!(%error, "the OOM score of this process could not be raised");
    }
}
