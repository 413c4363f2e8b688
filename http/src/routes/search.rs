//! Search over public content.

use actix_web::web::{self, Data, Json, ServiceConfig};
use serde::Deserialize;
use verdigraph_core::{Core, Error, gallery, names, users, workflows};

use super::gallery_lists;
use crate::caller::Caller;
use crate::error::Result;
use crate::openapi::{self, IntoParams, OpenApi};
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
}

/// Public workflows, pictures and users that match a text and are safe for work
#[openapi::path(get, path = "/api/public/search", tag = "search", params(SearchQuery),
    responses((status = 200, body = FoundView)))]
async fn search(core: Data<Core>, caller: Caller, query: Query<SearchQuery>) -> Result<Json<FoundView>> {
    let limit = query.limit.unwrap_or(5);
    if !(1..=MAX_EACH).contains(&limit) {
        return Err(Error::invalid("limit", format!("must be between 1 and {MAX_EACH}")).into());
    }
    let text = names::search_text("q", &query.q, MAX_TEXT)?;
    if text.is_empty() {
        return Ok(Json(FoundView { workflows: Vec::new(), pictures: Vec::new(), people: Vec::new() }));
    }
    let found = workflows::similar(&core, &text, limit).await?;
    let pictures = gallery::similar(&core, &text, limit).await?;
    let people = users::similar(&core, &text, limit).await?;
    let mut cards = populate::user_cards(&core, &people).await?;
    Ok(Json(FoundView {
        workflows: super::workflows::views(&core, &caller, found).await?,
        pictures: gallery_lists::views(&core, &caller, pictures).await?,
        people: people.iter().filter_map(|id| cards.remove(id)).collect(),
    }))
}
