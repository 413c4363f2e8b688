//! Confirming an address, and password reset by mail.

use actix_web::web::{self, Data, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse};
use secrecy::SecretString;
use serde::Deserialize;
use verdigraph_core::{Core, users};

use super::auth;
use crate::caller::Caller;
use crate::error::Result;
use crate::extract::Body;
use crate::openapi::{self, OpenApi, ToSchema};
use crate::views::users::UserView;

#[derive(OpenApi)]
#[openapi(paths(verify_email, resend, forgot, reset))]
pub struct Api;

pub fn configure(config: &mut ServiceConfig) {
    config
        .service(web::resource("/auth/verify-email").post(verify_email))
        .service(web::resource("/auth/verify-email/resend").post(resend))
        .service(web::resource("/auth/password/forgot").post(forgot))
        .service(web::resource("/auth/password/reset").post(reset));
}

/// The code of a link in a mail.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CodeBody {
    #[schema(value_type = String, max_length = 500)]
    pub(super) code: SecretString,
}

/// Confirms an e-mail address by the mailed code; no sign-in needed
#[openapi::path(post, path = "/api/auth/verify-email", tag = "sign-in", request_body = CodeBody,
    responses((status = 204), (status = 422, description = "AUTH_LINK_INVALID")))]
async fn verify_email(core: Data<Core>, Body(body): Body<CodeBody>) -> Result<HttpResponse> {
    users::verify_email(&core, &body.code).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Mails the caller another link to confirm their address; does nothing if it is confirmed
#[openapi::path(post, path = "/api/auth/verify-email/resend", tag = "sign-in", responses((status = 202)))]
async fn resend(core: Data<Core>, caller: Caller) -> Result<HttpResponse> {
    users::resend_verification(&core, &caller).await?;
    Ok(HttpResponse::Accepted().finish())
}

/// The address of a forgotten password.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ForgotBody {
    #[schema(example = "ann@example.com", max_length = 254)]
    email: String,
}

/// Mails a link to reset the password; the response is the same for unknown addresses
#[openapi::path(post, path = "/api/auth/password/forgot", tag = "sign-in", request_body = ForgotBody,
    responses((status = 202)))]
async fn forgot(core: Data<Core>, request: HttpRequest, Body(body): Body<ForgotBody>) -> Result<HttpResponse> {
    users::forgot_password(&core, &body.email, &auth::origin(&core, &request)).await?;
    Ok(HttpResponse::Accepted().finish())
}

/// A new password, and the code that allows it.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ResetBody {
    #[schema(value_type = String, max_length = 500)]
    code: SecretString,
    /// 8 to 128 characters.
    #[schema(value_type = String, format = Password, min_length = 8, max_length = 128)]
    password: SecretString,
}

/// Sets a new password by the mailed code, ends all other sessions, and signs in
#[openapi::path(post, path = "/api/auth/password/reset", tag = "sign-in", request_body = ResetBody,
    responses((status = 200, body = UserView, description = "Sets the session cookie"),
    (status = 422, description = "AUTH_LINK_INVALID")))]
async fn reset(core: Data<Core>, request: HttpRequest, Body(body): Body<ResetBody>) -> Result<HttpResponse> {
    let origin = auth::origin(&core, &request);
    let session = users::reset_password(&core, &body.code, &body.password, &origin).await?;
    auth::begin(&core, &request, HttpResponse::Ok(), session).await
}
