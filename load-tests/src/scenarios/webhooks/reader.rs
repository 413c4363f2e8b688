//! Reads the event feed by its cursor. Killed as often as the server.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use reqwest::Method;
use serde_json::Value;
use tokio::task::JoinHandle;
use uuid::Uuid;

use crate::error::{Error, Result};
use crate::scenarios::drill::clients::People;

pub const TYPES: [&str; 5] = ["job.created", "job.started", "job.done", "job.failed", "job.canceled"];
/// Page sizes for following, so that there are many pages, and for reading everything.
const FOLLOWED: usize = 20;
const READ: usize = 500;
/// Seconds that a request waits for the first event.
const WAIT: usize = 2;
const RETRY_AFTER: Duration = Duration::from_millis(50);

/// An event of the feed.
#[derive(Debug, Clone)]
pub struct FeedEvent {
    pub id: Uuid,
    pub job: String,
    pub whole: Value,
}

/// The consumer's persistent state: events and cursor are written at once.
#[derive(Debug)]
struct Checkpoint {
    cursor: String,
    events: Vec<FeedEvent>,
}

/// A consumer that continues from its state after a kill.
#[derive(Debug)]
pub struct Reader {
    people: Arc<People>,
    checkpoint: Arc<Mutex<Checkpoint>>,
    life: JoinHandle<()>,
}

impl Reader {
    /// Starts at the oldest event.
    pub fn start(people: &Arc<People>) -> Self {
        let checkpoint = Arc::new(Mutex::new(Checkpoint { cursor: "oldest".to_owned(), events: Vec::new() }));
        let life = tokio::spawn(follow(Arc::clone(people), Arc::clone(&checkpoint)));
        Self { people: Arc::clone(people), checkpoint, life }
    }

    /// Kills the consumer and starts another one from its state.
    pub fn restart(&mut self) {
        self.life.abort();
        self.life = tokio::spawn(follow(Arc::clone(&self.people), Arc::clone(&self.checkpoint)));
    }

    /// All events read so far, over all lives.
    pub fn ids(&self) -> Vec<Uuid> {
        lock(&self.checkpoint).events.iter().map(|event| event.id).collect()
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        self.life.abort();
    }
}

async fn follow(people: Arc<People>, checkpoint: Arc<Mutex<Checkpoint>>) {
    loop {
        let cursor = lock(&checkpoint).cursor.clone();
        match page(&people, &cursor, FOLLOWED, WAIT).await {
            Ok((events, next)) => {
                let mut checkpoint = lock(&checkpoint);
                checkpoint.events.extend(events);
                checkpoint.cursor = next;
            }
            // The server is dead or overloaded.
            Err(_) => tokio::time::sleep(RETRY_AFTER).await,
        }
    }
}

/// Reads the whole feed from the oldest event.
pub async fn read_all(people: &People) -> Result<Vec<FeedEvent>> {
    let (mut all, mut cursor) = (Vec::new(), "oldest".to_owned());
    loop {
        let (events, next) = page(people, &cursor, READ, 0).await?;
        if events.is_empty() {
            return Ok(all);
        }
        all.extend(events);
        cursor = next;
    }
}

async fn page(people: &People, after: &str, limit: usize, wait: usize) -> Result<(Vec<FeedEvent>, String)> {
    let types = TYPES.join(",");
    let path = format!("general/event?after={after}&limit={limit}&wait={wait}&types={types}");
    let page: Value = people.request(Method::GET, &path, 0).send().await?.error_for_status()?.json().await?;
    let wrong = || Error::Other(format!("the feed answered {page}"));
    let next = page.get("nextCursor").and_then(Value::as_str).ok_or_else(wrong)?;
    let items = page.get("items").and_then(Value::as_array).ok_or_else(wrong)?;
    let events = items.iter().map(|item| {
        let text = |path: &str| item.pointer(path).and_then(Value::as_str).unwrap_or_default();
        let id = text("/id").parse().map_err(|_| wrong())?;
        Ok(FeedEvent { id, job: text("/data/job").to_owned(), whole: item.clone() })
    });
    Ok((events.collect::<Result<_>>()?, next.to_owned()))
}

fn lock(checkpoint: &Mutex<Checkpoint>) -> MutexGuard<'_, Checkpoint> {
    checkpoint.lock().unwrap_or_else(PoisonError::into_inner)
}
