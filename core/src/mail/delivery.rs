//! Delivery: sends due mail after a wake-up and at intervals.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use futures_util::future::join_all;

use super::mailer::SendError;
use super::store::{self, DueMail};
use super::{Content, code, templates};
use crate::supervision::{Part, Watch};
use crate::{Core, Result};

/// Mails that are sent at the same time.
const AT_ONCE: i64 = 8;
/// Polling interval, for mails of other nodes and for retries.
const LOOK_EVERY: Duration = Duration::from_secs(15);
/// Timeout of one attempt; shorter than the lease.
const TRY_TAKES: Duration = Duration::from_secs(90);
const LEASE: TimeDelta = TimeDelta::minutes(5);
/// Pause after the first attempt; it doubles with each further one.
const FIRST_RETRY: TimeDelta = TimeDelta::minutes(3);
const LONGEST_RETRY: TimeDelta = TimeDelta::hours(6);
/// How long sent mails and codes are kept.
const KEPT: TimeDelta = TimeDelta::days(30);
/// How long mails stay in the folder used without a mail server. A deleted user's mails are thereby gone after a day.
const KEPT_IN_FOLDER: TimeDelta = TimeDelta::days(1);

/// Starts the delivery of mail by this node on the current arbiter.
pub fn start(core: &Core) {
    let kept = core.clone();
    core.supervisor.keep(Part::Mail, move |watch| run(kept.clone(), watch));
}

async fn run(core: Core, watch: Watch) {
    loop {
        watch.at("round");
        match deliver_due(&core).await {
            Ok(0) => {}
            // There may be more due mails.
            Ok(_) => continue,
            Err(error) => tracing::warn!(%error, "cannot deliver mail, trying again"),
        }
        tokio::select! {
            () = core.mail.woken() => {}
            () = tokio::time::sleep(LOOK_EVERY) => {
                let before = core.clock.now() - KEPT;
                if let Err(error) = store::forget_old(&core.db, before).await {
                    tracing::warn!(%error, "cannot delete old mail");
                }
                if let Err(error) = core.mail.clear_folder(core.clock.now() - KEPT_IN_FOLDER).await {
                    tracing::warn!(%error, "cannot delete old mail files");
                }
            }
        }
    }
}

/// Sends due mails, several at a time, and returns how many attempts were made. Mails leased by other nodes are
/// skipped. A mail is sent at least once: if this node dies before sending, another node sends it after the lease; if
/// it dies between sending and recording that, the mail is sent twice.
pub async fn deliver_due(core: &Core) -> Result<usize> {
    let now = core.clock.now();
    let due = store::claim(&core.db, now, now + LEASE, AT_ONCE).await?;
    let tried = due.len();
    for outcome in join_all(due.into_iter().map(|mail| deliver(core, mail))).await {
        outcome?;
    }
    Ok(tried)
}

async fn deliver(core: &Core, mail: DueMail) -> Result<()> {
    let now = core.clock.now();
    let code = match mail.content.proof() {
        Some(proof) => {
            let (code, hash) = match mail.content {
                Content::SignUpCode { .. } => code::new_short(proof),
                _ => code::new(),
            };
            store::insert_code(&core.db, &hash, proof, now).await?;
            Some(code)
        }
        None => None,
    };
    let words = templates::render(&mail.content, mail.language, &core.settings.public_url(), code.as_ref());
    let sending = core.mail.send(mail.id, &mail.to, &words, mail.language, now);
    let sent = tokio::time::timeout(TRY_TAKES, sending).await;
    let sent = sent.unwrap_or_else(|_| Err(SendError::Retry("the server took too long".to_owned())));
    let last = mail.attempts >= i32::try_from(core.settings.mail.attempts).unwrap_or(i32::MAX);
    match sent {
        // Nothing of a deleted account is kept, including this mail.
        Ok(()) if matches!(mail.content, Content::AccountDeleted { .. }) => store::delete(&core.db, mail.id).await?,
        Ok(()) => store::end(&core.db, mail.id, now, None).await?,
        Err(SendError::Retry(failure)) if !last => {
            tracing::warn!(mail.id = %mail.id, mail.attempt = mail.attempts, failure, "cannot send a mail, trying again later");
            store::put_off(&core.db, mail.id, next_try(mail.attempts, now), &failure).await?;
        }
        Err(SendError::Retry(failure) | SendError::Permanent(failure)) => {
            tracing::error!(mail.id = %mail.id, mail.attempt = mail.attempts, failure, "gave up sending a mail");
            match mail.content {
                Content::AccountDeleted { .. } => store::delete(&core.db, mail.id).await?,
                _ => store::end(&core.db, mail.id, now, Some(&failure)).await?,
            }
        }
    }
    Ok(())
}

/// The time of the next attempt after `attempts` attempts.
fn next_try(attempts: i32, now: DateTime<Utc>) -> DateTime<Utc> {
    let doublings = u32::try_from(attempts.saturating_sub(1)).unwrap_or(0).min(16);
    now + FIRST_RETRY.checked_mul(1 << doublings).map_or(LONGEST_RETRY, |wait| wait.min(LONGEST_RETRY))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retry_pauses_double_up_to_the_limit() {
        let now = DateTime::UNIX_EPOCH;
        let minutes = |attempts| (next_try(attempts, now) - now).num_minutes();
        assert_eq!([1, 2, 3, 8, 9, 1000].map(minutes), [3, 6, 12, 360, 360, 360]);
        assert_eq!(minutes(0), 3);
    }
}
