//! Server-sent events of a notification box: the number of unread notifications, at the start and after each change.

use actix_web::HttpResponse;
use actix_web::rt::time::Interval;
use actix_web::web::Bytes;
use futures_util::stream;
use serde_json::json;
use tokio::sync::watch;
use verdigraph_core::shared::ChannelSubscription;
use verdigraph_core::{Core, notifications};

use crate::caller::Caller;
use crate::error::Result;
use crate::event_stream::{self, ALIVE};
use crate::streams::{StreamPermit, StreamSignal};

/// The response to a request for a box's events.
pub async fn stream(
    core: Core,
    caller: Caller,
    permit: StreamPermit,
    stopping: watch::Receiver<bool>,
) -> Result<HttpResponse> {
    // Subscribed before the first count, so that no change is missed.
    let news = notifications::subscribe(&core, &caller)?;
    let unread = notifications::unread(&core, &caller).await?.all;
    let heartbeat = event_stream::heartbeat();
    let events = CountStream { core, caller, news, heartbeat, stopping, unread, first: true, permit };
    let body = stream::unfold(events, |mut events| async move {
        let frame = events.next().await?;
        Some((Ok::<_, actix_web::Error>(frame), events))
    });
    Ok(event_stream::answer(body))
}

/// One stream and the count it last sent.
struct CountStream {
    core: Core,
    caller: Caller,
    news: ChannelSubscription,
    heartbeat: Interval,
    stopping: watch::Receiver<bool>,
    unread: i64,
    first: bool,
    /// Held for as long as the stream is open.
    permit: StreamPermit,
}

impl CountStream {
    /// The next frame; `None` when the client should reconnect.
    async fn next(&mut self) -> Option<Bytes> {
        if std::mem::take(&mut self.first) {
            return Some(count(self.unread));
        }
        loop {
            tokio::select! {
                news = self.news.next() => news?,
                _ = self.heartbeat.tick() => return Some(ALIVE),
                _ = self.stopping.wait_for(|stopping| *stopping) => return None,
                signal = self.permit.signal() => match signal {
                    StreamSignal::Heartbeat => return Some(ALIVE),
                    StreamSignal::End => return None,
                },
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
    event_stream::frame(None, "count", &json!({ "count": unread }))
}
