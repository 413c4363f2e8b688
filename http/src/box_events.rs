//! News about somebody's notification box, as server-sent events: the number of unread ones, now and whenever it changes.

use actix_web::HttpResponse;
use actix_web::rt::time::Interval;
use actix_web::web::Bytes;
use futures_util::stream;
use serde_json::json;
use tokio::sync::watch;
use verdigraph_core::shared::Subscription;
use verdigraph_core::{Core, notifications};

use crate::caller::Caller;
use crate::error::Result;
use crate::event_stream::{self, ALIVE};
use crate::streams::{Call, Permit};

/// The answer to a request for a box's events.
///
/// # Errors
/// Nobody is signed in, or the box cannot be read.
pub async fn stream(
    core: Core,
    caller: Caller,
    permit: Permit,
    stopping: watch::Receiver<bool>,
) -> Result<HttpResponse> {
    // Subscribed before the first count, so that nothing falls between the two.
    let news = notifications::subscribe(&core, &caller)?;
    let unread = notifications::unread(&core, &caller).await?.all;
    let heartbeat = event_stream::heartbeat();
    let told = Told { core, caller, news, heartbeat, stopping, unread, first: true, permit };
    let body = stream::unfold(told, |mut told| async move {
        let frame = told.next().await?;
        Some((Ok::<_, actix_web::Error>(frame), told))
    });
    Ok(event_stream::answer(body))
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
    permit: Permit,
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
                _ = self.heartbeat.tick() => return Some(ALIVE),
                _ = self.stopping.wait_for(|stopping| *stopping) => return None,
                call = self.permit.called() => match call {
                    Call::Speak => return Some(ALIVE),
                    Call::Leave => return None,
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
