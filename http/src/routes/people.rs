//! Users as admins see them: account, moderation history, and sessions.

use actix_web::HttpResponse;
use actix_web::web::{self, Data, Json, Path, ServiceConfig};
use chrono::{DateTime, Utc};
use serde::Deserialize;
use verdigraph_core::ids::{AssetId, UserId};
use verdigraph_core::moderation::Penalty;
use verdigraph_core::users::{self, User};
use verdigraph_core::{Core, Error, assets, ledger, moderation};

use super::moderation::BanBody;
use super::{CursorQuery, next_cursor};
use crate::caller::Caller;
use crate::case_views;
use crate::error::Result;
use crate::extract::Body;
use crate::openapi::{self, IntoParams, OpenApi, ToSchema};
use crate::populate::user_cards;
use crate::query::Query;
use crate::views::Cursor;
use crate::views::assets::AssetView;
use crate::views::people::{PersonDetailView, PersonView, SightingView};
use crate::views::users::BanView;

#[derive(OpenApi)]
#[openapi(paths(list, find, set_role, give_plan, confirm, ban, unban, warn, sightings))]
pub struct Api;

pub fn configure(config: &mut ServiceConfig) {
    config
        .service(web::resource("/admin/user").get(list))
        .service(web::resource("/admin/user/{id}").get(find))
        .service(web::resource("/admin/user/{id}/role").patch(set_role))
        .service(web::resource("/admin/user/{id}/plan").put(give_plan))
        .service(web::resource("/admin/user/{id}/confirm").post(confirm))
        .service(web::resource("/admin/user/{id}/ban").post(ban).delete(unban))
        .service(web::resource("/admin/user/{id}/warning").post(warn))
        .service(web::resource("/admin/session").get(sightings));
}

/// A search for users.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct PeopleQuery {
    /// A part of the name or the e-mail address, or the whole id.
    #[param(max_length = 254)]
    keyword: Option<String>,
    /// `nextCursor` of the previous page.
    #[param(max_length = 512)]
    cursor: Option<String>,
    /// Items per page, 1 to 100; 20 by default.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<i64>,
}

/// Users, newest first (admins only)
#[openapi::path(get, path = "/api/admin/user", tag = "people", params(PeopleQuery),
    responses((status = 200, body = Cursor<PersonView>)))]
async fn list(core: Data<Core>, caller: Caller, query: Query<PeopleQuery>) -> Result<Json<Cursor<PersonView>>> {
    let PeopleQuery { keyword, cursor, limit } = query.into_inner();
    let place = CursorQuery { cursor, limit };
    let (word, limit) = (keyword.unwrap_or_default(), place.limit()?);
    let mut people = users::people(&core, &caller, &word, place.before()?, limit + 1).await?;
    let next_cursor = next_cursor(&mut people, limit, |person| person.id.0);
    let people: Vec<&User> = people.iter().collect();
    Ok(Json(Cursor { items: views(&core, &people).await?, next_cursor }))
}

/// A user with credits, sessions and moderation history (admins only)
#[openapi::path(get, path = "/api/admin/user/{id}", tag = "people", params(("id" = Uuid, Path)),
    responses((status = 200, body = PersonDetailView)))]
async fn find(core: Data<Core>, caller: Caller, id: Path<UserId>) -> Result<Json<PersonDetailView>> {
    let session_count = users::session_count(&core, &caller, *id).await?;
    let history = moderation::history(&core, &caller, *id).await?;
    let user = users::find(&core, *id).await?;
    let credits = ledger::available(&core, *id).await?;
    let history = case_views::decisions(&core, history).await?;
    Ok(Json(PersonDetailView { person: view(&core, &user).await?, credits, session_count, history }))
}

/// A user's role.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RoleBody {
    is_admin: bool,
}

/// Makes a user an admin, or removes the role (admins only)
///
/// At least one admin remains, and admins cannot remove their own role.
#[openapi::path(patch, path = "/api/admin/user/{id}/role", tag = "people", params(("id" = Uuid, Path)),
    request_body = RoleBody, responses((status = 200, body = PersonView),
    (status = 409, description = "ROLE_OWN, LAST_ADMIN")))]
async fn set_role(
    core: Data<Core>,
    caller: Caller,
    id: Path<UserId>,
    Body(body): Body<RoleBody>,
) -> Result<Json<PersonView>> {
    let user = users::set_admin(&core, &caller, *id, body.is_admin).await?;
    Ok(Json(view(&core, &user).await?))
}

/// A plan to give.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GivePlanBody {
    /// The name of a plan.
    #[schema(max_length = 100, example = "Pro")]
    plan: String,
    /// The user's own plan holds again from then on. `null` or left out: the plan becomes the user's own, without an end.
    #[serde(default)]
    until: Option<DateTime<Utc>>,
}

/// Gives a user a plan, for a time or without an end (admins only)
///
/// It holds for what is submitted from then on, and its credits of this month are granted on top of what the user has.
/// Another given plan is replaced.
#[openapi::path(put, path = "/api/admin/user/{id}/plan", tag = "people", params(("id" = Uuid, Path)),
    request_body = GivePlanBody, responses((status = 200, body = PersonView)))]
async fn give_plan(
    core: Data<Core>,
    caller: Caller,
    id: Path<UserId>,
    Body(body): Body<GivePlanBody>,
) -> Result<Json<PersonView>> {
    let user = users::give_plan(&core, &caller, *id, &body.plan, body.until).await?;
    Ok(Json(view(&core, &user).await?))
}

/// Confirms a user's e-mail address on an admin's word (admins only)
#[openapi::path(post, path = "/api/admin/user/{id}/confirm", tag = "people", params(("id" = Uuid, Path)),
    responses((status = 200, body = PersonView)))]
async fn confirm(core: Data<Core>, caller: Caller, id: Path<UserId>) -> Result<Json<PersonView>> {
    let user = users::confirm_account(&core, &caller, *id).await?;
    Ok(Json(view(&core, &user).await?))
}

/// Bans a user, replacing an earlier ban (admins only)
///
/// A banned user can read but not take part: ACCOUNT_BANNED tells them until when and why.
#[openapi::path(post, path = "/api/admin/user/{id}/ban", tag = "people", params(("id" = Uuid, Path)),
    request_body = BanBody, responses((status = 200, body = BanView), (status = 409, description = "BAN_ADMIN")))]
async fn ban(core: Data<Core>, caller: Caller, id: Path<UserId>, Body(body): Body<BanBody>) -> Result<Json<BanView>> {
    let ban = moderation::ban(&core, &caller, *id, &Penalty::from(body)).await?;
    Ok(Json(BanView::from(&ban)))
}

/// Lifts a user's ban (admins only)
#[openapi::path(delete, path = "/api/admin/user/{id}/ban", tag = "people", params(("id" = Uuid, Path)),
    responses((status = 204), (status = 409, description = "NOT_BANNED")))]
async fn unban(core: Data<Core>, caller: Caller, id: Path<UserId>) -> Result<HttpResponse> {
    moderation::unban(&core, &caller, *id).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// A warning.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct WarningBody {
    /// 1 to 1000 characters.
    #[schema(min_length = 1, max_length = 1000)]
    text: String,
}

/// Warns a user by a notification (admins only)
#[openapi::path(post, path = "/api/admin/user/{id}/warning", tag = "people", params(("id" = Uuid, Path)),
    request_body = WarningBody, responses((status = 204)))]
async fn warn(
    core: Data<Core>,
    caller: Caller,
    id: Path<UserId>,
    Body(body): Body<WarningBody>,
) -> Result<HttpResponse> {
    moderation::warn(&core, &caller, *id, &body.text).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Filter of sessions.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct SightingsQuery {
    /// The whole IP address that they started at.
    #[param(max_length = 254)]
    address: Option<String>,
    /// `nextCursor` of the previous page.
    #[param(max_length = 512)]
    cursor: Option<String>,
    /// Items per page, 1 to 100; 20 by default.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<i64>,
}

/// Sessions of all users with their addresses, newest first (admins only)
#[openapi::path(get, path = "/api/admin/session", tag = "people", params(SightingsQuery),
    responses((status = 200, body = Cursor<SightingView>)))]
async fn sightings(
    core: Data<Core>,
    caller: Caller,
    query: Query<SightingsQuery>,
) -> Result<Json<Cursor<SightingView>>> {
    let SightingsQuery { address, cursor, limit } = query.into_inner();
    let place = CursorQuery { cursor, limit };
    let (address, limit) = (address.unwrap_or_default(), place.limit()?);
    let mut seen = users::sightings(&core, &caller, &address, place.before()?, limit + 1).await?;
    let next_cursor = next_cursor(&mut seen, limit, |one| one.id);
    let mut ids: Vec<UserId> = seen.iter().map(|one| one.user).collect();
    ids.sort_unstable();
    ids.dedup();
    let cards = user_cards(&core, &ids).await?;
    let view = |one: users::Sighting| {
        let user = cards.get(&one.user).cloned();
        SightingView::new(one, user)
    };
    Ok(Json(Cursor { items: seen.into_iter().map(view).collect(), next_cursor }))
}

async fn view(core: &Core, user: &User) -> std::result::Result<PersonView, Error> {
    let mut views = views(core, &[user]).await?;
    views.pop().ok_or_else(|| Error::Internal("a user without a view".to_owned()))
}

/// Views of several users, with their pictures fetched together.
async fn views(core: &Core, people: &[&User]) -> std::result::Result<Vec<PersonView>, Error> {
    let portraits: Vec<AssetId> = people.iter().filter_map(|user| user.profile).collect();
    let portraits = assets::find_all(core, &portraits).await?;
    let (base_url, now) = (core.settings.base_url(), core.clock.now());
    let view = |user: &&User| {
        let portrait = user.profile.and_then(|id| portraits.get(&id));
        PersonView::new(user, portrait.map(|asset| AssetView::new(asset.clone(), base_url)), &core.settings.plans, now)
    };
    Ok(people.iter().map(view).collect())
}
