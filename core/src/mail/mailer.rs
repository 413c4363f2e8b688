//! Sends mail to an SMTP server, or into a folder.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use chrono::{DateTime, Utc};
use lettre::message::header::{HeaderName, HeaderValue};
use lettre::message::{Mailbox, MultiPart};
use lettre::transport::smtp::authentication::Credentials;
use lettre::{Address, AsyncSmtpTransport, AsyncTransport as _, Message, Tokio1Executor};
use secrecy::ExposeSecret as _;
use tokio::io::AsyncWriteExt as _;
use tokio::sync::Notify;
use uuid::Uuid;

use super::layout;
use super::text::MailText;
use crate::language::Language;
use crate::settings::{MailSettings, MailTls, Settings};
use crate::{Error, Result};

/// Timeout of one SMTP command.
const COMMAND: Duration = Duration::from_secs(20);
/// SMTP status codes about this mail or recipient, for which a retry is useless. The operator can fix the causes of all
/// others, such as a refused sign-in.
const FINAL: [u16; 8] = [501, 510, 511, 550, 551, 552, 553, 554];

/// The mail transport, and the wake-up of the delivery loop. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Mailer(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    wake: Notify,
    from: Mailbox,
    transport: Transport,
}

enum Transport {
    Smtp(Box<AsyncSmtpTransport<Tokio1Executor>>),
    Folder(PathBuf),
}

impl std::fmt::Debug for Transport {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Smtp(_) => f.write_str("Smtp"),
            Self::Folder(folder) => f.debug_tuple("Folder").field(folder).finish(),
        }
    }
}

/// Why a mail could not be sent.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum SendError {
    /// A retry may succeed.
    Retry(String),
    Permanent(String),
}

impl Mailer {
    /// Opens the transport from the settings, without connecting.
    ///
    /// # Errors
    /// If the sender address is invalid or TLS cannot be set up.
    pub fn open(settings: &Settings) -> Result<Self> {
        let mail = &settings.mail;
        let from = mail.from.parse().map_err(|error| Error::Internal(format!("mail.from: {error}")))?;
        let transport = match &mail.host {
            Some(host) => Transport::Smtp(Box::new(smtp(host, mail)?)),
            None => Transport::Folder(settings.mail_folder()),
        };
        Ok(Self(Arc::new(Inner { wake: Notify::new(), from, transport })))
    }

    /// Whether mail goes to an SMTP server rather than a folder.
    #[must_use]
    pub fn uses_smtp(&self) -> bool {
        matches!(self.0.transport, Transport::Smtp(_))
    }

    pub(super) fn wake(&self) {
        self.0.wake.notify_one();
    }

    pub(super) async fn woken(&self) {
        self.0.wake.notified().await;
    }

    pub(super) async fn send(
        &self,
        id: Uuid,
        to: &str,
        words: &MailText,
        language: Language,
        now: DateTime<Utc>,
    ) -> std::result::Result<(), SendError> {
        let message = self.message(id, to, words, language, now)?;
        match &self.0.transport {
            Transport::Smtp(transport) => transport.send(message).await.map(|_| ()).map_err(|error| {
                let code = error.status().map(u16::from);
                let failure = error.to_string();
                if code.is_some_and(|code| FINAL.contains(&code)) {
                    SendError::Permanent(failure)
                } else {
                    SendError::Retry(failure)
                }
            }),
            Transport::Folder(folder) => {
                let written = write(folder, id, &message.formatted()).await;
                written.map_err(|error| SendError::Retry(format!("{}: {error}", folder.display())))
            }
        }
    }

    /// Deletes mails in the folder that are older than this.
    pub(super) async fn clear_folder(&self, before: DateTime<Utc>) -> std::io::Result<()> {
        let Transport::Folder(folder) = &self.0.transport else { return Ok(()) };
        let mut letters = match tokio::fs::read_dir(folder).await {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
            letters => letters?,
        };
        while let Some(letter) = letters.next_entry().await? {
            let path = letter.path();
            // Other files in the folder are kept.
            let is_letter = path.extension().is_some_and(|extension| extension == "eml" || extension == "part");
            if is_letter && DateTime::<Utc>::from(letter.metadata().await?.modified()?) < before {
                tokio::fs::remove_file(&path).await?;
            }
        }
        Ok(())
    }

    fn message(
        &self,
        id: Uuid,
        to: &str,
        words: &MailText,
        language: Language,
        now: DateTime<Utc>,
    ) -> std::result::Result<Message, SendError> {
        let never = |error: &dyn std::fmt::Display| SendError::Permanent(error.to_string());
        let to: Address = to.parse().map_err(|error: lettre::address::AddressError| never(&error))?;
        let raw =
            |name: &'static str, value: &str| HeaderValue::new(HeaderName::new_from_ascii_str(name), value.to_owned());
        let mut message = Message::builder();
        if let Some(url) = &words.unsubscribe {
            message = message
                .raw_header(raw("List-Unsubscribe", &format!("<{url}>")))
                .raw_header(raw("List-Unsubscribe-Post", "List-Unsubscribe=One-Click"));
        }
        message
            .from(self.0.from.clone())
            .to(Mailbox::new(None, to))
            .subject(words.subject.clone())
            .date(SystemTime::from(now))
            // The same for every attempt, so that mail programs recognise duplicates.
            .message_id(Some(format!("<{id}@{}>", self.0.from.email.domain())))
            .raw_header(raw("Auto-Submitted", "auto-generated"))
            .raw_header(raw("Content-Language", language.tag()))
            .multipart(MultiPart::alternative_plain_html(layout::text(words), layout::html(words, language)))
            .map_err(|error| never(&error))
    }
}

fn smtp(host: &str, mail: &MailSettings) -> Result<AsyncSmtpTransport<Tokio1Executor>> {
    type Smtp = AsyncSmtpTransport<Tokio1Executor>;
    let builder = match mail.tls {
        MailTls::Tls => Smtp::relay(host),
        MailTls::Starttls => Smtp::starttls_relay(host),
        MailTls::None => Ok(Smtp::builder_dangerous(host)),
    };
    let mut builder =
        builder.map_err(|error| Error::Internal(format!("mail.host: {error}")))?.port(mail.port).timeout(Some(COMMAND));
    if let (Some(user), Some(password)) = (&mail.user, &mail.password) {
        builder = builder.credentials(Credentials::new(user.clone(), password.expose_secret().to_owned()));
    }
    Ok(builder.build())
}

/// Writes a mail atomically, readable only by the operator. Names sort by time.
async fn write(folder: &std::path::Path, id: Uuid, bytes: &[u8]) -> std::io::Result<()> {
    tokio::fs::create_dir_all(folder).await?;
    let (unfinished, finished) = (folder.join(format!(".{id}.part")), folder.join(format!("{id}.eml")));
    let mut file =
        tokio::fs::OpenOptions::new().create(true).truncate(true).write(true).mode(0o600).open(&unfinished).await?;
    file.write_all(bytes).await?;
    file.flush().await?;
    tokio::fs::rename(&unfinished, &finished).await
}
