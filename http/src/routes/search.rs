//! Search over public content.

use actix_web::web::{self, Data, Json, ServiceConfig};
use serde::Deserialize;
use verdigraph_core::list::{RankedPart, RankedRange};
use verdigraph_core::{Core, Error, gallery, names, users, workflows};

use super::gallery_lists;
use crate::caller::Caller;
use crate::error::Result;
use crate::openapi::{self, IntoParams, OpenApi, ToSchema};
use crate::populate;
use crate::query::Query;
use crate::views::search::FoundView;

/// Longest text, in characters.
const MAX_TEXT: usize = 100;
/// Most results of each kind.
const MAX_EACH: i64 = 24;

#[derive(OpenApi)]
#[openapi(paths(search))]
pub struct Api;

pub fn configure(config: &mut ServiceConfig) {
    config.service(web::resource("/public/search").get(search));
}

/// A search.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct SearchQuery {
    /// At most 100 characters; typing errors are tolerated.
    #[param(max_length = 100)]
    q: String,
    /// Results of each kind, 1 to 24; 5 by default.
    #[param(minimum = 1, maximum = 24)]
    limit: Option<i64>,
    /// Results of each kind to skip, up to 480: `nextSkip` of the previous answer.
    #[param(minimum = 0, maximum = 480)]
    skip: Option<i64>,
    /// Searches this kind alone.
    #[param(inline)]
    kind: Option<FoundKind>,
}

impl SearchQuery {
    fn range(&self) -> verdigraph_core::Result<RankedRange> {
        let (limit, skip) = (self.limit.unwrap_or(5), self.skip.unwrap_or(0));
        if !(1..=MAX_EACH).contains(&limit) {
            return Err(Error::invalid("limit", format!("must be between 1 and {MAX_EACH}")));
        }
        if !(0..=RankedRange::MAX_SKIP).contains(&skip) {
            return Err(Error::invalid("skip", format!("must be between 0 and {}", RankedRange::MAX_SKIP)));
        }
        Ok(RankedRange::new(skip, limit))
    }

    fn asks_for(&self, kind: FoundKind) -> bool {
        self.kind.is_none_or(|only| only == kind)
    }
}

/// A kind of results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum FoundKind {
    Workflows,
    Pictures,
    People,
}

/// Public workflows, pictures and users that match a text and are safe for work
#[openapi::path(get, path = "/api/public/search", tag = "search", params(SearchQuery),
    responses((status = 200, body = FoundView)))]
async fn search(core: Data<Core>, caller: Caller, query: Query<SearchQuery>) -> Result<Json<FoundView>> {
    let range = query.range()?;
    let text = names::search_text("q", &query.q, MAX_TEXT)?;
    let asked = |kind| !text.is_empty() && query.asks_for(kind);
    let found = match asked(FoundKind::Workflows) {
        true => workflows::similar(&core, &text, range).await?,
        false => RankedPart::default(),
    };
    let pictures = match asked(FoundKind::Pictures) {
        true => gallery::similar(&core, &text, range).await?,
        false => RankedPart::default(),
    };
    let people = match asked(FoundKind::People) {
        true => users::similar(&core, &text, range).await?,
        false => RankedPart::default(),
    };
    let has_more = found.has_more || pictures.has_more || people.has_more;
    let mut cards = populate::user_cards(&core, &people.items).await?;
    Ok(Json(FoundView {
        workflows: super::workflows::views(&core, &caller, found.items).await?,
        pictures: gallery_lists::views(&core, &caller, pictures.items).await?,
        people: people.items.iter().filter_map(|id| cards.remove(id)).collect(),
        next_skip: range.next_skip().filter(|_| has_more),
    }))
}
