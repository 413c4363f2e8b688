//! The live events of one job, as server-sent events.
//!
//! The stream begins with the current status, continues with changes, and ends after the final status. It reads the
//! database only when an event announces a change of status. Events of other nodes and queue positions are followed for
//! all streams of a node together (see `verdigraph_core::jobs`). So an idle stream costs a connection, a few kilobytes
//! and a heartbeat.

use std::collections::VecDeque;

use actix_web::HttpResponse;
use actix_web::web::Bytes;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use futures_util::stream;
use serde_json::json;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::watch;
use verdigraph_core::Core;
use verdigraph_core::ids::JobId;
use verdigraph_core::jobs::{self, EventSubscription, JobEvent, Status};

use crate::caller::Caller;
use crate::error::Result;
use crate::event_stream::{self, ALIVE, LiveEvents, StreamEvent, frame};
use crate::job_views;
use crate::streams::StreamPermit;
use crate::views::jobs::{ProgressView, QueueView, StatusView};

/// The response to a request for a job's events.
pub async fn stream(
    core: Core,
    caller: Caller,
    job: JobId,
    after: Option<u64>,
    permit: StreamPermit,
    stopping: watch::Receiver<bool>,
) -> Result<HttpResponse> {
    let (status, EventSubscription { missed, seen, live }) = jobs::subscribe(&core, &caller, job, after).await?;
    let mut events = JobStream {
        core,
        caller,
        job,
        live: LiveEvents { events: live, heartbeat: event_stream::heartbeat(), stopping, permit },
        frames: VecDeque::from([Bytes::from_static(b"retry: 2000\n\n")]),
        status: "",
        queue: None,
        seen,
        ended: false,
    };
    for (id, event) in missed {
        // The row has the current status; missed events only told how it was reached.
        if !matches!(&event, JobEvent::Status(_)) {
            events.event(id, event);
        }
    }
    events.send_status(None, StatusView::from(status)).await?;
    let body = stream::unfold(events, |mut events| async move {
        let frame = events.next().await?;
        Some((Ok::<_, actix_web::Error>(frame), events))
    });
    Ok(event_stream::answer(body))
}

/// One stream and what it last sent. A slow client is not waited for: when it missed too many events, it gets the
/// current status instead.
struct JobStream {
    core: Core,
    caller: Caller,
    job: JobId,
    live: LiveEvents<(u64, JobEvent)>,
    /// Frames ready to be sent.
    frames: VecDeque<Bytes>,
    status: &'static str,
    queue: Option<QueueView>,
    /// The last event that was sent, or that the client saw on an earlier connection.
    seen: u64,
    ended: bool,
}

impl JobStream {
    /// The next frame; `None` after the final status, or when the client should reconnect.
    async fn next(&mut self) -> Option<Bytes> {
        loop {
            if let Some(frame) = self.frames.pop_front() {
                return Some(frame);
            }
            if self.ended {
                return None;
            }
            match self.live.next().await {
                // Boxed: reading the database takes far more stack than a stream that waits.
                StreamEvent::Event(Ok((id, JobEvent::Status(_)))) => Box::pin(self.refresh(Some(id))).await,
                StreamEvent::Event(Ok((id, event))) => self.event(id, event),
                StreamEvent::Event(Err(RecvError::Lagged(_))) => self.catch_up().await,
                StreamEvent::Event(Err(RecvError::Closed)) | StreamEvent::Stop => self.ended = true,
                StreamEvent::Heartbeat => self.frames.push_back(ALIVE),
            }
        }
    }

    /// Sends the current status to a client that missed events.
    async fn catch_up(&mut self) {
        match self.core.queue.events().latest(self.job) {
            Some((status, progress)) if status.name() == self.status => {
                self.frames.extend(progress.map(|it| frame(None, "progress", &ProgressView::from(it))));
            }
            _ => Box::pin(self.refresh(None)).await,
        }
    }

    /// Reads the row and sends what changed. If the row cannot be read the stream ends, and the client reconnects.
    async fn refresh(&mut self, id: Option<u64>) {
        let sent = match jobs::status(&self.core, &self.caller, self.job).await {
            Ok(status) => self.send_status(id, StatusView::from(status)).await,
            Err(error) => Err(error),
        };
        if let Err(error) = sent {
            tracing::warn!(job.id = %self.job, %error, "a stream could not read its job");
            self.ended = true;
        }
    }

    /// Sends status and queue position if they changed, and the outputs made before the job's end.
    async fn send_status(&mut self, id: Option<u64>, view: StatusView) -> verdigraph_core::Result<()> {
        if self.status != view.status {
            self.status = view.status;
            if view.status == Status::Done.name() {
                let outputs = job_views::outputs(&self.core, &self.caller, self.job).await?;
                self.frames.push_back(frame(None, "outputs", &outputs));
            }
            self.frames.push_back(frame(id, "status", &view));
            self.ended = view.status.parse().is_ok_and(Status::is_terminal);
        }
        self.send_queue(view.queue);
        Ok(())
    }

    fn send_queue(&mut self, queue: Option<QueueView>) {
        if queue.is_some() && queue != self.queue {
            self.frames.push_back(frame(None, "queue", &queue));
        }
        self.queue = queue;
    }

    fn event(&mut self, id: u64, event: JobEvent) {
        match event {
            JobEvent::Progress(_) if id <= self.seen => {}
            JobEvent::Progress(progress) => {
                self.seen = id;
                self.frames.push_back(frame(Some(id), "progress", &ProgressView::from(progress)));
            }
            JobEvent::Preview(preview) => {
                let data = BASE64_STANDARD.encode(&preview.bytes);
                let body = json!({ "contentType": preview.content_type, "nodeId": preview.node_id, "data": data });
                self.frames.push_back(frame(None, "preview", &body));
            }
            JobEvent::Position(place) => self.send_queue(Some(place.into())),
            JobEvent::Status(_) | JobEvent::Client(_) => {}
        }
    }
}
