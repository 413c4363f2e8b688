//! Sign-up, sign-in, sign-out, and the signed-in user.

use actix_web::web::{self, Data, Json, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder, ResponseError as _};
use chrono::{DateTime, Utc};
use secrecy::{ExposeSecret as _, SecretString};
use serde::{Deserialize, Serialize};
use uuid::Uuid;
use verdigraph_core::users::{self, Language, NewSession, PendingSignUp, RequestOrigin, SignUp, SignUpOutcome, User};
use verdigraph_core::{Caller as CoreCaller, Core, Error, assets};

use crate::caller::Caller;
use crate::error::{ApiError, Result};
use crate::extract::Body;
use crate::openapi::{self, IntoParams, OpenApi, ToSchema};
use crate::query::Query;
use crate::views::assets::AssetView;
use crate::views::users::{BanView, SubscriptionView, UserView};
use crate::views::words::LanguageTag;
use crate::{client, cookies};

#[derive(OpenApi)]
#[openapi(paths(current, sign_up, finish_sign_up, sign_in, sign_out, set_language, set_name))]
pub struct Api;

pub fn configure(config: &mut ServiceConfig) {
    config
        .service(web::resource("/auth").get(current))
        .service(web::resource("/auth/signup/email-password").post(sign_up))
        .service(web::resource("/auth/signup/email-password/code").post(finish_sign_up))
        .service(web::resource("/auth/login/email-password").post(sign_in))
        .service(web::resource("/auth/logout").post(sign_out))
        .service(web::resource("/auth/me/language").patch(set_language))
        .service(web::resource("/auth/me/name").patch(set_name));
}

/// The signed-in user
///
/// Sets the cookie XSRF-TOKEN if it does not match the session; for guests too. With `guest=null` a guest gets `null`
/// instead of an error.
#[openapi::path(get, path = "/api/auth", tag = "sign-in", params(WhoQuery),
    responses((status = 200, body = Option<UserView>, description = "`null` for a guest who asked with `guest=null`")))]
async fn current(
    core: Data<Core>,
    caller: Caller,
    request: HttpRequest,
    query: Query<WhoQuery>,
) -> Result<HttpResponse> {
    match users::current(&core, &caller).await {
        Err(Error::LoginRequired) if query.guest.is_some() => {
            let mut response = HttpResponse::Ok();
            cookies::ensure_xsrf(&mut response, &request, &core.settings);
            Ok(response.json(serde_json::Value::Null))
        }
        Ok(user) => {
            let mut response = HttpResponse::Ok();
            cookies::ensure_xsrf(&mut response, &request, &core.settings);
            Ok(response.json(view(&core, &caller, &user).await?))
        }
        // A guest's 401 sets the cookie too, so it is built by hand.
        Err(error @ Error::LoginRequired) => {
            let mut cookie = HttpResponse::Ok();
            cookies::ensure_xsrf(&mut cookie, &request, &core.settings);
            let mut response = ApiError::from(error).error_response();
            for cookie in cookie.finish().cookies() {
                response.add_cookie(&cookie).map_err(|error| Error::Internal(error.to_string()))?;
            }
            Ok(response)
        }
        Err(error) => Err(error.into()),
    }
}

/// How to answer a guest.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct WhoQuery {
    #[param(inline)]
    guest: Option<GuestIs>,
}

/// The answer to a guest.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum GuestIs {
    Null,
}

/// A sign-up form.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SignUpBody {
    #[schema(example = "ann@example.com", max_length = 254)]
    email: String,
    /// 8 to 128 characters.
    #[schema(value_type = String, format = Password, min_length = 8, max_length = 128)]
    password: SecretString,
    /// 2 to 20 characters.
    #[schema(min_length = 2, max_length = 20)]
    name: String,
    /// `en` (the default) or `ko`.
    #[serde(default)]
    #[schema(value_type = Option<LanguageTag>)]
    language: Option<Language>,
    #[serde(default)]
    terms_accepted: bool,
    #[serde(default)]
    privacy_accepted: bool,
}

/// A sign-up that waits for the mailed code.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PendingSignUpView {
    /// Send it back with the code.
    sign_up: Uuid,
    email: String,
    /// When the code stops working.
    expires_at: DateTime<Utc>,
}

impl From<PendingSignUp> for PendingSignUpView {
    fn from(PendingSignUp { id, email, expires_at }: PendingSignUp) -> Self {
        Self { sign_up: id, email, expires_at }
    }
}

/// Creates a user and signs them in
///
/// Where the installation sends mail, known and new addresses get the same answer, 202. A new address is mailed a code
/// for `/api/auth/signup/email-password/code`; the owner of a known one is mailed a notice. Elsewhere the account is
/// created at once, with 201, and a known address is refused with 409.
#[openapi::path(post, path = "/api/auth/signup/email-password", tag = "sign-in", request_body = SignUpBody,
    responses((status = 201, body = UserView, description = "Sets the session cookie"),
    (status = 202, body = PendingSignUpView, description = "A mail is on its way"),
    (status = 400, description = "VALIDATION_FAILED, AUTH_TERMS_REQUIRED"),
    (status = 409, description = "AUTH_ALREADY_EMAIL, AUTH_LINKED_GOOGLE, AUTH_LINKED_DISCORD")))]
async fn sign_up(core: Data<Core>, request: HttpRequest, Body(body): Body<SignUpBody>) -> Result<HttpResponse> {
    let form = SignUp {
        email: body.email,
        password: body.password,
        name: body.name,
        language: body.language.unwrap_or_default(),
        terms_accepted: body.terms_accepted,
        privacy_accepted: body.privacy_accepted,
    };
    match users::sign_up(&core, &form, &origin(&core, &request)).await? {
        SignUpOutcome::Account(session) => begin(&core, &request, HttpResponse::Created(), session).await,
        SignUpOutcome::CodeSent(pending) => Ok(HttpResponse::Accepted().json(PendingSignUpView::from(pending))),
    }
}

/// The mailed code, and the sign-up it belongs to.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SignUpCodeBody {
    sign_up: Uuid,
    /// Six digits; spaces and hyphens are ignored.
    #[schema(value_type = String, example = "204913", max_length = 32)]
    code: SecretString,
}

/// Completes a sign-up with the mailed code
///
/// A sign-up accepts at most five codes, within 30 minutes.
#[openapi::path(post, path = "/api/auth/signup/email-password/code", tag = "sign-in", request_body = SignUpCodeBody,
    responses((status = 201, body = UserView, description = "Sets the session cookie"),
    (status = 409, description = "AUTH_ALREADY_EMAIL, where the address got an account in the meantime"),
    (status = 422, description = "AUTH_CODE_WRONG, AUTH_CODE_EXPIRED")))]
async fn finish_sign_up(
    core: Data<Core>,
    request: HttpRequest,
    Body(body): Body<SignUpCodeBody>,
) -> Result<HttpResponse> {
    let session = users::finish_sign_up(&core, body.sign_up, &body.code, &origin(&core, &request)).await?;
    begin(&core, &request, HttpResponse::Created(), session).await
}

/// An e-mail address and its password.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SignInBody {
    #[schema(max_length = 254)]
    email: String,
    #[schema(value_type = String, format = Password)]
    password: SecretString,
}

/// Signs the user in
#[openapi::path(post, path = "/api/auth/login/email-password", tag = "sign-in", request_body = SignInBody,
    responses((status = 200, body = UserView, description = "Sets the session cookie"),
    (status = 401, description = "AUTH_WRONG_CREDENTIALS"),
    (status = 409, description = "AUTH_LINKED_GOOGLE, AUTH_LINKED_DISCORD")))]
async fn sign_in(core: Data<Core>, request: HttpRequest, Body(body): Body<SignInBody>) -> Result<HttpResponse> {
    let session = users::sign_in(&core, &body.email, &body.password, &origin(&core, &request)).await?;
    begin(&core, &request, HttpResponse::Ok(), session).await
}

/// Signs the browser out; harmless without a session
#[openapi::path(post, path = "/api/auth/logout", tag = "sign-in", responses((status = 204)))]
async fn sign_out(core: Data<Core>, request: HttpRequest) -> Result<HttpResponse> {
    if let Some(token) = cookies::session(&request) {
        users::sign_out(&core, &token).await?;
    }
    let mut response = HttpResponse::NoContent();
    cookies::clear_session(&mut response, &request, &core.settings);
    Ok(response.finish())
}

/// A language of the pages.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LanguageBody {
    /// `en` or `ko`.
    #[schema(value_type = LanguageTag)]
    language: Language,
}

/// Sets the caller's language
#[openapi::path(patch, path = "/api/auth/me/language", tag = "sign-in", request_body = LanguageBody,
    responses((status = 200, body = UserView)))]
async fn set_language(core: Data<Core>, caller: Caller, Body(body): Body<LanguageBody>) -> Result<Json<UserView>> {
    let user = users::set_language(&core, &caller, body.language).await?;
    Ok(Json(view(&core, &caller, &user).await?))
}

/// A name.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NameBody {
    /// 2 to 20 characters.
    #[schema(min_length = 2, max_length = 20)]
    name: String,
}

/// Sets the caller's name
#[openapi::path(patch, path = "/api/auth/me/name", tag = "sign-in", request_body = NameBody,
    responses((status = 200, body = UserView)))]
async fn set_name(core: Data<Core>, caller: Caller, Body(body): Body<NameBody>) -> Result<Json<UserView>> {
    let user = users::set_name(&core, &caller, &body.name).await?;
    Ok(Json(view(&core, &caller, &user).await?))
}

/// The response with the user and the cookies of the new session.
pub(super) async fn begin(
    core: &Core,
    request: &HttpRequest,
    mut response: HttpResponseBuilder,
    session: NewSession,
) -> Result<HttpResponse> {
    cookies::set_session(&mut response, request, &core.settings, session.token.expose_secret());
    let caller = CoreCaller { admin: session.user.is_admin, ..CoreCaller::customer(session.user.id) };
    Ok(response.json(view(core, &caller, &session.user).await?))
}

/// The request's address and user agent.
pub(super) fn origin(core: &Core, request: &HttpRequest) -> RequestOrigin {
    let agent = request.headers().get("user-agent").and_then(|value| value.to_str().ok());
    RequestOrigin {
        address: Some(client::address(request, &core.settings.server)),
        user_agent: agent.map(str::to_owned),
    }
}

/// The user's view of their own account.
pub(super) async fn view(core: &Core, caller: &CoreCaller, user: &User) -> Result<UserView> {
    let credits = super::credits::allowed_balance(core, caller).await?;
    let profile = match user.profile {
        Some(id) => assets::find_all(core, &[id]).await?.remove(&id),
        None => None,
    };
    Ok(UserView {
        id: user.id.0,
        name: user.name.clone(),
        name_tag: user.name_tag(),
        email: user.email.clone(),
        language: user.language.tag().to_owned(),
        roles: user.roles().iter().map(|role| (*role).to_owned()).collect(),
        subscriptions: vec![SubscriptionView { name: user.plan_at(&core.settings.plans, core.clock.now()).to_owned() }],
        profile: profile.map(|asset| AssetView::new(asset, core.settings.base_url())),
        social_profile: None,
        credits: credits.into(),
        email_verified: user.email_verified,
        has_password: user.has_password,
        sign_in_with: user.providers.iter().map(|provider| provider.word().to_owned()).collect(),
        ban: user.ban_at(core.clock.now()).map(BanView::from),
        created_at: user.created_at,
    })
}
