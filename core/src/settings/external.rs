//! Settings of external services: mail, sign-in providers, webhooks, ffmpeg, videos, payments and chat.

use std::path::PathBuf;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use secrecy::{ExposeSecret as _, SecretString};
use serde::Deserialize;

use super::error::SettingsError;
use super::layers;

#[derive(Debug, Clone, Deserialize)]
pub struct MailSettings {
    /// The SMTP server; `None` writes mail into a folder.
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
    /// The folder for mail without an SMTP server; `None` means `mail` in the data folder.
    #[serde(deserialize_with = "layers::optional")]
    pub folder: Option<PathBuf>,
    pub max_waiting: u32,
    pub attempts: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MailTls {
    /// Starts as plain text and upgrades before authentication.
    Starttls,
    /// TLS from the first byte.
    Tls,
    /// No encryption; for a local relay.
    None,
}

/// Google's OpenID Connect; enabled by a client id.
#[derive(Debug, Clone, Deserialize)]
pub struct GoogleSettings {
    #[serde(deserialize_with = "layers::optional")]
    pub client_id: Option<String>,
    #[serde(deserialize_with = "layers::optional_secret")]
    pub client_secret: Option<SecretString>,
    /// Without a trailing slash; its discovery document has all other URLs.
    pub issuer: String,
}

/// Discord's OAuth2; enabled by a client id.
#[derive(Debug, Clone, Deserialize)]
pub struct DiscordSettings {
    #[serde(deserialize_with = "layers::optional")]
    pub client_id: Option<String>,
    #[serde(deserialize_with = "layers::optional_secret")]
    pub client_secret: Option<SecretString>,
    pub base_url: String,
    /// The host of profile pictures.
    pub cdn_url: String,
}

/// Requests to URLs that users choose.
#[derive(Debug, Clone, Deserialize)]
pub struct OutboundSettings {
    /// Private hosts that are allowed anyway, also with plain http.
    pub private_hosts: Vec<String>,
}

/// Webhook deliveries.
#[derive(Debug, Clone, Deserialize)]
pub struct WebhookSettings {
    /// Whether only https URLs are allowed.
    pub https_only: bool,
    /// Pauses between attempts, in seconds; after the last attempt an event is given up.
    pub retry_seconds: Vec<u32>,
}

/// Processing of videos.
#[derive(Debug, Clone, Deserialize)]
pub struct FfmpegSettings {
    /// Whether ffmpeg is used if it is installed.
    pub enabled: bool,
    /// Folder with `ffmpeg` and `ffprobe`; `None` searches for it.
    #[serde(deserialize_with = "layers::optional")]
    pub programs: Option<PathBuf>,
    /// Time limit per video.
    pub seconds: u64,
    /// Memory limit per process.
    pub memory_bytes: u64,
    /// Videos processed at the same time.
    pub at_once: usize,
}

#[derive(Debug, Clone, Deserialize)]
pub struct VideoSettings {
    /// The site whose oEmbed provides titles and previews.
    pub base_url: String,
}

/// Payments in the shop.
#[derive(Debug, Clone, Deserialize)]
pub struct PaymentSettings {
    /// Whether purchases are paid at a page of our own that moves no money.
    pub test_provider: bool,
    /// Seals billing keys: 32 bytes in base64.
    #[serde(deserialize_with = "layers::optional_secret")]
    pub key: Option<SecretString>,
    /// PayPal, for US dollars; enabled by a client id.
    #[serde(deserialize_with = "layers::optional")]
    pub paypal_client_id: Option<String>,
    #[serde(deserialize_with = "layers::optional_secret")]
    pub paypal_client_secret: Option<SecretString>,
    /// PayPal's id of our webhook, with which its notices are verified.
    #[serde(deserialize_with = "layers::optional")]
    pub paypal_webhook_id: Option<String>,
    pub paypal_base_url: String,
    /// TossPayments, for won; enabled by its two keys.
    #[serde(deserialize_with = "layers::optional")]
    pub toss_client_key: Option<String>,
    #[serde(deserialize_with = "layers::optional_secret")]
    pub toss_secret_key: Option<SecretString>,
    pub toss_base_url: String,
    /// The script that opens the window for cards.
    pub toss_script_url: String,
    /// Whether cards can also be entered at a form of ours.
    pub toss_card_form: bool,
}

/// The support chat (Channel Talk); enabled by a plugin key.
#[derive(Debug, Clone, Deserialize)]
pub struct ChatSettings {
    #[serde(deserialize_with = "layers::optional")]
    pub plugin_key: Option<String>,
    /// The hexadecimal secret of the vendor, which signs user ids.
    #[serde(deserialize_with = "layers::optional_secret")]
    pub secret: Option<SecretString>,
    pub script_url: String,
    /// Hosts of its scripts, pictures and connections, as sources of the content security policy.
    pub hosts: Vec<String>,
}

/// The operator, named in the terms, the privacy policy and the admin menu.
#[derive(Debug, Clone, Deserialize)]
pub struct OperatorSettings {
    pub name: String,
    /// Contact address; `None` if there is none.
    #[serde(deserialize_with = "layers::optional")]
    pub email: Option<String>,
    /// URL of an external support desk; `None` if there is none.
    #[serde(deserialize_with = "layers::optional")]
    pub support_desk: Option<String>,
}

/// Settings that are checked together.
pub(super) struct External<'a> {
    pub mail: &'a MailSettings,
    pub google: &'a GoogleSettings,
    pub discord: &'a DiscordSettings,
    pub videos: &'a VideoSettings,
    pub payments: &'a PaymentSettings,
    pub chat: &'a ChatSettings,
    pub operator: &'a OperatorSettings,
}

/// `base_url` is the public address, if there is one.
pub(super) fn check(outside: &External<'_>, base_url: &str) -> Result<(), SettingsError> {
    let External { mail, google, discord, videos, payments, chat, operator } = outside;
    if google.client_id.is_some() && google.client_secret.is_none() {
        return Err(SettingsError("google.client_secret: required with google.client_id".to_owned()));
    }
    if discord.client_id.is_some() && discord.client_secret.is_none() {
        return Err(SettingsError("discord.client_secret: required with discord.client_id".to_owned()));
    }
    let addresses = [
        ("google.issuer", &google.issuer),
        ("discord.base_url", &discord.base_url),
        ("discord.cdn_url", &discord.cdn_url),
        ("videos.base_url", &videos.base_url),
        ("chat.script_url", &chat.script_url),
        ("payments.paypal_base_url", &payments.paypal_base_url),
        ("payments.toss_base_url", &payments.toss_base_url),
        ("payments.toss_script_url", &payments.toss_script_url),
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
    if payments.test_provider && base_url.starts_with("https://") {
        let message = "payments.test_provider: cannot be used where server.base_url is https, it gives credits away";
        return Err(SettingsError(message.to_owned()));
    }
    if operator.name.trim().is_empty() {
        return Err(SettingsError("operator.name: required; the terms name the operator".to_owned()));
    }
    if let Some(desk) = operator.support_desk.as_deref().filter(|desk| !desk.starts_with("https://")) {
        return Err(SettingsError(format!("operator.support_desk: must begin with https://, found `{desk}`")));
    }
    check_payments(payments)?;
    check_chat(chat)
}

fn check_payments(payments: &PaymentSettings) -> Result<(), SettingsError> {
    let refused = |message: &str| Err(SettingsError(message.to_owned()));
    if payments.paypal_client_id.is_some() && payments.paypal_client_secret.is_none() {
        return refused("payments.paypal_client_secret: required with payments.paypal_client_id");
    }
    if payments.paypal_client_id.is_some() && payments.paypal_webhook_id.is_none() {
        return refused("payments.paypal_webhook_id: required with payments.paypal_client_id, to verify notices");
    }
    if payments.toss_client_key.is_some() != payments.toss_secret_key.is_some() {
        return refused("payments.toss_secret_key: toss_client_key and toss_secret_key belong together");
    }
    if payments.toss_secret_key.is_some() && payments.key.is_none() {
        return refused("payments.key: required with payments.toss_secret_key, to seal the keys of saved cards");
    }
    let is_key = |key: &SecretString| STANDARD.decode(key.expose_secret()).is_ok_and(|bytes| bytes.len() == 32);
    if payments.key.as_ref().is_some_and(|key| !is_key(key)) {
        return refused("payments.key: must be 32 bytes in base64, as `openssl rand -base64 32` prints");
    }
    if !is_source(&payments.toss_script_url) {
        return refused("payments.toss_script_url: is not a valid source of a content security policy");
    }
    Ok(())
}

/// Whether an address can become part of the content security policy, where spaces and semicolons separate entries.
fn is_source(address: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_graphic() && !matches!(byte, b';' | b',' | b'\'' | b'"');
    address.contains("://") && address.bytes().all(plain)
}

fn check_chat(chat: &ChatSettings) -> Result<(), SettingsError> {
    if chat.plugin_key.is_none() {
        return Ok(());
    }
    // Without it, a guessed id would open another user's conversation.
    let Some(secret) = &chat.secret else {
        return Err(SettingsError("chat.secret: required with chat.plugin_key".to_owned()));
    };
    let text = secret.expose_secret();
    if text.len() < 32 || !text.len().is_multiple_of(2) || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err(SettingsError("chat.secret: must be the hexadecimal text that the vendor shows".to_owned()));
    }
    for address in chat.hosts.iter().chain([&chat.script_url]) {
        if !is_source(address) {
            return Err(SettingsError(format!("chat: `{address}` is not a valid source of a content security policy")));
        }
    }
    Ok(())
}
