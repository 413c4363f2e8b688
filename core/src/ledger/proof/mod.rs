//! Proves that money is right: every balance is derived again from the entries, and compared with what the tables say.
//!
//! From the beginning it reads everything, in one snapshot. Otherwise it goes on from what was proved before, for the
//! accounts that have moved since (`credit_proofs`): their new entries, their lots, and the holds that the entries are
//! about. Every change of a balance gives its account a new version, so that none is missed; what nobody but a hand at
//! the database's prompt can do, to rows that were proved, only the proof from the beginning finds.
//!
//! What does not follow from a proof is proved from the beginning of its account before anything is said of it, so that
//! no difference is told of that is only one of the proof. Each batch of accounts is proved in one snapshot and kept in
//! the same transaction: movements may go on meanwhile, and a proof that is cut short is taken up where it was.

mod report;
mod state;
mod store;
#[cfg(test)]
mod tests;

use std::collections::{BTreeSet, HashMap};

use sqlx::{PgPool, Postgres, Transaction};
use uuid::Uuid;

pub use self::report::{Audit, Progress, Reconciliation};
use self::state::{Entry, Found, Proved};
use self::store::Kind;
use super::metrics;
use crate::{Core, Error, Result, database};

/// Accounts that are proved in one snapshot, beyond what was proved of them before.
const PROVED_AT_ONCE: usize = 500;

/// Audits the whole ledger from one snapshot, so that it may run beside a working platform. It writes nothing.
///
/// # Errors
/// Database errors only; differences are in the report.
pub async fn reconcile(db: &PgPool) -> Result<Reconciliation> {
    let mut snapshot = store::snapshot(db).await?;
    let whole = store::whole(&mut snapshot, None).await?;
    snapshot.commit().await?;
    Ok(whole.report)
}

/// As [`reconcile`], and keeps what is proved, for [`audit`] to go on from.
///
/// # Errors
/// Database errors only; differences are in the report.
pub async fn audit_from_the_beginning(db: &PgPool) -> Result<Audit> {
    let mut snapshot = store::snapshot(db).await?;
    let whole = store::whole(&mut snapshot, None).await?;
    let kept = store::keep_whole(&mut snapshot, &whole, None).await;
    conclude(snapshot, kept).await?;
    store::note_audit(db, Kind::FromTheBeginning, whole.report.differences.len()).await?;
    Ok(Audit::FromTheBeginning(whole.report))
}

/// Proves what has moved since it was proved last, from there on; everything from the beginning where that was never done.
///
/// # Errors
/// Database errors only; differences are in the report. What was proved by then stays proved.
pub async fn audit(db: &PgPool) -> Result<Audit> {
    let Some(before) = store::audits(db).await? else { return audit_from_the_beginning(db).await };
    let moved = store::moved(db).await?;
    let (mut read, mut doubtful) = (0, Vec::new());
    for accounts in moved.chunks(PROVED_AT_ONCE) {
        let (entries, failed) = go_on(db, accounts).await?;
        read += entries;
        doubtful.extend(failed);
    }
    let differences = if doubtful.is_empty() { Vec::new() } else { prove_anew(db, &doubtful).await? };
    let sums = store::sums(db).await?;
    store::note_audit(db, Kind::Since, differences.len()).await?;
    Ok(Audit::Since(Progress {
        from_the_beginning_at: before.from_the_beginning_at,
        since: before.since,
        moved: moved.len() as u64,
        anew: doubtful.len() as u64,
        read,
        report: Reconciliation { differences, ..sums },
    }))
}

/// An [`audit`] as the upkeep does it: what it finds is counted, logged, and its error. Tells how many accounts had moved.
///
/// # Errors
/// Where the ledger does not add up; database errors.
pub async fn audit_regularly(core: &Core) -> Result<u64> {
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
        (None, Audit::Since(progress)) => Ok(progress.moved),
        (None, Audit::FromTheBeginning(report)) => Ok(u64::try_from(report.accounts).unwrap_or(0)),
    }
}

/// Proves these accounts from their proofs on, and keeps the new ones; tells how many entries it read, and of which
/// accounts nothing was kept.
async fn go_on(db: &PgPool, accounts: &[Uuid]) -> Result<(u64, Vec<Uuid>)> {
    let mut snapshot = store::snapshot(db).await?;
    let proofs = store::proofs(&mut snapshot, accounts).await?;
    let entries = store::entries_since(&mut snapshot, &proofs).await?;
    let read = entries.len() as u64;
    let jobs: BTreeSet<Uuid> = entries.iter().filter_map(|(_, entry)| entry.job).collect();
    let mut stands = store::stands(&mut snapshot, accounts, &jobs.into_iter().collect::<Vec<_>>()).await?;
    let mut new: HashMap<Uuid, Vec<Entry>> = HashMap::new();
    for (account, entry) in entries {
        new.entry(account).or_default().push(entry);
    }
    let (mut proved, mut failed) = (Vec::<(Uuid, Proved)>::new(), Vec::new());
    for account in accounts {
        let (Some(proof), Some(stands)) = (proofs.get(account), stands.remove(account)) else {
            failed.push(*account);
            continue;
        };
        match state::prove(&proof.proved, new.get(account).map_or(&[][..], Vec::as_slice), &stands) {
            Ok(now) => proved.push((*account, now)),
            Err(found) => {
                note(*account, &found);
                failed.push(*account);
            }
        }
    }
    let kept = store::keep(&mut snapshot, &proved).await;
    conclude(snapshot, kept).await?;
    Ok((read, failed))
}

/// Commits what was kept of a snapshot. Where another audit has kept its own of the same accounts meanwhile, that stands,
/// and what was found here is as true.
async fn conclude(snapshot: Transaction<'_, Postgres>, kept: sqlx::Result<()>) -> Result<()> {
    let done = match kept {
        Ok(()) => snapshot.commit().await,
        Err(error) => Err(error),
    };
    match done {
        Err(error) if !database::is_overtaken(&error) => Err(error.into()),
        _ => Ok(()),
    }
}

fn note(account: Uuid, found: &Found) {
    tracing::warn!(%account, ?found, "an account does not follow from its last proof; it is proved from its beginning");
}

/// Proves these accounts from their beginning, and keeps what is proved; tells what is not.
async fn prove_anew(db: &PgPool, accounts: &[Uuid]) -> Result<Vec<String>> {
    let mut snapshot = store::snapshot(db).await?;
    let whole = store::whole(&mut snapshot, Some(accounts)).await?;
    let kept = store::keep_whole(&mut snapshot, &whole, Some(accounts)).await;
    conclude(snapshot, kept).await?;
    Ok(whole.report.differences)
}
