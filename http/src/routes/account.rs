//! The caller's own account: picture, password, sessions, plan, export, deletion.

use actix_web::http::header;
use actix_web::web::{self, Data, Json, Path, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse};
use secrecy::SecretString;
use serde::Deserialize;
use uuid::Uuid;
use verdigraph_core::ids::AssetId;
use verdigraph_core::users::{self, DeletionProof};
use verdigraph_core::{Core, account_deletion, assets};

use super::auth;
use crate::caller::Caller;
use crate::error::Result;
use crate::extract::Body;
use crate::openapi::{self, OpenApi, ToSchema};
use crate::views::Items;
use crate::views::users::{PlanView, SessionView, SubscriptionPlanView, UserView};
use crate::{cookies, export};

#[derive(OpenApi)]
#[openapi(paths(
    set_profile,
    set_password,
    sessions,
    end_session,
    end_other_sessions,
    subscription,
    export_data,
    leave
))]
pub struct Api;

pub fn configure(config: &mut ServiceConfig) {
    config
        .service(web::resource("/auth/me").delete(leave))
        .service(web::resource("/auth/me/profile").patch(set_profile))
        .service(web::resource("/auth/me/password").patch(set_password))
        .service(web::resource("/auth/me/session").get(sessions).delete(end_other_sessions))
        .service(web::resource("/auth/me/session/{id}").delete(end_session))
        .service(web::resource("/auth/me/subscription").get(subscription))
        .service(web::resource("/auth/me/export").get(export_data));
}

/// A profile picture.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ProfileBody {
    /// An uploaded picture of at most 10 MB; it becomes public. `null` for none.
    asset_id: Option<Uuid>,
}

/// Sets the caller's profile picture
#[openapi::path(patch, path = "/api/auth/me/profile", tag = "account", request_body = ProfileBody,
    responses((status = 200, body = UserView), (status = 404), (status = 413, description = "FILE_TOO_LARGE")))]
async fn set_profile(core: Data<Core>, caller: Caller, Body(body): Body<ProfileBody>) -> Result<Json<UserView>> {
    assets::set_portrait(&core, &caller, body.asset_id.map(AssetId)).await?;
    let user = users::current(&core, &caller).await?;
    Ok(Json(auth::view(&core, &caller, &user).await?))
}

/// A new password.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PasswordBody {
    /// The current password; left out if the account has none.
    #[serde(default)]
    #[schema(value_type = Option<String>, format = Password)]
    current: Option<SecretString>,
    /// 8 to 128 characters.
    #[schema(value_type = String, format = Password, min_length = 8, max_length = 128)]
    password: SecretString,
}

/// Sets a new password, or the first one; ends all other sessions
#[openapi::path(patch, path = "/api/auth/me/password", tag = "account", request_body = PasswordBody,
    responses((status = 200, body = UserView),
    (status = 403, description = "SESSION_REQUIRED: an API key cannot do this")))]
async fn set_password(
    core: Data<Core>,
    caller: Caller,
    request: HttpRequest,
    Body(body): Body<PasswordBody>,
) -> Result<Json<UserView>> {
    let token = cookies::session(&request).unwrap_or_default();
    users::change_password(&core, &caller, &token, body.current.as_ref(), &body.password).await?;
    let user = users::current(&core, &caller).await?;
    Ok(Json(auth::view(&core, &caller, &user).await?))
}

/// The caller's sessions, the most recently used first
#[openapi::path(get, path = "/api/auth/me/session", tag = "account",
    responses((status = 200, body = Items<SessionView>)))]
async fn sessions(core: Data<Core>, caller: Caller, request: HttpRequest) -> Result<Json<Items<SessionView>>> {
    let token = cookies::session(&request);
    let items = users::sessions(&core, &caller, token.as_deref()).await?;
    Ok(Json(Items { items: items.into_iter().map(SessionView::from).collect() }))
}

/// Ends one of the caller's sessions
#[openapi::path(delete, path = "/api/auth/me/session/{id}", tag = "account", params(("id" = Uuid, Path)),
    responses((status = 204)))]
async fn end_session(core: Data<Core>, caller: Caller, id: Path<Uuid>) -> Result<HttpResponse> {
    users::revoke_session(&core, &caller, *id).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Ends all of the caller's sessions but this one
#[openapi::path(delete, path = "/api/auth/me/session", tag = "account", responses((status = 204)))]
async fn end_other_sessions(core: Data<Core>, caller: Caller, request: HttpRequest) -> Result<HttpResponse> {
    let token = cookies::session(&request).unwrap_or_default();
    users::revoke_other_sessions(&core, &caller, &token).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// The caller's plan and what it allows
#[openapi::path(get, path = "/api/auth/me/subscription", tag = "account",
    responses((status = 200, body = SubscriptionPlanView)))]
async fn subscription(core: Data<Core>, caller: Caller) -> Result<Json<SubscriptionPlanView>> {
    let user = users::current(&core, &caller).await?;
    let plans = &core.settings.plans;
    let until = user.given_plan_in_effect_at(plans, core.clock.now()).map(|given| given.until);
    let plan = PlanView::new(users::plan_of(&core, &user)?, &core.settings);
    let next_plan = until.map(|until| user.plan_at(plans, until).to_owned());
    Ok(Json(SubscriptionPlanView { plan, until, next_plan }))
}

/// All data about the caller, as one JSON document
///
/// Profile, keys (without their secrets), sessions, credits, redeemed coupons, jobs, workflows with their graphs,
/// pictures and uploads with their addresses. At most six times an hour.
#[openapi::path(get, path = "/api/auth/me/export", tag = "account",
    responses((status = 200, content_type = "application/json", description = "A file to keep"),
    (status = 403, description = "SESSION_REQUIRED: an API key cannot do this")))]
async fn export_data(core: Data<Core>, caller: Caller) -> Result<HttpResponse> {
    let user = users::authorize_export(&core, &caller).await?;
    let profile = auth::view(&core, &caller, &user).await?;
    let name = format!("attachment; filename=\"verdigraph-{}.json\"", core.clock.now().format("%Y-%m-%d"));
    Ok(HttpResponse::Ok()
        .content_type("application/json")
        .insert_header((header::CONTENT_DISPOSITION, name))
        .streaming(export::stream(core.get_ref().clone(), caller.0.clone(), profile)))
}

/// Confirms that the caller means it.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct FarewellBody {
    /// Required if the account has a password.
    #[serde(default)]
    #[schema(value_type = Option<String>, format = Password)]
    password: Option<SecretString>,
    /// Required otherwise: the account's name.
    #[serde(default)]
    #[schema(max_length = 20)]
    name: Option<String>,
}

/// Deletes the caller's account
///
/// Deletes name, address, keys, sessions, private pictures, uploads and workflows; credits are forfeited. Published
/// content stays, by "Deleted user".
#[openapi::path(delete, path = "/api/auth/me", tag = "account", request_body = FarewellBody, responses((status = 204),
    (status = 400, description = "A wrong password or name"),
    (status = 403, description = "SESSION_REQUIRED: an API key cannot do this")))]
async fn leave(
    core: Data<Core>,
    caller: Caller,
    request: HttpRequest,
    Body(body): Body<FarewellBody>,
) -> Result<HttpResponse> {
    let farewell = match (body.password, body.name) {
        (Some(password), _) => DeletionProof::Password(password),
        (None, name) => DeletionProof::Name(name.unwrap_or_default()),
    };
    account_deletion::delete_account(&core, &caller, &farewell).await?;
    let mut response = HttpResponse::NoContent();
    cookies::clear_session(&mut response, &request, &core.settings);
    Ok(response.finish())
}
