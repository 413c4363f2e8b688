//! A batch on its way in: items are read off the upload, submitted side by side, and answered in their order while the
//! upload goes on.
//!
//! So many items are under way at a time; while there is no room nothing is read, and the sender waits. The work is done
//! as the answer is read: it ends with the connection, and whatever was committed by then stays.

mod item;
mod lines;

use std::collections::HashSet;
use std::rc::Rc;

use actix_web::HttpResponse;
use actix_web::http::{StatusCode, header};
use actix_web::web::{Bytes, Payload};
use futures_util::future::LocalBoxFuture;
use futures_util::stream::FuturesOrdered;
use futures_util::{FutureExt as _, StreamExt as _, stream};
use serde_json::{Map, Value, json};
use tokio::sync::watch;
use verdigraph_core::jobs::{self, Batch, BatchItem, Receiving, Submitted};
use verdigraph_core::{Code, Core};

pub use item::ItemBody;

use crate::caller::Caller;
use crate::error::ApiError;
use crate::streams::Permit;
use crate::views::batches::ItemView;
use item::NoItem;
use lines::{BrokenOff, Line, Lines};

/// Items that are submitted side by side. They share commits, so more would only make the answers later.
const SIDE_BY_SIDE: usize = 256;
/// Bytes of items that are under way; one item always is, however large.
const BYTES_UNDER_WAY: usize = 8 << 20;

/// The answer to an upload: a line for each item, and a last one with the counts where the upload was whole.
#[must_use]
pub fn stream(
    core: Core,
    caller: Caller,
    (batch, receiving): (Batch, Receiving),
    upload: Payload,
    permit: Permit,
    stopping: watch::Receiver<bool>,
) -> HttpResponse {
    let limit = core.settings.limits.json_bytes;
    let intake = Intake {
        desk: Rc::new(Desk { core, caller, batch }),
        lines: Lines::new(upload, limit),
        limit,
        stopping,
        stage: Stage::Begins,
        under_way: FuturesOrdered::new(),
        keys: HashSet::new(),
        bytes: 0,
        held_back: None,
        uploaded: false,
        counts: Counts::default(),
        receiving: Some(receiving),
        permit,
    };
    let body = stream::unfold(intake, |mut intake| async move {
        let piece = intake.piece().await?;
        Some((Ok::<_, actix_web::Error>(piece), intake))
    });
    HttpResponse::Ok()
        .content_type("application/x-ndjson")
        .insert_header((header::CACHE_CONTROL, "no-store"))
        // Compression and buffering proxies would hold answers back.
        .insert_header((header::CONTENT_ENCODING, "identity"))
        .insert_header(("X-Accel-Buffering", "no"))
        .streaming(Box::pin(body))
}

/// What every item is submitted with.
struct Desk {
    core: Core,
    caller: Caller,
    batch: Batch,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Begins,
    Open,
    Over,
}

#[derive(Debug, Default)]
struct Counts {
    accepted: u64,
    refused: u64,
    replayed: u64,
}

/// What became of an item.
struct Answer {
    line: u64,
    key: Option<String>,
    bytes: usize,
    outcome: Result<Submitted, ApiError>,
}

/// An item that was read.
struct Read {
    line: u64,
    key: String,
    bytes: usize,
    item: BatchItem,
}

/// What happens next to an upload.
enum Event {
    Stopping,
    Answered(Box<Answer>),
    Line(Result<Option<(u64, Line)>, BrokenOff>),
}

/// One upload.
struct Intake {
    desk: Rc<Desk>,
    lines: Lines<Payload>,
    limit: usize,
    stopping: watch::Receiver<bool>,
    stage: Stage,
    under_way: FuturesOrdered<LocalBoxFuture<'static, Answer>>,
    /// The keys of the items that are under way.
    keys: HashSet<String>,
    bytes: usize,
    /// An item whose key is under way: it waits for the other, whose job it then gets.
    held_back: Option<Read>,
    uploaded: bool,
    counts: Counts,
    /// Until nothing more comes: its batch has no end before.
    receiving: Option<Receiving>,
    permit: Permit,
}

impl Intake {
    /// The next piece of the answer: as many lines as there are.
    async fn piece(&mut self) -> Option<Bytes> {
        match self.stage {
            Stage::Begins => {
                self.stage = Stage::Open;
                return Some(written(&json!({ "batch": self.desk.batch.id })).into());
            }
            Stage::Over => return None,
            Stage::Open => {}
        }
        loop {
            if self.uploaded && self.under_way.is_empty() && self.held_back.is_none() {
                self.stage = Stage::Over;
                if let Some(receiving) = self.receiving.take() {
                    receiving.end().await;
                }
                return Some(self.summary());
            }
            match self.next_event().await {
                // The sender sees no last line, and sends the file again, if they are still let in.
                Event::Stopping => return None,
                Event::Answered(answer) => return Some(self.answers(*answer)),
                Event::Line(Ok(Some((line, read)))) => self.take(line, read),
                Event::Line(Ok(None)) => self.uploaded = true,
                Event::Line(Err(broken)) => {
                    tracing::debug!(batch.id = %self.desk.batch.id, reason = broken.0, "an upload broke off");
                    return None;
                }
            }
        }
    }

    async fn next_event(&mut self) -> Event {
        let room = self.has_room();
        tokio::select! {
            biased;
            () = async { drop(self.stopping.wait_for(|stopping| *stopping).await) } => Event::Stopping,
            () = self.permit.lost() => Event::Stopping,
            Some(answer) = self.under_way.next() => Event::Answered(Box::new(answer)),
            line = self.lines.next(), if room => Event::Line(line),
        }
    }

    /// An answer, and those that are there already behind it.
    fn answers(&mut self, first: Answer) -> Bytes {
        let mut piece = self.answered(first);
        while let Some(Some(answer)) = self.under_way.next().now_or_never() {
            piece.extend(self.answered(answer));
        }
        self.begin_held_back();
        piece.into()
    }

    fn has_room(&self) -> bool {
        let full = self.under_way.len() >= SIDE_BY_SIDE || self.bytes >= BYTES_UNDER_WAY;
        !self.uploaded && !full && self.held_back.is_none()
    }

    fn take(&mut self, line: u64, read: Line) {
        let (bytes, read) = match read {
            Line::Whole(text) => (text.len(), item::read(&text)),
            Line::TooLong => {
                let message = format!("the line is longer than {} bytes", self.limit);
                let error = ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, Code::BodyTooLarge, message);
                self.refuse(line, None, error.with_details(json!({ "limitBytes": self.limit })));
                return;
            }
        };
        match read {
            Ok((key, item)) => {
                let read = Read { line, key, bytes, item };
                if self.keys.contains(&read.key) {
                    self.held_back = Some(read);
                } else {
                    self.begin(read);
                }
            }
            Err(refused) => {
                let NoItem { key, error } = *refused;
                self.refuse(line, key, error.into());
            }
        }
    }

    fn begin(&mut self, read: Read) {
        let Read { line, key, bytes, item } = read;
        self.keys.insert(key.clone());
        self.bytes += bytes;
        let desk = Rc::clone(&self.desk);
        self.under_way.push_back(Box::pin(async move {
            let outcome = jobs::submit_item(&desk.core, &desk.caller, &desk.batch, item).await;
            Answer { line, key: Some(key), bytes, outcome: outcome.map_err(ApiError::from) }
        }));
    }

    fn begin_held_back(&mut self) {
        if self.held_back.as_ref().is_some_and(|read| !self.keys.contains(&read.key))
            && let Some(read) = self.held_back.take()
        {
            self.begin(read);
        }
    }

    /// A refusal waits for its turn among the answers too.
    fn refuse(&mut self, line: u64, key: Option<String>, error: ApiError) {
        let answer = Answer { line, key, bytes: 0, outcome: Err(error) };
        self.under_way.push_back(Box::pin(std::future::ready(answer)));
    }

    fn answered(&mut self, answer: Answer) -> Vec<u8> {
        let Answer { line, key, bytes, outcome } = answer;
        self.bytes = self.bytes.saturating_sub(bytes);
        if let Some(key) = &key {
            self.keys.remove(key);
        }
        written(&match outcome {
            Ok(job) => {
                self.counts.accepted += 1;
                self.counts.replayed += u64::from(job.replayed);
                let seeds = match job.seeds {
                    Value::Object(seeds) => seeds,
                    _ => Map::new(),
                };
                ItemView {
                    line,
                    key,
                    id: Some(job.id.0),
                    seeds: Some(seeds),
                    replayed: Some(job.replayed),
                    error: None,
                }
            }
            Err(error) => {
                self.counts.refused += 1;
                ItemView { line, key, id: None, seeds: None, replayed: None, error: Some(error.into()) }
            }
        })
    }

    fn summary(&self) -> Bytes {
        let Counts { accepted, refused, replayed } = self.counts;
        let batch = self.desk.batch.id;
        written(&json!({
            "batch": batch, "accepted": accepted, "refused": refused, "replayed": replayed, "complete": true,
        }))
        .into()
    }
}

/// One line of the answer.
fn written(value: &impl serde::Serialize) -> Vec<u8> {
    let mut line = serde_json::to_vec(value).unwrap_or_default();
    line.push(b'\n');
    line
}
