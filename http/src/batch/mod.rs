//! Streams a batch: reads items from the upload, submits them concurrently, and answers in their order while the upload
//! continues.
//!
//! A limited number of items is in flight; at the limit the upload is not read, which slows the sender down. The work
//! is driven by reading the response: it ends with the connection, and what was committed by then stays.

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
use verdigraph_core::jobs::{self, Batch, BatchItem, BatchUpload, RunTerms, Submitted};
use verdigraph_core::{Code, Core};

pub use item::{ItemBody, RunParts};

use crate::caller::Caller;
use crate::error::ApiError;
use crate::streams::StreamPermit;
use crate::views::batches::ItemView;
use item::InvalidItem;
use lines::{Line, Lines, UploadInterrupted};

/// Items that are submitted concurrently. They share commits, so more would only delay the answers.
const MAX_CONCURRENT: usize = 256;
/// Bytes of items in flight; one item always is, however large.
const MAX_PENDING_BYTES: usize = 8 << 20;

/// The response to an upload: a line for each item, and a last one with the counts if the upload was complete. The terms are
/// those of items without their own.
#[must_use]
pub fn stream(
    core: Core,
    caller: Caller,
    (batch, open_upload, terms): (Batch, BatchUpload, RunTerms),
    upload: Payload,
    permit: StreamPermit,
    stopping: watch::Receiver<bool>,
) -> HttpResponse {
    let limit = core.settings.limits.json_bytes;
    let upload_stream = UploadStream {
        context: Rc::new(SubmitContext { core, caller, batch, terms }),
        lines: Lines::new(upload, limit),
        limit,
        stopping,
        stage: Stage::Start,
        pending: FuturesOrdered::new(),
        keys: HashSet::new(),
        bytes: 0,
        deferred: None,
        uploaded: false,
        counts: Counts::default(),
        open_upload: Some(open_upload),
        permit,
    };
    let body = stream::unfold(upload_stream, |mut upload_stream| async move {
        let piece = upload_stream.piece().await?;
        Some((Ok::<_, actix_web::Error>(piece), upload_stream))
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
struct SubmitContext {
    core: Core,
    caller: Caller,
    batch: Batch,
    /// Of items without their own.
    terms: RunTerms,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Start,
    Items,
    End,
}

#[derive(Debug, Default)]
struct Counts {
    accepted: u64,
    refused: u64,
    replayed: u64,
}

/// The outcome of an item.
struct Outcome {
    line: u64,
    key: Option<String>,
    bytes: usize,
    outcome: Result<Submitted, ApiError>,
}

/// A parsed item.
struct ParsedItem {
    line: u64,
    key: String,
    bytes: usize,
    item: BatchItem,
}

/// The next event of an upload.
enum Event {
    Stopping,
    Finished(Box<Outcome>),
    Line(Result<Option<(u64, Line)>, UploadInterrupted>),
}

/// One upload.
struct UploadStream {
    context: Rc<SubmitContext>,
    lines: Lines<Payload>,
    limit: usize,
    stopping: watch::Receiver<bool>,
    stage: Stage,
    pending: FuturesOrdered<LocalBoxFuture<'static, Outcome>>,
    /// The keys of the items in flight.
    keys: HashSet<String>,
    bytes: usize,
    /// An item whose key is in flight: it waits for the other one, and then gets the same job.
    deferred: Option<ParsedItem>,
    uploaded: bool,
    counts: Counts,
    /// Taken at the end of the upload; the batch cannot end before.
    open_upload: Option<BatchUpload>,
    permit: StreamPermit,
}

impl UploadStream {
    /// The next piece of the response: as many lines as are ready.
    async fn piece(&mut self) -> Option<Bytes> {
        match self.stage {
            Stage::Start => {
                self.stage = Stage::Items;
                return Some(written(&json!({ "batch": self.context.batch.id })).into());
            }
            Stage::End => return None,
            Stage::Items => {}
        }
        loop {
            if self.uploaded && self.pending.is_empty() && self.deferred.is_none() {
                self.stage = Stage::End;
                if let Some(open_upload) = self.open_upload.take() {
                    open_upload.end().await;
                }
                return Some(self.summary());
            }
            match self.next_event().await {
                // Without a last line the client knows to send the file again, if it is still authorized.
                Event::Stopping => return None,
                Event::Finished(answer) => return Some(self.answers(*answer)),
                Event::Line(Ok(Some((line, read)))) => self.take(line, read),
                Event::Line(Ok(None)) => self.uploaded = true,
                Event::Line(Err(broken)) => {
                    tracing::debug!(batch.id = %self.context.batch.id, reason = broken.0, "an upload was interrupted");
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
            () = self.permit.revoked() => Event::Stopping,
            Some(answer) = self.pending.next() => Event::Finished(Box::new(answer)),
            line = self.lines.next(), if room => Event::Line(line),
        }
    }

    /// An answer, and those behind it that are ready.
    fn answers(&mut self, first: Outcome) -> Bytes {
        let mut piece = self.answered(first);
        while let Some(Some(answer)) = self.pending.next().now_or_never() {
            piece.extend(self.answered(answer));
        }
        self.begin_deferred();
        piece.into()
    }

    fn has_room(&self) -> bool {
        let full = self.pending.len() >= MAX_CONCURRENT || self.bytes >= MAX_PENDING_BYTES;
        !self.uploaded && !full && self.deferred.is_none()
    }

    fn take(&mut self, line: u64, read: Line) {
        let (bytes, read) = match read {
            Line::Whole(text) => (text.len(), item::parse(&text, &self.context.terms)),
            Line::TooLong => {
                let message = format!("the line is longer than {} bytes", self.limit);
                let error = ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, Code::BodyTooLarge, message);
                self.refuse(line, None, error.with_details(json!({ "limitBytes": self.limit })));
                return;
            }
        };
        match read {
            Ok((key, item)) => {
                let read = ParsedItem { line, key, bytes, item };
                if self.keys.contains(&read.key) {
                    self.deferred = Some(read);
                } else {
                    self.begin(read);
                }
            }
            Err(refused) => {
                let InvalidItem { key, error } = *refused;
                self.refuse(line, key, error.into());
            }
        }
    }

    fn begin(&mut self, read: ParsedItem) {
        let ParsedItem { line, key, bytes, item } = read;
        self.keys.insert(key.clone());
        self.bytes += bytes;
        let context = Rc::clone(&self.context);
        self.pending.push_back(Box::pin(async move {
            let outcome = jobs::submit_item(&context.core, &context.caller, &context.batch, item).await;
            Outcome { line, key: Some(key), bytes, outcome: outcome.map_err(ApiError::from) }
        }));
    }

    fn begin_deferred(&mut self) {
        if self.deferred.as_ref().is_some_and(|read| !self.keys.contains(&read.key))
            && let Some(read) = self.deferred.take()
        {
            self.begin(read);
        }
    }

    /// A refusal keeps its place among the answers too.
    fn refuse(&mut self, line: u64, key: Option<String>, error: ApiError) {
        let answer = Outcome { line, key, bytes: 0, outcome: Err(error) };
        self.pending.push_back(Box::pin(std::future::ready(answer)));
    }

    fn answered(&mut self, answer: Outcome) -> Vec<u8> {
        let Outcome { line, key, bytes, outcome } = answer;
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
        let batch = self.context.batch.id;
        written(&json!({
            "batch": batch, "accepted": accepted, "refused": refused, "replayed": replayed, "complete": true,
        }))
        .into()
    }
}

/// One line of the response.
fn written(value: &impl serde::Serialize) -> Vec<u8> {
    let mut line = serde_json::to_vec(value).unwrap_or_default();
    line.push(b'\n');
    line
}
