//! Requests to providers (OAuth with PKCE), and the errors for refusals and outages.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use secrecy::{ExposeSecret as _, SecretString};
use sha2::{Digest as _, Sha256};

use super::provider::Provider;
use crate::{Code, Error, Result};

/// The random values of one flow: only a client with the verifier can use the code, and the answer repeats the nonce.
pub(in crate::users) struct FlowSecrets<'a> {
    pub state: &'a str,
    pub nonce: &'a str,
    pub verifier: &'a str,
}

/// Exchanges a code for a token, and parses the answer.
pub(super) async fn exchange<T: serde::de::DeserializeOwned>(
    provider: Provider,
    request: reqwest::RequestBuilder,
    (code, verifier, back): (&SecretString, &str, &str),
    (id, secret): (&str, &SecretString),
) -> Result<T> {
    let form = [
        ("grant_type", "authorization_code"),
        ("code", code.expose_secret()),
        ("redirect_uri", back),
        ("code_verifier", verifier),
    ];
    let answer = request.basic_auth(id, Some(secret.expose_secret())).form(&form).send().await;
    read(provider, answer).await
}

/// Parses a provider's JSON. A refusal becomes our refusal; a server error becomes `Unavailable`.
pub(super) async fn read<T: serde::de::DeserializeOwned>(
    provider: Provider,
    answer: reqwest::Result<reqwest::Response>,
) -> Result<T> {
    let answer = answer.map_err(|error| unavailable(provider, error.without_url()))?;
    let status = answer.status();
    if status.is_server_error() || status.as_u16() == 429 {
        return Err(unavailable(provider, status));
    }
    if !status.is_success() {
        return Err(refused(provider, status));
    }
    answer.json().await.map_err(|error| refused(provider, error.without_url()))
}

/// The challenge of a verifier (PKCE, S256).
pub(super) fn challenge(verifier: &str) -> String {
    URL_SAFE_NO_PAD.encode(Sha256::digest(verifier.as_bytes()))
}

/// The provider's answer is unexpected, or for another client. The reason is only logged: the user can only start
/// again.
pub(super) fn refused(provider: Provider, why: impl std::fmt::Display) -> Error {
    let name = provider.word();
    tracing::warn!(provider = name, %why, "a sign-in with {name} was refused");
    Error::refused(Code::AuthSocialRefused, format!("the sign-in with {name} failed; begin again"))
}

/// The provider does not confirm the address.
pub(super) fn no_email(provider: Provider) -> Error {
    let name = provider.word();
    Error::refused(Code::AuthSocialEmail, format!("the {name} account has no confirmed e-mail address"))
}

/// The provider cannot be reached.
pub(super) fn unavailable(provider: Provider, why: impl std::fmt::Display) -> Error {
    let name = provider.word();
    tracing::warn!(provider = name, %why, "{name} does not answer");
    Error::Unavailable { message: format!("{name} does not answer"), retry_after_seconds: 5 }
}
