//! The generic calls of users: cards by ids; for admins, of all users.

use actix_web::web::{self, Data, Json, ServiceConfig};
use serde::Deserialize;
use verdigraph_core::users::{self, PeopleFilter};
use verdigraph_core::{Core, Error};

use crate::caller::Caller;
use crate::error::Result;
use crate::generic::filter::{Ids, Range};
use crate::generic::options::Options;
use crate::generic::stats::StatsQuery;
use crate::generic::{self, FilterQuery, ListQuery, relations};
use crate::openapi::{self, OpenApi};
use crate::populate;
use crate::query::Query;
use crate::views::Cursor;
use crate::views::resources::{ResourceCountView, StatsView};
use crate::views::users::UserCard;

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

/// Relations, which views always contain.
const RELATIONS: [&str; 2] = ["profile", "socialProfile"];

/// Filter of people.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct UserFilter {
    #[serde(rename = "_id")]
    id: Option<Ids>,
    #[serde(default)]
    created_at: Range,
}

impl From<UserFilter> for PeopleFilter {
    fn from(filter: UserFilter) -> Self {
        Self { ids: filter.id.map(Vec::from), created: filter.created_at.into() }
    }
}

/// Users' public cards
///
/// Callers other than admins must name ids: `{"_id": {"$in": ["…"]}}`, at most 500; deleted users are left out. Admins
/// may omit the ids, and give a range of `createdAt`. Newest first.
#[openapi::path(get, path = "/api/general/user", tag = "users", params(ListQuery),
    responses((status = 200, body = Cursor<UserCard>)))]
async fn list(core: Data<Core>, caller: Caller, query: Query<ListQuery>) -> Result<Json<Cursor<UserCard>>> {
    relations::check(query.populate.as_deref(), &RELATIONS)?;
    let options = Options::read(query.options.as_deref())?;
    if options.sort.as_ref().is_some_and(|sort| !matches!(sort.0.as_str(), "newest" | "-_id" | "-createdAt")) {
        return Err(Error::invalid("options.sort", "must be newest").into());
    }
    let filter: UserFilter = generic::filter(query.filter.as_deref())?;
    let limit = options.limit_of(filter.id.as_ref().map(|ids| ids.0.len()))?;
    let page = users::filtered(&core, &caller, options.query(&filter.into(), (), limit)).await?;
    let mut cards = populate::user_cards(&core, &page.items).await?;
    let items = page.items.iter().filter_map(|id| cards.remove(id)).collect();
    Ok(Json(Cursor { items, next_cursor: page.next_cursor }))
}

/// Users' public cards, for anyone
#[openapi::path(get, path = "/api/public/user", tag = "users", params(ListQuery),
    responses((status = 200, body = Cursor<UserCard>)))]
async fn list_public(core: Data<Core>, caller: Caller, query: Query<ListQuery>) -> Result<Json<Cursor<UserCard>>> {
    list(core, caller, query).await
}

/// Number of the named users that exist; for admins, of all users
#[openapi::path(get, path = "/api/general/user/count", tag = "users", params(FilterQuery),
    responses((status = 200, body = ResourceCountView)))]
async fn count(core: Data<Core>, caller: Caller, query: Query<FilterQuery>) -> Result<Json<ResourceCountView>> {
    let filter: UserFilter = generic::filter(query.filter.as_deref())?;
    Ok(Json(users::count(&core, &caller, &filter.into()).await?.into()))
}

/// Number of the named users that exist, for anyone
#[openapi::path(get, path = "/api/public/user/count", tag = "users", params(FilterQuery),
    responses((status = 200, body = ResourceCountView)))]
async fn count_public(core: Data<Core>, caller: Caller, query: Query<FilterQuery>) -> Result<Json<ResourceCountView>> {
    count(core, caller, query).await
}

/// Number of sign-ups over time, for admins
#[openapi::path(get, path = "/api/general/user/stats", tag = "users", params(StatsQuery),
    responses((status = 200, body = StatsView), (status = 403)))]
async fn stats(core: Data<Core>, caller: Caller, query: Query<StatsQuery>) -> Result<Json<StatsView>> {
    let periods = query.periods(core.clock.now())?;
    Ok(Json(users::counts(&core, &caller, &periods).await?.into()))
}

/// Number of sign-ups over time of users that still exist
#[openapi::path(get, path = "/api/public/user/stats", tag = "users", params(StatsQuery),
    responses((status = 200, body = StatsView)))]
async fn stats_public(core: Data<Core>, query: Query<StatsQuery>) -> Result<Json<StatsView>> {
    let periods = query.periods(core.clock.now())?;
    Ok(Json(users::public_counts(&core, &periods).await?.into()))
}
