//! Discord through OAuth2: the code flow with PKCE, and one request for the user's profile.

use reqwest::Url;
use secrecy::SecretString;
use serde::Deserialize;

use super::exchange::{FlowSecrets, challenge, exchange, no_email, read, refused};
use super::provider::{Provider, ProviderProfile};
use crate::Result;
use crate::settings::DiscordSettings;

const DISCORD: Provider = Provider::Discord;

#[derive(Debug, Clone)]
pub(super) struct Discord {
    id: String,
    secret: SecretString,
    base: Url,
    cdn: String,
    http: reqwest::Client,
}

#[derive(Deserialize)]
struct Token {
    access_token: String,
    token_type: String,
}

#[derive(Deserialize)]
struct DiscordUser {
    id: String,
    username: String,
    global_name: Option<String>,
    avatar: Option<String>,
    email: Option<String>,
    #[serde(default)]
    verified: bool,
}

impl Discord {
    pub fn new(settings: &DiscordSettings, http: &reqwest::Client) -> Option<Self> {
        Some(Self {
            id: settings.client_id.clone()?,
            secret: settings.client_secret.clone()?,
            base: Url::parse(&settings.base_url).ok()?,
            cdn: settings.cdn_url.clone(),
            http: http.clone(),
        })
    }

    pub fn authorization_url(&self, secrets: &FlowSecrets<'_>, back: &str) -> String {
        let mut url = self.at("/oauth2/authorize");
        url.query_pairs_mut()
            .append_pair("response_type", "code")
            .append_pair("client_id", &self.id)
            .append_pair("redirect_uri", back)
            .append_pair("scope", "identify email")
            .append_pair("state", secrets.state)
            .append_pair("code_challenge", &challenge(secrets.verifier))
            .append_pair("code_challenge_method", "S256");
        url.into()
    }

    pub async fn fetch_profile(&self, code: &SecretString, verifier: &str, back: &str) -> Result<ProviderProfile> {
        let request = self.http.post(self.at("/api/oauth2/token"));
        let token: Token = exchange(DISCORD, request, (code, verifier, back), (&self.id, &self.secret)).await?;
        if !token.token_type.eq_ignore_ascii_case("bearer") {
            return Err(refused(DISCORD, "the token is not a bearer token"));
        }
        let answer = self.http.get(self.at("/api/users/@me")).bearer_auth(&token.access_token).send().await;
        let person: DiscordUser = read(DISCORD, answer).await?;
        if !is_id(&person.id) {
            return Err(refused(DISCORD, "the user has no valid id"));
        }
        let picture = person.avatar.as_ref().filter(|hash| is_hash(hash)).map(|hash| {
            let (cdn, id) = (&self.cdn, &person.id);
            format!("{cdn}/avatars/{id}/{hash}.png?size=256")
        });
        match person.email {
            Some(email) if person.verified => Ok(ProviderProfile {
                provider: DISCORD,
                subject: person.id,
                email,
                name: person.global_name.or(Some(person.username)),
                picture,
            }),
            _ => Err(no_email(DISCORD)),
        }
    }

    fn at(&self, path: &str) -> Url {
        let mut url = self.base.clone();
        url.set_path(path);
        url
    }
}

/// A snowflake: digits only. It becomes part of a URL.
fn is_id(text: &str) -> bool {
    (1..=20).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_hash(text: &str) -> bool {
    (1..=64).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}
