//! Mail to people: letters in their language, an outbox in the database, and the way out.
//!
//! A letter is queued in the transaction that has the reason for it and sent beside requests. A try moves the row's
//! next time on before it begins, so a mail whose sender died is tried by whoever looks next: no mail is lost. One whose
//! sender died after the server took it and before that was noted leaves a second time, with the same Message-ID, which
//! mail programs show once. Codes in links are made when the letter is sent and kept as hashes alone: nobody
//! who reads the database can open a link.

mod code;
mod delivery;
mod digest;
mod layout;
mod letter;
mod letters;
mod mailer;
mod store;
mod words;

use secrecy::SecretString;
use sqlx::PgConnection;
use uuid::Uuid;

pub use delivery::{deliver_due, start};
pub use digest::{Happening, News};
pub use letter::{Content, Letter};
pub use mailer::Mailer;

use crate::{Core, Error, Result};

/// Queues a letter within the caller's transaction. After its commit say so with [`ring`].
///
/// # Errors
/// [`Error::Unavailable`] where too many wait; database errors.
pub async fn queue(core: &Core, connection: &mut PgConnection, letter: &Letter) -> Result<()> {
    let most = core.settings.mail.max_waiting;
    if !store::insert(connection, letter, core.clock.now(), most).await? {
        let message = "too many mails wait to be sent".to_owned();
        return Err(Error::Unavailable { message, retry_after_seconds: 60 });
    }
    Ok(())
}

/// Queues a letter by itself. What cannot be queued is logged: what the letter tells of stands.
pub async fn send_or_log(core: &Core, letter: &Letter) {
    let queued = async {
        let mut connection = core.db.acquire().await?;
        queue(core, &mut connection, letter).await
    };
    match queued.await {
        Ok(()) => ring(core),
        Err(error) => tracing::warn!(%error, mail.kind = letter.content.kind(), "a letter could not be queued"),
    }
}

/// Says that there may be mail to send. Harmless where there is none; where it is not heard, the next look finds it.
pub fn ring(core: &Core) {
    core.mail.ring();
}

/// What the code of a link stands for; `None` for one that no letter had.
///
/// # Errors
/// Database errors.
pub async fn proof_of(core: &Core, code: &SecretString) -> Result<Option<Uuid>> {
    match code::presented(code) {
        Some(hash) => Ok(store::proof(&core.db, &hash).await?),
        None => Ok(None),
    }
}

/// Whether a letter had this typed code for `proof`. The caller limits how often that may be asked.
///
/// # Errors
/// Database errors.
pub async fn is_short_code_of(core: &Core, proof: Uuid, code: &SecretString) -> Result<bool> {
    match code::presented_short(proof, code) {
        Some(hash) => Ok(store::proof(&core.db, &hash).await? == Some(proof)),
        None => Ok(false),
    }
}

/// Forgets the letters to an address, sent or not: whoever it belonged to has left.
///
/// # Errors
/// Database errors.
pub async fn forget(connection: &mut PgConnection, address: &str) -> Result<()> {
    Ok(store::forget(connection, address).await?)
}

#[cfg(test)]
mod tests;
