//! Verbs on configs, for their owners.

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::json;
use serde_json::value::to_raw_value;
use uuid::Uuid;

use super::config::{Config, ConfigChange, KINDS, MAX_NAME_CHARS, MAX_OF_ONE, MAX_URL_CHARS, NewConfig};
use super::history::must_be_enabled;
use super::sending::attempt::purpose;
use super::sending::signing;
use super::store::{configs as store, deliveries};
use super::{find_own, wake_sending};
use crate::database;
use crate::error::FieldError;
use crate::events::{Event, EventKind, EventSubject, NewEvent};
use crate::ids::{UserId, WebhookConfigId, WorkflowApiId};
use crate::{Caller, Code, Core, Error, Result, events, mini_apps, users};

/// How long a replaced secret signs beside the new one.
const OVERLAP: TimeDelta = TimeDelta::hours(24);
/// Replaced secrets that sign at the same time. The header has a signature for each.
const MAX_REPLACED: i64 = 5;
/// Maximum number of event names in one call.
const MAX_KINDS: usize = 100;
/// Tests per user and hour.
const TESTS_PER_HOUR: u32 = 60;

/// A new secret; it cannot be read again.
#[derive(Debug, Clone)]
pub struct Secret {
    pub secret: String,
    /// When the old secret stops signing.
    pub old_until: DateTime<Utc>,
}

/// The caller's configs of one of their apps, or their account-wide ones.
///
/// # Errors
/// [`Error::NotFound`] unless the caller owns the app.
pub async fn configs(core: &Core, caller: &Caller, app: Option<WorkflowApiId>) -> Result<Vec<Config>> {
    let user = caller.signed_in()?;
    if let Some(app) = app {
        must_own(core, user, app).await?;
    }
    Ok(store::of(&core.db, user, app).await?)
}

/// Creates a config and returns it with its secret, which cannot be read again.
///
/// # Errors
/// As [`configs`]; [`Error::InvalidFields`]; [`Error::Refused`] with `WEBHOOK_URL_REFUSED` or `WEBHOOK_LIMIT`;
/// [`Error::Banned`].
pub async fn create(
    core: &Core,
    caller: &Caller,
    app: Option<WorkflowApiId>,
    new: NewConfig,
) -> Result<(Config, String)> {
    let user = caller.signed_in()?;
    let permit = users::may_take_part(core, caller).await?;
    if let Some(app) = app {
        must_own(core, user, app).await?;
    }
    let change = ConfigChange { name: Some(new.name), url: Some(new.url), kinds: Some(new.kinds) };
    let Checked { name, url, kinds } = checked(core, change)?;
    let (id, secret) = (WebhookConfigId::new(), signing::new_secret());
    // Read before the row is inserted: an event in between is sent once too often rather than not at all.
    let since = events::last(core).await?;
    let mut tx = database::begin(&core.db).await?;
    if store::lock_and_count(&mut tx, user, app).await? >= MAX_OF_ONE {
        return Err(Error::refused(Code::WebhookLimit, format!("there can be at most {MAX_OF_ONE} webhooks here")));
    }
    let row = store::NewRow {
        id,
        user,
        app,
        name: name.as_deref().unwrap_or_default(),
        url: url.as_deref().unwrap_or_default(),
        kinds: kinds.as_deref().unwrap_or_default(),
        secret: &secret,
        since,
    };
    store::insert(&mut tx, &permit, &row, core.clock.now()).await?;
    tx.commit().await?;
    Ok((find_own(core, caller, id).await?, secret))
}

/// Changes a config of the caller. A new address begins without the failures and the pause of the old one.
///
/// # Errors
/// [`Error::NotFound`] unless the caller owns it; as [`create`] for invalid fields.
pub async fn update(core: &Core, caller: &Caller, id: WebhookConfigId, change: ConfigChange) -> Result<Config> {
    find_own(core, caller, id).await?;
    let permit = users::may_take_part(core, caller).await?;
    let Checked { name, url, kinds } = checked(core, change)?;
    let changed = (name.as_deref(), url.as_deref(), kinds.as_deref());
    store::update(&core.db, &permit, id, changed, core.clock.now()).await?;
    if url.is_some() {
        wake_sending(core, id);
    }
    find_own(core, caller, id).await
}

/// Deletes a config of the caller, with its deliveries and history.
///
/// # Errors
/// [`Error::NotFound`] unless the caller owns it.
pub async fn delete(core: &Core, caller: &Caller, id: WebhookConfigId) -> Result<()> {
    find_own(core, caller, id).await?;
    Ok(store::delete(&core.db, id).await?)
}

/// Replaces the secret. The old one signs beside it for a day, so that receivers can verify every message. This holds for
/// each one where several are replaced within a day, up to [`MAX_REPLACED`].
///
/// # Errors
/// [`Error::NotFound`] unless the caller owns it.
pub async fn new_secret(core: &Core, caller: &Caller, id: WebhookConfigId) -> Result<Secret> {
    find_own(core, caller, id).await?;
    let permit = users::may_take_part(core, caller).await?;
    let now = core.clock.now();
    let (secret, old_until) = (signing::new_secret(), now + OVERLAP);
    let older = (now, MAX_REPLACED - 1);
    store::set_secret(&core.db, &permit, id, (secret.as_str(), old_until), older).await?;
    Ok(Secret { secret, old_until })
}

/// Enables a disabled config of the caller. Waiting deliveries are sent; events from while it was disabled are not.
///
/// # Errors
/// [`Error::NotFound`] unless the caller owns it.
pub async fn enable(core: &Core, caller: &Caller, id: WebhookConfigId) -> Result<Config> {
    find_own(core, caller, id).await?;
    let permit = users::may_take_part(core, caller).await?;
    store::enable(&core.db, &permit, id, events::last(core).await?).await?;
    wake_sending(core, id);
    find_own(core, caller, id).await
}

/// Sends a test event to a config of the caller, and to no other, and returns its delivery. The feed shows the event too.
///
/// # Errors
/// [`Error::NotFound`] unless the caller owns it; [`Error::RateLimited`]; [`Error::Refused`] with `WEBHOOK_DISABLED`.
pub async fn test(core: &Core, caller: &Caller, id: WebhookConfigId) -> Result<Uuid> {
    let config = find_own(core, caller, id).await?;
    let permit = users::may_take_part(core, caller).await?;
    must_be_enabled(&config)?;
    users::take_quota(core, "webhook-test", &config.user.to_string(), TESTS_PER_HOUR).await?;
    let (now, position) = (core.clock.now(), events::last(core).await?);
    let internal = |error: serde_json::Error| Error::Internal(error.to_string());
    let data = to_raw_value(&json!({ "webhookConfig": id, "name": config.name })).map_err(internal)?;
    let (kind, user, about) = (EventKind::Test, config.user, EventSubject::default());
    let new = NewEvent { kind, user, about, data: data.get().to_owned(), at: now };
    let mut tx = database::begin(&core.db).await?;
    let written = events::write(&mut tx, &[new]).await?;
    let event = *written.first().ok_or_else(|| Error::Internal("a test event without an id".to_owned()))?;
    let sent = Event { id: event, position, kind, user, about, data, at: now };
    let envelope = events::envelope(&sent, None, &core.settings.public_url());
    let delivery = deliveries::NewDelivery {
        id: Uuid::now_v7(),
        config: id,
        event: event.0,
        job: None,
        kind: kind as i16,
        position,
        body: serde_json::to_string(&envelope).map_err(internal)?,
    };
    let group = delivery.id;
    deliveries::insert_test(&mut tx, &permit, delivery, now).await?;
    tx.commit().await?;
    core.events.notify_written();
    wake_sending(core, id);
    Ok(group)
}

/// Deletes a user's configs and their history.
pub async fn forget(core: &Core, user: UserId) -> Result<()> {
    Ok(store::forget(&core.db, user).await?)
}

/// The owner of the app's workflow owns its configs.
async fn must_own(core: &Core, user: UserId, app: WorkflowApiId) -> Result<()> {
    match mini_apps::owner(core, app).await? {
        Some(owner) if owner == user => Ok(()),
        _ => Err(Error::NotFound { what: "workflow api" }),
    }
}

#[derive(Debug, Default)]
struct Checked {
    name: Option<String>,
    url: Option<String>,
    kinds: Option<Vec<i16>>,
}

/// Checks all fields and reports all errors at once.
fn checked(core: &Core, change: ConfigChange) -> Result<Checked> {
    let mut fields = Vec::new();
    let mut wrong = |field: &str, message: String| {
        fields.push(FieldError { field: field.to_owned(), message });
    };
    let name = change.name.map(|name| crate::names::composed(name.trim()));
    match name.as_deref() {
        Some("") => wrong("name", "Name is required".to_owned()),
        Some(name) if name.chars().count() > MAX_NAME_CHARS => {
            wrong("name", format!("must have at most {MAX_NAME_CHARS} characters"));
        }
        Some(name) if name.chars().any(|c| c.is_control() || crate::names::is_disruptive(c)) => {
            wrong("name", "must be one line of text".to_owned())
        }
        _ => {}
    }
    let url = change.url.map(|url| url.trim().to_owned());
    match url.as_deref() {
        Some(url) if !has_known_scheme(url) || url.chars().any(char::is_control) => {
            wrong("webhookUrl", "Webhook URL is not valid".to_owned())
        }
        Some(url) if url.chars().count() > MAX_URL_CHARS => {
            wrong("webhookUrl", format!("must have at most {MAX_URL_CHARS} characters"));
        }
        _ => {}
    }
    if change.kinds.as_ref().is_some_and(|kinds| kinds.len() > MAX_KINDS) {
        wrong("webhookEventIds", format!("must have at most {MAX_KINDS} events"));
    }
    let kinds = match change.kinds.map(kinds_of) {
        Some(Ok(kinds)) if kinds.is_empty() => {
            wrong("webhookEventIds", "Webhook Event IDs is required".to_owned());
            None
        }
        Some(Ok(kinds)) => Some(kinds),
        Some(Err(word)) => {
            wrong("webhookEventIds", format!("there is no event {word}"));
            None
        }
        None => None,
    };
    if !fields.is_empty() {
        return Err(Error::InvalidFields { fields });
    }
    if let Some(url) = &url {
        core.outbound
            .target(url, purpose(core))
            .map_err(|blocked| Error::refused(Code::WebhookUrlRefused, blocked.to_string()))?;
    }
    Ok(Checked { name, url, kinds })
}

/// Schemes may be written in any case.
fn has_known_scheme(url: &str) -> bool {
    let begins_with = |scheme: &&str| url.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme));
    ["http://", "https://", "ftp://"].iter().any(begins_with)
}

/// The numbers of the kinds without duplicates, or the first unknown name.
fn kinds_of(words: Vec<String>) -> std::result::Result<Vec<i16>, String> {
    let mut kinds = Vec::new();
    for word in words {
        let kind = KINDS
            .into_iter()
            .find(|kind| kind.name() == word)
            .ok_or_else(|| word.chars().take(50).collect::<String>())?;
        if !kinds.contains(&(kind as i16)) {
            kinds.push(kind as i16);
        }
    }
    Ok(kinds)
}
