//! The wait for a job: silent, or as server-sent events with the progress and then the answer.
//!
//! A wait counts as a live stream of its account. Where the account or the node has too many, the job is told of as it
//! is, and the client asks again. A client that goes away ends the wait, not the job.

use std::collections::VecDeque;
use std::time::Duration;

use actix_web::rt::time::{Instant, sleep_until};
use actix_web::web::{Bytes, Data};
use actix_web::{HttpRequest, HttpResponse};
use futures_util::stream;
use serde_json::{Value, json};
use tokio::sync::broadcast::error::RecvError;
use verdigraph_core::Error;
use verdigraph_core::ids::JobId;
use verdigraph_core::jobs::{self, EventSubscription, JobEvent};

use super::outcome::{Context, ToolResult, Waiting};
use super::protocol::Call;
use super::tools;
use crate::caller::auth_watch;
use crate::edge::Edge;
use crate::event_stream::{self, ALIVE, LiveEvents, StreamEvent, frame};

/// Clients give a stream up that is silent for a minute.
const HEARTBEAT: Duration = Duration::from_secs(15);
/// The progress of the whole work.
const TOTAL: f64 = 100.0;
/// Progress must increase with each notification, also where only its message changes.
const STEP: f64 = 0.001;

/// A job that is waited for.
pub struct JobWatch {
    context: Context,
    job: JobId,
    live: LiveEvents<(u64, JobEvent)>,
    until: Instant,
    is_over: bool,
}

/// What happened during a wait.
enum Step {
    /// The part of the work that is done, from 0 to 1, and what goes on.
    Progress(f64, String),
    Alive,
    /// The job has ended, or the time is over.
    Over,
}

impl JobWatch {
    /// Begins a wait; `None` where there is nothing to wait for, or no room to wait. The job stays in any case, so
    /// nothing here fails the call.
    pub async fn begin(context: &Context, edge: &Data<Edge>, request: &HttpRequest, waiting: &Waiting) -> Option<Self> {
        if waiting.seconds == 0 {
            return None;
        }
        let begun = Self::subscribe(context, edge, request, waiting).await;
        let refused =
            |error: &Error| tracing::debug!(job.id = %waiting.job, %error, "a call does not wait for its job");
        begun.inspect_err(refused).ok()
    }

    async fn subscribe(
        context: &Context,
        edge: &Data<Edge>,
        request: &HttpRequest,
        waiting: &Waiting,
    ) -> Result<Self, Error> {
        let (core, caller) = (&context.core, &context.caller);
        let opened = edge.streams.open(&*core.shared, caller.signed_in()?).await?;
        let permit = opened.of(auth_watch(core, request).await?);
        let (status, EventSubscription { live: events, .. }) = jobs::subscribe(core, caller, waiting.job, None).await?;
        let heartbeat = event_stream::heartbeat_every(HEARTBEAT);
        Ok(Self {
            context: context.clone(),
            job: waiting.job,
            live: LiveEvents { events, heartbeat, stopping: edge.stopping(), permit },
            until: Instant::now() + Duration::from_secs(waiting.seconds),
            is_over: status.job.status.is_terminal(),
        })
    }

    /// Waits in silence.
    pub async fn end(mut self) {
        while !matches!(self.next().await, Step::Over) {}
    }

    async fn next(&mut self) -> Step {
        while !self.is_over {
            let event = tokio::select! {
                () = sleep_until(self.until) => return Step::Over,
                event = self.live.next() => event,
            };
            match event {
                StreamEvent::Event(Ok((_, JobEvent::Progress(progress)))) => {
                    return Step::Progress(progress.share(), progress.node_title);
                }
                StreamEvent::Event(Ok((_, JobEvent::Position(place)))) => {
                    return Step::Progress(0.0, format!("place {} in the queue", place.position));
                }
                StreamEvent::Event(Ok((_, JobEvent::Status(_))) | Err(RecvError::Lagged(_))) => {
                    // Boxed: reading the database takes far more stack than a stream that waits.
                    return Box::pin(self.refresh()).await;
                }
                StreamEvent::Event(Ok((_, JobEvent::Preview(_) | JobEvent::Client(_)))) => {}
                StreamEvent::Heartbeat => return Step::Alive,
                StreamEvent::Event(Err(RecvError::Closed)) | StreamEvent::Stop => self.is_over = true,
            }
        }
        Step::Over
    }

    /// Reads the row. If that fails the wait ends, and the answer has the error.
    async fn refresh(&mut self) -> Step {
        match jobs::status(&self.context.core, &self.context.caller, self.job).await {
            Ok(status) if !status.job.status.is_terminal() => {
                let done = status.progress.map_or(0.0, |progress| progress.share());
                Step::Progress(done, status.job.status.name().to_owned())
            }
            Ok(_) | Err(_) => {
                self.is_over = true;
                Step::Over
            }
        }
    }
}

/// The result after a wait.
pub async fn result(context: &Context, waiting: &Waiting) -> Value {
    let waited = tools::waited(context, waiting).await;
    waited.unwrap_or_else(ToolResult::from).into_value()
}

/// The response that sends the progress of a job to `token`, and then the answer to the call.
pub fn progress(watch: JobWatch, waiting: Waiting, call: Box<Call>, token: Value) -> HttpResponse {
    let begun = frame_of(&notification(&token, 0.0, "the job was accepted"));
    let progress = Progress { watch, waiting, call, token, frames: VecDeque::from([begun]), sent: 0.0, is_over: false };
    event_stream::answer(stream::unfold(progress, |mut progress| async move {
        let frame = progress.next().await?;
        Some((Ok::<_, actix_web::Error>(frame), progress))
    }))
}

/// A stream and what it last sent.
struct Progress {
    watch: JobWatch,
    waiting: Waiting,
    call: Box<Call>,
    token: Value,
    frames: VecDeque<Bytes>,
    sent: f64,
    is_over: bool,
}

impl Progress {
    /// The next frame; `None` after the answer.
    async fn next(&mut self) -> Option<Bytes> {
        if let Some(frame) = self.frames.pop_front() {
            return Some(frame);
        }
        if self.is_over {
            return None;
        }
        Some(match self.watch.next().await {
            Step::Progress(done, message) => {
                self.sent = (done * TOTAL).max(self.sent + STEP);
                frame_of(&notification(&self.token, self.sent, &message))
            }
            Step::Alive => ALIVE,
            Step::Over => {
                self.is_over = true;
                let result = Box::pin(result(&self.watch.context, &self.waiting)).await;
                frame_of(&self.call.answer(result))
            }
        })
    }
}

fn notification(token: &Value, progress: f64, message: &str) -> Value {
    let params = json!({ "progressToken": token, "progress": progress, "total": TOTAL, "message": message });
    json!({ "jsonrpc": "2.0", "method": "notifications/progress", "params": params })
}

fn frame_of(message: &Value) -> Bytes {
    frame(None, "message", message)
}
