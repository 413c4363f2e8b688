//! Webhooks: events, delivered to addresses that users configure.
//!
//! ```text
//!   log of events ──fan_out──▶ deliveries ──endpoint──▶ receiver
//! ```
//!
//! Deliveries are rows, written together with the log position they come from, so that no event is lost or queued
//! twice. One node at a time sends to an address, by a lease. An event is delivered at least once. Events of one job
//! are delivered in order: each waits until the previous one is delivered or given up.
//!
//! A config belongs to a user and covers only the user's own jobs: those of one workflow API, or all. Authors of a
//! workflow API do not receive events of other users' jobs.

mod config;
mod configs;
mod history;
mod sending;
mod state;
mod store;
#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::mem;
use std::sync::{Mutex, PoisonError};

use chrono::TimeDelta;
use tokio::sync::Notify;

pub use config::{
    Config, ConfigChange, DisabledReason, KINDS, LastAttempt, MAX_NAME_CHARS, MAX_OF_ONE, MAX_URL_CHARS, NewConfig,
    description,
};
pub use configs::{Secret, configs, create, delete, enable, forget, new_secret, test, update};
pub use history::{Attempt, history, resend, resend_failed};
pub use sending::start;
pub use state::MAX_ATTEMPTS;

use crate::ids::WebhookConfigId;
use crate::{Caller, Core, Error, Result, events};

/// Deliveries that are deleted in one round.
pub const FORGOTTEN_AT_ONCE: i64 = 5000;
/// Webhooks of deleted workflow APIs that are deleted in one round.
pub const CONFIGS_FORGOTTEN_AT_ONCE: i64 = 100;

/// Wakes the sending loop.
#[derive(Debug, Default)]
pub struct DeliveryNotifier {
    wake_up: Notify,
    /// Webhooks with an attempt that their owner asked for, until the loop looks at them.
    requested: Mutex<HashSet<WebhookConfigId>>,
}

impl DeliveryNotifier {
    fn take_requested(&self) -> HashSet<WebhookConfigId> {
        mem::take(&mut *self.requested.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Call after a commit that made deliveries of this webhook due.
fn wake_sending(core: &Core, config: WebhookConfigId) {
    core.webhooks.requested.lock().unwrap_or_else(PoisonError::into_inner).insert(config);
    core.webhooks.wake_up.notify_one();
}

/// Deletes deliveries and attempts older than the event log, and returns the larger of both numbers.
pub async fn forget_old(core: &Core) -> Result<u64> {
    let before = core.clock.now() - TimeDelta::days(events::KEPT_DAYS);
    Ok(store::deliveries::forget_before(&core.db, before, FORGOTTEN_AT_ONCE).await?)
}

/// Deletes webhooks of workflow APIs that were deleted before the events that are kept, and attempts that were written
/// after their webhook was deleted; returns the larger of both numbers. Until then, owners find the last events of such
/// APIs in their history.
pub async fn forget_of_deleted_apis(core: &Core) -> Result<u64> {
    let before = core.clock.now() - TimeDelta::days(events::KEPT_DAYS);
    let configs = store::configs::forget_of_deleted_apis(&core.db, before, CONFIGS_FORGOTTEN_AT_ONCE).await?;
    Ok(configs.max(store::deliveries::forget_orphans(&core.db, FORGOTTEN_AT_ONCE).await?))
}

/// The config, if the caller owns it.
async fn find_own(core: &Core, caller: &Caller, id: WebhookConfigId) -> Result<Config> {
    let user = caller.signed_in()?;
    let config = store::configs::find(&core.db, id).await?;
    config.filter(|config| config.user == user).ok_or(Error::NotFound { what: "webhook" })
}
