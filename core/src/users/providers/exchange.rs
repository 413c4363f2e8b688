//! How providers are asked (OAuth with PKCE), and what is said where they refuse or do not answer.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use secrecy::{ExposeSecret as _, SecretString};
use sha2::{Digest as _, Sha256};

use super::provider::Provider;
use crate::{Code, Error, Result};

/// What makes one sign-in unlike any other: only who knows the verifier can use the code, and the answer repeats the
/// nonce.
pub(in crate::users) struct Secrets<'a> {
    pub state: &'a str,
    pub nonce: &'a str,
    pub verifier: &'a str,
}

/// Asks for a token with a code, and reads the answer.
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

/// Reads a vendor's JSON; a refusal of theirs is a refusal of ours, and a fault of theirs asks for patience.
pub(super) async fn read<T: serde::de::DeserializeOwned>(
    provider: Provider,
    answer: reqwest::Result<reqwest::Response>,
) -> Result<T> {
    let answer = answer.map_err(|error| away(provider, error.without_url()))?;
    let status = answer.status();
    if status.is_server_error() || status.as_u16() == 429 {
        return Err(away(provider, status));
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

/// The provider's answer is not what was asked for, or is for somebody else. What exactly is logged and not told: the
/// person can only begin again.
pub(super) fn refused(provider: Provider, why: impl std::fmt::Display) -> Error {
    let name = provider.word();
    tracing::warn!(provider = name, %why, "a sign-in with {name} was refused");
    Error::refused(Code::AuthSocialRefused, format!("the sign-in with {name} failed; begin again"))
}

/// The provider does not say that an address is the person's.
pub(super) fn no_email(provider: Provider) -> Error {
    let name = provider.word();
    Error::refused(Code::AuthSocialEmail, format!("the {name} account has no confirmed e-mail address"))
}

/// The provider cannot be reached.
pub(super) fn away(provider: Provider, why: impl std::fmt::Display) -> Error {
    let name = provider.word();
    tracing::warn!(provider = name, %why, "{name} does not answer");
    Error::Unavailable { message: format!("{name} does not answer"), retry_after_seconds: 5 }
}
