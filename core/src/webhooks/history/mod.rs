//! History of attempts, and resending.

mod attempt;
mod store;

pub use attempt::Attempt;
use chrono::{DateTime, Utc};
use store::AttemptFilter;
use uuid::Uuid;

use super::config::Config;
use super::state::MAX_ATTEMPTS;
use super::store::deliveries;
use super::{find_own, wake_sending};
use crate::database;
use crate::events::EventKind;
use crate::ids::{WebhookAttemptId, WebhookConfigId};
use crate::list::{MAX_PAGE, Page};
use crate::{Caller, Code, Core, Error, Result, users};

/// Maximum length of a search.
const MAX_SEARCH_CHARS: usize = 200;
const MAX_PAGE_NUMBER: i64 = 10_000;
/// Deliveries that one call resends.
const RESENT_AT_ONCE: i64 = 10_000;

/// Attempts of a config of the caller, newest first. `search` matches exactly: a job, delivery or event id, an event
/// name, `Success` or `Failed`, or a status.
///
/// # Errors
/// [`Error::NotFound`] unless the caller owns the config; [`Error::Invalid`] for a page or limit out of range.
pub async fn history(
    core: &Core,
    caller: &Caller,
    id: WebhookConfigId,
    (page, limit): (i64, i64),
    search: Option<&str>,
) -> Result<Page<Attempt>> {
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
    let filter = search.map(str::trim).filter(|word| !word.is_empty()).map(filter_of);
    if filter == Some(AttemptFilter::default()) {
        return Ok(Page::empty());
    }
    let mut items =
        store::page(&core.db, config.id, &filter.unwrap_or_default(), (page - 1) * limit, limit + 1).await?;
    let size = usize::try_from(limit).unwrap_or(usize::MAX);
    let next_cursor = (items.len() > size).then(|| (page + 1).to_string());
    items.truncate(size);
    Ok(Page { items, next_cursor })
}

/// The filter for a search; the default one if nothing can match.
fn filter_of(word: &str) -> AttemptFilter {
    let kind = word.parse::<EventKind>().ok().map(|kind| kind as i16);
    let is_success = match word {
        "Success" => Some(true),
        "Failed" => Some(false),
        _ => None,
    };
    // Other spellings of the same number or id are no exact match.
    let response = word.parse::<i16>().ok().filter(|status| status.to_string() == word);
    let id = word.parse::<Uuid>().ok().filter(|id| id.to_string().eq_ignore_ascii_case(word));
    AttemptFilter { id, kind, is_success, response }
}

/// Resends the delivery of an attempt now, also while its address is paused.
///
/// # Errors
/// [`Error::NotFound`] unless the caller owns it; [`Error::Refused`] with `WEBHOOK_ATTEMPTS` at the maximum of
/// attempts, and `WEBHOOK_DISABLED` for a disabled config; [`Error::Banned`].
pub async fn resend(core: &Core, caller: &Caller, id: WebhookAttemptId) -> Result<Uuid> {
    let gone = Error::NotFound { what: "webhook history" };
    let Some((config, delivery, attempts)) = store::of_attempt(&core.db, id).await? else { return Err(gone) };
    let config = find_own(core, caller, config).await.map_err(|error| match error {
        Error::NotFound { .. } => gone,
        other => other,
    })?;
    let permit = users::may_take_part(core, caller).await?;
    must_be_enabled(&config)?;
    let now = core.clock.now();
    let mut tx = database::begin(&core.db).await?;
    if attempts >= MAX_ATTEMPTS || !store::reopen(&mut tx, &permit, delivery, now).await? {
        let message = format!("an event is sent at most {MAX_ATTEMPTS} times");
        return Err(Error::refused(Code::WebhookAttempts, message));
    }
    deliveries::wake_at_once(&mut tx, config.id, now).await?;
    tx.commit().await?;
    wake_sending(core, config.id);
    Ok(delivery)
}

/// Resends all deliveries of a config that were given up since this time, and returns their number.
///
/// # Errors
/// [`Error::NotFound`] unless the caller owns it; [`Error::Refused`] with `WEBHOOK_DISABLED`; [`Error::Banned`].
pub async fn resend_failed(core: &Core, caller: &Caller, id: WebhookConfigId, since: DateTime<Utc>) -> Result<u64> {
    let config = find_own(core, caller, id).await?;
    let permit = users::may_take_part(core, caller).await?;
    must_be_enabled(&config)?;
    let now = core.clock.now();
    let mut tx = database::begin(&core.db).await?;
    let count = store::reopen_failed(&mut tx, &permit, (id, since), RESENT_AT_ONCE, now).await?;
    deliveries::wake_at_once(&mut tx, id, now).await?;
    tx.commit().await?;
    wake_sending(core, id);
    Ok(count)
}

pub(super) fn must_be_enabled(config: &Config) -> Result<()> {
    if config.disabled.is_some() {
        return Err(Error::refused(Code::WebhookDisabled, "the webhook is disabled; enable it first"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn search_finds_whole_words_in_their_own_spelling() {
        let id = Uuid::from_u128(0xab);
        let text = id.to_string();
        let nothing = AttemptFilter::default();
        assert_eq!(filter_of(&text), AttemptFilter { id: Some(id), ..nothing });
        assert_eq!(filter_of(&text.to_uppercase()), AttemptFilter { id: Some(id), ..nothing });
        assert_eq!(filter_of("500"), AttemptFilter { response: Some(500), ..nothing });
        assert_eq!(filter_of("Failed"), AttemptFilter { is_success: Some(false), ..nothing });
        assert_eq!(filter_of("job.done"), AttemptFilter { kind: Some(EventKind::JobDone as i16), ..nothing });
        for word in ["+500", "0500", "500.0", "failed", "job", &text.replace('-', ""), &format!("{{{text}}}")] {
            assert_eq!(filter_of(word), nothing, "{word}");
        }
    }
}
