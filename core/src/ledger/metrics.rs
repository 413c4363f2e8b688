//! Metrics of the ledger.

use super::LedgerEntryKind;
use super::store::LedgerChanges;
use crate::metrics::{self, Counters, Histograms};

/// The kinds of entries, by their numbers.
const KINDS: [&str; 6] = ["grant", "hold", "capture", "release", "expire", "debit"];

static COMMITS: Histograms<1> = Histograms::new(metrics::LEDGER_COMMIT, "", || [""]);
static BATCHES: Histograms<1> = Histograms::new(metrics::LEDGER_BATCH, "", || [""]);
static MOVEMENTS: Counters<6> = Counters::new(metrics::LEDGER_MOVEMENTS, "kind", || KINDS);
static CREDITS: Counters<6> = Counters::new(metrics::LEDGER_CREDITS, "kind", || KINDS);
static REFUSALS: Counters<1> = Counters::new(metrics::LEDGER_REFUSALS, "", || [""]);
static DIFFERENCES: Counters<1> = Counters::new(metrics::LEDGER_DIFFERENCES, "", || [""]);
static CONFLICTS: Counters<1> = Counters::new(metrics::LEDGER_CONFLICTS, "", || [""]);

/// Registers all counters, so that they exist before their first event.
pub(super) fn begin() {
    MOVEMENTS.begin();
    CREDITS.begin();
    REFUSALS.begin();
    CONFLICTS.begin();
    DIFFERENCES.begin();
}

/// Records a group commit of this many posts; its duration ends when the timer is dropped.
pub(super) fn commit(posts: usize) -> metrics::Timer<1> {
    #[expect(clippy::cast_precision_loss, reason = "a batch has hundreds of posts")]
    BATCHES.note(0, posts as f64);
    COMMITS.time()
}

pub(super) fn committed(changes: &LedgerChanges) {
    let (mut entries, mut credits) = ([0_u64; 6], [0_u64; 6]);
    for (_, entry) in &changes.entries {
        let kind = entry.kind as usize;
        if let (Some(entries), Some(credits)) = (entries.get_mut(kind), credits.get_mut(kind)) {
            *entries += 1;
            *credits = credits.saturating_add(u64::try_from(entry.amount).unwrap_or(0));
        }
    }
    for (kind, (entries, credits)) in entries.into_iter().zip(credits).enumerate().filter(|(_, (count, _))| *count > 0)
    {
        MOVEMENTS.add(kind, entries);
        CREDITS.add(kind, credits);
    }
}

pub(super) fn refused() {
    REFUSALS.add(0, 1);
}

pub(super) fn contended() {
    CONFLICTS.add(0, 1);
}

pub(super) fn differences(found: usize) {
    DIFFERENCES.add(0, found as u64);
}

const _: () = assert!(LedgerEntryKind::Debit as usize + 1 == KINDS.len(), "each kind of entry has its word");
