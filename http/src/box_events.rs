//! News about somebody's notification box, as server-sent events: the number of unread ones, now and whenever it changes.

use std::time::Duration;

use actix_web::HttpResponse;
use actix_web::http::header;
use actix_web::rt::time::{Instant, Interval, interval_at};
use actix_web::web::Bytes;
use futures_util::stream;
use tokio::sync::watch;
use verdigraph_core::shared::Subscription;
use verdigraph_core::{Core, notifications};

use crate::caller::Caller;
use crate::error::Result;
use crate::streams::Stream;

/// How often a silent stream shows that it lives; proxies close what is silent for a minute.
const HEARTBEAT: Duration = Duration::from_secs(25);

/// The answer to a request for a box's events.
///
/// # Errors
/// Nobody is signed in, or the box cannot be read.
pub async fn stream(
    core: Core,
    caller: Caller,
    place: Stream,
    stopping: watch::Receiver<bool>,
) -> Result<HttpResponse> {
    // Subscribed before the first count, so that nothing falls between the two.
    let news = notifications::subscribe(&core, &caller)?;
    let unread = notifications::unread(&core, &caller).await?.all;
    let heartbeat = interval_at(Instant::now() + HEARTBEAT, HEARTBEAT);
    let told = Told { core, caller, news, heartbeat, stopping, unread, first: true, _place: place };
    let body = stream::unfold(told, |mut told| async move {
        let frame = told.next().await?;
        Some((Ok::<_, actix_web::Error>(frame), told))
    });
    Ok(HttpResponse::Ok()
        .content_type("text/event-stream")
        .insert_header((header::CACHE_CONTROL, "no-store"))
        // Compression and buffering proxies would hold events back.
        .insert_header((header::CONTENT_ENCODING, "identity"))
        .insert_header(("X-Accel-Buffering", "no"))
        .streaming(body))
}

/// One stream and what it has told.
struct Told {
    core: Core,
    caller: Caller,
    news: Subscription,
    heartbeat: Interval,
    stopping: watch::Receiver<bool>,
    unread: i64,
    first: bool,
    /// Held for as long as the stream is open.
    _place: Stream,
}

impl Told {
    /// The next frame; none where the client shall come back.
    async fn next(&mut self) -> Option<Bytes> {
        if std::mem::take(&mut self.first) {
            return Some(count(self.unread));
        }
        loop {
            tokio::select! {
                news = self.news.next() => news?,
                _ = self.heartbeat.tick() => return Some(Bytes::from_static(b": alive\n\n")),
                _ = self.stopping.wait_for(|stopping| *stopping) => return None,
            };
            match notifications::unread(&self.core, &self.caller).await {
                Ok(unread) if unread.all != self.unread => {
                    self.unread = unread.all;
                    return Some(count(self.unread));
                }
                Ok(_) => {}
                Err(error) => {
                    tracing::warn!(%error, "a notification box could not be read for its stream");
                    return None;
                }
            }
        }
    }
}

fn count(unread: i64) -> Bytes {
    Bytes::from(format!("event: count\ndata: {{\"count\":{unread}}}\n\n"))
}
