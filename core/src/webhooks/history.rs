//! What was tried, and trying it again.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::attempt::Attempt;
use super::config::Config;
use super::state::MAX_ATTEMPTS;
use super::store::{deliveries, history};
use super::{find_own, ring};
use crate::events::EventKind;
use crate::ids::{WebhookAttemptId, WebhookConfigId};
use crate::{Caller, Code, Core, Error, Result};

/// Attempts on a page.
pub const MAX_PAGE: i64 = 100;
/// Characters that are looked for.
const MAX_SEARCH_CHARS: usize = 200;
/// The furthest page that is shown.
const MAX_PAGE_NUMBER: i64 = 10_000;
/// Deliveries that one call sends again.
const RESENT_AT_ONCE: i64 = 10_000;

/// A page of attempts, newest first.
#[derive(Debug)]
pub struct Page {
    pub items: Vec<Attempt>,
    pub has_more: bool,
}

/// What was tried for a config of the caller's, newest first. `search` is exact: a job, a delivery, an event by its id or its
/// word, `Success` or `Failed`, or an answer's number.
///
/// # Errors
/// [`Error::NotFound`] for anybody else's; [`Error::Invalid`] for a page or a limit out of bounds.
pub async fn history(
    core: &Core,
    caller: &Caller,
    id: WebhookConfigId,
    (page, limit): (i64, i64),
    search: Option<&str>,
) -> Result<Page> {
    let config = find_own(core, caller, id).await?;
    if !(1..=MAX_PAGE_NUMBER).contains(&page) {
        return Err(Error::invalid("page", format!("must be between 1 and {MAX_PAGE_NUMBER}")));
    }
    if !(1..=MAX_PAGE).contains(&limit) {
        return Err(Error::invalid("limit", format!("must be between 1 and {MAX_PAGE}")));
    }
    if search.is_some_and(|search| search.chars().count() > MAX_SEARCH_CHARS) {
        return Err(Error::invalid("search", format!("must have at most {MAX_SEARCH_CHARS} characters")));
    }
    let wanted = search.map(str::trim).filter(|word| !word.is_empty()).map(wanted);
    if wanted == Some(history::Wanted::default()) {
        return Ok(Page { items: Vec::new(), has_more: false });
    }
    let mut items =
        history::page(&core.db, config.id, &wanted.unwrap_or_default(), (page - 1) * limit, limit + 1).await?;
    let has_more = items.len() > usize::try_from(limit).unwrap_or(usize::MAX);
    items.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
    Ok(Page { items, has_more })
}

/// What a word stands for; nothing where there can be nothing of that name.
fn wanted(word: &str) -> history::Wanted {
    let kind = word.parse::<EventKind>().ok().map(|kind| kind as i16);
    let is_success = match word {
        "Success" => Some(true),
        "Failed" => Some(false),
        _ => None,
    };
    history::Wanted { id: word.parse().ok(), kind, is_success, response: word.parse().ok() }
}

/// Tries the delivery of an attempt once more, at once.
///
/// # Errors
/// [`Error::NotFound`] for anybody else's; [`Error::Refused`] with `WEBHOOK_ATTEMPTS` where it was tried as often as it may
/// be, and `WEBHOOK_DISABLED` where the config is.
pub async fn resend(core: &Core, caller: &Caller, id: WebhookAttemptId) -> Result<Uuid> {
    let gone = Error::NotFound { what: "webhook history" };
    let Some((config, delivery, attempts)) = history::of_attempt(&core.db, id).await? else { return Err(gone) };
    let config = find_own(core, caller, config).await.map_err(|error| match error {
        Error::NotFound { .. } => gone,
        other => other,
    })?;
    must_be_served(&config)?;
    let now = core.clock.now();
    let mut tx = core.db.begin().await?;
    if attempts >= MAX_ATTEMPTS || !history::reopen(&mut tx, delivery, MAX_ATTEMPTS, now).await? {
        let message = format!("an event is sent at most {MAX_ATTEMPTS} times");
        return Err(Error::refused(Code::WebhookAttempts, message));
    }
    deliveries::wake(&mut tx, &[config.id.0], now).await?;
    tx.commit().await?;
    ring(core);
    Ok(delivery)
}

/// Tries all deliveries of a config once more that were given up since a time; tells how many.
///
/// # Errors
/// [`Error::NotFound`] for anybody else's; [`Error::Refused`] with `WEBHOOK_DISABLED`.
pub async fn resend_failed(core: &Core, caller: &Caller, id: WebhookConfigId, since: DateTime<Utc>) -> Result<u64> {
    let config = find_own(core, caller, id).await?;
    must_be_served(&config)?;
    let now = core.clock.now();
    let mut tx = core.db.begin().await?;
    let count = history::reopen_failed(&mut tx, id, since, MAX_ATTEMPTS, RESENT_AT_ONCE, now).await?;
    deliveries::wake(&mut tx, &[id.0], now).await?;
    tx.commit().await?;
    ring(core);
    Ok(count)
}

pub(super) fn must_be_served(config: &Config) -> Result<()> {
    if config.disabled.is_some() {
        return Err(Error::refused(Code::WebhookDisabled, "the webhook is disabled; enable it first"));
    }
    Ok(())
}
