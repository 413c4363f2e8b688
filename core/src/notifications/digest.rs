//! Digest mails about unseen notifications.
//!
//! A user gets at most one digest an hour, and none about notifications of the last minutes, which the user may be
//! reading. The notifications of a digest are marked in the transaction that queues it, under a lock on the user's
//! settings. Therefore each notification is in one digest at most, even if several nodes work on digests or one of them
//! dies, and read notifications are in none.

use chrono::{DateTime, TimeDelta, Utc};
use secrecy::SecretString;

use super::{MilestoneMetric, Notification, NotificationKind, notices, store};
use crate::database;
use crate::ids::UserId;
use crate::mail::{self, Content, DigestEvent, DigestItem, Email};
use crate::{Code, Core, Error, Result, html, users};

/// Minimum time between two digests to one user.
pub const MAIL_EVERY: TimeDelta = TimeDelta::hours(1);
/// How long a notification stays unread before it is mailed.
pub const MAIL_AFTER: TimeDelta = TimeDelta::minutes(5);
/// Notifications that a digest lists; the others are counted.
const NAMED: i64 = 10;
/// Users per round.
const PEOPLE: i64 = 100;
/// Maximum length of a quoted comment or notice.
const QUOTED_CHARS: usize = 160;

/// Queues due digests and returns their number. Several nodes may do this at once.
///
/// # Errors
/// [`Error::Unavailable`] if too many mails wait. Digests queued before an error stay queued.
pub async fn mail_due(core: &Core) -> Result<u64> {
    let mut written = 0;
    loop {
        let now = core.clock.now();
        let (since, settled) = (now - MAIL_EVERY, now - MAIL_AFTER);
        let people =
            store::digest_candidates(&core.db, since, settled, NotificationKind::Notice as i16, PEOPLE).await?;
        let last = i64::try_from(people.len()).unwrap_or(PEOPLE) < PEOPLE;
        for person in people {
            if person.kinds.contains(&(NotificationKind::Notice as i16)) {
                notices::copy_notices(core, person.user).await?;
            }
            written += u64::from(write_to(core, person.user, since, settled, now).await?);
        }
        if last {
            break;
        }
    }
    if written > 0 {
        mail::wake_sending(core);
    }
    Ok(written)
}

/// Ends digests for the user to whom this code was mailed. Repeating it changes nothing.
///
/// # Errors
/// [`Error::Refused`] with `UNSUBSCRIBE_LINK_INVALID` for an unknown or expired code.
pub async fn unsubscribe(core: &Core, code: &SecretString) -> Result<()> {
    let known = match mail::proof_of(core, code).await? {
        Some(proof) => store::unsubscribe(&core.db, proof).await?,
        None => false,
    };
    if known {
        return Ok(());
    }
    let message = "this link is not one of ours, or too old".to_owned();
    Err(Error::refused(Code::UnsubscribeLinkInvalid, message))
}

/// Returns whether a digest was queued.
async fn write_to(
    core: &Core,
    user: UserId,
    since: DateTime<Utc>,
    settled: DateTime<Utc>,
    now: DateTime<Utc>,
) -> Result<bool> {
    let mut tx = database::begin(&core.db).await?;
    let Some((kinds, proof)) = store::claim_digest(&mut tx, user, since, now).await? else { return Ok(false) };
    let person = match users::find(core, user).await {
        Ok(person) if users::can_be_mailed(core, &person) => person,
        // Tried again in an hour: the address may be confirmed by then.
        Ok(_) | Err(Error::NotFound { .. }) => {
            tx.commit().await?;
            return Ok(false);
        }
        Err(error) => return Err(error),
    };
    let (items, total) = store::take_for_digest(&mut tx, user, &kinds, settled, now, person.language, NAMED).await?;
    if items.is_empty() {
        tx.commit().await?;
        return Ok(false);
    }
    let mut news = Vec::with_capacity(items.len());
    for item in items {
        news.push(digest_item(core, item).await?);
    }
    let content = Content::Digest { name: person.name.clone(), proof, total, news };
    let letter = Email { to: person.email.clone(), language: person.language, content };
    mail::queue(core, &mut tx, &letter).await?;
    tx.commit().await?;
    Ok(true)
}

async fn digest_item(core: &Core, item: Notification) -> Result<DigestItem> {
    let actor = match item.named_actor() {
        Some(id) => match users::find(core, id).await {
            Ok(actor) => Some(actor.name.clone()).filter(|name| name != users::DELETED_NAME),
            Err(Error::NotFound { .. }) => None,
            Err(error) => return Err(error),
        },
        None => None,
    };
    let happening = match (item.kind, item.others) {
        (NotificationKind::Comment, _) if item.is_answer => DigestEvent::Answered,
        (NotificationKind::Comment, _) => DigestEvent::Commented,
        (NotificationKind::Like, _) => DigestEvent::Liked,
        (NotificationKind::Notice, _) => DigestEvent::Notice,
        (NotificationKind::Requests, _) => DigestEvent::Request,
        (NotificationKind::Others, Some(MilestoneMetric::Like)) => DigestEvent::ReachedLikes,
        (NotificationKind::Others, Some(MilestoneMetric::Launch)) => DigestEvent::ReachedLaunches,
        (NotificationKind::Others, _) => DigestEvent::ReachedViews,
    };
    let text = match item.kind {
        NotificationKind::Notice => item.content.as_deref().map(html::text),
        _ => item.content,
    };
    Ok(DigestItem {
        happening,
        actor,
        title: item.title,
        count: item.count,
        quote: text.filter(|text| !text.is_empty()).map(|text| cut(&text)),
        workflow: item.workflow.map(|id| id.0),
        picture: item.output_asset.map(|id| id.0),
        comment: item.comment.map(|id| id.0),
    })
}

fn cut(text: &str) -> String {
    if text.chars().count() <= QUOTED_CHARS {
        return text.to_owned();
    }
    let mut cut: String = text.chars().take(QUOTED_CHARS).collect();
    cut.push('…');
    cut
}

#[cfg(test)]
mod tests;
