//! Letters about what people have not seen in their box.
//!
//! Nobody gets more than one letter an hour, and nobody who is looking at their box gets any: what is unread is left
//! for a few minutes first. Which notifications a letter tells of is noted on their rows in the transaction that puts
//! the letter into the outbox, after the person's settings were taken in hand there: whichever nodes sweep, and wherever
//! one of them is lost, each notification is in one letter at most, and in none once it was read. That letter is never
//! lost either; how it may come to be sent twice, `mail` says.

use chrono::{DateTime, TimeDelta, Utc};
use secrecy::SecretString;

use super::{Kind, Notification, Others, notices, store};
use crate::ids::UserId;
use crate::mail::{self, Content, Happening, Letter, News};
use crate::{Code, Core, Error, Result, html, users};

/// The shortest time between two letters to one person.
pub const MAIL_EVERY: TimeDelta = TimeDelta::hours(1);
/// How long something stays unread before a letter tells of it.
pub const MAIL_AFTER: TimeDelta = TimeDelta::minutes(5);
/// Notifications that a letter names; the others it counts.
const NAMED: i64 = 10;
/// People who are written to in one go.
const PEOPLE: i64 = 100;
/// Characters that a letter repeats of what was written.
const QUOTED_CHARS: usize = 160;

/// Writes the letters that are due and tells how many. Several nodes may do so side by side.
///
/// # Errors
/// Database errors; [`Error::Unavailable`] where too much mail waits. What was written by then stays written.
pub async fn mail_due(core: &Core) -> Result<u64> {
    let mut written = 0;
    loop {
        let now = core.clock.now();
        let (since, settled) = (now - MAIL_EVERY, now - MAIL_AFTER);
        let people = store::digest_candidates(&core.db, since, settled, Kind::Notice as i16, PEOPLE).await?;
        let last = i64::try_from(people.len()).unwrap_or(PEOPLE) < PEOPLE;
        for person in people {
            if person.kinds.contains(&(Kind::Notice as i16)) {
                notices::bring(core, person.user).await?;
            }
            written += u64::from(write_to(core, person.user, since, settled, now).await?);
        }
        if last {
            break;
        }
    }
    if written > 0 {
        mail::ring(core);
    }
    Ok(written)
}

/// Ends all letters about notifications to whom the code of such a letter was sent. Once more changes nothing.
///
/// # Errors
/// [`Error::Refused`] with `UNSUBSCRIBE_LINK_INVALID` for a code of no such letter, or of one that is too old.
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

/// Whether a letter was written.
async fn write_to(
    core: &Core,
    user: UserId,
    since: DateTime<Utc>,
    settled: DateTime<Utc>,
    now: DateTime<Utc>,
) -> Result<bool> {
    let mut tx = core.db.begin().await?;
    let Some((kinds, proof)) = store::claim_digest(&mut tx, user, since, now).await? else { return Ok(false) };
    let person = match users::find(core, user).await {
        Ok(person) if users::can_be_mailed(core, &person) => person,
        // Asked again in an hour: the address may be confirmed by then.
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
        news.push(told(core, item).await?);
    }
    let content = Content::Digest { name: person.name.clone(), proof, total, news };
    let letter = Letter { to: person.email.clone(), language: person.language, content };
    mail::queue(core, &mut tx, &letter).await?;
    tx.commit().await?;
    Ok(true)
}

async fn told(core: &Core, item: Notification) -> Result<News> {
    let actor = match item.named_actor() {
        Some(id) => match users::find(core, id).await {
            Ok(actor) => Some(actor.name.clone()).filter(|name| name != users::DELETED_NAME),
            Err(Error::NotFound { .. }) => None,
            Err(error) => return Err(error),
        },
        None => None,
    };
    let happening = match (item.kind, item.others) {
        (Kind::Comment, _) if item.is_answer => Happening::Answered,
        (Kind::Comment, _) => Happening::Commented,
        (Kind::Like, _) => Happening::Liked,
        (Kind::Notice, _) => Happening::Notice,
        (Kind::Requests, _) => Happening::Request,
        (Kind::Others, Some(Others::Like)) => Happening::ReachedLikes,
        (Kind::Others, Some(Others::Launch)) => Happening::ReachedLaunches,
        (Kind::Others, _) => Happening::ReachedViews,
    };
    let text = match item.kind {
        Kind::Notice => item.content.as_deref().map(html::text),
        _ => item.content,
    };
    Ok(News {
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
