//! The feed of events: pages for programs that ask, and server-sent events for those that listen.

use std::collections::{HashMap, VecDeque};

use actix_web::HttpResponse;
use actix_web::rt::time::Interval;
use actix_web::web::Bytes;
use futures_util::stream;
use tokio::sync::watch;
use verdigraph_core::events::{self, After, Event, EventKind, News, Page};
use verdigraph_core::ids::{WorkflowApiId, WorkflowApiVersionId};
use verdigraph_core::{Core, mini_apps};

use crate::caller::Caller;
use crate::error::Result;
use crate::event_stream::{self, ALIVE, frame};
use crate::streams::{Call, Permit};
use crate::views::events::{EventView, FeedView};

/// Events that a stream reads at a time.
const AT_ONCE: i64 = 100;

/// A page with the words for it.
///
/// # Errors
/// Database errors.
pub async fn view(core: &Core, page: Page) -> Result<FeedView> {
    let items = views(core, page.items).await?.into_iter().map(|(_, event)| event).collect();
    Ok(FeedView { items, next_cursor: page.next.to_string() })
}

/// Events in words, with their positions.
async fn views(core: &Core, events: Vec<Event>) -> Result<Vec<(i64, EventView)>> {
    let apps = apps(core, &events).await?;
    let base = core.settings.public_url();
    let app = |event: &Event| event.about.version.and_then(|version| apps.get(&version).copied());
    let view = |event: Event| (event.position, events::envelope(&event, app(&event), &base).into());
    Ok(events.into_iter().map(view).collect())
}

/// The workflow APIs whose versions the jobs of these events ran.
async fn apps(core: &Core, events: &[Event]) -> Result<HashMap<WorkflowApiVersionId, WorkflowApiId>> {
    let mut versions: Vec<_> = events.iter().filter_map(|event| event.about.version).collect();
    versions.sort_unstable();
    versions.dedup();
    let found = mini_apps::versions(core, &versions).await?;
    Ok(found.into_iter().map(|(version, app)| (version, app.id)).collect())
}

/// The answer to a request for the feed as server-sent events.
///
/// # Errors
/// As [`events::feed`].
pub async fn stream(
    core: Core,
    caller: Caller,
    after: After,
    kinds: Vec<EventKind>,
    permit: Permit,
    stopping: watch::Receiver<bool>,
) -> Result<HttpResponse> {
    // Subscribed before the first page is read, so that nothing falls between the two.
    let news = events::listen(&core, &caller)?;
    let page = events::feed(&core, &caller, after, &kinds, AT_ONCE).await?;
    let heartbeat = event_stream::heartbeat();
    let mut told = Told { core, caller, kinds, news, heartbeat, stopping, frames: VecDeque::new(), at: 0, permit };
    // Where the stream stands is said at once: who listens from now on can go on from here though nothing has happened.
    told.frames.push_back(Bytes::from(format!("retry: 2000\nid: {}\nevent: begin\ndata: {{}}\n\n", start(&page))));
    told.take(page).await?;
    let body = stream::unfold(told, |mut told| async move {
        let frame = told.next().await?;
        Some((Ok::<_, actix_web::Error>(frame), told))
    });
    Ok(event_stream::answer(body))
}

/// The position before the first event of a page.
fn start(page: &Page) -> i64 {
    page.items.first().map_or(page.next, |event| event.position - 1)
}

/// One stream and what it has told.
struct Told {
    core: Core,
    caller: Caller,
    kinds: Vec<EventKind>,
    news: News,
    heartbeat: Interval,
    stopping: watch::Receiver<bool>,
    frames: VecDeque<Bytes>,
    /// What was read so far.
    at: i64,
    /// Held for as long as the stream is open.
    permit: Permit,
}

impl Told {
    async fn take(&mut self, page: Page) -> Result<()> {
        self.at = page.next;
        for (position, event) in views(&self.core, page.items).await? {
            self.frames.push_back(frame(u64::try_from(position).ok(), "event", &event));
        }
        Ok(())
    }

    /// The next frame; none where the client shall come back.
    async fn next(&mut self) -> Option<Bytes> {
        loop {
            if let Some(frame) = self.frames.pop_front() {
                return Some(frame);
            }
            let page = events::feed(&self.core, &self.caller, After::Position(self.at), &self.kinds, AT_ONCE).await;
            let taken = match page {
                Ok(page) => self.take(page).await,
                Err(error) => Err(error.into()),
            };
            if let Err(error) = taken {
                tracing::warn!(%error, "a feed of events could not be read for its stream");
                return None;
            }
            if !self.frames.is_empty() {
                continue;
            }
            tokio::select! {
                () = self.news.next() => {}
                _ = self.heartbeat.tick() => return Some(ALIVE),
                _ = self.stopping.wait_for(|stopping| *stopping) => return None,
                call = self.permit.called() => match call {
                    Call::Speak => return Some(ALIVE),
                    Call::Leave => return None,
                },
            }
        }
    }
}
