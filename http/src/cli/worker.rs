//! `verdigraph worker`: the CPU worker alone, speaking ComfyUI's protocol.

use std::io::ErrorKind;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use rustix::fs::Mode;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use secrecy::SecretString;
use tokio::sync::oneshot;
use verdigraph_workers::cpu::Like;
use verdigraph_workers::cpu::server::{self, Options};

/// Serves ComfyUI's protocol over the built-in nodes, without GPU and without Python.
#[derive(Debug, clap::Args)]
pub struct Worker {
    /// The port to listen on; 0 takes a free one.
    #[arg(long, default_value_t = 8188)]
    pub port: u16,
    /// The address to listen on. Anybody who reaches it may run graphs.
    #[arg(long, default_value = "127.0.0.1")]
    pub host: IpAddr,
    /// The folder that holds input, output and temp.
    #[arg(long, value_name = "DIR", default_value = ".data/worker")]
    pub data: PathBuf,
    /// The version of ComfyUI whose protocol, nodes and pictures it has: 0.33.0 or 0.3.64.
    #[arg(long, value_name = "VERSION", default_value_t)]
    pub like: Like,
    /// Threads that compute; 0 takes one for each processor.
    #[arg(long, default_value_t = 0)]
    pub threads: usize,
    /// Most bytes of results that are kept for later prompts.
    #[arg(long, default_value_t = 268_435_456)]
    pub cache_bytes: u64,
    /// Most of the machine's memory that the process may take, in bytes.
    #[arg(long, default_value_t = 2_147_483_648)]
    pub memory_bytes: u64,
    /// Started by a node: reads a secret from standard input, which every request must tell, and ends with that input.
    #[arg(long, hide = true)]
    pub watched: bool,
}

/// What the process takes beside prompts: programs, threads, connections, and what ended prompts leave in history.
const OWN_BYTES: u64 = 256 << 20;
/// How long a worker whose node has ended may take to end itself.
const ENDS_WITHIN: Duration = Duration::from_secs(10);

/// Runs the command until a signal ends it.
pub async fn run(args: Worker) -> ExitCode {
    if let Err(error) =
        verdigraph_core::settings::Settings::load().map_err(Into::into).and_then(|all| super::log(&all.log))
    {
        eprintln!("error: {error}");
        return ExitCode::FAILURE;
    }
    // Files of people are nobody else's business.
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
            eprintln!("error: no secret was told on standard input: {error}");
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
            eprintln!("error: the worker ended badly: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The standard input of a watched worker. The node holds its other end for as long as it lives.
struct Lifeline {
    secret: SecretString,
    cut: oneshot::Receiver<()>,
}

impl Lifeline {
    /// Reads the secret and begins to wait for the end.
    fn hold() -> std::io::Result<Self> {
        let mut secret = String::new();
        std::io::stdin().read_line(&mut secret)?;
        let secret = secret.trim_end();
        if secret.is_empty() {
            return Err(std::io::Error::from(ErrorKind::UnexpectedEof));
        }
        let (cuts, cut) = oneshot::channel();
        // A thread that nothing can hold up: a worker without its node must not stay.
        std::thread::Builder::new().name("lifeline".to_owned()).spawn(move || {
            let ended = std::io::copy(&mut std::io::stdin(), &mut std::io::sink());
            tracing::debug!(?ended, "the node has let go of this worker");
            if cuts.send(()).is_ok() {
                std::thread::sleep(ENDS_WITHIN);
            }
            std::process::exit(1);
        })?;
        Ok(Self { secret: SecretString::from(secret), cut })
    }

    async fn ended(self) {
        // An error means that the thread is gone, and says the same.
        drop(self.cut.await);
    }
}

/// The system's own stop, far above what prompts can reserve: for a fault in the reserving. The first process to go
/// where the whole machine runs out of memory is this one.
fn limit_memory(memory_bytes: u64) {
    let most = memory_bytes.saturating_mul(2).saturating_add(1 << 30);
    let limit = getrlimit(Resource::Data);
    let most = limit.maximum.map_or(most, |maximum| maximum.min(most));
    if let Err(error) = setrlimit(Resource::Data, Rlimit { current: Some(most), maximum: limit.maximum }) {
        tracing::warn!(%error, "the system sets no limit to this process's memory");
    }
    if let Err(error) = std::fs::write("/proc/self/oom_score_adj", "900") {
        tracing::debug!(%error, "the system cannot be told to end this process first");
    }
}
