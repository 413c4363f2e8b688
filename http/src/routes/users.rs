//! Users' public profiles.

use std::collections::BTreeMap;

use actix_web::web::{self, Data, Json, Path, ServiceConfig};
use serde::Deserialize;
use verdigraph_core::ids::{AssetId, UserId};
use verdigraph_core::users::{self, ContactKind, ContactPoint, Language};
use verdigraph_core::{Core, Error, assets, stats};

use super::auth;
use crate::caller::Caller;
use crate::error::Result;
use crate::extract::Body;
use crate::generic::filter::present;
use crate::generic::{self, FilterQuery};
use crate::openapi::{self, OpenApi, ToSchema};
use crate::populate;
use crate::query::Query;
use crate::views::profiles::{ContactPointView, ProfileView, contact_points};
use crate::views::users::UserView;
use crate::views::words::LanguageTag;

#[derive(OpenApi)]
#[openapi(paths(find, find_general, update, update_named, set_contact_points))]
pub struct Api;

pub fn configure(config: &mut ServiceConfig) {
    config
        .service(web::resource("/public/user/{userId}").get(find))
        .service(web::resource("/general/user/{userId}").get(find_general).patch(update))
        .service(web::resource("/general/contact-point").post(set_contact_points));
}

/// A user's profile with contact points, and counts of published content
#[openapi::path(get, path = "/api/public/user/{userId}", tag = "users", params(("userId" = Uuid, Path)),
    responses((status = 200, body = ProfileView)))]
async fn find(core: Data<Core>, id: Path<UserId>) -> Result<Json<ProfileView>> {
    let card = populate::user_cards(&core, &[*id]).await?.remove(&id);
    let card = card.ok_or(Error::NotFound { what: "user" })?;
    let user = users::find(&core, *id).await?;
    let points = users::contact_points(&core, *id).await?;
    let counts = stats::of_profile(&core, *id).await?;
    Ok(Json(ProfileView::new(card, &user, points, counts)))
}

/// A user's profile with contact points, and counts of published content
#[openapi::path(get, path = "/api/general/user/{userId}", tag = "users", params(("userId" = Uuid, Path)),
    responses((status = 200, body = ProfileView)))]
async fn find_general(core: Data<Core>, _: Caller, id: Path<UserId>) -> Result<Json<ProfileView>> {
    find(core, id).await
}

/// Changes to the caller's account; missing fields stay unchanged.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct UserChangesBody {
    /// 2 to 20 characters.
    #[schema(min_length = 2, max_length = 20)]
    name: Option<String>,
    /// `en` or `ko`.
    #[schema(value_type = Option<LanguageTag>)]
    language: Option<Language>,
    /// An uploaded picture of at most 10 MB; `null` for none.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<Uuid>)]
    profile: Option<Option<AssetId>>,
}

/// Changes the caller's own name, language or picture
#[openapi::path(patch, path = "/api/general/user/{userId}", tag = "users", params(("userId" = Uuid, Path)),
    request_body = UserChangesBody, responses((status = 200, body = UserView),
    (status = 409, description = "MODERATION_LOCKED"), (status = 413, description = "FILE_TOO_LARGE")))]
async fn update(
    core: Data<Core>,
    caller: Caller,
    id: Path<UserId>,
    Body(body): Body<UserChangesBody>,
) -> Result<Json<UserView>> {
    if caller.signed_in()? != *id {
        return Err(Error::Forbidden.into());
    }
    let UserChangesBody { name, language, profile } = body;
    if let Some(Some(picture)) = profile {
        // Before the first write, so that a refused picture leaves the name unchanged.
        assets::check_portrait(&core, &caller, picture).await?;
    }
    if let Some(name) = name {
        users::set_name(&core, &caller, &name).await?;
    }
    if let Some(profile) = profile {
        assets::set_portrait(&core, &caller, profile).await?;
    }
    if let Some(language) = language {
        users::set_language(&core, &caller, language).await?;
    }
    let user = users::current(&core, &caller).await?;
    Ok(Json(auth::view(&core, &caller, &user).await?))
}

/// Changes the caller's own name, language or picture; the filter names the caller: `{"_id": "…"}`
#[openapi::path(patch, path = "/api/general/user", tag = "users", params(FilterQuery), request_body = UserChangesBody,
    responses((status = 200, body = UserView), (status = 404), (status = 409, description = "MODERATION_LOCKED"),
    (status = 413, description = "FILE_TOO_LARGE")))]
pub(super) async fn update_named(
    core: Data<Core>,
    caller: Caller,
    query: Query<FilterQuery>,
    body: Body<UserChangesBody>,
) -> Result<Json<UserView>> {
    let user = caller.signed_in()?;
    let ids: Vec<UserId> = generic::named(query.filter.as_deref())?;
    if ids.iter().any(|id| *id != user) || ids.is_empty() {
        return Err(Error::Forbidden.into());
    }
    update(core, caller, Path::from(user), body).await
}

/// A contact point.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ContactPointBody {
    /// Empty removes it.
    #[schema(max_length = 300)]
    value: String,
    /// Its position among the others; lower ones come first.
    order: i32,
}

/// Contact points by kind.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ContactPointsBody {
    homepage: Option<ContactPointBody>,
    instagram: Option<ContactPointBody>,
    email: Option<ContactPointBody>,
}

/// Replaces all contact points of the caller
#[openapi::path(post, path = "/api/general/contact-point", tag = "users", request_body = ContactPointsBody,
    responses((status = 200, body = BTreeMap<String, ContactPointView>),
    (status = 422, description = "AUTH_EMAIL_UNVERIFIED")))]
async fn set_contact_points(
    core: Data<Core>,
    caller: Caller,
    Body(body): Body<ContactPointsBody>,
) -> Result<Json<BTreeMap<String, ContactPointView>>> {
    let given = [
        (ContactKind::Homepage, body.homepage),
        (ContactKind::Instagram, body.instagram),
        (ContactKind::Email, body.email),
    ];
    let mut points: Vec<(i32, ContactPoint)> = given
        .into_iter()
        .filter_map(|(kind, point)| point.map(|point| (point.order, ContactPoint { kind, value: point.value })))
        .collect();
    points.sort_by_key(|(order, _)| *order);
    let points = points.into_iter().map(|(_, point)| point).collect();
    Ok(Json(contact_points(users::set_contact_points(&core, &caller, points).await?)))
}
