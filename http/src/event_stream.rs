//! Server-sent events: what all live streams share.

use std::collections::VecDeque;
use std::time::Duration;

use actix_web::HttpResponse;
use actix_web::http::header;
use actix_web::rt::time::{Instant, Interval, interval_at};
use actix_web::web::Bytes;
use futures_util::Stream;
use serde::Serialize;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::watch;
use verdigraph_core::jobs::JobEvent;

use crate::streams::{StreamPermit, StreamSignal};

/// Interval between heartbeats of a silent stream; proxies close connections that are silent for a minute.
const HEARTBEAT: Duration = Duration::from_secs(25);

/// The heartbeat frame.
pub const ALIVE: Bytes = Bytes::from_static(b": alive\n\n");

/// The heartbeat of a new stream.
#[must_use]
pub fn heartbeat() -> Interval {
    heartbeat_every(HEARTBEAT)
}

/// The heartbeat of a new stream whose clients expect it in this interval.
#[must_use]
pub fn heartbeat_every(interval: Duration) -> Interval {
    interval_at(Instant::now() + interval, interval)
}

/// What a stream waits for.
pub enum StreamEvent<T> {
    Event(Result<T, RecvError>),
    /// Time for a heartbeat: the stream was silent, or another stream needs its place.
    Heartbeat,
    /// The node is stopping, or the caller's session or key has ended.
    Stop,
}

/// The events of a stream, and what else may happen to it.
pub struct LiveEvents<T> {
    pub events: Receiver<T>,
    pub heartbeat: Interval,
    pub stopping: watch::Receiver<bool>,
    /// Held for as long as the stream is open.
    pub permit: StreamPermit,
}

impl<T: Clone> LiveEvents<T> {
    /// Waits for the next event. Cancel-safe.
    pub async fn next(&mut self) -> StreamEvent<T> {
        tokio::select! {
            event = self.events.recv() => StreamEvent::Event(event),
            _ = self.heartbeat.tick() => StreamEvent::Heartbeat,
            _ = self.stopping.wait_for(|stopping| *stopping) => StreamEvent::Stop,
            signal = self.permit.signal() => match signal {
                StreamSignal::Heartbeat => StreamEvent::Heartbeat,
                StreamSignal::End => StreamEvent::Stop,
            },
        }
    }
}

/// The events of a job for one client, and the frames that it gets next.
pub struct JobFrames {
    pub live: LiveEvents<(u64, JobEvent)>,
    /// Frames ready to be sent.
    pub ready: VecDeque<Bytes>,
    /// Nothing follows these frames.
    pub ended: bool,
}

/// The next frame of a stream of a job's events; `None` after the final status, or when the client should reconnect.
///
/// `changed` sends the status after a change of it, whose event has this number, or without a number after missed events.
/// `event` sends any other event.
pub async fn next_frame<S>(
    stream: &mut S,
    frames: impl Fn(&mut S) -> &mut JobFrames,
    changed: impl AsyncFn(&mut S, Option<u64>),
    event: impl Fn(&mut S, u64, JobEvent),
) -> Option<Bytes> {
    loop {
        let out = frames(stream);
        if let Some(frame) = out.ready.pop_front() {
            return Some(frame);
        }
        if out.ended {
            return None;
        }
        match out.live.next().await {
            // Boxed: reading the database takes far more stack than a stream that waits.
            StreamEvent::Event(Ok((id, JobEvent::Status(_)))) => Box::pin(changed(stream, Some(id))).await,
            StreamEvent::Event(Err(RecvError::Lagged(_))) => Box::pin(changed(stream, None)).await,
            StreamEvent::Event(Ok((id, other))) => event(stream, id, other),
            StreamEvent::Event(Err(RecvError::Closed)) | StreamEvent::Stop => frames(stream).ended = true,
            StreamEvent::Heartbeat => frames(stream).ready.push_back(ALIVE),
        }
    }
}

/// One event. JSON has no raw line breaks, so one `data` line is enough.
#[must_use]
pub fn frame(id: Option<u64>, name: &str, data: &impl Serialize) -> Bytes {
    let id = id.map(|id| format!("id: {id}\n")).unwrap_or_default();
    let data = serde_json::to_string(data).unwrap_or_else(|_| "null".to_owned());
    Bytes::from(format!("{id}event: {name}\ndata: {data}\n\n"))
}

/// The response with these frames as its body.
pub fn answer(frames: impl Stream<Item = Result<Bytes, actix_web::Error>> + 'static) -> HttpResponse {
    HttpResponse::Ok()
        .content_type("text/event-stream")
        .insert_header((header::CACHE_CONTROL, "no-store"))
        // Compression and buffering proxies would delay events.
        .insert_header((header::CONTENT_ENCODING, "identity"))
        .insert_header(("X-Accel-Buffering", "no"))
        .streaming(frames)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn text_with_line_breaks_stays_one_event() {
        let bytes = frame(Some(7), "status", &json!({ "text": "a\n\nb" }));
        let text = String::from_utf8(bytes.to_vec()).unwrap();
        assert_eq!(text, "id: 7\nevent: status\ndata: {\"text\":\"a\\n\\nb\"}\n\n");
    }
}
