//! Who reads the feed of events by its cursor, and is killed as often as the server.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use reqwest::Method;
use serde_json::Value;
use tokio::task::JoinHandle;
use uuid::Uuid;

use crate::error::{Error, Result};
use crate::scenarios::drill::clients::People;

/// The events that are followed.
pub const TYPES: [&str; 5] = ["job.created", "job.started", "job.done", "job.failed", "job.canceled"];
/// Events on a page of whoever follows, so that there are many pages, and of whoever reads it all.
const FOLLOWED: usize = 20;
const READ: usize = 500;
/// Seconds for which a page waits for its first event.
const WAIT: usize = 2;
const AGAIN_AFTER: Duration = Duration::from_millis(50);

/// An event as the feed tells it.
#[derive(Debug, Clone)]
pub struct Told {
    pub id: Uuid,
    pub job: String,
    pub whole: Value,
}

/// What a consumer keeps: both are written at once.
#[derive(Debug)]
struct Kept {
    cursor: String,
    events: Vec<Told>,
}

/// A consumer that goes on where it was killed.
#[derive(Debug)]
pub struct Reader {
    people: Arc<People>,
    kept: Arc<Mutex<Kept>>,
    life: JoinHandle<()>,
}

impl Reader {
    /// Begins with the oldest event.
    pub fn start(people: &Arc<People>) -> Self {
        let kept = Arc::new(Mutex::new(Kept { cursor: "oldest".to_owned(), events: Vec::new() }));
        let life = tokio::spawn(follow(Arc::clone(people), Arc::clone(&kept)));
        Self { people: Arc::clone(people), kept, life }
    }

    /// Ends this life wherever it is, and begins another from what was kept.
    pub fn begin_anew(&mut self) {
        self.life.abort();
        self.life = tokio::spawn(follow(Arc::clone(&self.people), Arc::clone(&self.kept)));
    }

    /// All that was read so far, over all lives.
    pub fn ids(&self) -> Vec<Uuid> {
        lock(&self.kept).events.iter().map(|told| told.id).collect()
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        self.life.abort();
    }
}

async fn follow(people: Arc<People>, kept: Arc<Mutex<Kept>>) {
    loop {
        let cursor = lock(&kept).cursor.clone();
        match page(&people, &cursor, FOLLOWED, WAIT).await {
            Ok((events, next)) => {
                let mut kept = lock(&kept);
                kept.events.extend(events);
                kept.cursor = next;
            }
            // The server is dead, or full.
            Err(_) => tokio::time::sleep(AGAIN_AFTER).await,
        }
    }
}

/// The whole feed, from the oldest event to its end.
///
/// # Errors
/// The server does not answer as it should.
pub async fn read_all(people: &People) -> Result<Vec<Told>> {
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

async fn page(people: &People, after: &str, limit: usize, wait: usize) -> Result<(Vec<Told>, String)> {
    let types = TYPES.join(",");
    let path = format!("general/event?after={after}&limit={limit}&wait={wait}&types={types}");
    let page: Value = people.request(Method::GET, &path, 0).send().await?.error_for_status()?.json().await?;
    let wrong = || Error::Other(format!("the feed answered {page}"));
    let next = page.get("nextCursor").and_then(Value::as_str).ok_or_else(wrong)?;
    let items = page.get("items").and_then(Value::as_array).ok_or_else(wrong)?;
    let events = items.iter().map(|item| {
        let text = |path: &str| item.pointer(path).and_then(Value::as_str).unwrap_or_default();
        let id = text("/id").parse().map_err(|_| wrong())?;
        Ok(Told { id, job: text("/data/job").to_owned(), whole: item.clone() })
    });
    Ok((events.collect::<Result<_>>()?, next.to_owned()))
}

fn lock(kept: &Mutex<Kept>) -> MutexGuard<'_, Kept> {
    kept.lock().unwrap_or_else(PoisonError::into_inner)
}
