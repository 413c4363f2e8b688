//! The event feed.

use std::time::Duration;

use actix_web::http::header;
use actix_web::web::{self, Data, ServiceConfig};
use actix_web::{HttpMessage as _, HttpRequest, HttpResponse};
use serde::Deserialize;
use verdigraph_core::events::{self, EventKind, FeedPosition};
use verdigraph_core::{Core, Error};

use crate::caller::{Caller, auth_watch};
use crate::deadline::Deadline;
use crate::edge::Edge;
use crate::error::Result;
use crate::event_feed;
use crate::openapi::{self, IntoParams, OpenApi};
use crate::query::Query;
use crate::views::events::FeedView;

#[derive(OpenApi)]
#[openapi(paths(feed))]
pub struct Api;

pub fn configure(config: &mut ServiceConfig) {
    config.service(web::resource("/general/event").get(feed));
}

/// Events per page by default.
const PAGE: i64 = 100;
/// Longest wait in seconds: proxies close connections that are silent for a minute.
const LONGEST_WAIT: u64 = 30;

/// The part of the feed to read.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct FeedQuery {
    /// `nextCursor` of the previous page; `oldest` (the default) starts with the oldest event, `latest` after the
    /// newest one.
    #[param(max_length = 19)]
    after: Option<String>,
    /// Only these types, separated by commas.
    #[param(max_length = 512)]
    types: Option<String>,
    /// Events per page, 1 to 500; 100 by default.
    #[param(minimum = 1, maximum = 500)]
    limit: Option<i64>,
    /// Seconds to wait if there is no event yet, 0 to 30.
    #[param(minimum = 0, maximum = 30)]
    wait: Option<u64>,
}

impl FeedQuery {
    fn kinds(&self) -> std::result::Result<Vec<EventKind>, Error> {
        let words = self.types.as_deref().unwrap_or_default().split(',').map(str::trim);
        let unknown = |_| {
            let known = EventKind::ALL.map(EventKind::name).join(", ");
            Error::invalid("types", format!("must be of {known}, separated by commas"))
        };
        words.filter(|word| !word.is_empty()).map(|word| word.parse().map_err(unknown)).collect()
    }
}

/// Events about the caller's objects, in order and without gaps
///
/// Reading each page's `nextCursor` gives every event exactly once: an event gets its position after its commit, so
/// none can appear before a cursor. Events are kept for at least 30 days; an older cursor is refused with
/// `EVENTS_FORGOTTEN`.
///
/// `batch.finished` is sent when all jobs of a batch have ended and no upload is open. Later jobs reopen the batch, and
/// the event is sent again. Its `workflowApi` is the one that all jobs of the batch ran, or `null`. `job.progress` is
/// sent at 25, 50 and 75 percent of an attempt, only to users with a webhook for it. A step passed together with a later
/// one is skipped.
///
/// With `wait` an empty page waits for an event. With `Accept: text/event-stream` the response is a stream: `begin`,
/// then an `event` for each. Their SSE ids are cursors too, so `Last-Event-ID` resumes an interrupted stream.
#[openapi::path(get, path = "/api/general/event", tag = "events",
    params(FeedQuery, ("Last-Event-ID" = Option<u64>, Header)), responses((status = 200, body = FeedView),
    (status = 422, description = "EVENTS_FORGOTTEN, EVENTS_CURSOR_AHEAD")))]
async fn feed(
    core: Data<Core>,
    edge: Data<Edge>,
    caller: Caller,
    request: HttpRequest,
    query: Query<FeedQuery>,
) -> Result<HttpResponse> {
    let kinds = query.kinds()?;
    let mut after = query.after.as_deref().map_or(Ok(FeedPosition::Oldest), str::parse)?;
    let user = caller.signed_in()?;
    let last = last_event_id(&request)?;
    if wants_stream(&request) {
        if let Some(position) = last {
            after = FeedPosition::After(position);
        }
        let stream = edge.streams.open(&*core.shared, user).await?;
        let permit = stream.of(auth_watch(&core, &request).await?);
        return event_feed::stream(core.get_ref().clone(), caller, after, kinds, permit, edge.stopping()).await;
    }
    let limit = query.limit.unwrap_or(PAGE);
    let page = match query.wait.unwrap_or(0) {
        0 => events::feed(&core, &caller, after, &kinds, limit).await?,
        seconds @ 1..=LONGEST_WAIT => {
            // Held while the request waits.
            let stream = edge.streams.open(&*core.shared, user).await?;
            let mut permit = stream.of(auth_watch(&core, &request).await?);
            let (most, mut stopping) = (Duration::from_secs(seconds), edge.stopping());
            if let Some(deadline) = request.extensions().get::<Deadline>() {
                deadline.waiting(most);
            }
            tokio::select! {
                page = events::wait(&core, &caller, after, &kinds, limit, most) => page?,
                        // The node stops, or the caller's session or key has ended: the events so far are returned.
                _ = stopping.wait_for(|stopping| *stopping) => events::feed(&core, &caller, after, &kinds, limit).await?,
                () = permit.revoked() => return Err(Error::LoginRequired.into()),
            }
        }
        _ => return Err(Error::invalid("wait", format!("must be between 0 and {LONGEST_WAIT}")).into()),
    };
    Ok(HttpResponse::Ok().json(event_feed::view(&core, page).await?))
}

/// The cursor of a resumed stream. An invalid one is refused: starting elsewhere would leave a gap.
fn last_event_id(request: &HttpRequest) -> std::result::Result<Option<i64>, Error> {
    let Some(value) = request.headers().get("last-event-id") else { return Ok(None) };
    let position = value.to_str().ok().and_then(events::position);
    position.map(Some).ok_or_else(|| Error::invalid("Last-Event-ID", "must be the id of an event of this feed"))
}

fn wants_stream(request: &HttpRequest) -> bool {
    let accept = request.headers().get(header::ACCEPT).and_then(|value| value.to_str().ok());
    accept.is_some_and(|accept| accept.contains("text/event-stream"))
}
