//! Google through OpenID Connect: the code flow with PKCE and a nonce, and a completely checked ID token.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use jsonwebtoken::jwk::JwkSet;
use jsonwebtoken::{Algorithm, DecodingKey, Validation, decode, decode_header};
use reqwest::Url;
use secrecy::SecretString;
use serde::Deserialize;
use tokio::sync::Mutex;

use super::exchange::{FlowSecrets, challenge, exchange, no_email, read, refused, unavailable};
use super::provider::{Provider, ProviderProfile};
use super::rs256;
use crate::Result;
use crate::settings::GoogleSettings;

const GOOGLE: Provider = Provider::Google;
/// How long the discovered URLs and keys are cached.
const CONFIG_LIFETIME: TimeDelta = TimeDelta::hours(6);
/// Minimum interval between fetches for unknown keys, because anyone can send an unknown key id.
const MIN_REFETCH_INTERVAL: TimeDelta = TimeDelta::seconds(30);
/// Allowed clock difference.
const LEEWAY: TimeDelta = TimeDelta::seconds(60);

#[derive(Debug, Clone)]
pub(super) struct Google {
    id: String,
    secret: SecretString,
    issuer: String,
    http: reqwest::Client,
    known: Arc<Mutex<Option<CachedConfig>>>,
}

/// The discovered configuration and keys.
#[derive(Debug, Clone)]
struct CachedConfig {
    discovery: Discovery,
    keys: Arc<JwkSet>,
    asked_at: DateTime<Utc>,
}

#[derive(Debug, Clone, Deserialize)]
struct Discovery {
    issuer: String,
    authorization_endpoint: String,
    token_endpoint: String,
    jwks_uri: String,
}

#[derive(Deserialize)]
struct Tokens {
    id_token: String,
}

/// Claims of an ID token. Issuer and audience are checked with the signature.
#[derive(Debug, Deserialize)]
struct Claims {
    sub: String,
    exp: i64,
    iat: i64,
    nonce: Option<String>,
    azp: Option<String>,
    email: Option<String>,
    #[serde(default)]
    email_verified: Flag,
    name: Option<String>,
    picture: Option<String>,
}

/// A boolean that is sometimes sent as a text.
#[derive(Debug, Default, Deserialize)]
#[serde(untagged)]
enum Flag {
    Bool(bool),
    Text(String),
    #[default]
    Missing,
}

impl Flag {
    fn is_set(&self) -> bool {
        match self {
            Self::Bool(flag) => *flag,
            Self::Text(text) => text == "true",
            Self::Missing => false,
        }
    }
}

impl Google {
    pub fn new(settings: &GoogleSettings, http: &reqwest::Client) -> Option<Self> {
        rs256::install();
        Some(Self {
            id: settings.client_id.clone()?,
            secret: settings.client_secret.clone()?,
            issuer: settings.issuer.clone(),
            http: http.clone(),
            known: Arc::default(),
        })
    }

    pub async fn authorization_url(&self, secrets: &FlowSecrets<'_>, back: &str, now: DateTime<Utc>) -> Result<String> {
        let endpoint = self.config(now, CONFIG_LIFETIME).await?.discovery.authorization_endpoint;
        let mut url = Url::parse(&endpoint).map_err(|error| unavailable(GOOGLE, error))?;
        url.query_pairs_mut()
            .append_pair("response_type", "code")
            .append_pair("client_id", &self.id)
            .append_pair("redirect_uri", back)
            .append_pair("scope", "openid email profile")
            .append_pair("state", secrets.state)
            .append_pair("nonce", secrets.nonce)
            .append_pair("code_challenge", &challenge(secrets.verifier))
            .append_pair("code_challenge_method", "S256");
        Ok(url.into())
    }

    pub async fn fetch_profile(
        &self,
        code: &SecretString,
        nonce: &str,
        verifier: &str,
        back: &str,
        now: DateTime<Utc>,
    ) -> Result<ProviderProfile> {
        let endpoint = self.config(now, CONFIG_LIFETIME).await?.discovery.token_endpoint;
        let asked = (code, verifier, back);
        let tokens: Tokens = exchange(GOOGLE, self.http.post(endpoint), asked, (&self.id, &self.secret)).await?;
        let claims = self.signed(&tokens.id_token, now).await?;
        self.check(&claims, nonce, now)?;
        match claims.email {
            Some(email) if claims.email_verified.is_set() => Ok(ProviderProfile {
                provider: GOOGLE,
                subject: claims.sub,
                email,
                name: claims.name,
                picture: claims.picture,
            }),
            _ => Err(no_email(GOOGLE)),
        }
    }

    /// The claims of a token that Google signed.
    async fn signed(&self, token: &str, now: DateTime<Utc>) -> Result<Claims> {
        let header = decode_header(token).map_err(|error| refused(GOOGLE, error))?;
        // A token must not choose its own algorithm.
        if header.alg != Algorithm::RS256 {
            return Err(refused(GOOGLE, "the ID token is not signed with RS256"));
        }
        let kid = header.kid.ok_or_else(|| refused(GOOGLE, "the ID token names no key"))?;
        let mut config = self.config(now, CONFIG_LIFETIME).await?;
        if config.keys.find(&kid).is_none() {
            config = self.config(now, MIN_REFETCH_INTERVAL).await?;
        }
        let key = config.keys.find(&kid).ok_or_else(|| refused(GOOGLE, "the ID token names an unknown key"))?;
        let key = DecodingKey::from_jwk(key).map_err(|error| refused(GOOGLE, error))?;
        let mut rules = Validation::new(Algorithm::RS256);
        rules.set_audience(&[&self.id]);
        // Old flows omit the scheme.
        let short = self.issuer.trim_start_matches("https://").to_owned();
        rules.set_issuer(&[self.issuer.clone(), short]);
        rules.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
        // The times are checked against the application's clock.
        rules.validate_exp = false;
        decode::<Claims>(token, &key, &rules).map(|token| token.claims).map_err(|error| refused(GOOGLE, error))
    }

    fn check(&self, claims: &Claims, nonce: &str, now: DateTime<Utc>) -> Result<()> {
        let time = |seconds: i64| DateTime::from_timestamp(seconds, 0);
        if time(claims.exp).is_none_or(|expires_at| expires_at <= now - LEEWAY) {
            return Err(refused(GOOGLE, "the ID token has expired"));
        }
        if time(claims.iat).is_none_or(|issued_at| issued_at > now + LEEWAY) {
            return Err(refused(GOOGLE, "the ID token is from the future"));
        }
        if claims.nonce.as_deref() != Some(nonce) {
            return Err(refused(GOOGLE, "the ID token is for another sign-in"));
        }
        if claims.azp.as_ref().is_some_and(|party| *party != self.id) {
            return Err(refused(GOOGLE, "the ID token is for another client"));
        }
        if claims.sub.is_empty() || claims.sub.len() > 255 {
            return Err(refused(GOOGLE, "the ID token has no valid subject"));
        }
        Ok(())
    }

    /// The configuration and keys, fetched again if older than `age`.
    async fn config(&self, now: DateTime<Utc>, age: TimeDelta) -> Result<CachedConfig> {
        let mut known = self.known.lock().await;
        if let Some(known) = known.as_ref().filter(|known| now - known.asked_at < age) {
            return Ok(known.clone());
        }
        let address = format!("{}/.well-known/openid-configuration", self.issuer);
        let discovery: Discovery = read(GOOGLE, self.http.get(address).send().await).await?;
        if discovery.issuer != self.issuer {
            return Err(unavailable(GOOGLE, format!("its configuration names another issuer, {}", discovery.issuer)));
        }
        let keys: JwkSet = read(GOOGLE, self.http.get(&discovery.jwks_uri).send().await).await?;
        let fresh = CachedConfig { discovery, keys: Arc::new(keys), asked_at: now };
        *known = Some(fresh.clone());
        Ok(fresh)
    }
}
