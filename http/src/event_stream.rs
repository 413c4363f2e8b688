//! Server-sent events: what all live streams have in common.

use std::time::Duration;

use actix_web::HttpResponse;
use actix_web::http::header;
use actix_web::rt::time::{Instant, Interval, interval_at};
use actix_web::web::Bytes;
use futures_util::Stream;
use serde::Serialize;

/// How often a silent stream shows that it lives; proxies close what is silent for a minute.
const HEARTBEAT: Duration = Duration::from_secs(25);

/// What a silent stream says when its heartbeat ticks.
pub const ALIVE: Bytes = Bytes::from_static(b": alive\n\n");

/// The heartbeat of a stream that begins now.
#[must_use]
pub fn heartbeat() -> Interval {
    interval_at(Instant::now() + HEARTBEAT, HEARTBEAT)
}

/// One event; JSON has no line breaks of its own, so one `data` line is enough.
#[must_use]
pub fn frame(id: Option<u64>, name: &str, data: &impl Serialize) -> Bytes {
    let id = id.map(|id| format!("id: {id}\n")).unwrap_or_default();
    let data = serde_json::to_string(data).unwrap_or_else(|_| "null".to_owned());
    Bytes::from(format!("{id}event: {name}\ndata: {data}\n\n"))
}

/// The answer whose body these frames are.
pub fn answer(frames: impl Stream<Item = Result<Bytes, actix_web::Error>> + 'static) -> HttpResponse {
    HttpResponse::Ok()
        .content_type("text/event-stream")
        .insert_header((header::CACHE_CONTROL, "no-store"))
        // Compression and buffering proxies would hold events back.
        .insert_header((header::CONTENT_ENCODING, "identity"))
        .insert_header(("X-Accel-Buffering", "no"))
        .streaming(frames)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_text_with_line_breaks_stays_one_event() {
        let bytes = frame(Some(7), "status", &json!({ "text": "a\n\nb" }));
        let text = String::from_utf8(bytes.to_vec()).unwrap();
        assert_eq!(text, "id: 7\nevent: status\ndata: {\"text\":\"a\\n\\nb\"}\n\n");
    }
}
