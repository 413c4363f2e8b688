//! Runs the CPU worker alone: `cargo run -p verdigraph-workers --example cpu_worker -- 127.0.0.1:8188 data`

use std::net::SocketAddr;
use std::path::PathBuf;

use verdigraph_workers::cpu::server::{Options, serve};

#[actix_web::main]
async fn main() -> std::io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let bind = arguments.next().unwrap_or_else(|| "127.0.0.1:8188".to_owned());
    let bind: SocketAddr = bind.parse().map_err(std::io::Error::other)?;
    let data = PathBuf::from(arguments.next().unwrap_or_else(|| "cpu-worker".to_owned()));
    let running = serve(Options::new(bind, data)).await?;
    println!("listening on http://{}", running.address());
    tokio::signal::ctrl_c().await?;
    running.stop().await
}
