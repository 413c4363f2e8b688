//! The live events of one job, as server-sent events.
//!
//! The stream begins with the state of things, then tells what happens, and ends after the last status. It asks the
//! database when an event says that the status changed, and never by itself: what happens on other nodes, and places in
//! the queue, are followed for all streams of a node together (see `verdigraph_core::jobs`). So a stream on which
//! nothing happens costs its connection, a few kilobytes, and a heartbeat.

use std::collections::VecDeque;

use actix_web::HttpResponse;
use actix_web::rt::time::Interval;
use actix_web::web::Bytes;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use futures_util::stream;
use serde_json::json;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::watch;
use verdigraph_core::Core;
use verdigraph_core::ids::JobId;
use verdigraph_core::jobs::{self, JobEvent, Status, Subscription};

use crate::caller::Caller;
use crate::error::Result;
use crate::event_stream::{self, ALIVE, frame};
use crate::job_views;
use crate::streams::{Call, Permit};
use crate::views::jobs::{ProgressView, QueueView, StatusView};

/// The answer to a request for a job's events.
///
/// # Errors
/// There is no such job, or it is somebody else's.
pub async fn stream(
    core: Core,
    caller: Caller,
    job: JobId,
    after: Option<u64>,
    permit: Permit,
    stopping: watch::Receiver<bool>,
) -> Result<HttpResponse> {
    let (status, Subscription { missed, seen, live }) = jobs::subscribe(&core, &caller, job, after).await?;
    let mut told = Told {
        core,
        caller,
        job,
        live,
        heartbeat: event_stream::heartbeat(),
        stopping,
        frames: VecDeque::from([Bytes::from_static(b"retry: 2000\n\n")]),
        status: "",
        queue: None,
        seen,
        ended: false,
        permit,
    };
    for (id, event) in missed {
        // The row says where the job is now; of what was missed only the way there is told.
        if !matches!(&event, JobEvent::Status(_)) {
            told.event(id, event);
        }
    }
    told.tell(None, StatusView::from(status)).await?;
    let body = stream::unfold(told, |mut told| async move {
        let frame = told.next().await?;
        Some((Ok::<_, actix_web::Error>(frame), told))
    });
    Ok(event_stream::answer(body))
}

/// One stream and what it has told. A reader that does not read is not waited for: it is asked for the next frame when
/// it takes one, and is then told the state of things where it has missed too much.
struct Told {
    core: Core,
    caller: Caller,
    job: JobId,
    live: Receiver<(u64, JobEvent)>,
    heartbeat: Interval,
    stopping: watch::Receiver<bool>,
    /// What is ready to be sent.
    frames: VecDeque<Bytes>,
    status: &'static str,
    queue: Option<QueueView>,
    /// The last event that was told, or that the reader has seen elsewhere.
    seen: u64,
    ended: bool,
    /// Held for as long as the stream is open.
    permit: Permit,
}

/// What a stream waits for.
enum Happened {
    Event(std::result::Result<(u64, JobEvent), RecvError>),
    /// For so long, or with so little room, that the stream must say that it lives.
    Nothing,
    /// The node is about to stop, or the reader is let in no more.
    Stop,
}

impl Told {
    /// The next frame; none after the last status, or where the client shall come back.
    async fn next(&mut self) -> Option<Bytes> {
        loop {
            if let Some(frame) = self.frames.pop_front() {
                return Some(frame);
            }
            if self.ended {
                return None;
            }
            let happened = tokio::select! {
                event = self.live.recv() => Happened::Event(event),
                _ = self.heartbeat.tick() => Happened::Nothing,
                _ = self.stopping.wait_for(|stopping| *stopping) => Happened::Stop,
                call = self.permit.called() => match call {
                    Call::Speak => Happened::Nothing,
                    Call::Leave => Happened::Stop,
                },
            };
            match happened {
                // Boxed, because a look at the database takes far more room than a stream that waits.
                Happened::Event(Ok((id, JobEvent::Status(_)))) => Box::pin(self.look(Some(id))).await,
                Happened::Event(Ok((id, event))) => self.event(id, event),
                Happened::Event(Err(RecvError::Lagged(_))) => self.catch_up().await,
                Happened::Event(Err(RecvError::Closed)) | Happened::Stop => self.ended = true,
                Happened::Nothing => self.frames.push_back(ALIVE),
            }
        }
    }

    /// Tells the state of things to a reader that was too slow for the events.
    async fn catch_up(&mut self) {
        match self.core.queue.events().latest(self.job) {
            Some((status, progress)) if status.name() == self.status => {
                self.frames.extend(progress.map(|it| frame(None, "progress", &ProgressView::from(it))));
            }
            _ => Box::pin(self.look(None)).await,
        }
    }

    /// Reads the row and tells what is new. A row that cannot be read ends the stream; the client comes back.
    async fn look(&mut self, id: Option<u64>) {
        let told = match jobs::status(&self.core, &self.caller, self.job).await {
            Ok(status) => self.tell(id, StatusView::from(status)).await,
            Err(error) => Err(error),
        };
        if let Err(error) = told {
            tracing::warn!(job.id = %self.job, %error, "a job could not be read for its stream");
            self.ended = true;
        }
    }

    /// Tells the status and the place in the queue where they changed, and what the job made before its end.
    async fn tell(&mut self, id: Option<u64>, view: StatusView) -> verdigraph_core::Result<()> {
        if self.status != view.status {
            self.status = view.status;
            if view.status == Status::Done.name() {
                let outputs = job_views::outputs(&self.core, &self.caller, self.job).await?;
                self.frames.push_back(frame(None, "outputs", &outputs));
            }
            self.frames.push_back(frame(id, "status", &view));
            self.ended = view.status.parse().is_ok_and(Status::is_terminal);
        }
        self.tell_place(view.queue);
        Ok(())
    }

    fn tell_place(&mut self, queue: Option<QueueView>) {
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
            JobEvent::Position(place) => self.tell_place(Some(place.into())),
            JobEvent::Status(_) => {}
        }
    }
}
