//! Sign-in through Google and Discord.

use actix_web::web::{self, Data, Json, Path, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse};
use secrecy::{ExposeSecret as _, SecretString};
use serde::{Deserialize, Serialize};
use verdigraph_core::users::{self, Language, LinkCallback, Provider, SocialCallback};
use verdigraph_core::{Core, Error, assets};

use super::auth;
use crate::caller::Caller;
use crate::cookies;
use crate::error::Result;
use crate::extract::Body;
use crate::openapi::{self, OpenApi, ToSchema};
use crate::views::users::UserView;
use crate::views::words::{LanguageTag, ProviderWord};

#[derive(OpenApi)]
#[openapi(paths(options, start_google, finish_google, start_discord, finish_discord, start_link, finish_link, unlink))]
pub struct Api;

pub fn configure(config: &mut ServiceConfig) {
    config
        .service(web::resource("/public/sign-in-options").get(options))
        .service(web::resource("/auth/signup/google/start").post(start_google))
        .service(web::resource("/auth/signup/google").post(finish_google))
        .service(web::resource("/auth/signup/discord/start").post(start_discord))
        .service(web::resource("/auth/signup/discord").post(finish_discord))
        .service(web::resource("/auth/me/identity/{provider}/start").post(start_link))
        .service(web::resource("/auth/me/identity/{provider}").post(finish_link).delete(unlink));
}

/// The ways to sign in beside e-mail address and password.
#[derive(Debug, Serialize, ToSchema)]
pub struct SignInOptionsView {
    pub google: bool,
    pub discord: bool,
}

/// The ways to sign in that this installation offers
#[openapi::path(get, path = "/api/public/sign-in-options", tag = "sign-in",
    responses((status = 200, body = SignInOptionsView)))]
async fn options(core: Data<Core>) -> Json<SignInOptionsView> {
    let offered = users::providers(&core);
    let has = |provider| offered.contains(&provider);
    Json(SignInOptionsView { google: has(Provider::Google), discord: has(Provider::Discord) })
}

/// Where to send the browser.
#[derive(Debug, Serialize, ToSchema)]
pub struct WayInView {
    /// The provider's page, which sends the browser back to `/login/google` or `/login/discord`.
    pub url: String,
}

/// What the provider's redirect returned.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SocialBody {
    /// The provider's code; left out when only the terms were missing.
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 4096)]
    code: Option<SecretString>,
    #[schema(max_length = 500)]
    state: String,
    /// `en` (the default) or `ko`, for a new user.
    #[serde(default)]
    #[schema(value_type = Option<LanguageTag>)]
    language: Option<Language>,
    #[serde(default)]
    terms_accepted: bool,
    #[serde(default)]
    privacy_accepted: bool,
}

/// Starts a sign-in with Google; sets a cookie that identifies the browser when it returns
#[openapi::path(post, path = "/api/auth/signup/google/start", tag = "sign-in",
    responses((status = 200, body = WayInView),
    (status = 404, description = "NOT_FOUND: this installation does not offer the provider"),
    (status = 503, description = "Google does not answer")))]
async fn start_google(core: Data<Core>, request: HttpRequest) -> Result<HttpResponse> {
    start(&core, &request, Provider::Google).await
}

/// Completes a sign-in with Google
///
/// A new user must accept the terms: the response is AUTH_TERMS_REQUIRED, and the same state works once more, without a
/// code.
#[openapi::path(post, path = "/api/auth/signup/google", tag = "sign-in", request_body = SocialBody,
    responses((status = 200, body = UserView, description = "Sets the session cookie"),
      (status = 201, body = UserView, description = "The same, for a new user"),
    (status = 400, description = "AUTH_TERMS_REQUIRED"), (status = 403, description = "AUTH_DISABLED"),
    (status = 409, description = "AUTH_ALREADY_EMAIL, AUTH_LINKED_GOOGLE, AUTH_LINKED_DISCORD"),
    (status = 422, description = "AUTH_SOCIAL_EXPIRED, AUTH_SOCIAL_REFUSED, AUTH_SOCIAL_EMAIL"),
    (status = 503, description = "Google does not answer")))]
async fn finish_google(core: Data<Core>, request: HttpRequest, Body(body): Body<SocialBody>) -> Result<HttpResponse> {
    finish(&core, &request, Provider::Google, body).await
}

/// Starts a sign-in with Discord; sets a cookie that identifies the browser when it returns
#[openapi::path(post, path = "/api/auth/signup/discord/start", tag = "sign-in",
    responses((status = 200, body = WayInView),
    (status = 404, description = "NOT_FOUND: this installation does not offer the provider")))]
async fn start_discord(core: Data<Core>, request: HttpRequest) -> Result<HttpResponse> {
    start(&core, &request, Provider::Discord).await
}

/// Completes a sign-in with Discord; answers as with Google
#[openapi::path(post, path = "/api/auth/signup/discord", tag = "sign-in", request_body = SocialBody,
    responses((status = 200, body = UserView, description = "Sets the session cookie"),
      (status = 201, body = UserView, description = "The same, for a new user"),
    (status = 400, description = "AUTH_TERMS_REQUIRED"), (status = 403, description = "AUTH_DISABLED"),
    (status = 409, description = "AUTH_ALREADY_EMAIL, AUTH_LINKED_GOOGLE, AUTH_LINKED_DISCORD"),
    (status = 422, description = "AUTH_SOCIAL_EXPIRED, AUTH_SOCIAL_REFUSED, AUTH_SOCIAL_EMAIL"),
    (status = 503, description = "Discord does not answer")))]
async fn finish_discord(core: Data<Core>, request: HttpRequest, Body(body): Body<SocialBody>) -> Result<HttpResponse> {
    finish(&core, &request, Provider::Discord, body).await
}

async fn start(core: &Core, request: &HttpRequest, provider: Provider) -> Result<HttpResponse> {
    let started = users::start_social(core, provider, &auth::origin(core, request)).await?;
    let mut response = HttpResponse::Ok();
    cookies::set_flow(&mut response, request, &core.settings, started.browser.expose_secret());
    Ok(response.json(WayInView { url: started.url }))
}

async fn finish(core: &Core, request: &HttpRequest, provider: Provider, body: SocialBody) -> Result<HttpResponse> {
    let back = SocialCallback {
        code: body.code,
        state: body.state,
        browser: cookies::flow(request).unwrap_or_default(),
        language: body.language.unwrap_or_default(),
        terms_accepted: body.terms_accepted,
        privacy_accepted: body.privacy_accepted,
    };
    let arrived = users::finish_social(core, provider, back, &auth::origin(core, request)).await?;
    if let Some(url) = arrived.picture {
        assets::import_portrait(core, arrived.session.user.id, url);
    }
    let mut response = if arrived.is_new { HttpResponse::Created() } else { HttpResponse::Ok() };
    cookies::clear_flow(&mut response, request, &core.settings);
    auth::begin(core, request, response, arrived.session).await
}

/// A provider by its name in a path: `google` or `discord`.
pub fn named(word: &str) -> std::result::Result<Provider, Error> {
    let known = Provider::ALL.into_iter().find(|provider| provider.path() == word);
    known.ok_or(Error::NotFound { what: "sign-in provider" })
}

/// Starts connecting the caller's account with Google or Discord; sets a cookie as sign-in does
#[openapi::path(post, path = "/api/auth/me/identity/{provider}/start", tag = "sign-in",
    params(("provider" = inline(ProviderWord), Path)), responses((status = 200, body = WayInView),
    (status = 403, description = "SESSION_REQUIRED: an API key cannot do this"),
    (status = 409, description = "AUTH_IDENTITY_EXISTS"),
    (status = 503, description = "The provider does not answer")))]
async fn start_link(
    core: Data<Core>,
    caller: Caller,
    path: Path<String>,
    request: HttpRequest,
) -> Result<HttpResponse> {
    let origin = auth::origin(&core, &request);
    let started = users::start_linking(&core, &caller, named(&path)?, &origin).await?;
    let mut response = HttpResponse::Ok();
    cookies::set_flow(&mut response, &request, &core.settings, started.browser.expose_secret());
    Ok(response.json(WayInView { url: started.url }))
}

/// What the provider's redirect returned, to connect an account.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LinkBody {
    /// The provider's code.
    #[schema(value_type = String, max_length = 4096)]
    code: SecretString,
    #[schema(max_length = 500)]
    state: String,
}

/// Completes the connection: the caller can sign in with the provider from now on
#[openapi::path(post, path = "/api/auth/me/identity/{provider}", tag = "sign-in", request_body = LinkBody,
    params(("provider" = inline(ProviderWord), Path)), responses((status = 200, body = UserView),
    (status = 409, description = "AUTH_IDENTITY_TAKEN, AUTH_IDENTITY_EXISTS"),
    (status = 422, description = "AUTH_SOCIAL_EXPIRED, AUTH_SOCIAL_REFUSED, AUTH_SOCIAL_EMAIL"),
    (status = 503, description = "The provider does not answer")))]
async fn finish_link(
    core: Data<Core>,
    caller: Caller,
    path: Path<String>,
    request: HttpRequest,
    Body(body): Body<LinkBody>,
) -> Result<HttpResponse> {
    let browser = cookies::flow(&request).unwrap_or_default();
    let back = LinkCallback { code: body.code, state: body.state, browser };
    let user = users::finish_linking(&core, &caller, named(&path)?, back).await?;
    let mut response = HttpResponse::Ok();
    cookies::clear_flow(&mut response, &request, &core.settings);
    Ok(response.json(auth::view(&core, &caller, &user).await?))
}

/// Disconnects Google or Discord; harmless when it is not connected
#[openapi::path(delete, path = "/api/auth/me/identity/{provider}", tag = "sign-in",
    params(("provider" = inline(ProviderWord), Path)), responses((status = 200, body = UserView),
    (status = 422, description = "AUTH_LAST_WAY")))]
async fn unlink(core: Data<Core>, caller: Caller, path: Path<String>) -> Result<Json<UserView>> {
    let user = users::unlink(&core, &caller, named(&path)?).await?;
    Ok(Json(auth::view(&core, &caller, &user).await?))
}
