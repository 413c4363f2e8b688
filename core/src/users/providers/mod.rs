//! Those at whom people may sign in instead of with a password of ours.

mod discord;
mod google;
mod rs256;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use secrecy::{ExposeSecret as _, SecretString};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::settings::Settings;
use crate::{Clock, Error, Result, outbound};

use discord::Discord;
use google::Google;

/// A provider of sign-ins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Provider {
    Google,
    Discord,
}

impl Provider {
    /// All there are.
    pub const ALL: [Self; 2] = [Self::Google, Self::Discord];

    /// Its name: `Google`.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Google => "Google",
            Self::Discord => "Discord",
        }
    }

    /// Its name in addresses: `google`.
    #[must_use]
    pub fn path(self) -> &'static str {
        match self {
            Self::Google => "google",
            Self::Discord => "discord",
        }
    }

    /// The provider of this name.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|provider| provider.word() == word)
    }

    /// What somebody is told whose address belongs to an account at this provider.
    pub(super) fn linked(self) -> Error {
        match self {
            Self::Google => Error::AuthLinkedGoogle,
            Self::Discord => Error::AuthLinkedDiscord,
        }
    }
}

/// Whom a provider told, after everything about the telling was checked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Told {
    pub provider: Provider,
    /// The provider's own id of the person.
    pub subject: String,
    /// Confirmed by the provider.
    pub email: String,
    pub name: Option<String>,
    /// Where their picture is.
    pub picture: Option<String>,
}

/// What makes one sign-in unlike any other: only who knows the verifier can use the code, and the answer repeats the
/// nonce.
pub(super) struct Secrets<'a> {
    pub state: &'a str,
    pub nonce: &'a str,
    pub verifier: &'a str,
}

/// Clients of the configured providers. Cheap to clone.
#[derive(Debug, Clone)]
pub(super) struct Providers {
    google: Option<Google>,
    discord: Option<Discord>,
    /// Where people come back to, without the provider's name at the end.
    back: String,
}

impl Providers {
    pub fn new(settings: &Settings) -> Result<Self> {
        let http = outbound::vendors()?;
        Ok(Self {
            google: Google::new(&settings.google, &http),
            discord: Discord::new(&settings.discord, &http),
            back: format!("{}/login", settings.public_url()),
        })
    }

    pub fn offered(&self) -> Vec<Provider> {
        let mut offered = Vec::new();
        offered.extend(self.google.as_ref().map(|_| Provider::Google));
        offered.extend(self.discord.as_ref().map(|_| Provider::Discord));
        offered
    }

    /// Where the browser is sent.
    ///
    /// # Errors
    /// [`Error::NotFound`] for a provider that is not configured; [`Error::Unavailable`] for one that does not answer.
    pub async fn way_in(&self, provider: Provider, secrets: &Secrets<'_>, clock: &Clock) -> Result<String> {
        let back = self.back(provider);
        match provider {
            Provider::Google => offered(&self.google)?.way_in(secrets, &back, clock.now()).await,
            Provider::Discord => Ok(offered(&self.discord)?.way_in(secrets, &back)),
        }
    }

    /// Whom the provider tells for this code.
    ///
    /// # Errors
    /// [`refused`] where the code or the answer is not what was asked for; [`no_email`]; [`Error::Unavailable`].
    pub async fn told(
        &self,
        provider: Provider,
        code: &SecretString,
        nonce: &str,
        verifier: &str,
        clock: &Clock,
    ) -> Result<Told> {
        let back = self.back(provider);
        match provider {
            Provider::Google => offered(&self.google)?.told(code, nonce, verifier, &back, clock.now()).await,
            Provider::Discord => offered(&self.discord)?.told(code, verifier, &back).await,
        }
    }

    fn back(&self, provider: Provider) -> String {
        format!("{}/{}", self.back, provider.path())
    }
}

fn offered<T>(provider: &Option<T>) -> Result<&T> {
    provider.as_ref().ok_or(Error::NotFound { what: "sign-in provider" })
}

/// The challenge of a verifier (PKCE, S256).
fn challenge(verifier: &str) -> String {
    URL_SAFE_NO_PAD.encode(Sha256::digest(verifier.as_bytes()))
}

/// The provider's answer is not what was asked for, or is for somebody else. What exactly is logged and not told: the
/// person can only begin again.
fn refused(provider: Provider, why: impl std::fmt::Display) -> Error {
    let name = provider.word();
    tracing::warn!(provider = name, %why, "a sign-in with {name} was refused");
    Error::Refused {
        code: "AUTH_SOCIAL_REFUSED",
        message: format!("the sign-in with {name} failed; begin again"),
        details: serde_json::Value::Null,
    }
}

/// The provider does not say that an address is the person's.
fn no_email(provider: Provider) -> Error {
    let name = provider.word();
    Error::Refused {
        code: "AUTH_SOCIAL_EMAIL",
        message: format!("the {name} account has no confirmed e-mail address"),
        details: serde_json::Value::Null,
    }
}

/// The provider cannot be reached.
fn away(provider: Provider, why: impl std::fmt::Display) -> Error {
    let name = provider.word();
    tracing::warn!(provider = name, %why, "{name} does not answer");
    Error::Unavailable { message: format!("{name} does not answer"), retry_after_seconds: 5 }
}

/// Asks for a token with a code, and reads the answer.
async fn exchange<T: serde::de::DeserializeOwned>(
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
async fn read<T: serde::de::DeserializeOwned>(
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
