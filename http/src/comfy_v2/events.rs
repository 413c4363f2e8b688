//! The events of a job as server-sent events of Comfy API v2: `status`, `progress`, `preview` and `output`.
//!
//! There are no ids and no replay: a stream begins with the current status, and ends after the final one.

use std::collections::VecDeque;
use std::time::Duration;

use actix_web::HttpResponse;
use actix_web::web::Bytes;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use futures_util::stream;
use serde_json::json;
use tokio::sync::watch;
use verdigraph_core::Core;
use verdigraph_core::ids::JobId;
use verdigraph_core::jobs::{self, EventSubscription, JobEvent, JobStatus};

use super::errors::{ComfyError, Result};
use super::file_views::outputs;
use super::views::{ComfyProgress, StatusEvent};
use crate::caller::Caller;
use crate::event_stream::{self, JobFrames, LiveEvents, frame};
use crate::streams::StreamPermit;

/// SDKs give a stream up that is silent for 45 seconds.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// The response to a request for the events of a job of the caller, with addresses below that of the site.
pub async fn stream(
    core: Core,
    caller: Caller,
    (job, site): (JobId, String),
    permit: StreamPermit,
    stopping: watch::Receiver<bool>,
) -> Result<HttpResponse> {
    let subscribed = jobs::subscribe(&core, &caller, job, None).await.map_err(ComfyError::about("job_not_found"));
    let (status, EventSubscription { live: events, .. }) = subscribed?;
    let heartbeat = event_stream::heartbeat_every(HEARTBEAT);
    let live = LiveEvents { events, heartbeat, stopping, permit };
    let out = JobFrames { live, ready: VecDeque::new(), ended: false };
    let mut events = ComfyStream { core, caller, job, site, out, sent: None };
    events.send(status).await?;
    let body = stream::unfold(events, |mut events| async move {
        let frame = events.next().await?;
        Some((Ok::<_, actix_web::Error>(frame), events))
    });
    Ok(event_stream::answer(body))
}

/// One stream and what it last sent.
struct ComfyStream {
    core: Core,
    caller: Caller,
    job: JobId,
    site: String,
    out: JobFrames,
    sent: Option<StatusEvent>,
}

impl ComfyStream {
    async fn next(&mut self) -> Option<Bytes> {
        event_stream::next_frame(
            self,
            |stream| &mut stream.out,
            async |stream, _| stream.refresh().await,
            |stream, _, event| stream.event(event),
        )
        .await
    }

    /// Reads the row and sends what changed. If the row cannot be read the stream ends, and the client reconnects.
    async fn refresh(&mut self) {
        let sent = match jobs::status(&self.core, &self.caller, self.job).await {
            Ok(status) => self.send(status).await,
            Err(error) => Err(error),
        };
        if let Err(error) = sent {
            tracing::warn!(job.id = %self.job, %error, "a stream could not read its job");
            self.out.ended = true;
        }
    }

    /// Sends the status if it changed. Clients stop reading at the final status, so the outputs come before it.
    async fn send(&mut self, status: JobStatus) -> verdigraph_core::Result<()> {
        let event = StatusEvent::of(&status);
        if self.sent.as_ref() != Some(&event) {
            // The first event is the status: a client that comes late reads the outputs from the job.
            if self.sent.is_some() {
                for output in outputs(&self.core, &self.caller, &self.site, &status.job).await?.made {
                    self.out.ready.push_back(frame(None, "output", &output));
                }
            }
            self.out.ready.push_back(frame(None, "status", &event));
            self.sent = Some(event);
        }
        self.out.ended = status.job.status.is_terminal();
        if let Some(progress) = status.progress {
            self.event(JobEvent::Progress(progress));
        }
        Ok(())
    }

    fn event(&mut self, event: JobEvent) {
        match event {
            JobEvent::Progress(progress) => {
                self.out.ready.push_back(frame(None, "progress", &ComfyProgress::from(progress)));
            }
            JobEvent::Preview(preview) => {
                let data = BASE64_STANDARD.encode(&preview.bytes);
                let node = preview.node_id.unwrap_or_default();
                let body = json!({ "node_id": node, "content_type": preview.content_type, "data_base64": data });
                self.out.ready.push_back(frame(None, "preview", &body));
            }
            JobEvent::Position(place) => {
                let queued = self.sent.as_ref().filter(|sent| sent.queue_position.is_some());
                let moved = queued.map(|sent| StatusEvent { queue_position: Some(place.position), ..sent.clone() });
                if moved.is_some() && moved != self.sent {
                    self.out.ready.extend(moved.as_ref().map(|event| frame(None, "status", event)));
                    self.sent = moved;
                }
            }
            JobEvent::Status(_) | JobEvent::Client(_) => {}
        }
    }
}
