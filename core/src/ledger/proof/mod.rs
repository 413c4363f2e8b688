//! Audits: derives every balance again from the entries and compares it with the tables.
//!
//! A full audit reads everything in one snapshot. An incremental audit starts from the stored proofs (`credit_proofs`)
//! and covers the accounts that changed since: their new entries, their lots, and the holds of these entries. Every
//! change of a balance increments the account's version, so no change is missed. Only a full audit finds manual changes
//! in the database to rows that were proved already.
//!
//! An account that does not follow from its proof is audited from its first entry before a difference is reported,
//! because the proof itself may be wrong. Each batch of accounts is proved in one snapshot, and its proofs are stored
//! in the same transaction. The ledger keeps working during an audit, and an interrupted audit continues where it
//! stopped.

mod report;
mod state;
mod store;
#[cfg(test)]
mod tests;

use std::collections::{BTreeSet, HashMap};

use sqlx::{PgPool, Postgres, Transaction};
use uuid::Uuid;

pub use self::report::{Audit, IncrementalAudit, Reconciliation};
use self::state::{Entry, Mismatch, ProvedAccount};
use self::store::AuditKind;
use super::metrics;
use crate::{Core, Error, Result, database};

/// Accounts that are proved in one snapshot by an incremental audit.
const PROVED_AT_ONCE: usize = 500;

/// Audits the whole ledger in one snapshot, without writing, while the platform runs.
pub async fn reconcile(db: &PgPool) -> Result<Reconciliation> {
    let mut snapshot = store::snapshot(db).await?;
    let whole = store::whole(&mut snapshot, None).await?;
    snapshot.commit().await?;
    Ok(whole.report)
}

/// Like [`reconcile`], and stores the proofs for [`audit`].
pub async fn full_audit(db: &PgPool) -> Result<Audit> {
    let mut snapshot = store::snapshot(db).await?;
    let whole = store::whole(&mut snapshot, None).await?;
    let kept = store::keep_whole(&mut snapshot, &whole, None).await;
    commit_proofs(snapshot, kept).await?;
    store::note_audit(db, AuditKind::Full, whole.report.differences.len()).await?;
    Ok(Audit::Full(whole.report))
}

/// Audits the accounts that changed since the last audit, or everything if there was no full audit.
pub async fn audit(db: &PgPool) -> Result<Audit> {
    let Some(before) = store::audits(db).await? else { return full_audit(db).await };
    let moved = store::moved(db).await?;
    let (mut read, mut doubtful) = (0, Vec::new());
    for accounts in moved.chunks(PROVED_AT_ONCE) {
        let (entries, failed) = prove_incrementally(db, accounts).await?;
        read += entries;
        doubtful.extend(failed);
    }
    let differences = if doubtful.is_empty() { Vec::new() } else { prove_from_start(db, &doubtful).await? };
    let sums = store::sums(db).await?;
    store::note_audit(db, AuditKind::Incremental, differences.len()).await?;
    Ok(Audit::Incremental(IncrementalAudit {
        full_audit_at: before.from_the_beginning_at,
        since: before.since,
        moved: moved.len() as u64,
        reproved: doubtful.len() as u64,
        read,
        report: Reconciliation { differences, ..sums },
    }))
}

/// Runs [`audit`] for the upkeep: counts and logs differences, and returns the number of changed accounts.
///
/// # Errors
/// If the ledger does not add up.
pub async fn audit_task(core: &Core) -> Result<u64> {
    let audit = audit(&core.db).await?;
    let found = &audit.report().differences;
    metrics::differences(found.len());
    for difference in found {
        tracing::error!(difference, "the ledger does not add up");
    }
    match (found.first(), &audit) {
        (Some(first), _) => {
            Err(Error::Internal(format!("the ledger does not add up, {} differences: {first}", found.len())))
        }
        (None, Audit::Incremental(progress)) => Ok(progress.moved),
        (None, Audit::Full(report)) => Ok(u64::try_from(report.accounts).unwrap_or(0)),
    }
}

/// Proves these accounts from their stored proofs and stores the new proofs. Returns the number of entries read, and
/// the accounts that could not be proved.
async fn prove_incrementally(db: &PgPool, accounts: &[Uuid]) -> Result<(u64, Vec<Uuid>)> {
    let mut snapshot = store::snapshot(db).await?;
    let proofs = store::proofs(&mut snapshot, accounts).await?;
    let entries = store::entries_since(&mut snapshot, &proofs).await?;
    let read = entries.len() as u64;
    let jobs: BTreeSet<Uuid> = entries.iter().filter_map(|(_, entry)| entry.job).collect();
    let mut rows = store::account_rows(&mut snapshot, accounts, &jobs.into_iter().collect::<Vec<_>>()).await?;
    let mut new: HashMap<Uuid, Vec<Entry>> = HashMap::new();
    for (account, entry) in entries {
        new.entry(account).or_default().push(entry);
    }
    let (mut proved, mut failed) = (Vec::<(Uuid, ProvedAccount)>::new(), Vec::new());
    for account in accounts {
        let (Some(proof), Some(rows)) = (proofs.get(account), rows.remove(account)) else {
            failed.push(*account);
            continue;
        };
        match state::prove(&proof.proved, new.get(account).map_or(&[][..], Vec::as_slice), &rows) {
            Ok(now) => proved.push((*account, now)),
            Err(found) => {
                note(*account, &found);
                failed.push(*account);
            }
        }
    }
    let kept = store::keep(&mut snapshot, &proved).await;
    commit_proofs(snapshot, kept).await?;
    Ok((read, failed))
}

/// Commits the proofs of a snapshot. If another audit stored proofs of the same accounts in the meantime, those are
/// kept; both results are true.
async fn commit_proofs(snapshot: Transaction<'_, Postgres>, kept: sqlx::Result<()>) -> Result<()> {
    let done = match kept {
        Ok(()) => snapshot.commit().await,
        Err(error) => Err(error),
    };
    match done {
        Err(error) if !database::is_serialization_failure(&error) => Err(error.into()),
        _ => Ok(()),
    }
}

fn note(account: Uuid, found: &Mismatch) {
    tracing::warn!(%account, ?found, "an account does not follow from its last proof; it is proved from its beginning");
}

/// Audits these accounts from their first entry, stores the proofs, and returns the differences.
async fn prove_from_start(db: &PgPool, accounts: &[Uuid]) -> Result<Vec<String>> {
    let mut snapshot = store::snapshot(db).await?;
    let whole = store::whole(&mut snapshot, Some(accounts)).await?;
    let kept = store::keep_whole(&mut snapshot, &whole, Some(accounts)).await;
    commit_proofs(snapshot, kept).await?;
    Ok(whole.report.differences)
}
