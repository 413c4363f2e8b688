//! The live events of one job, as server-sent events.
//!
//! The stream begins with the state of things, then tells what happens, and ends after the last status. The row in
//! the database is the truth: it is read again while a job waits, and now and then while it runs, so that an event
//! which was lost (or happened on another node) is only late.

use std::time::Duration;

use actix_web::HttpResponse;
use actix_web::http::header;
use actix_web::rt::time::{Instant, interval_at, sleep_until};
use actix_web::web::Bytes;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use futures_util::stream;
use serde::Serialize;
use serde_json::json;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{mpsc, watch};
use verdigraph_core::Core;
use verdigraph_core::ids::JobId;
use verdigraph_core::jobs::{self, JobEvent, Status, Subscription};

use crate::caller::Caller;
use crate::error::Result;
use crate::job_views;
use crate::streams::Stream;
use crate::views::jobs::{ProgressView, QueueView, StatusView};

/// How often a silent stream shows that it lives; proxies close what is silent for a minute.
const HEARTBEAT: Duration = Duration::from_secs(15);
/// How often the row is read while the job waits: the place in the queue changes without an event.
const LOOK_WAITING: Duration = Duration::from_secs(2);
/// How often the row is read while the job runs.
const LOOK_RUNNING: Duration = Duration::from_secs(10);
/// Frames that a slow reader may be behind before the stream waits for it.
const BUFFERED: usize = 32;

/// The answer to a request for a job's events.
///
/// # Errors
/// There is no such job, or it is somebody else's.
pub async fn stream(
    core: Core,
    caller: Caller,
    job: JobId,
    after: Option<u64>,
    place: Stream,
    stopping: watch::Receiver<bool>,
) -> Result<HttpResponse> {
    // Listen first, read then: what happens in between is told twice rather than never.
    let subscription = jobs::subscribe(&core, &caller, job, after).await?;
    let status = StatusView::from(jobs::status(&core, &caller, job).await?);
    let (frames, mut receiver) = mpsc::channel::<Bytes>(BUFFERED);
    let told = Told { core, caller, job, frames, status: String::new(), queue: None };
    actix_web::rt::spawn(async move {
        // A reader that went away, or a row that cannot be read, ends the stream; the client comes back.
        drop(told.tell(subscription, status, stopping).await);
        drop(place);
    });
    let body =
        stream::poll_fn(move |context| receiver.poll_recv(context).map(|frame| frame.map(Ok::<_, actix_web::Error>)));
    Ok(HttpResponse::Ok()
        .content_type("text/event-stream")
        .insert_header((header::CACHE_CONTROL, "no-store"))
        // Compression and buffering proxies would hold events back.
        .insert_header((header::CONTENT_ENCODING, "identity"))
        .insert_header(("X-Accel-Buffering", "no"))
        .streaming(body))
}

/// Why a stream ends before the job does.
struct Ended;

/// One stream and what it has told.
struct Told {
    core: Core,
    caller: Caller,
    job: JobId,
    frames: mpsc::Sender<Bytes>,
    status: String,
    queue: Option<QueueView>,
}

impl Told {
    async fn tell(
        mut self,
        subscription: Subscription,
        first: StatusView,
        mut stopping: watch::Receiver<bool>,
    ) -> std::result::Result<(), Ended> {
        let Subscription { missed, mut live } = subscription;
        self.send(Bytes::from_static(b"retry: 2000\n\n")).await?;
        let mut waiting = first.status == Status::Pending.name();
        for (id, event) in missed {
            // The row says where the job is now; of what was missed only the way there is told.
            if !matches!(&event, JobEvent::Status(_)) {
                self.event(id, event).await?;
            }
        }
        if self.status(None, first).await? {
            return Ok(());
        }
        let mut heartbeat = interval_at(Instant::now() + HEARTBEAT, HEARTBEAT);
        loop {
            let look = Instant::now() + if waiting { LOOK_WAITING } else { LOOK_RUNNING };
            tokio::select! {
                event = live.recv() => match event {
                    Ok((id, JobEvent::Status(status))) => {
                        waiting = status == Status::Pending;
                        if self.look(Some(id)).await? {
                            return Ok(());
                        }
                    }
                    Ok((id, event)) => self.event(id, event).await?,
                    Err(RecvError::Lagged(_)) => if self.look(None).await? { return Ok(()) },
                    Err(RecvError::Closed) => return Ok(()),
                },
                () = sleep_until(look) => if self.look(None).await? { return Ok(()) },
                _ = heartbeat.tick() => self.send(Bytes::from_static(b": alive\n\n")).await?,
                _ = stopping.wait_for(|stopping| *stopping) => return Ok(()),
            }
        }
    }

    /// Reads the row and tells what is new; `true` after the last status.
    async fn look(&mut self, id: Option<u64>) -> std::result::Result<bool, Ended> {
        let status = jobs::status(&self.core, &self.caller, self.job).await.map_err(|error| {
            tracing::warn!(job.id = %self.job, %error, "a job's status could not be read for its stream");
            Ended
        })?;
        self.status(id, StatusView::from(status)).await
    }

    /// Tells the status and the place in the queue where they changed; `true` after the last status.
    async fn status(&mut self, id: Option<u64>, view: StatusView) -> std::result::Result<bool, Ended> {
        if self.status != view.status {
            view.status.clone_into(&mut self.status);
            if view.status == Status::Done.name() {
                let outputs = job_views::outputs(&self.core, &self.caller, self.job).await.map_err(|_| Ended)?;
                self.send(frame(None, "outputs", &outputs)).await?;
            }
            self.send(frame(id, "status", &view)).await?;
            let last = view.status.parse().is_ok_and(Status::is_terminal);
            if last {
                return Ok(true);
            }
        }
        if view.queue.is_some() && view.queue != self.queue {
            self.send(frame(None, "queue", &view.queue)).await?;
        }
        self.queue = view.queue;
        Ok(false)
    }

    async fn event(&self, id: u64, event: JobEvent) -> std::result::Result<(), Ended> {
        match event {
            JobEvent::Progress(progress) => self.send(frame(Some(id), "progress", &ProgressView::from(progress))).await,
            JobEvent::Preview(preview) => {
                let data = BASE64_STANDARD.encode(&preview.bytes);
                let body = json!({ "contentType": preview.content_type, "nodeId": preview.node_id, "data": data });
                self.send(frame(None, "preview", &body)).await
            }
            JobEvent::Status(_) => Ok(()),
        }
    }

    async fn send(&self, frame: Bytes) -> std::result::Result<(), Ended> {
        self.frames.send(frame).await.map_err(|_| Ended)
    }
}

/// One event; JSON has no line breaks of its own, so one `data` line is enough.
fn frame(id: Option<u64>, name: &str, data: &impl Serialize) -> Bytes {
    let id = id.map(|id| format!("id: {id}\n")).unwrap_or_default();
    let data = serde_json::to_string(data).unwrap_or_else(|_| "null".to_owned());
    Bytes::from(format!("{id}event: {name}\ndata: {data}\n\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_with_line_breaks_stays_one_event() {
        let bytes = frame(Some(7), "status", &json!({ "text": "a\n\nb" }));
        let text = String::from_utf8(bytes.to_vec()).unwrap();
        assert_eq!(text, "id: 7\nevent: status\ndata: {\"text\":\"a\\n\\nb\"}\n\n");
    }
}
