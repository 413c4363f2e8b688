//! Settings of what lies outside: mail, sign-in providers, and addresses that strangers choose.

use std::path::PathBuf;

use secrecy::{ExposeSecret as _, SecretString};
use serde::Deserialize;

use super::error::SettingsError;
use super::layers;

/// How mail leaves.
#[derive(Debug, Clone, Deserialize)]
pub struct MailSettings {
    /// The SMTP server; `None`: mail is written into a folder.
    #[serde(deserialize_with = "layers::optional")]
    pub host: Option<String>,
    pub port: u16,
    #[serde(deserialize_with = "layers::optional")]
    pub user: Option<String>,
    #[serde(deserialize_with = "layers::optional_secret")]
    pub password: Option<SecretString>,
    pub tls: MailTls,
    /// The sender, as `Name <address>`.
    pub from: String,
    /// Where mail is written without an SMTP server; `None`: `mail` inside the data folder.
    #[serde(deserialize_with = "layers::optional")]
    pub folder: Option<PathBuf>,
    pub max_waiting: u32,
    pub attempts: u32,
}

/// How the connection to the SMTP server is protected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MailTls {
    /// Plain at first, protected before anything is said.
    Starttls,
    /// Protected from the first byte.
    Tls,
    /// Not at all: for a relay on this machine.
    None,
}

/// Google's OpenID Connect, where a client id is set.
#[derive(Debug, Clone, Deserialize)]
pub struct GoogleSettings {
    #[serde(deserialize_with = "layers::optional")]
    pub client_id: Option<String>,
    #[serde(deserialize_with = "layers::optional_secret")]
    pub client_secret: Option<SecretString>,
    /// Without a slash at the end; everything else is found from its discovery document.
    pub issuer: String,
}

/// Discord's OAuth2, where a client id is set.
#[derive(Debug, Clone, Deserialize)]
pub struct DiscordSettings {
    #[serde(deserialize_with = "layers::optional")]
    pub client_id: Option<String>,
    #[serde(deserialize_with = "layers::optional_secret")]
    pub client_secret: Option<SecretString>,
    pub base_url: String,
    /// Where its pictures of people are.
    pub cdn_url: String,
}

/// Requests to addresses that somebody else has chosen.
#[derive(Debug, Clone, Deserialize)]
pub struct OutboundSettings {
    /// Hosts that may be asked although they are not public, also by plain http.
    pub private_hosts: Vec<String>,
}

/// How events are brought to addresses that people have chosen.
#[derive(Debug, Clone, Deserialize)]
pub struct WebhookSettings {
    /// Whether only https is taken.
    pub https_only: bool,
    /// Pauses between attempts, in seconds; after the last one an event is given up.
    pub retry_seconds: Vec<u32>,
}

/// How posters and sizes of videos are made.
#[derive(Debug, Clone, Deserialize)]
pub struct FfmpegSettings {
    /// Whether ffmpeg is used where it is.
    pub enabled: bool,
    /// Folder with `ffmpeg` and `ffprobe`, where they shall not be looked for.
    #[serde(deserialize_with = "layers::optional")]
    pub programs: Option<PathBuf>,
    /// Seconds that one look at a video may take.
    pub seconds: u64,
    /// Memory that ffmpeg may take.
    pub memory_bytes: u64,
    /// Videos that are looked at at the same time.
    pub at_once: usize,
}

/// Where community videos come from.
#[derive(Debug, Clone, Deserialize)]
pub struct VideoSettings {
    /// The site whose oEmbed is asked for titles and previews.
    pub base_url: String,
}

/// The support chat (Channel Talk), where a plugin key is set.
#[derive(Debug, Clone, Deserialize)]
pub struct ChatSettings {
    #[serde(deserialize_with = "layers::optional")]
    pub plugin_key: Option<String>,
    /// Hexadecimal, as the vendor shows it: signs who somebody is.
    #[serde(deserialize_with = "layers::optional_secret")]
    pub secret: Option<SecretString>,
    pub script_url: String,
    /// Where its script, its pictures and its conversations are, as sources of a content policy.
    pub hosts: Vec<String>,
}

/// Who runs this installation: for the terms and the privacy policy, and for the admins' menu.
#[derive(Debug, Clone, Deserialize)]
pub struct OperatorSettings {
    pub name: String,
    /// Where people write to; `None` where nobody is named.
    #[serde(deserialize_with = "layers::optional")]
    pub email: Option<String>,
    /// Where the operators answer people, at somebody else's; `None` where there is no such place.
    #[serde(deserialize_with = "layers::optional")]
    pub support_desk: Option<String>,
}

/// Those that are held against each other.
pub(super) struct Outside<'a> {
    pub mail: &'a MailSettings,
    pub google: &'a GoogleSettings,
    pub discord: &'a DiscordSettings,
    pub videos: &'a VideoSettings,
    pub chat: &'a ChatSettings,
    pub operator: &'a OperatorSettings,
}

pub(super) fn check(outside: &Outside<'_>) -> Result<(), SettingsError> {
    let Outside { mail, google, discord, videos, chat, operator } = outside;
    if google.client_id.is_some() && google.client_secret.is_none() {
        return Err(SettingsError("google.client_secret: needed where google.client_id is set".to_owned()));
    }
    if discord.client_id.is_some() && discord.client_secret.is_none() {
        return Err(SettingsError("discord.client_secret: needed where discord.client_id is set".to_owned()));
    }
    let addresses = [
        ("google.issuer", &google.issuer),
        ("discord.base_url", &discord.base_url),
        ("discord.cdn_url", &discord.cdn_url),
        ("videos.base_url", &videos.base_url),
        ("chat.script_url", &chat.script_url),
    ];
    for (key, url) in addresses {
        if url.ends_with('/') || !(url.starts_with("https://") || url.starts_with("http://")) {
            return Err(SettingsError(format!(
                "{key}: must begin with http:// or https:// and have no slash at the end, found `{url}`"
            )));
        }
    }
    if mail.user.is_some() != mail.password.is_some() {
        return Err(SettingsError("mail.password: user and password belong together".to_owned()));
    }
    if operator.name.trim().is_empty() {
        return Err(SettingsError("operator.name: the terms name who offers the service".to_owned()));
    }
    if let Some(desk) = operator.support_desk.as_deref().filter(|desk| !desk.starts_with("https://")) {
        return Err(SettingsError(format!("operator.support_desk: must begin with https://, found `{desk}`")));
    }
    check_chat(chat)
}

fn check_chat(chat: &ChatSettings) -> Result<(), SettingsError> {
    if chat.plugin_key.is_none() {
        return Ok(());
    }
    // Without it, whoever guesses an id opens somebody else's conversation.
    let Some(secret) = &chat.secret else {
        return Err(SettingsError("chat.secret: needed where chat.plugin_key is set".to_owned()));
    };
    let text = secret.expose_secret();
    if text.len() < 32 || !text.len().is_multiple_of(2) || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err(SettingsError("chat.secret: must be the hexadecimal text that the vendor shows".to_owned()));
    }
    // They go into the content policy, where a space or a semicolon would begin something else.
    for address in chat.hosts.iter().chain([&chat.script_url]) {
        let plain = |byte: u8| byte.is_ascii_graphic() && !matches!(byte, b';' | b',' | b'\'' | b'"');
        if !address.contains("://") || !address.bytes().all(plain) {
            return Err(SettingsError(format!("chat: `{address}` is no address of a content policy")));
        }
    }
    Ok(())
}
