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
use tokio::sync::watch;
use verdigraph_core::Core;
use verdigraph_core::ids::JobId;
use verdigraph_core::jobs::{self, EventSubscription, JobEvent, JobStatus, Status};

use crate::caller::Caller;
use crate::error::Result;
use crate::event_stream::{self, JobFrames, LiveEvents, frame};
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
        out: JobFrames {
            live: LiveEvents { events: live, heartbeat: event_stream::heartbeat(), stopping, permit },
            ready: VecDeque::from([Bytes::from_static(b"retry: 2000\n\n")]),
            ended: false,
        },
        status: "",
        queue: None,
        seen,
    };
    for (id, event) in missed {
        // The row has the current status; missed events only told how it was reached.
        if !matches!(&event, JobEvent::Status(_)) {
            events.event(id, event);
        }
    }
    events.send_status(None, status).await?;
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
    out: JobFrames,
    status: &'static str,
    queue: Option<QueueView>,
    /// The last event that was sent, or that the client saw on an earlier connection.
    seen: u64,
}

impl JobStream {
    async fn next(&mut self) -> Option<Bytes> {
        event_stream::next_frame(self, |stream| &mut stream.out, Self::changed, Self::event).await
    }

    /// Sends what changed. A client that missed events gets the current status, or only the progress if it has the status.
    async fn changed(&mut self, id: Option<u64>) {
        let latest = if id.is_none() { self.core.queue.events().latest(self.job) } else { None };
        match latest {
            Some((status, progress)) if status.name() == self.status => {
                self.out.ready.extend(progress.map(|it| frame(None, "progress", &ProgressView::from(it))));
            }
            _ => self.refresh(id).await,
        }
    }

    /// Reads the row and sends what changed. If the row cannot be read the stream ends, and the client reconnects.
    async fn refresh(&mut self, id: Option<u64>) {
        let sent = match jobs::status(&self.core, &self.caller, self.job).await {
            Ok(status) => self.send_status(id, status).await,
            Err(error) => Err(error),
        };
        if let Err(error) = sent {
            tracing::warn!(job.id = %self.job, %error, "a stream could not read its job");
            self.out.ended = true;
        }
    }

    /// Sends status and queue position if they changed, and the outputs made before the job's end.
    async fn send_status(&mut self, id: Option<u64>, read: JobStatus) -> verdigraph_core::Result<()> {
        let status = read.job.status;
        let is_new = self.status != status.name();
        if is_new && status == Status::Done {
            let outputs = job_views::outputs_of(&self.core, &self.caller, &read.job).await?;
            self.out.ready.push_back(frame(None, "outputs", &outputs));
        }
        let view = StatusView::from(read);
        if is_new {
            self.status = view.status;
            self.out.ready.push_back(frame(id, "status", &view));
            self.out.ended = status.is_terminal();
        }
        self.send_queue(view.queue);
        Ok(())
    }

    fn send_queue(&mut self, queue: Option<QueueView>) {
        if queue.is_some() && queue != self.queue {
            self.out.ready.push_back(frame(None, "queue", &queue));
        }
        self.queue = queue;
    }

    fn event(&mut self, id: u64, event: JobEvent) {
        match event {
            JobEvent::Progress(_) if id <= self.seen => {}
            JobEvent::Progress(progress) => {
                self.seen = id;
                self.out.ready.push_back(frame(Some(id), "progress", &ProgressView::from(progress)));
            }
            JobEvent::Preview(preview) => {
                let data = BASE64_STANDARD.encode(&preview.bytes);
                let body = json!({ "contentType": preview.content_type, "nodeId": preview.node_id, "data": data });
                self.out.ready.push_back(frame(None, "preview", &body));
            }
            JobEvent::Position(place) => self.send_queue(Some(place.into())),
            JobEvent::Status(_) | JobEvent::Client(_) => {}
        }
    }
}
