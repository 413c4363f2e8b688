//! The generic calls of people: cards of those who are named; for admins, of everybody.

use actix_web::web::{self, Data, Json, Query, ServiceConfig};
use serde::Deserialize;
use verdigraph_core::users::{self, PeopleAsked, PeopleFilter};
use verdigraph_core::{Core, Error};

use crate::caller::Caller;
use crate::described::{self, OpenApi};
use crate::error::{ErrorBody, Result};
use crate::generic::filter::{Ids, Range};
use crate::generic::options::Options;
use crate::generic::stats::StatsQuery;
use crate::generic::{self, FilterQuery, ListQuery, relations};
use crate::populate;
use crate::views::Cursor;
use crate::views::resources::{ResourceCountView, StatsView};
use crate::views::users::UserCard;

/// What is documented here.
#[derive(OpenApi)]
#[openapi(paths(list, list_public, count, count_public, stats, stats_public))]
pub struct Api;

/// Mounts the routes below `/api` that have a name where others have an id.
pub fn configure(config: &mut ServiceConfig) {
    config
        .service(web::resource("/general/user").get(list).patch(super::users::update_named))
        .service(web::resource("/public/user").get(list_public))
        .service(web::resource("/general/user/count").get(count))
        .service(web::resource("/public/user/count").get(count_public))
        .service(web::resource("/general/user/stats").get(stats))
        .service(web::resource("/public/user/stats").get(stats_public));
}

/// Relations that views always fill in.
const RELATIONS: [&str; 2] = ["profile", "socialProfile"];

/// What a filter of people may say.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct UserFilter {
    #[serde(rename = "_id")]
    id: Option<Ids>,
    #[serde(default)]
    created_at: Range,
}

impl From<UserFilter> for PeopleFilter {
    fn from(said: UserFilter) -> Self {
        Self { ids: said.id.map(Vec::from), created: said.created_at.into() }
    }
}

/// People as others see them
///
/// All but admins name them: `{"_id": {"$in": ["…"]}}`, at most 500; who has left is missing. Admins may leave the ids
/// out, and name a range of `createdAt`. Those who signed up last come first.
#[described::path(get, path = "/api/general/user", tag = "users", params(ListQuery), responses(
    (status = 200, body = Cursor<UserCard>), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody)
))]
async fn list(core: Data<Core>, caller: Caller, query: Query<ListQuery>) -> Result<Json<Cursor<UserCard>>> {
    relations::check(query.populate.as_deref(), &RELATIONS)?;
    let options = Options::read(query.options.as_deref())?;
    if options.sort.as_ref().is_some_and(|sort| !matches!(sort.0.as_str(), "newest" | "-_id" | "-createdAt")) {
        return Err(Error::invalid("options.sort", "must be newest").into());
    }
    let said: UserFilter = generic::filter(query.filter.as_deref())?;
    let limit = options.limit_of(said.id.as_ref().map(|ids| ids.0.len()))?;
    let asked = PeopleAsked { cursor: options.cursor.as_deref(), skip: options.skip(), limit };
    let found = users::filtered(&core, &caller, &said.into(), asked).await?;
    let mut cards = populate::user_cards(&core, &found.items).await?;
    let items = found.items.iter().filter_map(|id| cards.remove(id)).collect();
    Ok(Json(Cursor { items, next_cursor: found.next }))
}

/// People as others see them, for anyone
#[described::path(get, path = "/api/public/user", tag = "users", params(ListQuery), responses(
    (status = 200, body = Cursor<UserCard>), (status = 400, body = ErrorBody)
))]
async fn list_public(core: Data<Core>, caller: Caller, query: Query<ListQuery>) -> Result<Json<Cursor<UserCard>>> {
    list(core, caller, query).await
}

/// How many of those who are named are here; for admins, how many people there are
#[described::path(get, path = "/api/general/user/count", tag = "users", params(FilterQuery), responses(
    (status = 200, body = ResourceCountView), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody)
))]
async fn count(core: Data<Core>, caller: Caller, query: Query<FilterQuery>) -> Result<Json<ResourceCountView>> {
    let said: UserFilter = generic::filter(query.filter.as_deref())?;
    Ok(Json(users::count(&core, &caller, &said.into()).await?.into()))
}

/// How many of those who are named are here, for anyone
#[described::path(get, path = "/api/public/user/count", tag = "users", params(FilterQuery), responses(
    (status = 200, body = ResourceCountView), (status = 400, body = ErrorBody)
))]
async fn count_public(core: Data<Core>, caller: Caller, query: Query<FilterQuery>) -> Result<Json<ResourceCountView>> {
    count(core, caller, query).await
}

/// How many people signed up over time, for admins
#[described::path(get, path = "/api/general/user/stats", tag = "users", params(StatsQuery), responses(
    (status = 200, body = StatsView), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody),
    (status = 403, body = ErrorBody)
))]
async fn stats(core: Data<Core>, caller: Caller, query: Query<StatsQuery>) -> Result<Json<StatsView>> {
    let periods = query.periods(core.clock.now())?;
    Ok(Json(users::counts(&core, &caller, &periods).await?.into()))
}

/// How many people signed up over time and are here still
#[described::path(get, path = "/api/public/user/stats", tag = "users", params(StatsQuery), responses(
    (status = 200, body = StatsView), (status = 400, body = ErrorBody)
))]
async fn stats_public(core: Data<Core>, query: Query<StatsQuery>) -> Result<Json<StatsView>> {
    let periods = query.periods(core.clock.now())?;
    Ok(Json(users::public_counts(&core, &periods).await?.into()))
}
