//! Warnings of credits that expire, in the box and by mail.
//!
//! An account is warned a week ahead, once for all its lots of a day. A plan's allowance of a month is not warned of: the
//! next one follows. Nor is a lot that was given for eight days or less. A row for each account and day is written in the
//! transaction of the warning, so that no owner is warned twice, also with several nodes and lost nodes.

mod store;

use chrono::{DateTime, Days, NaiveDate, NaiveTime, Utc};
use sqlx::PgConnection;

use crate::database;
use crate::language::{Language, grouped};
use crate::mail::{self, Content, Email};
use crate::notifications::{self, BilingualText, NewNotification};
use crate::users::{self, DELETED_NAME};
use crate::{Core, Error, Result};
use store::Expiring;

/// Days between the warning and the day of the expiry.
const WARNED_DAYS: u64 = 7;
/// Accounts of one transaction.
pub const WARNED_AT_ONCE: i64 = 200;

/// Warns the owners of some credits that expire within a week, and returns their number.
///
/// # Errors
/// After an error no owner was warned, and the next call begins with the same accounts.
pub async fn warn_of_expiring_credits(core: &Core) -> Result<u64> {
    let now = core.clock.now();
    let today = now.date_naive();
    let until = today.checked_add_days(Days::new(WARNED_DAYS + 1)).unwrap_or(NaiveDate::MAX).and_time(NaiveTime::MIN);
    let mut tx = database::begin(&core.db).await?;
    store::forget(&mut tx, today).await?;
    let expiring = store::claim(&mut tx, now, until.and_utc(), WARNED_AT_ONCE).await?;
    let mut warned = Vec::with_capacity(expiring.len());
    for lots in &expiring {
        if warn(core, &mut tx, lots, now).await? {
            warned.push(lots.account);
        }
    }
    tx.commit().await?;
    mail::wake_sending(core);
    for account in &warned {
        notifications::announce(core, *account).await;
    }
    Ok(warned.len() as u64)
}

/// False for a deleted account.
async fn warn(core: &Core, tx: &mut PgConnection, lots: &Expiring, now: DateTime<Utc>) -> Result<bool> {
    let owner = match users::find(core, lots.account).await {
        Ok(owner) if owner.name == DELETED_NAME => return Ok(false),
        Ok(owner) => owner,
        Err(Error::NotFound { .. }) => return Ok(false),
        Err(error) => return Err(error),
    };
    let text = BilingualText::new(|language| words(lots, language));
    let dedup_key = format!("credit-expiry:{}", lots.on);
    let is_mailed = users::can_be_mailed(core, &owner);
    let notification = match is_mailed {
        true => NewNotification::MailedNotice { text, dedup_key },
        false => NewNotification::Notice { text, count: lots.credits, dedup_key },
    };
    if is_mailed {
        let content = Content::CreditsExpire { name: owner.name.clone(), credits: lots.credits, at: lots.first };
        mail::queue(core, tx, &Email { to: owner.email.clone(), language: owner.language, content }).await?;
    }
    Ok(notifications::notify(tx, lots.account, None, &notification, now).await?)
}

fn words(lots: &Expiring, language: Language) -> (String, String) {
    let (credits, first) = (grouped(lots.credits), lots.first.format("%Y.%m.%d %H:%M"));
    match language {
        Language::En => (
            format!("{credits} of your credits expire soon"),
            format!(
                "<p>They can be used until {first} (UTC). Runs use the credits first that expire first.</p>\
                 <p><a href=\"/account?tab=credits\">See my credits</a></p>"
            ),
        ),
        Language::Ko => (
            format!("크레딧 {credits}개가 곧 만료됩니다"),
            format!(
                "<p>{first}(UTC)까지 사용할 수 있습니다. 실행할 때 먼저 만료되는 크레딧부터 사용됩니다.</p>\
                 <p><a href=\"/account?tab=credits\">내 크레딧 보기</a></p>"
            ),
        ),
    }
}

#[cfg(test)]
mod tests;
