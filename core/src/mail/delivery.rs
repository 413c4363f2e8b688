//! Delivery: looks for due mail when the bell rings and now and then, and sends it.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use futures_util::future::join_all;

use super::mailer::Failure;
use super::store::{self, Due};
use super::{Content, code, letters};
use crate::supervision::{Part, Watch};
use crate::{Core, Result};

/// Mails that are sent side by side.
const AT_ONCE: i64 = 8;
/// How often it is looked without a bell: for mail of other nodes, and for further tries.
const LOOK_EVERY: Duration = Duration::from_secs(15);
/// A mail is another node's after this long: longer than a try may take.
const TRY_TAKES: Duration = Duration::from_secs(90);
const LEASE: TimeDelta = TimeDelta::minutes(5);
/// The distance between the first and the second try; it doubles with each.
const FIRST_RETRY: TimeDelta = TimeDelta::minutes(3);
const LONGEST_RETRY: TimeDelta = TimeDelta::hours(6);
/// How long ended mails and codes are kept.
const KEPT: TimeDelta = TimeDelta::days(30);
/// How long letters stay in the folder that stands in for a mail server: as long as files of the built-in worker. So
/// the folder too has nothing of somebody who left a day ago.
const KEPT_IN_FOLDER: TimeDelta = TimeDelta::days(1);

/// Starts the delivery of mail by this node on the current arbiter.
pub fn start(core: &Core) {
    let kept = core.clone();
    core.supervisor.keep(Part::Mail, move |watch| carry(kept.clone(), watch));
}

async fn carry(core: Core, watch: Watch) {
    loop {
        watch.at("round");
        match deliver_due(&core).await {
            Ok(0) => {}
            // There may be more than were sent at once.
            Ok(_) => continue,
            Err(error) => tracing::warn!(%error, "mail has to wait"),
        }
        tokio::select! {
            () = core.mail.rung() => {}
            () = tokio::time::sleep(LOOK_EVERY) => {
                let before = core.clock.now() - KEPT;
                if let Err(error) = store::forget_old(&core.db, before).await {
                    tracing::warn!(%error, "old mail was not cleared away");
                }
                if let Err(error) = core.mail.clear_folder(core.clock.now() - KEPT_IN_FOLDER).await {
                    tracing::warn!(%error, "old letters stay in their folder");
                }
            }
        }
    }
}

/// Tries what is due, a few mails side by side; tells how many were tried. Mails that other carriers have in hand are
/// passed over. Where this node is lost before a mail leaves, another sends it when the lease ends; where it is lost
/// between the mail and the mark that it left, the mail leaves once more. So a mail is sent at least once, and twice only
/// then: a letter that comes twice is better than one that never comes.
///
/// # Errors
/// Database errors; what was sent by then, and could not be marked, is sent again.
pub async fn deliver_due(core: &Core) -> Result<usize> {
    let now = core.clock.now();
    let due = store::claim(&core.db, now, now + LEASE, AT_ONCE).await?;
    let tried = due.len();
    for outcome in join_all(due.into_iter().map(|mail| deliver(core, mail))).await {
        outcome?;
    }
    Ok(tried)
}

async fn deliver(core: &Core, mail: Due) -> Result<()> {
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
    let words = letters::words(&mail.content, mail.language, &core.settings.public_url(), code.as_ref());
    let sending = core.mail.send(mail.id, &mail.to, &words, mail.language, now);
    let sent = tokio::time::timeout(TRY_TAKES, sending).await;
    let sent = sent.unwrap_or_else(|_| Err(Failure::Later("the server took too long".to_owned())));
    let last = mail.attempts >= i32::try_from(core.settings.mail.attempts).unwrap_or(i32::MAX);
    match sent {
        // Nothing is kept of who left, the letter that told them so neither.
        Ok(()) if matches!(mail.content, Content::AccountDeleted { .. }) => store::delete(&core.db, mail.id).await?,
        Ok(()) => store::end(&core.db, mail.id, now, None).await?,
        Err(Failure::Later(failure)) if !last => {
            tracing::warn!(mail.id = %mail.id, mail.attempt = mail.attempts, failure, "a mail is tried again later");
            store::put_off(&core.db, mail.id, next_try(mail.attempts, now), &failure).await?;
        }
        Err(Failure::Later(failure) | Failure::Never(failure)) => {
            tracing::error!(mail.id = %mail.id, mail.attempt = mail.attempts, failure, "a mail is given up");
            match mail.content {
                Content::AccountDeleted { .. } => store::delete(&core.db, mail.id).await?,
                _ => store::end(&core.db, mail.id, now, Some(&failure)).await?,
            }
        }
    }
    Ok(())
}

/// When a mail is tried again after its `attempts`th try.
fn next_try(attempts: i32, now: DateTime<Utc>) -> DateTime<Utc> {
    let doublings = u32::try_from(attempts.saturating_sub(1)).unwrap_or(0).min(16);
    now + FIRST_RETRY.checked_mul(1 << doublings).map_or(LONGEST_RETRY, |wait| wait.min(LONGEST_RETRY))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tries_grow_apart_up_to_the_longest_distance() {
        let now = DateTime::UNIX_EPOCH;
        let minutes = |attempts| (next_try(attempts, now) - now).num_minutes();
        assert_eq!([1, 2, 3, 8, 9, 1000].map(minutes), [3, 6, 12, 360, 360, 360]);
        assert_eq!(minutes(0), 3);
    }
}
