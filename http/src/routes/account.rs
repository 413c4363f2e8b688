//! The caller's own account: picture, password, sessions, plan, export, farewell.

use actix_web::http::header;
use actix_web::web::{self, Data, Json, Path, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse};
use secrecy::SecretString;
use serde::Deserialize;
use uuid::Uuid;
use verdigraph_core::ids::AssetId;
use verdigraph_core::users::{self, Farewell};
use verdigraph_core::{Core, Error, account_deletion, assets};

use super::auth;
use crate::caller::Caller;
use crate::described::{self, OpenApi, ToSchema};
use crate::error::{ErrorBody, Result};
use crate::extract::Body;
use crate::views::Items;
use crate::views::users::{PlanView, SessionView, UserView};
use crate::{cookies, export};

/// What is documented here.
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

/// Mounts the routes below `/api`.
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

/// A picture of the caller's.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ProfileBody {
    /// An uploaded picture of at most 10 MB; everybody may see it from then on. `null` for none.
    asset_id: Option<Uuid>,
}

/// Puts a picture beside the caller's name
#[described::path(patch, path = "/api/auth/me/profile", tag = "account", request_body = ProfileBody, responses(
    (status = 200, body = UserView), (status = 401, body = ErrorBody), (status = 404, body = ErrorBody),
    (status = 413, body = ErrorBody, description = "FILE_TOO_LARGE")
))]
async fn set_profile(core: Data<Core>, caller: Caller, Body(body): Body<ProfileBody>) -> Result<Json<UserView>> {
    assets::set_portrait(&core, &caller, body.asset_id.map(AssetId)).await?;
    let user = users::current(&core, &caller).await?;
    Ok(Json(auth::view(&core, &caller, &user).await?))
}

/// A new password.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PasswordBody {
    /// The password until now; left out by somebody who has none.
    #[serde(default)]
    #[schema(value_type = Option<String>, format = Password)]
    current: Option<SecretString>,
    /// 8 to 128 characters.
    #[schema(value_type = String, format = Password, min_length = 8, max_length = 128)]
    password: SecretString,
}

/// Sets another password, or the first one; ends all other sessions
#[described::path(patch, path = "/api/auth/me/password", tag = "account", request_body = PasswordBody, responses(
    (status = 200, body = UserView), (status = 400, body = ErrorBody, description = "VALIDATION_FAILED"),
    (status = 401, body = ErrorBody), (status = 403, body = ErrorBody, description = "An API key cannot do this"),
    (status = 429, body = ErrorBody)
))]
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

/// Where the caller is signed in, the last used first
#[described::path(get, path = "/api/auth/me/session", tag = "account", responses(
    (status = 200, body = Items<SessionView>), (status = 401, body = ErrorBody)
))]
async fn sessions(core: Data<Core>, caller: Caller, request: HttpRequest) -> Result<Json<Items<SessionView>>> {
    let token = cookies::session(&request);
    let items = users::sessions(&core, &caller, token.as_deref()).await?;
    Ok(Json(Items { items: items.into_iter().map(SessionView::from).collect() }))
}

/// Signs the caller out in one place
#[described::path(delete, path = "/api/auth/me/session/{id}", tag = "account", params(("id" = Uuid, Path)), responses(
    (status = 204), (status = 401, body = ErrorBody), (status = 404, body = ErrorBody)
))]
async fn end_session(core: Data<Core>, caller: Caller, id: Path<Uuid>) -> Result<HttpResponse> {
    users::revoke_session(&core, &caller, *id).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Signs the caller out everywhere but here
#[described::path(delete, path = "/api/auth/me/session", tag = "account", responses(
    (status = 204), (status = 401, body = ErrorBody), (status = 403, body = ErrorBody)
))]
async fn end_other_sessions(core: Data<Core>, caller: Caller, request: HttpRequest) -> Result<HttpResponse> {
    let token = cookies::session(&request).unwrap_or_default();
    users::revoke_other_sessions(&core, &caller, &token).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// The caller's plan and what it allows
#[described::path(get, path = "/api/auth/me/subscription", tag = "account", responses(
    (status = 200, body = PlanView), (status = 401, body = ErrorBody)
))]
async fn subscription(core: Data<Core>, caller: Caller) -> Result<Json<PlanView>> {
    let user = users::current(&core, &caller).await?;
    let plan = core.settings.plan(&user.plan).ok_or(Error::NotFound { what: "plan" })?;
    Ok(Json(PlanView::new(plan, &core.settings)))
}

/// Everything that is kept about the caller, as one JSON document
///
/// Profile, keys (without their secrets), sessions, credits, jobs, workflows with their graphs, pictures and uploads
/// with their addresses. Six an hour.
#[described::path(get, path = "/api/auth/me/export", tag = "account", responses(
    (status = 200, content_type = "application/json", description = "A file to keep"), (status = 401, body = ErrorBody),
    (status = 403, body = ErrorBody, description = "An API key cannot do this"), (status = 429, body = ErrorBody)
))]
async fn export_data(core: Data<Core>, caller: Caller) -> Result<HttpResponse> {
    let user = users::begin_export(&core, &caller).await?;
    let profile = auth::view(&core, &caller, &user).await?;
    let name = format!("attachment; filename=\"verdigraph-{}.json\"", core.clock.now().format("%Y-%m-%d"));
    Ok(HttpResponse::Ok()
        .content_type("application/json")
        .insert_header((header::CONTENT_DISPOSITION, name))
        .streaming(export::stream(core.get_ref().clone(), caller.0.clone(), profile)))
}

/// How somebody shows that they mean it.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct FarewellBody {
    /// For whoever has a password.
    #[serde(default)]
    #[schema(value_type = Option<String>, format = Password)]
    password: Option<SecretString>,
    /// For everybody else: their name.
    #[serde(default)]
    #[schema(max_length = 20)]
    name: Option<String>,
}

/// Deletes the caller's account
///
/// Name, address, keys, sessions, private pictures, uploads and workflows go, credits are forfeited. What was published
/// stays, by "Deleted user".
#[described::path(delete, path = "/api/auth/me", tag = "account", request_body = FarewellBody, responses(
    (status = 204), (status = 400, body = ErrorBody, description = "A wrong password or name"),
    (status = 401, body = ErrorBody), (status = 403, body = ErrorBody, description = "An API key cannot do this"),
    (status = 429, body = ErrorBody)
))]
async fn leave(
    core: Data<Core>,
    caller: Caller,
    request: HttpRequest,
    Body(body): Body<FarewellBody>,
) -> Result<HttpResponse> {
    let farewell = match (body.password, body.name) {
        (Some(password), _) => Farewell::Password(password),
        (None, name) => Farewell::Name(name.unwrap_or_default()),
    };
    account_deletion::leave(&core, &caller, &farewell).await?;
    let mut response = HttpResponse::NoContent();
    cookies::clear_session(&mut response, &request, &core.settings);
    Ok(response.finish())
}
