//! Where mail leaves: an SMTP server, or a folder in which it can be looked at.

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
use super::words::Words;
use crate::language::Language;
use crate::settings::{MailSettings, MailTls, Settings};
use crate::{Error, Result};

/// How long one command of the SMTP server may take.
const COMMAND: Duration = Duration::from_secs(20);
/// Answers of an SMTP server that no further try changes: they are about this letter or this recipient. All others,
/// a refused sign-in among them, may be mended by the operator.
const FINAL: [u16; 8] = [501, 510, 511, 550, 551, 552, 553, 554];

/// The way out of mail, and the bell that says that there is some. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Mailer(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    bell: Notify,
    from: Mailbox,
    way: Way,
}

enum Way {
    Smtp(Box<AsyncSmtpTransport<Tokio1Executor>>),
    Folder(PathBuf),
}

impl std::fmt::Debug for Way {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Smtp(_) => f.write_str("Smtp"),
            Self::Folder(folder) => f.debug_tuple("Folder").field(folder).finish(),
        }
    }
}

/// Why a mail did not leave.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// Another try may succeed.
    Later(String),
    /// It never will.
    Never(String),
}

impl Mailer {
    /// As the settings say. Nothing is connected yet.
    ///
    /// # Errors
    /// Where the sender is no address, or TLS cannot be set up.
    pub fn open(settings: &Settings) -> Result<Self> {
        let mail = &settings.mail;
        let from = mail.from.parse().map_err(|error| Error::Internal(format!("mail.from: {error}")))?;
        let way = match &mail.host {
            Some(host) => Way::Smtp(Box::new(smtp(host, mail)?)),
            None => Way::Folder(settings.mail_folder()),
        };
        Ok(Self(Arc::new(Inner { bell: Notify::new(), from, way })))
    }

    /// Whether mail reaches people, rather than a folder of the operator's.
    #[must_use]
    pub fn reaches_people(&self) -> bool {
        matches!(self.0.way, Way::Smtp(_))
    }

    pub(super) fn ring(&self) {
        self.0.bell.notify_one();
    }

    pub(super) async fn rung(&self) {
        self.0.bell.notified().await;
    }

    pub(super) async fn send(
        &self,
        id: Uuid,
        to: &str,
        words: &Words,
        language: Language,
        now: DateTime<Utc>,
    ) -> std::result::Result<(), Failure> {
        let message = self.message(id, to, words, language, now)?;
        match &self.0.way {
            Way::Smtp(transport) => transport.send(message).await.map(|_| ()).map_err(|error| {
                let code = error.status().map(u16::from);
                let failure = error.to_string();
                if code.is_some_and(|code| FINAL.contains(&code)) {
                    Failure::Never(failure)
                } else {
                    Failure::Later(failure)
                }
            }),
            Way::Folder(folder) => {
                let written = write(folder, id, &message.formatted()).await;
                written.map_err(|error| Failure::Later(format!("{}: {error}", folder.display())))
            }
        }
    }

    /// Removes the letters that were written into the folder before this time, where mail goes into one.
    pub(super) async fn clear_folder(&self, before: DateTime<Utc>) -> std::io::Result<()> {
        let Way::Folder(folder) = &self.0.way else { return Ok(()) };
        let mut letters = match tokio::fs::read_dir(folder).await {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
            letters => letters?,
        };
        while let Some(letter) = letters.next_entry().await? {
            let path = letter.path();
            // Whatever else somebody keeps there stays.
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
        words: &Words,
        language: Language,
        now: DateTime<Utc>,
    ) -> std::result::Result<Message, Failure> {
        let never = |error: &dyn std::fmt::Display| Failure::Never(error.to_string());
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
            // The same for every try, so that a mail that arrives twice can be told to be one.
            .message_id(Some(format!("<{id}@{}>", self.0.from.email.domain())))
            .raw_header(raw("Auto-Submitted", "auto-generated"))
            .raw_header(raw("Content-Language", language.tag()))
            .multipart(MultiPart::alternative_plain_html(layout::text(words), layout::html(words, language)))
            .map_err(|error| never(&error))
    }
}

fn smtp(host: &str, mail: &MailSettings) -> Result<AsyncSmtpTransport<Tokio1Executor>> {
    type Transport = AsyncSmtpTransport<Tokio1Executor>;
    let builder = match mail.tls {
        MailTls::Tls => Transport::relay(host),
        MailTls::Starttls => Transport::starttls_relay(host),
        MailTls::None => Ok(Transport::builder_dangerous(host)),
    };
    let mut builder =
        builder.map_err(|error| Error::Internal(format!("mail.host: {error}")))?.port(mail.port).timeout(Some(COMMAND));
    if let (Some(user), Some(password)) = (&mail.user, &mail.password) {
        builder = builder.credentials(Credentials::new(user.clone(), password.expose_secret().to_owned()));
    }
    Ok(builder.build())
}

/// Writes a mail where only the operator can read it, whole or not at all. Names sort by time.
async fn write(folder: &std::path::Path, id: Uuid, bytes: &[u8]) -> std::io::Result<()> {
    tokio::fs::create_dir_all(folder).await?;
    let (unfinished, finished) = (folder.join(format!(".{id}.part")), folder.join(format!("{id}.eml")));
    let mut file =
        tokio::fs::OpenOptions::new().create(true).truncate(true).write(true).mode(0o600).open(&unfinished).await?;
    file.write_all(bytes).await?;
    file.flush().await?;
    tokio::fs::rename(&unfinished, &finished).await
}
