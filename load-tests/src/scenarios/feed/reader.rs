//! A consumer of the event feed that can be killed. It continues from its cursor, by long poll or by a stream.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::StreamExt as _;
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

/// How a consumer reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReadMode {
    LongPoll,
    Stream,
}

/// A consumer that continues from its state after a kill.
#[derive(Debug)]
pub struct Reader {
    people: Arc<People>,
    checkpoint: Arc<Mutex<Checkpoint>>,
    mode: ReadMode,
    life: JoinHandle<()>,
}

impl Reader {
    /// Starts at the oldest event.
    pub fn start(people: &Arc<People>) -> Self {
        let checkpoint = Arc::new(Mutex::new(Checkpoint { cursor: "oldest".to_owned(), events: Vec::new() }));
        let mode = ReadMode::LongPoll;
        let life = tokio::spawn(follow(Arc::clone(people), Arc::clone(&checkpoint), mode));
        Self { people: Arc::clone(people), checkpoint, mode, life }
    }

    /// Kills the consumer and starts another one from its state, which reads the other way.
    pub fn restart(&mut self) {
        self.life.abort();
        self.mode = match self.mode {
            ReadMode::LongPoll => ReadMode::Stream,
            ReadMode::Stream => ReadMode::LongPoll,
        };
        self.life = tokio::spawn(follow(Arc::clone(&self.people), Arc::clone(&self.checkpoint), self.mode));
    }

    /// All events read so far, over all lives.
    pub fn ids(&self) -> Vec<Uuid> {
        lock(&self.checkpoint).events.iter().map(|event| event.id).collect()
    }

    pub fn count(&self) -> usize {
        lock(&self.checkpoint).events.len()
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        self.life.abort();
    }
}

async fn follow(people: Arc<People>, checkpoint: Arc<Mutex<Checkpoint>>, mode: ReadMode) {
    loop {
        let cursor = lock(&checkpoint).cursor.clone();
        let read = match mode {
            ReadMode::LongPoll => page(&people, &cursor, FOLLOWED, WAIT).await.map(|(events, next)| {
                let mut checkpoint = lock(&checkpoint);
                checkpoint.events.extend(events);
                checkpoint.cursor = next;
            }),
            ReadMode::Stream => stream(&people, &cursor, &checkpoint).await,
        };
        if read.is_err() {
            // The server is dead or overloaded.
            tokio::time::sleep(RETRY_AFTER).await;
        }
    }
}

/// Reads server-sent events until the stream ends. Each event and its id are kept at once.
async fn stream(people: &People, after: &str, checkpoint: &Mutex<Checkpoint>) -> Result<()> {
    let path = format!("general/event?after=oldest&types={}", TYPES.join(","));
    let mut request = people.request(Method::GET, &path, 0).header("accept", "text/event-stream");
    if after != "oldest" {
        request = request.header("last-event-id", after);
    }
    let mut chunks = request.send().await?.error_for_status()?.bytes_stream();
    let mut text = Vec::new();
    while let Some(chunk) = chunks.next().await {
        text.extend_from_slice(&chunk?);
        while let Some(end) = text.windows(2).position(|two| two == b"\n\n") {
            let message: Vec<u8> = text.drain(..end + 2).collect();
            let message = String::from_utf8_lossy(&message);
            let field = |name: &str| message.lines().find_map(|line| line.strip_prefix(name));
            // A heartbeat has no id.
            let Some(id) = field("id: ") else { continue };
            let mut checkpoint = lock(checkpoint);
            if field("event: ") == Some("event") {
                let item: Value = serde_json::from_str(field("data: ").unwrap_or_default()).unwrap_or_default();
                checkpoint.events.push(event_of(&item)?);
            }
            id.clone_into(&mut checkpoint.cursor);
        }
    }
    Ok(())
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
    Ok((items.iter().map(event_of).collect::<Result<_>>()?, next.to_owned()))
}

fn event_of(item: &Value) -> Result<FeedEvent> {
    let text = |path: &str| item.pointer(path).and_then(Value::as_str).unwrap_or_default();
    let id = text("/id").parse().map_err(|_| Error::Other(format!("an event without an id: {item}")))?;
    Ok(FeedEvent { id, job: text("/data/job").to_owned(), whole: item.clone() })
}

fn lock(checkpoint: &Mutex<Checkpoint>) -> MutexGuard<'_, Checkpoint> {
    checkpoint.lock().unwrap_or_else(PoisonError::into_inner)
}
