//! Mail to users: texts in their language, an outbox in the database, and delivery by SMTP or into a folder.
//!
//! A mail is queued in the transaction of its cause and sent in the background. Each attempt first moves the row's due
//! time, so that another node retries a mail whose sender died. If the sender dies between sending and recording it,
//! the mail is sent twice with the same Message-ID, and mail programs show it once. Codes are generated when the mail
//! is sent; the database only has their hashes.

mod code;
mod delivery;
mod digest;
mod email;
mod layout;
mod mailer;
mod receipt;
mod store;
mod templates;
mod text;

use chrono::{DateTime, Utc};
use secrecy::SecretString;
use sqlx::PgConnection;
use uuid::Uuid;

pub use delivery::{deliver_due, start};
pub use digest::{DigestEvent, DigestItem};
pub use email::{Content, Email};
pub use mailer::Mailer;
pub use receipt::{Receipt, ReceiptPeriod, ReceiptRefund};

use crate::{Core, Error, Result};

/// Queues a mail in the caller's transaction. Call [`wake_sending`] after the commit.
///
/// # Errors
/// [`Error::Unavailable`] if too many mails wait.
pub async fn queue(core: &Core, connection: &mut PgConnection, mail: &Email) -> Result<()> {
    let most = core.settings.mail.max_waiting;
    if !store::insert(connection, mail, core.clock.now(), most).await? {
        let message = "too many mails wait to be sent".to_owned();
        return Err(Error::Unavailable { message, retry_after_seconds: 60 });
    }
    Ok(())
}

/// Queues a receipt in the caller's transaction, however many mails wait: it must not fail the payment that it records,
/// and payments limit the number of receipts. Call [`wake_sending`] after the commit.
pub async fn queue_receipt(connection: &mut PgConnection, mail: &Email, now: DateTime<Utc>) -> sqlx::Result<()> {
    store::insert(connection, mail, now, u32::MAX).await.map(drop)
}

/// Queues a mail in its own transaction. Failures are logged: the cause of the mail stays valid.
pub async fn send_or_log(core: &Core, mail: &Email) {
    let queued = async {
        let mut connection = core.db.acquire().await?;
        queue(core, &mut connection, mail).await
    };
    match queued.await {
        Ok(()) => wake_sending(core),
        Err(error) => tracing::warn!(%error, mail.kind = mail.content.kind(), "cannot queue a mail"),
    }
}

/// Wakes the delivery loop. A lost wake-up only delays mail until the next poll.
pub fn wake_sending(core: &Core) {
    core.mail.wake();
}

/// The proof that a link's code belongs to; `None` for an unknown code.
pub async fn proof_of(core: &Core, code: &SecretString) -> Result<Option<Uuid>> {
    match code::presented(code) {
        Some(hash) => Ok(store::proof(&core.db, &hash).await?),
        None => Ok(None),
    }
}

/// Whether a mail had this typed code for `proof`. The caller must limit attempts.
pub async fn is_short_code_of(core: &Core, proof: Uuid, code: &SecretString) -> Result<bool> {
    match code::presented_short(proof, code) {
        Some(hash) => Ok(store::proof(&core.db, &hash).await? == Some(proof)),
        None => Ok(false),
    }
}

/// Deletes all mails to an address, when its owner's account is deleted.
pub async fn forget(connection: &mut PgConnection, address: &str) -> Result<()> {
    Ok(store::forget(connection, address).await?)
}

#[cfg(test)]
mod tests;
