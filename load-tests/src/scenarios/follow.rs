//! Clients that submit a job and wait for its end, and the workers' journals of the same jobs.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use serde_json::Value;
use verdigraph_scripted::JournalEntry;

use super::site::Site;
use crate::accounts::Proof;
use crate::app::{Submits, get};
use crate::error::{Error, Result};
use crate::load::{Connection, follow};
use crate::platform::Comfy;

/// Timeout of a job's end.
const ENDED_WITHIN: Duration = Duration::from_secs(180);

/// A job as its client saw it. Times are microseconds since 1970 by the machine's clock.
#[derive(Debug, Clone)]
pub struct Followed {
    pub seed: u64,
    pub answered_us: i64,
    pub ended_us: i64,
    /// From sending the submit to its answer.
    pub submit: Duration,
    /// Its final status.
    pub status: String,
}

/// A client that submits jobs and waits for each.
pub struct Client {
    address: SocketAddr,
    connection: Connection,
    submits: Submits,
    proof: Proof,
    buffer: Vec<u8>,
}

impl Client {
    pub async fn new(site: &Site, proof: &Proof) -> Result<Self> {
        Ok(Self {
            address: site.address,
            connection: Connection::open(site.address).await?,
            submits: site.app.submits(std::slice::from_ref(proof), &site.seeds),
            proof: proof.clone(),
            buffer: Vec::new(),
        })
    }

    /// Submits a job and waits until it has ended.
    pub async fn run(&mut self, site: &Site) -> Result<Followed> {
        self.buffer.clear();
        let seed = self.submits.write_next(&mut self.buffer);
        let sent = Instant::now();
        let answer = self.connection.exchange(&self.buffer).await?;
        let (answered_us, submit) = (now_us(), sent.elapsed());
        let body: Value = serde_json::from_slice(answer.body).unwrap_or_default();
        let Some(id) = body.get("_id").and_then(Value::as_str).filter(|_| answer.status == 201) else {
            return Err(Error::Other(format!("a submit was answered {}: {body}", answer.status)));
        };
        site.accepted.set(site.accepted.get() + 1);
        let request = get(&format!("/api/general/job/{id}/events"), &self.proof);
        let ended = tokio::time::timeout(ENDED_WITHIN, follow(self.address, &request)).await;
        let status = ended.map_err(|_| Error::Other(format!("job {id} has not ended after {ENDED_WITHIN:?}")))??;
        Ok(Followed { seed, answered_us, ended_us: now_us(), submit, status })
    }

    /// Runs jobs one after the other until `until`, with a pause before each.
    pub async fn run_until(
        &mut self,
        site: &Site,
        until: Instant,
        mut pause: impl FnMut() -> Duration,
    ) -> Result<Vec<Followed>> {
        let mut jobs = Vec::new();
        loop {
            tokio::time::sleep(pause()).await;
            if Instant::now() >= until {
                return Ok(jobs);
            }
            jobs.push(self.run(site).await?);
        }
    }
}

#[must_use]
pub fn now_us() -> i64 {
    chrono::Utc::now().timestamp_micros()
}

/// Reads every worker's journal: the prompts that ended since the last read, by worker.
pub async fn journals(workers: &[Comfy]) -> Result<Vec<Vec<JournalEntry>>> {
    let http = reqwest::Client::builder().no_proxy().build()?;
    let mut journals = Vec::with_capacity(workers.len());
    for worker in workers {
        let answer = http.get(format!("{}/journal", worker.url())).send().await?;
        journals.push(answer.error_for_status()?.json().await?);
    }
    Ok(journals)
}

/// The entries of all workers by seed. A retried job counts with its first attempt.
#[must_use]
pub fn by_seed(journals: &[Vec<JournalEntry>]) -> HashMap<u64, JournalEntry> {
    let mut entries: Vec<&JournalEntry> = journals.iter().flatten().collect();
    entries.sort_by_key(|entry| std::cmp::Reverse(entry.came_us));
    entries.into_iter().filter_map(|entry| Some((entry.seed?, entry.clone()))).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use verdigraph_scripted::{Options, Scripted};

    use super::*;
    use crate::app::Recipe;

    async fn ask(address: SocketAddr, method: &str, path: &str, body: &str) -> Value {
        let length = body.len();
        let request = format!("{method} {path} HTTP/1.1\r\nhost: x\r\ncontent-length: {length}\r\n\r\n{body}");
        let mut connection = Connection::open(address).await.expect("a connection");
        let answer = connection.exchange(request.as_bytes()).await.expect("an answer");
        serde_json::from_slice(answer.body).expect("JSON")
    }

    #[tokio::test]
    async fn journal_reports_each_job_once_by_seed() {
        let delay = Duration::from_millis(30);
        let worker = Scripted::start(Options { journal: true, delay, ..Options::default() }).expect("a worker");
        let address = super::super::address(&worker.url()).expect("an address");
        let before = now_us();
        let body = json!({ "prompt": Recipe::text_to_image().prompt(77) }).to_string();
        ask(address, "POST", "/prompt", &body).await;
        worker.heard("run", 1).await;
        let journal = async {
            loop {
                let read = ask(address, "GET", "/journal", "").await;
                let read: Vec<JournalEntry> = serde_json::from_value(read).expect("entries");
                if !read.is_empty() {
                    return read;
                }
            }
        };
        let read = tokio::time::timeout(Duration::from_secs(30), journal).await.expect("an entry in time");
        let entry = by_seed(&[read]).remove(&77).expect("the job");
        assert!(before <= entry.came_us && entry.came_us <= entry.began_us, "{entry:?}");
        assert!(entry.ended_us - entry.began_us >= 30_000 && entry.ended_us <= now_us(), "{entry:?}");
        assert_eq!(ask(address, "GET", "/journal", "").await, json!([]), "what was read is not told again");
    }
}
