//! The list of all tasks, and their definition.

use std::time::Duration;

use futures_util::future::LocalBoxFuture;
use tokio::sync::Notify;

use crate::{
    Core, FILE_OWNERS, Result, account_deletion, assets, billing, events, gallery, generators, jobs, ledger, mini_apps,
    notifications, users, visits, webhooks, workflows,
};

#[derive(Clone, Copy)]
pub struct UpkeepTask {
    /// Its name in rows, metrics and logs.
    pub name: &'static str,
    pub by: RunOn,
    /// The pause between two rounds.
    pub every: Duration,
    /// A longer round is canceled. Its commits stay.
    pub deadline: Duration,
    /// The most items of a round; `None` if it handles all there are.
    pub batch: Option<i64>,
    /// Does a round; returns the number of items.
    pub(super) run: for<'a> fn(&'a Core) -> LocalBoxFuture<'a, Result<u64>>,
    /// Starts a round before it is due.
    pub(super) wake_up: Option<for<'a> fn(&'a Core) -> &'a Notify>,
}

/// Which nodes do a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunOn {
    /// One node for all.
    OneNode,
    /// Each node for itself.
    EachNode,
}

const fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

const MINUTE: Duration = seconds(60);
const HOUR: Duration = seconds(3600);

/// A task with a deadline of a minute.
macro_rules! task {
    ($name:literal, $by:ident, $every:expr, $batch:expr, |$core:ident| $run:expr) => {
        UpkeepTask {
            name: $name,
            by: RunOn::$by,
            every: $every,
            deadline: MINUTE,
            batch: $batch,
            run: |$core| Box::pin(async move { $run }),
            wake_up: None,
        }
    };
}

/// All tasks by name.
pub const TASKS: [UpkeepTask; 36] = [
    // An account may have any number of things.
    UpkeepTask {
        deadline: HOUR,
        wake_up: Some(|core| core.deletions.wake_up()),
        ..task!("account_deletion", OneNode, MINUTE, None, |core| account_deletion::delete_data(core).await)
    },
    task!("app_shares", OneNode, HOUR, None, |core| mini_apps::forget_shares_of_deleted(core).await),
    task!("app_traits", OneNode, seconds(10), Some(workflows::TRAITLESS_AT_ONCE), |core| {
        mini_apps::index_traitless(core).await
    }),
    // A round of this task, and of `digests`, continues until nothing is left.
    UpkeepTask {
        deadline: HOUR,
        ..task!("app_versions", OneNode, MINUTE, None, |core| jobs::forget_deleted_apps(core).await)
    },
    UpkeepTask {
        wake_up: Some(|core| core.fleet.roster().changes()),
        ..task!("app_works", OneNode, MINUTE, Some(jobs::APPS_AT_ONCE), |core| jobs::check_apps(core).await)
    },
    task!("batch_ends", OneNode, seconds(2), None, |core| jobs::finish_batches(core).await),
    task!("billing_keys", OneNode, MINUTE, Some(billing::FORGOTTEN_AT_ONCE), |core| {
        billing::forget_billing_keys(core).await
    }),
    task!("credit_expiry", OneNode, seconds(10), Some(ledger::EXPIRED_AT_ONCE), |core| ledger::expire_due(core).await),
    task!("credit_expiry_warnings", OneNode, MINUTE, Some(billing::WARNED_AT_ONCE), |core| {
        billing::warn_of_expiring_credits(core).await
    }),
    UpkeepTask {
        deadline: HOUR,
        ..task!("digests", OneNode, MINUTE, None, |core| notifications::mail_due(core).await)
    },
    task!("estimates", EachNode, seconds(5), None, |core| jobs::exchange_estimates(core).await),
    task!("event_months", OneNode, MINUTE, Some(events::DROPPED_AT_ONCE), |core| events::maintain_months(core).await),
    UpkeepTask {
        deadline: HOUR,
        ..task!("file_cleaning", EachNode, MINUTE, Some(assets::CLEANED_AT_ONCE), |core| {
            let uploads = assets::clean_uploads(core).await?;
            Ok(uploads + gallery::clean_outputs(core).await?)
        })
    },
    UpkeepTask {
        deadline: seconds(24 * 3600),
        ..task!("file_walk", OneNode, HOUR, None, |core| {
            Ok(u64::from(assets::life::walk_when_due(core, FILE_OWNERS).await?))
        })
    },
    task!("generators", OneNode, seconds(20), None, |core| generators::refresh(core).await),
    task!("idempotency_keys", OneNode, MINUTE, Some(jobs::KEYS_AT_ONCE), |core| jobs::forget_keys(core).await),
    task!("job_months", OneNode, MINUTE, Some(jobs::OUTPUTS_AT_ONCE), |core| jobs::maintain_months(core).await),
    task!("job_promotions", OneNode, seconds(2), Some(jobs::PROMOTED_AT_ONCE), |core| jobs::promote_due(core).await),
    UpkeepTask { deadline: HOUR, ..task!("ledger_audit", OneNode, HOUR, None, |core| ledger::audit_task(core).await) },
    task!("ledger_commits", OneNode, MINUTE, None, |core| ledger::forget_old_commits(core).await),
    task!("ledger_months", OneNode, MINUTE, None, |core| ledger::maintain_months(core).await),
    UpkeepTask {
        deadline: HOUR,
        ..task!("orphaned_files", OneNode, MINUTE, Some(assets::life::SWEPT_AT_ONCE), |core| {
            Ok(assets::life::sweep(core, FILE_OWNERS).await?.all())
        })
    },
    task!("output_expiry", OneNode, seconds(10), Some(gallery::EXPIRED_AT_ONCE), |core| {
        gallery::delete_expired(core).await
    }),
    task!("output_expiry_warnings", OneNode, seconds(10), None, |core| gallery::warn_of_expiry(core).await),
    task!("output_labels", OneNode, seconds(5), Some(gallery::LABELLED_AT_ONCE), |core| {
        jobs::label_published(core).await
    }),
    UpkeepTask {
        wake_up: Some(|core| core.payments.wake_up()),
        ..task!("payments", OneNode, seconds(20), Some(billing::FOLLOWED_AT_ONCE), |core| {
            billing::maintain_payments(core).await
        })
    },
    task!("pending_sign_ups", OneNode, MINUTE, None, |core| users::delete_expired_sign_ups(core).await),
    task!("revocations", OneNode, MINUTE, None, |core| users::delete_old_revocations(core).await),
    task!("subscriptions", OneNode, seconds(20), Some(billing::RENEWED_AT_ONCE), |core| {
        billing::renew_subscriptions(core).await
    }),
    task!("upload_expiry", OneNode, seconds(10), Some(assets::ENDING_AT_ONCE), |core| {
        account_deletion::expire_uploads(core).await
    }),
    UpkeepTask {
        deadline: HOUR,
        ..task!("video_measures", EachNode, seconds(5), Some(gallery::MEASURED_AT_ONCE), |core| {
            gallery::measure_videos(core).await
        })
    },
    task!("visit_counts", EachNode, seconds(5), None, |core| {
        let visits = workflows::settle_visits(core).await?;
        Ok(visits + gallery::settle_views(core).await?)
    }),
    task!("visit_retention", OneNode, HOUR, None, |core| visits::delete_old(core).await),
    task!("webhook_configs", OneNode, HOUR, Some(webhooks::CONFIGS_FORGOTTEN_AT_ONCE), |core| {
        webhooks::forget_of_deleted_apis(core).await
    }),
    task!("webhook_history", OneNode, MINUTE, Some(webhooks::FORGOTTEN_AT_ONCE), |core| webhooks::forget_old(core)
        .await),
    task!("workflow_words", OneNode, seconds(10), Some(workflows::WORDLESS_AT_ONCE), |core| {
        workflows::index_wordless(core).await
    }),
];
