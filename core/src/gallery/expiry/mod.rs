//! Expiry of private outputs, and the warning of their owners.
//!
//! Owners are warned three days ahead, once a day for all outputs that expire on that day. One row keeps the progress
//! of the whole installation. A node locks this row and writes the notifications in the same transaction, so that each
//! owner is warned once, also with several nodes and lost nodes. After an outage, missed warnings are sent late.

pub(in crate::gallery) mod store;

use chrono::{DateTime, Days, NaiveDate, NaiveTime, Utc};
use uuid::Uuid;

use crate::database;
use crate::ids::UserId;
use crate::language::Language;
use crate::notifications::{self, BilingualText, NewNotification};
use crate::{Core, Error, Result, users};
use store::{ExpiryWarning, lock_progress, next_warnings, write_progress};

/// Days between the warning and the expiry.
const WARNED_DAYS: u64 = 3;
/// Owners who are warned in one transaction.
const PEOPLE_AT_ONCE: i64 = 200;

/// The last day whose outputs all expired together, and the day on which they did.
const OLD: (i32, u32, u32) = (2025, 4, 21);
const OLD_END: (i32, u32, u32) = (2025, 6, 21);

/// When a private output expires: outputs made until 2025-04-21 on 2025-06-21, later ones after `days` days.
#[must_use]
pub fn expiry(created_at: DateTime<Utc>, days: u32) -> DateTime<Utc> {
    let date = |(year, month, day)| NaiveDate::from_ymd_opt(year, month, day).unwrap_or_default();
    if created_at.date_naive() <= date(OLD) {
        return date(OLD_END).and_time(NaiveTime::MIN).and_utc();
    }
    created_at.checked_add_days(Days::new(u64::from(days))).unwrap_or(DateTime::<Utc>::MAX_UTC)
}

/// Warns the next owners whose private outputs expire within three days, and returns their number. A day's round begins
/// with the first sweep of the day (UTC) and continues with each sweep. There is no warning where outputs are kept for
/// fewer days than the warning needs.
///
/// # Errors
/// After a database error no owner was warned, and the next call begins at the same owner.
pub async fn warn_of_expiry(core: &Core) -> Result<u64> {
    if u64::from(core.settings.outputs.days) <= WARNED_DAYS {
        return Ok(0);
    }
    let now = core.clock.now();
    let mut transaction = database::begin(&core.db).await?;
    let Some(progress) = lock_progress(&mut transaction).await? else { return Ok(0) };
    let from = progress.until.max(now);
    let (until, after) = progress.round.unwrap_or((end_of_warned_day(now), UserId(Uuid::nil())));
    if from >= until && progress.round.is_none() {
        // Dropping it would free the row some time later, and the next sweep would skip it.
        transaction.rollback().await?;
        return Ok(0);
    }
    let people = next_warnings(&mut transaction, from, until, after, PEOPLE_AT_ONCE).await?;
    let mut warned = Vec::with_capacity(people.len());
    for person in &people {
        match users::find(core, person.user).await {
            Ok(_) => {}
            // Deleted accounts need no warning.
            Err(Error::NotFound { .. }) => continue,
            Err(error) => return Err(error),
        }
        if notifications::notify(&mut transaction, person.user, None, &warning(person, until), now).await? {
            warned.push(person.user);
        }
    }
    let more = i64::try_from(people.len()).is_ok_and(|count| count == PEOPLE_AT_ONCE);
    let after = people.last().map(|person| person.user).filter(|_| more);
    write_progress(&mut transaction, until, after).await?;
    transaction.commit().await?;
    for user in &warned {
        notifications::announce(core, *user).await;
    }
    Ok(warned.len() as u64)
}

/// The end of the day that today's warning is about.
fn end_of_warned_day(now: DateTime<Utc>) -> DateTime<Utc> {
    let day = now.date_naive().checked_add_days(Days::new(WARNED_DAYS + 1)).unwrap_or(NaiveDate::MAX);
    day.and_time(NaiveTime::MIN).and_utc()
}

/// The specification has no other kind for a message from the platform.
fn warning(person: &ExpiryWarning, until: DateTime<Utc>) -> NewNotification {
    let text = BilingualText::new(|language| words(person, language));
    NewNotification::Notice { text, count: person.count, dedup_key: format!("expiry:{}", until.date_naive()) }
}

fn words(ExpiryWarning { user, count, first }: &ExpiryWarning, language: Language) -> (String, String) {
    let (date, place) = (first.format("%Y.%m.%d"), format!("/profile/{user}/image-files"));
    match language {
        Language::En => (
            match count {
                1 => "1 of your private files will be deleted soon".to_owned(),
                _ => format!("{count} of your private files will be deleted soon"),
            },
            format!(
                "<p>Private files are kept for a limited time. The first of these ends on {date} (UTC). Publish or \
                 download what you want to keep.</p><p><a href=\"{place}\">See my files</a></p>"
            ),
        ),
        Language::Ko => (
            format!("비공개 파일 {count}개가 곧 삭제됩니다"),
            format!(
                "<p>비공개 파일은 정해진 기간 동안만 보관됩니다. 가장 먼저 삭제되는 파일의 만료일은 {date}(UTC)입니다. \
                 보관하려면 공개하거나 다운로드해 주세요.</p><p><a href=\"{place}\">내 파일 보기</a></p>"
            ),
        ),
    }
}

#[cfg(test)]
mod tests;
