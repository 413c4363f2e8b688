//! What moderators decide about people: warnings and bans.

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::json;
use sqlx::PgConnection;
use uuid::Uuid;

use super::words::Word;
use super::{Decision, DecisionKind, store};
use crate::audit::{self, Act, Action};
use crate::ids::UserId;
use crate::notifications;
use crate::users::{self, Ban};
use crate::{Caller, Code, Core, Error, Result, names};

/// Characters of a warning, and of a ban's reason.
pub const MAX_WORDS: usize = 1000;
/// How long a ban may be, in days, beside for good.
pub const BAN_DAYS: [u32; 3] = [1, 7, 30];
/// Lines of somebody's history that are shown.
const HISTORY: i64 = 100;

/// A ban to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Penalty {
    /// One of [`BAN_DAYS`]; `None` for good.
    pub days: Option<u32>,
    /// What the person is told.
    pub reason: String,
}

impl Penalty {
    /// The ban from now on.
    pub(super) fn checked(&self, now: DateTime<Utc>) -> Result<Ban> {
        if self.days.is_some_and(|days| !BAN_DAYS.contains(&days)) {
            return Err(Error::invalid("days", "must be 1, 7 or 30, or left out for good"));
        }
        let until = self.days.map(|days| now + TimeDelta::days(i64::from(days)));
        Ok(Ban { since: now, until, reason: checked("reason", &self.reason)? })
    }
}

/// Warns somebody.
///
/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] for anybody but an admin; [`Error::NotFound`]; [`Error::Invalid`]
/// for no words or more than [`MAX_WORDS`] characters of them.
pub async fn warn(core: &Core, caller: &Caller, user: UserId, text: &str) -> Result<()> {
    let by = caller.must_be_admin()?;
    let text = checked("text", text)?;
    let now = core.clock.now();
    let mut tx = core.db.begin().await?;
    note(&mut tx, caller, user, (DecisionKind::Warn, &text, None), now).await?;
    tell(&mut tx, user, &Word::Warning(text.clone()), now).await?;
    audit::record(&mut tx, by, Act::new(Action::UserWarn, user).of(user).after(json!({ "text": text })), now).await?;
    tx.commit().await?;
    notifications::announce(core, user).await;
    Ok(())
}

/// Bans somebody, in the place of an earlier ban.
///
/// # Errors
/// As [`warn`]; a conflict `BAN_ADMIN` for an admin, whose role must be taken first.
pub async fn ban(core: &Core, caller: &Caller, user: UserId, penalty: &Penalty) -> Result<Ban> {
    let by = caller.must_be_admin()?;
    let now = core.clock.now();
    let ban = penalty.checked(now)?;
    users::find(core, user).await?;
    let mut tx = core.db.begin().await?;
    if !users::ban_within(&mut tx, user, &ban).await? {
        return Err(not_to_be_banned());
    }
    note(&mut tx, caller, user, (DecisionKind::Ban, &ban.reason, ban.until), now).await?;
    tell(&mut tx, user, &Word::Ban(ban.clone()), now).await?;
    let after = json!({ "reason": ban.reason, "until": ban.until });
    audit::record(&mut tx, by, Act::new(Action::UserBan, user).of(user).after(after), now).await?;
    tx.commit().await?;
    users::changed(core, user).await;
    notifications::announce(core, user).await;
    Ok(ban)
}

/// Lifts somebody's ban.
///
/// # Errors
/// As [`warn`]; a conflict `NOT_BANNED`.
pub async fn unban(core: &Core, caller: &Caller, user: UserId) -> Result<()> {
    let by = caller.must_be_admin()?;
    let before = users::find(core, user).await?.ban.clone();
    let now = core.clock.now();
    let mut tx = core.db.begin().await?;
    if !users::lift_ban_within(&mut tx, user).await? {
        let message = "this person is not banned".to_owned();
        return Err(Error::conflict(Code::NotBanned, message));
    }
    note(&mut tx, caller, user, (DecisionKind::Unban, "", None), now).await?;
    tell(&mut tx, user, &Word::Unban, now).await?;
    let before = before.map(|ban| json!({ "reason": ban.reason, "until": ban.until })).unwrap_or_default();
    audit::record(&mut tx, by, Act::new(Action::UserUnban, user).of(user).before(before), now).await?;
    tx.commit().await?;
    users::changed(core, user).await;
    notifications::announce(core, user).await;
    Ok(())
}

/// What was decided about somebody and their things so far, newest first.
///
/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] for anybody but an admin.
pub async fn history(core: &Core, caller: &Caller, user: UserId) -> Result<Vec<Decision>> {
    caller.must_be_admin()?.to_read();
    Ok(store::decisions::of_user(&core.db, user, HISTORY).await?)
}

/// Writes a line of somebody's history.
async fn note(
    tx: &mut PgConnection,
    caller: &Caller,
    user: UserId,
    (kind, text, until): (DecisionKind, &str, Option<DateTime<Utc>>),
    now: DateTime<Utc>,
) -> Result<()> {
    let admin = caller.signed_in()?;
    let text = text.to_owned();
    let line = Decision { id: Uuid::now_v7(), case: None, user, admin, kind, text, until, created_at: now };
    Ok(store::decisions::insert(tx, &line).await?)
}

async fn tell(tx: &mut PgConnection, user: UserId, word: &Word, now: DateTime<Utc>) -> Result<()> {
    if store::remaining(tx, &[user]).await?.is_empty() {
        return Err(Error::NotFound { what: "user" });
    }
    notifications::tell(tx, user, None, &word.fact(None), now).await?;
    Ok(())
}

/// Words for somebody else to read.
pub(super) fn checked(field: &str, text: &str) -> Result<String> {
    let text = names::trimmed(text, 1..=MAX_WORDS)
        .map(|text| names::undisturbed(&text))
        .filter(|text| !text.trim().is_empty());
    text.ok_or_else(|| Error::invalid(field, format!("must have 1 to {MAX_WORDS} characters")))
}

pub(super) fn not_to_be_banned() -> Error {
    let message = "an admin cannot be banned, nor somebody who left".to_owned();
    Error::conflict(Code::BanAdmin, message)
}
