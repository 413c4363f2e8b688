//! `verdigraph worker`: the CPU worker alone, speaking ComfyUI's protocol.

use std::io::ErrorKind;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::process::ExitCode;

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
    /// Threads that compute; 0 takes one for each processor.
    #[arg(long, default_value_t = 0)]
    pub threads: usize,
}

/// Runs the command until a signal ends it.
pub async fn run(args: Worker) -> ExitCode {
    if let Err(error) =
        verdigraph_core::settings::Settings::load().map_err(Into::into).and_then(|all| super::log(&all.log))
    {
        eprintln!("error: {error}");
        return ExitCode::FAILURE;
    }
    let mut options = Options::new(SocketAddr::new(args.host, args.port), args.data);
    options.threads = args.threads;
    let running = match server::serve(options).await {
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
    super::signaled().await;
    match running.stop().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: the worker ended badly: {error}");
            ExitCode::FAILURE
        }
    }
}
