//! Access tokens of PayPal: one is used until shortly before it ends.

use chrono::{DateTime, TimeDelta, Utc};
use reqwest::Url;
use secrecy::{ExposeSecret as _, SecretString};
use serde::Deserialize;
use tokio::sync::Mutex;

use super::answers::{self, PayPalFailure};
use crate::Clock;

/// How long before its end a token is renewed.
const MARGIN: TimeDelta = TimeDelta::minutes(2);
/// The longest time that a token is used, whatever PayPal says.
const MAX_LIFETIME_SECONDS: i64 = 12 * 3600;

pub(super) struct Tokens {
    url: Url,
    login: (String, SecretString),
    clock: Clock,
    http: reqwest::Client,
    current: Mutex<Option<Token>>,
}

struct Token {
    text: SecretString,
    renewed_at: DateTime<Utc>,
}

#[derive(Deserialize)]
struct Issued {
    access_token: SecretString,
    expires_in: i64,
}

impl Tokens {
    pub fn new(url: Url, login: (String, SecretString), clock: Clock, http: reqwest::Client) -> Self {
        Self { url, login, clock, http, current: Mutex::default() }
    }

    pub async fn get(&self) -> Result<SecretString, PayPalFailure> {
        // Held during the request, so that one token is fetched for all who wait.
        let mut current = self.current.lock().await;
        let now = self.clock.now();
        if let Some(token) = current.as_ref().filter(|token| now < token.renewed_at) {
            return Ok(token.text.clone());
        }
        let (id, secret) = &self.login;
        let request = self.http.post(self.url.clone()).basic_auth(id, Some(secret.expose_secret()));
        let answer = request.form(&[("grant_type", "client_credentials")]).send().await;
        let issued: Issued = answers::read(answer).await.inspect_err(|failure| {
            if matches!(failure, PayPalFailure::Said { status: 401, .. }) {
                tracing::error!("PayPal refuses payments.paypal_client_id and its secret");
            }
        })?;
        let lifetime = TimeDelta::seconds(issued.expires_in.clamp(0, MAX_LIFETIME_SECONDS));
        *current = Some(Token { text: issued.access_token.clone(), renewed_at: now + lifetime - MARGIN });
        Ok(issued.access_token)
    }

    /// Forgets a token that PayPal no longer accepts, unless it was renewed since.
    pub async fn forget(&self, refused: &SecretString) {
        let mut current = self.current.lock().await;
        if current.as_ref().is_some_and(|token| token.text.expose_secret() == refused.expose_secret()) {
            *current = None;
        }
    }
}
