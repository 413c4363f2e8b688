//! The second part of `submit`: memory with 100,000 queued jobs, and submits beside 10,000 idle listeners.

use std::net::SocketAddr;
use std::time::Duration;

use futures_util::{StreamExt as _, stream};
use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use super::{CONNECTIONS, KEYS};
use crate::accounts::Proof;
use crate::app::{Recipe, get};
use crate::error::{Error, Result};
use crate::floors::{Measured, settle};
use crate::load::Connection;
use crate::report::{Bar, Report, short};
use crate::scenarios::site::{People, Site};
use crate::scenarios::{Common, floor};

const QUEUED: u64 = 100_000;
pub const LISTENERS: usize = 10_000;
/// Streams that are opened concurrently.
const OPENING: usize = 64;
/// The share of the submit rate that must be left beside the listeners.
const LEFT: f64 = 0.9;

/// Measures on a platform whose workers never finish, so that the queue stays.
pub async fn measure(common: &Common, report: &mut Report) -> Result<()> {
    let listeners = if common.quick { LISTENERS / 20 } else { LISTENERS };
    let mut shape = common.shape(2)?.with("jobs.silent_seconds", 3600).with("jobs.no_worker_seconds", 3600);
    for worker in &mut shape.workers {
        worker.delay = Duration::from_secs(600);
    }
    let site = Site::start(&shape, People { keys: KEYS, sessions: 0 }, &Recipe::text_to_image()).await?;
    let queued = if common.quick { QUEUED / 20 } else { QUEUED };
    let people = site.keys.len();
    while site.accepted.get() < queued {
        site.load(&site.plan(CONNECTIONS, Duration::from_secs(1)), people).await?;
    }
    let memory = |site: &Site| site.own().map(|platform| platform.server.usage().rss_bytes as f64 / f64::from(1 << 20));
    let queued_mb = memory(&site)?;
    let jobs = site.accepted.get();
    println!("{jobs} jobs queued: server at {} MB", short(queued_mb));
    report.bars.push(Bar::below(format!("memory of the server with {jobs} jobs queued"), queued_mb, 300.0, " MB"));

    let plan = site.plan(CONNECTIONS, common.length(10));
    settle(site.own()?).await?;
    let (outcome, server, database) = site.load(&plan, people).await?;
    let without = Measured::new(outcome, &server, &database);
    let held = listen(site.address, &site.keys, listeners).await?;
    let before = site.own()?.server.usage();
    tokio::time::sleep(Duration::from_secs(5)).await;
    let idle = site.own()?.server.usage().cpu.saturating_sub(before.cpu).as_secs_f64() / 5.0;
    settle(site.own()?).await?;
    let (outcome, server, database) = site.load(&plan, people).await?;
    let beside = Measured::new(outcome, &server, &database);
    let listening_mb = memory(&site)?;
    let open = held.iter().filter(|stream| is_open(stream)).count();
    drop(held);

    let left = beside.outcome.rate() / without.outcome.rate().max(1.0);
    let mut table = floor::columns();
    floor::row(&mut table, "queue full, no listeners", std::slice::from_ref(&without));
    floor::row(&mut table, &format!("queue full, {open} listeners"), std::slice::from_ref(&beside));
    report.tables.push(table);
    report.bars.push(Bar::equal("listeners that stayed connected", open as u64, listeners as u64));
    report.bars.push(Bar::at_least(
        format!("submit rate beside {listeners} idle listeners"),
        left,
        LEFT,
        " of that without",
    ));
    report.notes.push(format!(
        "{listeners} idle listeners cost {:.0} % of a processor while nothing is submitted; server at {listening_mb:.0} MB \
         with them and {} jobs",
        idle * 100.0,
        site.accepted.get()
    ));
    site.finish(report).await?;
    Ok(())
}

/// Opens an event stream for each of `count` waiting jobs.
async fn listen(address: SocketAddr, keys: &[Proof], count: usize) -> Result<Vec<TcpStream>> {
    let mut jobs: Vec<(&Proof, String)> = Vec::with_capacity(count);
    let mut connection = Connection::open(address).await?;
    'all: for key in keys {
        let request = get("/api/general/job?limit=100&status=Pending", key);
        let page: Value = serde_json::from_slice(connection.exchange(&request).await?.body).unwrap_or_default();
        for job in page["items"].as_array().into_iter().flatten() {
            jobs.extend(job["_id"].as_str().map(|id| (key, id.to_owned())));
            if jobs.len() == count {
                break 'all;
            }
        }
    }
    let opened = stream::iter(jobs)
        .map(|(key, id)| async move {
            let mut stream = TcpStream::connect(address).await?;
            stream.write_all(&get(&format!("/api/general/job/{id}/events"), key)).await?;
            let mut head = [0; 12];
            stream.read_exact(&mut head).await?;
            match &head {
                b"HTTP/1.1 200" => Ok(stream),
                other => Err(Error::Other(format!("a stream answered {}", String::from_utf8_lossy(other)))),
            }
        })
        .buffer_unordered(OPENING)
        .collect::<Vec<Result<TcpStream>>>()
        .await;
    opened.into_iter().collect()
}

/// Whether the server still holds the stream. Reads everything it sent.
fn is_open(stream: &TcpStream) -> bool {
    let mut buffer = [0; 4096];
    loop {
        match stream.try_read(&mut buffer) {
            Ok(0) => return false,
            Ok(_) => {}
            Err(error) => return error.kind() == std::io::ErrorKind::WouldBlock,
        }
    }
}
