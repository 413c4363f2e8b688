//! The event feed: pages for programs that poll, and server-sent events.

use std::collections::{HashMap, VecDeque};

use actix_web::HttpResponse;
use actix_web::rt::time::Interval;
use actix_web::web::Bytes;
use futures_util::stream;
use tokio::sync::watch;
use verdigraph_core::events::{self, Event, EventKind, EventUpdates, FeedPage, FeedPosition};
use verdigraph_core::ids::{WorkflowApiId, WorkflowApiVersionId};
use verdigraph_core::{Core, mini_apps};

use crate::caller::Caller;
use crate::error::Result;
use crate::event_stream::{self, ALIVE, frame};
use crate::streams::{StreamPermit, StreamSignal};
use crate::views::events::{EventView, FeedView};

/// Events that a stream reads at once.
const AT_ONCE: i64 = 100;

/// The view of a page.
pub async fn view(core: &Core, page: FeedPage) -> Result<FeedView> {
    let items = views(core, page.items).await?.into_iter().map(|(_, event)| event).collect();
    Ok(FeedView { items, next_cursor: page.next.to_string() })
}

/// Views of events, with their positions.
async fn views(core: &Core, events: Vec<Event>) -> Result<Vec<(i64, EventView)>> {
    let apps = apps(core, &events).await?;
    let base = core.settings.public_url();
    let app = |event: &Event| event.about.version.and_then(|version| apps.get(&version).copied());
    let view = |event: Event| (event.position, events::envelope(&event, app(&event), &base).into());
    Ok(events.into_iter().map(view).collect())
}

/// The workflow APIs whose versions the events' jobs ran.
async fn apps(core: &Core, events: &[Event]) -> Result<HashMap<WorkflowApiVersionId, WorkflowApiId>> {
    let mut versions: Vec<_> = events.iter().filter_map(|event| event.about.version).collect();
    versions.sort_unstable();
    versions.dedup();
    let found = mini_apps::versions(core, &versions).await?;
    Ok(found.into_iter().map(|(version, app)| (version, app.id)).collect())
}

/// The response to a request for the feed as server-sent events.
pub async fn stream(
    core: Core,
    caller: Caller,
    after: FeedPosition,
    kinds: Vec<EventKind>,
    permit: StreamPermit,
    stopping: watch::Receiver<bool>,
) -> Result<HttpResponse> {
    // Subscribed before the first page is read, so that no event is missed.
    let news = events::listen(&core, &caller)?;
    let page = events::feed(&core, &caller, after, &kinds, AT_ONCE).await?;
    let heartbeat = event_stream::heartbeat();
    let mut events =
        FeedStream { core, caller, kinds, news, heartbeat, stopping, frames: VecDeque::new(), at: 0, permit };
    // The start position is sent at once: a client can resume from it even if no event has happened.
    events.frames.push_back(Bytes::from(format!("retry: 2000\nid: {}\nevent: begin\ndata: {{}}\n\n", start(&page))));
    events.take(page).await?;
    let body = stream::unfold(events, |mut events| async move {
        let frame = events.next().await?;
        Some((Ok::<_, actix_web::Error>(frame), events))
    });
    Ok(event_stream::answer(body))
}

/// The position before a page's first event.
fn start(page: &FeedPage) -> i64 {
    page.items.first().map_or(page.next, |event| event.position - 1)
}

/// One stream and its position.
struct FeedStream {
    core: Core,
    caller: Caller,
    kinds: Vec<EventKind>,
    news: EventUpdates,
    heartbeat: Interval,
    stopping: watch::Receiver<bool>,
    frames: VecDeque<Bytes>,
    /// Position of the last event read.
    at: i64,
    /// Held for as long as the stream is open.
    permit: StreamPermit,
}

impl FeedStream {
    async fn take(&mut self, page: FeedPage) -> Result<()> {
        self.at = page.next;
        for (position, event) in views(&self.core, page.items).await? {
            self.frames.push_back(frame(u64::try_from(position).ok(), "event", &event));
        }
        Ok(())
    }

    /// The next frame; `None` when the client should reconnect.
    async fn next(&mut self) -> Option<Bytes> {
        loop {
            if let Some(frame) = self.frames.pop_front() {
                return Some(frame);
            }
            let page = events::feed(&self.core, &self.caller, FeedPosition::After(self.at), &self.kinds, AT_ONCE).await;
            let taken = match page {
                Ok(page) => self.take(page).await,
                Err(error) => Err(error.into()),
            };
            if let Err(error) = taken {
                tracing::warn!(%error, "a stream could not read the event feed");
                return None;
            }
            if !self.frames.is_empty() {
                continue;
            }
            tokio::select! {
                () = self.news.next() => {}
                _ = self.heartbeat.tick() => return Some(ALIVE),
                _ = self.stopping.wait_for(|stopping| *stopping) => return None,
                signal = self.permit.signal() => match signal {
                    StreamSignal::Heartbeat => return Some(ALIVE),
                    StreamSignal::End => return None,
                },
            }
        }
    }
}
