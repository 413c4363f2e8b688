//! Everything that is looked after.

use std::time::Duration;

use super::task::{By, Task};
use crate::{
    FILE_OWNERS, account_deletion, assets, events, gallery, jobs, ledger, mini_apps, notifications, users, visits,
    webhooks, workflows,
};

const fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

const MINUTE: Duration = seconds(60);
const HOUR: Duration = seconds(3600);

/// A task with a minute for a round.
macro_rules! task {
    ($name:literal, $by:ident, $every:expr, $batch:expr, |$core:ident| $run:expr) => {
        Task {
            name: $name,
            by: By::$by,
            every: $every,
            deadline: MINUTE,
            batch: $batch,
            run: |$core| Box::pin(async move { $run }),
            bell: None,
        }
    };
}

/// All tasks, by name. Whatever a room wants to have looked after stands here.
pub const TASKS: [Task; 26] = [
    // A person has any number of things.
    Task {
        deadline: HOUR,
        bell: Some(|core| core.departures.bell()),
        ..task!("account_deletion", OneNode, MINUTE, None, |core| account_deletion::clear(core).await)
    },
    task!("app_shares", OneNode, HOUR, None, |core| mini_apps::forget_shares_of_deleted(core).await),
    task!("app_traits", OneNode, seconds(10), Some(workflows::TRAITLESS_AT_ONCE), |core| {
        mini_apps::index_traitless(core).await
    }),
    // This one, and the letters, go on until nothing is left.
    Task {
        deadline: HOUR,
        ..task!("app_versions", OneNode, MINUTE, None, |core| jobs::forget_deleted_apps(core).await)
    },
    task!("app_works", OneNode, MINUTE, Some(jobs::APPS_AT_ONCE), |core| jobs::check_apps(core).await),
    task!("batch_ends", OneNode, seconds(2), None, |core| jobs::finish_batches(core).await),
    task!("credit_expiry", OneNode, seconds(10), Some(ledger::EXPIRED_AT_ONCE), |core| ledger::expire_due(core).await),
    Task { deadline: HOUR, ..task!("digests", OneNode, MINUTE, None, |core| notifications::mail_due(core).await) },
    task!("estimates", EachNode, seconds(5), None, |core| jobs::exchange_estimates(core).await),
    task!("event_months", OneNode, MINUTE, Some(events::DROPPED_AT_ONCE), |core| events::look_after_months(core).await),
    Task {
        deadline: HOUR,
        ..task!("file_cleaning", EachNode, MINUTE, Some(assets::CLEANED_AT_ONCE), |core| {
            let uploads = assets::clean_uploads(core).await?;
            Ok(uploads + gallery::clean_outputs(core).await?)
        })
    },
    Task {
        deadline: seconds(24 * 3600),
        ..task!("file_walk", OneNode, HOUR, None, |core| {
            Ok(u64::from(assets::life::walk_when_due(core, FILE_OWNERS).await?))
        })
    },
    task!("idempotency_keys", OneNode, MINUTE, Some(jobs::KEYS_AT_ONCE), |core| jobs::forget_keys(core).await),
    task!("job_months", OneNode, MINUTE, Some(jobs::OUTPUTS_AT_ONCE), |core| jobs::look_after_months(core).await),
    Task { deadline: HOUR, ..task!("ledger_audit", OneNode, HOUR, None, |core| ledger::audit_regularly(core).await) },
    task!("ledger_commits", OneNode, MINUTE, None, |core| ledger::forget_old_commits(core).await),
    Task {
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
    task!("revocations", OneNode, MINUTE, None, |core| users::forget_revocations(core).await),
    Task {
        deadline: HOUR,
        ..task!("video_measures", EachNode, seconds(5), Some(gallery::MEASURED_AT_ONCE), |core| {
            gallery::measure_videos(core).await
        })
    },
    task!("visit_counts", EachNode, seconds(5), None, |core| {
        let visits = workflows::settle_visits(core).await?;
        Ok(visits + gallery::settle_views(core).await?)
    }),
    task!("visit_retention", OneNode, HOUR, None, |core| visits::forget(core).await),
    task!("webhook_history", OneNode, MINUTE, Some(webhooks::FORGOTTEN_AT_ONCE), |core| webhooks::forget_old(core)
        .await),
    task!("workflow_words", OneNode, seconds(10), Some(workflows::WORDLESS_AT_ONCE), |core| {
        workflows::index_wordless(core).await
    }),
];
