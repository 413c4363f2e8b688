//! Warnings and bans of users.

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::json;
use sqlx::PgConnection;
use uuid::Uuid;

use super::notice_texts::ModerationNotice;
use super::{Decision, DecisionKind, store};
use crate::audit::{self, Act, Action};
use crate::database;
use crate::ids::UserId;
use crate::notifications;
use crate::users::{self, Ban};
use crate::{Caller, Code, Core, Error, Result, names};

/// Maximum length of a warning or a ban's reason.
pub const MAX_WORDS: usize = 1000;
/// Possible lengths of a ban in days, besides permanent.
pub const BAN_DAYS: [u32; 3] = [1, 7, 30];
/// Maximum number of history entries shown.
const HISTORY: i64 = 100;

/// A ban to impose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Penalty {
    /// One of [`BAN_DAYS`]; `None` if permanent.
    pub days: Option<u32>,
    /// Shown to the user.
    pub reason: String,
}

impl Penalty {
    pub(super) fn checked(&self, now: DateTime<Utc>) -> Result<Ban> {
        if self.days.is_some_and(|days| !BAN_DAYS.contains(&days)) {
            return Err(Error::invalid("days", "must be 1, 7 or 30; leave it out for a permanent ban"));
        }
        let until = self.days.map(|days| now + TimeDelta::days(i64::from(days)));
        Ok(Ban { since: now, until, reason: checked("reason", &self.reason)? })
    }
}

/// Warns a user.
///
/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] for non-admins; [`Error::NotFound`]; [`Error::Invalid`] for an
/// empty text or more than [`MAX_WORDS`] characters.
pub async fn warn(core: &Core, caller: &Caller, user: UserId, text: &str) -> Result<()> {
    let by = caller.must_be_admin()?;
    let text = checked("text", text)?;
    let now = core.clock.now();
    let mut tx = database::begin(&core.db).await?;
    record_decision(&mut tx, caller, user, (DecisionKind::Warn, &text, None), now).await?;
    notify_user(&mut tx, user, &ModerationNotice::Warning(text.clone()), now).await?;
    audit::record(&mut tx, by, Act::new(Action::UserWarn, user).of(user).after(json!({ "text": text })), now).await?;
    tx.commit().await?;
    notifications::announce(core, user).await;
    Ok(())
}

/// Bans a user, replacing an earlier ban.
///
/// # Errors
/// As [`warn`]; a conflict `BAN_ADMIN` for an admin, whose role must be revoked first.
pub async fn ban(core: &Core, caller: &Caller, user: UserId, penalty: &Penalty) -> Result<Ban> {
    let by = caller.must_be_admin()?;
    let now = core.clock.now();
    let ban = penalty.checked(now)?;
    users::find(core, user).await?;
    let mut tx = database::begin(&core.db).await?;
    if !users::ban_tx(&mut tx, user, &ban).await? {
        return Err(ban_refused());
    }
    record_decision(&mut tx, caller, user, (DecisionKind::Ban, &ban.reason, ban.until), now).await?;
    notify_user(&mut tx, user, &ModerationNotice::Ban(ban.clone()), now).await?;
    let after = json!({ "reason": ban.reason, "until": ban.until });
    audit::record(&mut tx, by, Act::new(Action::UserBan, user).of(user).after(after), now).await?;
    tx.commit().await?;
    users::invalidate(core, user).await;
    notifications::announce(core, user).await;
    Ok(ban)
}

/// Lifts a user's ban.
///
/// # Errors
/// As [`warn`]; a conflict `NOT_BANNED`.
pub async fn unban(core: &Core, caller: &Caller, user: UserId) -> Result<()> {
    let by = caller.must_be_admin()?;
    let before = users::find(core, user).await?.ban.clone();
    let now = core.clock.now();
    let mut tx = database::begin(&core.db).await?;
    if !users::lift_ban_tx(&mut tx, user).await? {
        let message = "this person is not banned".to_owned();
        return Err(Error::conflict(Code::NotBanned, message));
    }
    record_decision(&mut tx, caller, user, (DecisionKind::Unban, "", None), now).await?;
    notify_user(&mut tx, user, &ModerationNotice::Unban, now).await?;
    let before = before.map(|ban| json!({ "reason": ban.reason, "until": ban.until })).unwrap_or_default();
    audit::record(&mut tx, by, Act::new(Action::UserUnban, user).of(user).before(before), now).await?;
    tx.commit().await?;
    users::invalidate(core, user).await;
    notifications::announce(core, user).await;
    Ok(())
}

/// Decisions about a user and the user's posts, newest first. For admins.
pub async fn history(core: &Core, caller: &Caller, user: UserId) -> Result<Vec<Decision>> {
    caller.must_be_admin()?.read_only();
    Ok(store::decisions::of_user(&core.db, user, HISTORY).await?)
}

/// Adds an entry to a user's history.
async fn record_decision(
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

async fn notify_user(tx: &mut PgConnection, user: UserId, word: &ModerationNotice, now: DateTime<Utc>) -> Result<()> {
    if store::remaining(tx, &[user]).await?.is_empty() {
        return Err(Error::NotFound { what: "user" });
    }
    notifications::notify(tx, user, None, &word.notification(None), now).await?;
    Ok(())
}

/// Cleans a text for a user.
pub(super) fn checked(field: &str, text: &str) -> Result<String> {
    let text = names::trimmed(text, 1..=MAX_WORDS)
        .map(|text| names::without_disruptive(&text))
        .filter(|text| !text.trim().is_empty());
    text.ok_or_else(|| Error::invalid(field, format!("must have 1 to {MAX_WORDS} characters")))
}

pub(super) fn ban_refused() -> Error {
    let message = "admins and deleted users cannot be banned".to_owned();
    Error::conflict(Code::BanAdmin, message)
}
