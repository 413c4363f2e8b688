//! Webhooks: events, brought to addresses that people have chosen.
//!
//! ```text
//!   log of events ──fan_out──▶ deliveries ──endpoint──▶ the receiver
//! ```
//!
//! Deliveries are rows, written together with how far the log was looked through, so that no event is lost and none is put on
//! its way twice. Each address is one node's at a time, by a lease. An event is brought at least once; those of one job in
//! their order: what comes next waits until the one before was taken or given up.
//!
//! A config belongs to whoever made it and is about their own jobs alone, those of one workflow API of theirs or all of the
//! account's. Whose jobs ran somebody's API is none of its author's business.

mod attempt;
mod config;
mod configs;
mod history;
mod sending;
mod state;
mod store;
#[cfg(test)]
mod tests;

use chrono::TimeDelta;
use tokio::sync::Notify;

pub use attempt::Attempt;
pub use config::{
    Config, ConfigChange, DisabledWhy, KINDS, LastAttempt, MAX_NAME_CHARS, MAX_OF_ONE, MAX_URL_CHARS, NewConfig,
    description,
};
pub use configs::{Secret, configs, create, delete, enable, forget, new_secret, test, update};
pub use history::{MAX_PAGE, Page, history, resend, resend_failed};
pub use sending::start;
pub use state::MAX_ATTEMPTS;

use crate::ids::WebhookConfigId;
use crate::{Caller, Core, Error, Result, events};

/// Deliveries that are forgotten in one round.
pub const FORGOTTEN_AT_ONCE: i64 = 5000;

/// Says that there may be something to bring.
#[derive(Debug, Default)]
pub struct Bell(Notify);

/// Says so.
fn ring(core: &Core) {
    core.webhooks.0.notify_one();
}

/// Forgets what was brought, or was not, before the log's own days; tells how much that was.
///
/// # Errors
/// Database errors.
pub async fn forget_old(core: &Core) -> Result<u64> {
    let before = core.clock.now() - TimeDelta::days(events::KEPT_DAYS);
    Ok(store::deliveries::forget_before(&core.db, before, FORGOTTEN_AT_ONCE).await?)
}

/// A config of the caller's.
async fn find_own(core: &Core, caller: &Caller, id: WebhookConfigId) -> Result<Config> {
    let user = caller.signed_in()?;
    let config = store::configs::find(&core.db, id).await?;
    config.filter(|config| config.user == user).ok_or(Error::NotFound { what: "webhook" })
}
