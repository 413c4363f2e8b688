//! The feed of events.

use std::time::Duration;

use actix_web::http::header;
use actix_web::web::{self, Data, Query, ServiceConfig};
use actix_web::{HttpMessage as _, HttpRequest, HttpResponse};
use serde::Deserialize;
use verdigraph_core::events::{self, After, EventKind};
use verdigraph_core::{Core, Error};

use crate::caller::{Caller, presence};
use crate::deadline::Deadline;
use crate::described::{self, IntoParams, OpenApi};
use crate::edge::Edge;
use crate::error::{ErrorBody, Result};
use crate::event_feed;
use crate::views::events::FeedView;

/// What is documented here.
#[derive(OpenApi)]
#[openapi(paths(feed))]
pub struct Api;

/// Mounts the routes below `/api`.
pub fn configure(config: &mut ServiceConfig) {
    config.service(web::resource("/general/event").get(feed));
}

/// Events on a page where nothing is said.
const PAGE: i64 = 100;
/// The longest wait, in seconds: proxies close what is silent for a minute.
const LONGEST_WAIT: u64 = 30;

/// Which part of the feed.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct FeedQuery {
    /// `nextCursor` of the page before; `oldest`, which is the default, begins with what is kept longest, and `latest`
    /// behind what is there now.
    #[param(max_length = 19)]
    after: Option<String>,
    /// Only these types, parted by commas.
    #[param(max_length = 512)]
    types: Option<String>,
    /// How many, 1 to 500; 100 when it is left out.
    #[param(minimum = 1, maximum = 500)]
    limit: Option<i64>,
    /// Seconds to wait for the first event where there is none, 0 to 30.
    #[param(minimum = 0, maximum = 30)]
    wait: Option<u64>,
}

impl FeedQuery {
    fn kinds(&self) -> std::result::Result<Vec<EventKind>, Error> {
        let words = self.types.as_deref().unwrap_or_default().split(',').map(str::trim);
        let unknown = |_| {
            let known = EventKind::ALL.map(EventKind::name).join(", ");
            Error::invalid("types", format!("must be of {known}, parted by commas"))
        };
        words.filter(|word| !word.is_empty()).map(|word| word.parse().map_err(unknown)).collect()
    }
}

/// What happened to the caller's things, in order and without gaps
///
/// Reading on with each page's `nextCursor` gives every event exactly once: an event gets its place after it was committed,
/// one behind the other, so that none can come in before a cursor. Events are kept for 30 days at least; a cursor before
/// them is refused with `EVENTS_FORGOTTEN`.
///
/// `batch.finished` comes when all jobs of a batch have ended and nobody sends more of them; jobs that come later open it
/// again, and it is told once more. `job.progress` comes at a quarter, a half and three quarters of an attempt, for those
/// alone who have a webhook that asks for it; a quarter that is passed together with a later one is not told.
///
/// With `wait` an empty page waits for an event. With `Accept: text/event-stream` the answer is a stream: `begin`, and an
/// `event` for each, whose SSE ids are cursors too, so that `Last-Event-ID` goes on where a connection broke off.
#[described::path(get, path = "/api/general/event", tag = "events",
    params(FeedQuery, ("Last-Event-ID" = Option<u64>, Header)), responses(
    (status = 200, body = FeedView), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody),
    (status = 422, body = ErrorBody, description = "What follows the cursor is not kept any more"),
    (status = 429, body = ErrorBody), (status = 503, body = ErrorBody)
))]
async fn feed(
    core: Data<Core>,
    edge: Data<Edge>,
    caller: Caller,
    request: HttpRequest,
    query: Query<FeedQuery>,
) -> Result<HttpResponse> {
    let kinds = query.kinds()?;
    let mut after = query.after.as_deref().map_or(Ok(After::Oldest), str::parse)?;
    let user = caller.signed_in()?;
    let last = last_event_id(&request)?;
    if wants_stream(&request) {
        if let Some(position) = last {
            after = After::Position(position);
        }
        let place = edge.streams.open(&*core.shared, user).await?;
        let place = place.of(presence(&core, &request).await?);
        return event_feed::stream(core.get_ref().clone(), caller, after, kinds, place, edge.stopping()).await;
    }
    let limit = query.limit.unwrap_or(PAGE);
    let page = match query.wait.unwrap_or(0) {
        0 => events::feed(&core, &caller, after, &kinds, limit).await?,
        seconds @ 1..=LONGEST_WAIT => {
            // Held for as long as the request waits.
            let place = edge.streams.open(&*core.shared, user).await?;
            let mut place = place.of(presence(&core, &request).await?);
            let (most, mut stopping) = (Duration::from_secs(seconds), edge.stopping());
            if let Some(deadline) = request.extensions().get::<Deadline>() {
                deadline.waiting(most);
            }
            tokio::select! {
                page = events::wait(&core, &caller, after, &kinds, limit, most) => page?,
                // A server that stops answers with what there is, and so does one that lets the caller in no more.
                _ = stopping.wait_for(|stopping| *stopping) => events::feed(&core, &caller, after, &kinds, limit).await?,
                () = place.lost() => return Err(Error::LoginRequired.into()),
            }
        }
        _ => return Err(Error::invalid("wait", format!("must be between 0 and {LONGEST_WAIT}")).into()),
    };
    Ok(HttpResponse::Ok().json(event_feed::view(&core, page).await?))
}

/// The cursor of a stream that goes on. One that cannot be read is refused: beginning elsewhere would leave a gap.
fn last_event_id(request: &HttpRequest) -> std::result::Result<Option<i64>, Error> {
    let Some(value) = request.headers().get("last-event-id") else { return Ok(None) };
    let position = value.to_str().ok().and_then(|text| text.trim().parse().ok()).filter(|position| *position >= 0);
    position.map(Some).ok_or_else(|| Error::invalid("Last-Event-ID", "must be the id of an event of this feed"))
}

fn wants_stream(request: &HttpRequest) -> bool {
    let accept = request.headers().get(header::ACCEPT).and_then(|value| value.to_str().ok());
    accept.is_some_and(|accept| accept.contains("text/event-stream"))
}
