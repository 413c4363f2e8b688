//! People as operators find them: who they are, what was decided about them, and where they were seen.

use actix_web::HttpResponse;
use actix_web::web::{self, Data, Json, Path, Query, ServiceConfig};
use serde::Deserialize;
use verdigraph_core::ids::{AssetId, UserId};
use verdigraph_core::moderation::Penalty;
use verdigraph_core::users::{self, User};
use verdigraph_core::{Core, Error, assets, ledger, moderation};

use super::moderation::BanBody;
use super::{CursorQuery, next_cursor};
use crate::caller::Caller;
use crate::case_views;
use crate::described::{self, IntoParams, OpenApi, ToSchema};
use crate::error::{ErrorBody, Result};
use crate::extract::Body;
use crate::populate::user_cards;
use crate::views::Cursor;
use crate::views::assets::AssetView;
use crate::views::people::{PersonDetailView, PersonView, SightingView};
use crate::views::users::BanView;

/// What is documented here.
#[derive(OpenApi)]
#[openapi(paths(list, find, set_role, confirm, ban, unban, warn, sightings))]
pub struct Api;

/// Mounts the routes below `/api`.
pub fn configure(config: &mut ServiceConfig) {
    config
        .service(web::resource("/admin/user").get(list))
        .service(web::resource("/admin/user/{id}").get(find))
        .service(web::resource("/admin/user/{id}/role").patch(set_role))
        .service(web::resource("/admin/user/{id}/confirm").post(confirm))
        .service(web::resource("/admin/user/{id}/ban").post(ban).delete(unban))
        .service(web::resource("/admin/user/{id}/warning").post(warn))
        .service(web::resource("/admin/session").get(sightings));
}

/// Who is looked for.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct PeopleQuery {
    /// A part of the name or the e-mail address, or the whole id.
    #[param(max_length = 254)]
    keyword: Option<String>,
    /// `nextCursor` of the page before.
    #[param(max_length = 512)]
    cursor: Option<String>,
    /// How many items, 1 to 100; 20 when it is left out.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<i64>,
}

/// People, the newest first (operators only)
#[described::path(get, path = "/api/admin/user", tag = "people", params(PeopleQuery), responses(
    (status = 200, body = Cursor<PersonView>), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody),
    (status = 403, body = ErrorBody)
))]
async fn list(core: Data<Core>, caller: Caller, query: Query<PeopleQuery>) -> Result<Json<Cursor<PersonView>>> {
    let PeopleQuery { keyword, cursor, limit } = query.into_inner();
    let place = CursorQuery { cursor, limit };
    let (word, limit) = (keyword.unwrap_or_default(), place.limit()?);
    let mut people = users::people(&core, &caller, &word, place.before()?, limit + 1).await?;
    let next_cursor = next_cursor(&mut people, limit, |person| person.id.0);
    let people: Vec<&User> = people.iter().collect();
    Ok(Json(Cursor { items: views(&core, &people).await?, next_cursor }))
}

/// A person with their standing (operators only)
#[described::path(get, path = "/api/admin/user/{id}", tag = "people", params(("id" = Uuid, Path)), responses(
    (status = 200, body = PersonDetailView), (status = 401, body = ErrorBody), (status = 403, body = ErrorBody),
    (status = 404, body = ErrorBody)
))]
async fn find(core: Data<Core>, caller: Caller, id: Path<UserId>) -> Result<Json<PersonDetailView>> {
    let session_count = users::session_count(&core, &caller, *id).await?;
    let history = moderation::history(&core, &caller, *id).await?;
    let user = users::find(&core, *id).await?;
    let credits = ledger::available(&core, *id).await?;
    let history = case_views::decisions(&core, history).await?;
    Ok(Json(PersonDetailView { person: view(&core, &user).await?, credits, session_count, history }))
}

/// Whether somebody is an admin.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RoleBody {
    is_admin: bool,
}

/// Makes somebody an admin, or takes the role back (operators only)
///
/// There is always one admin left, and nobody takes their own role.
#[described::path(patch, path = "/api/admin/user/{id}/role", tag = "people", params(("id" = Uuid, Path)),
    request_body = RoleBody, responses((status = 200, body = PersonView), (status = 401, body = ErrorBody),
    (status = 403, body = ErrorBody), (status = 404, body = ErrorBody),
    (status = 409, body = ErrorBody, description = "ROLE_OWN, LAST_ADMIN")
))]
async fn set_role(
    core: Data<Core>,
    caller: Caller,
    id: Path<UserId>,
    Body(body): Body<RoleBody>,
) -> Result<Json<PersonView>> {
    let user = users::set_admin(&core, &caller, *id, body.is_admin).await?;
    Ok(Json(view(&core, &user).await?))
}

/// Takes an operator's word that the address of this account is its owner's (operators only)
#[described::path(post, path = "/api/admin/user/{id}/confirm", tag = "people", params(("id" = Uuid, Path)), responses(
    (status = 200, body = PersonView), (status = 401, body = ErrorBody), (status = 403, body = ErrorBody),
    (status = 404, body = ErrorBody)
))]
async fn confirm(core: Data<Core>, caller: Caller, id: Path<UserId>) -> Result<Json<PersonView>> {
    let user = users::confirm_account(&core, &caller, *id).await?;
    Ok(Json(view(&core, &user).await?))
}

/// Bans somebody, in the place of an earlier ban (operators only)
///
/// Whoever is banned reads on and takes part in nothing: ACCOUNT_BANNED tells them until when and why.
#[described::path(post, path = "/api/admin/user/{id}/ban", tag = "people", params(("id" = Uuid, Path)),
    request_body = BanBody, responses((status = 200, body = BanView), (status = 400, body = ErrorBody),
    (status = 401, body = ErrorBody), (status = 403, body = ErrorBody), (status = 404, body = ErrorBody),
    (status = 409, body = ErrorBody, description = "BAN_ADMIN")
))]
async fn ban(core: Data<Core>, caller: Caller, id: Path<UserId>, Body(body): Body<BanBody>) -> Result<Json<BanView>> {
    let ban = moderation::ban(&core, &caller, *id, &Penalty::from(body)).await?;
    Ok(Json(BanView::from(&ban)))
}

/// Lifts somebody's ban (operators only)
#[described::path(delete, path = "/api/admin/user/{id}/ban", tag = "people", params(("id" = Uuid, Path)), responses(
    (status = 204), (status = 401, body = ErrorBody), (status = 403, body = ErrorBody), (status = 404, body = ErrorBody),
    (status = 409, body = ErrorBody, description = "NOT_BANNED")
))]
async fn unban(core: Data<Core>, caller: Caller, id: Path<UserId>) -> Result<HttpResponse> {
    moderation::unban(&core, &caller, *id).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// A word to somebody.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct WarningBody {
    /// 1 to 1000 characters.
    #[schema(min_length = 1, max_length = 1000)]
    text: String,
}

/// Warns somebody by a notice in their box (operators only)
#[described::path(post, path = "/api/admin/user/{id}/warning", tag = "people", params(("id" = Uuid, Path)),
    request_body = WarningBody, responses((status = 204), (status = 400, body = ErrorBody),
    (status = 401, body = ErrorBody), (status = 403, body = ErrorBody), (status = 404, body = ErrorBody)
))]
async fn warn(
    core: Data<Core>,
    caller: Caller,
    id: Path<UserId>,
    Body(body): Body<WarningBody>,
) -> Result<HttpResponse> {
    moderation::warn(&core, &caller, *id, &body.text).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Which sessions are wanted.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct SightingsQuery {
    /// The whole address of the network that they began at.
    #[param(max_length = 254)]
    address: Option<String>,
    /// `nextCursor` of the page before.
    #[param(max_length = 512)]
    cursor: Option<String>,
    /// How many items, 1 to 100; 20 when it is left out.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<i64>,
}

/// Sessions of everybody with their addresses, the newest first (operators only)
#[described::path(get, path = "/api/admin/session", tag = "people", params(SightingsQuery), responses(
    (status = 200, body = Cursor<SightingView>), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody),
    (status = 403, body = ErrorBody)
))]
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
    views.pop().ok_or_else(|| Error::Internal("a person without a view".to_owned()))
}

/// The views of several, with their pictures read together.
async fn views(core: &Core, people: &[&User]) -> std::result::Result<Vec<PersonView>, Error> {
    let portraits: Vec<AssetId> = people.iter().filter_map(|user| user.profile).collect();
    let portraits = assets::find_all(core, &portraits).await?;
    let (base_url, now) = (core.settings.base_url(), core.clock.now());
    let view = |user: &&User| {
        let portrait = user.profile.and_then(|id| portraits.get(&id));
        PersonView::new(user, portrait.map(|asset| AssetView::new(asset.clone(), base_url)), now)
    };
    Ok(people.iter().map(view).collect())
}
