//! What follows from a proof and newer entries. Pure: no clock, no database.
//!
//! Any mismatch is an error without details: the account is then audited from its first entry, which reports the
//! difference.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use uuid::Uuid;

use crate::ledger::entry::LedgerEntryKind;
use crate::ledger::state::HoldState;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct ProvedAccount {
    pub version: i64,
    pub sums: Sums,
    /// Lots with available or held credits.
    pub lots: BTreeMap<Uuid, Lot>,
    /// The amounts that each open hold took from its lots.
    pub open: BTreeMap<Uuid, BTreeMap<Uuid, i64>>,
}

/// Sums over all entries of an account.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Sums {
    pub grants: i64,
    pub entries: i64,
    pub granted: i64,
    pub available: i64,
    pub held: i64,
    pub spent: i64,
    pub expired: i64,
    pub debited: i64,
}

/// A lot, derived from entries or read from its row.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Lot {
    pub amount: i64,
    pub remaining: i64,
    pub held: i64,
    pub spent: i64,
    pub expired: i64,
    pub debited: i64,
}

impl Lot {
    fn is_over(&self) -> bool {
        self.remaining == 0 && self.held == 0
    }
}

/// An entry newer than the proof.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Entry {
    pub version: i64,
    pub kind: LedgerEntryKind,
    pub grant: Uuid,
    pub job: Option<Uuid>,
    pub amount: i64,
    pub balance_after: i64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct HoldRow {
    pub state: HoldState,
    pub held: i64,
    pub captured: i64,
    pub lots: Vec<(Uuid, i64)>,
}

/// The account's rows: its lots, and the holds of the jobs in the new entries.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct AccountRows {
    pub version: i64,
    pub lots: BTreeMap<Uuid, Lot>,
    pub holds: HashMap<Uuid, HoldRow>,
}

/// Why rows do not follow from a proof.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mismatch {
    /// An entry is older than the proof or newer than its account.
    Version,
    /// An entry names an unknown lot or job, or creates one twice.
    Unknown,
    /// An entry moves more than there is.
    Negative,
    /// An entry's balance differs from the derived balance.
    Chain,
    Hold,
    Lot,
}

/// The sums of a job's new entries, starting from the proof's hold.
#[derive(Default)]
struct Tally {
    held: i64,
    captured: i64,
    released: i64,
}

/// Checks that the rows follow from the proof and the newer entries, which are sorted by version.
pub(super) fn prove(before: &ProvedAccount, entries: &[Entry], rows: &AccountRows) -> Result<ProvedAccount, Mismatch> {
    let ProvedAccount { version, mut sums, mut lots, mut open } = before.clone();
    let mut jobs: BTreeMap<Uuid, Tally> = BTreeMap::new();
    for entry in entries {
        if entry.version <= version || entry.version > rows.version {
            return Err(Mismatch::Version);
        }
        if entry.kind == LedgerEntryKind::Grant {
            let new = Lot { amount: entry.amount, remaining: entry.amount, ..Lot::default() };
            if lots.insert(entry.grant, new).is_some() {
                return Err(Mismatch::Unknown);
            }
            sums.grants += 1;
            sums.granted = plus(sums.granted, entry.amount)?;
        } else {
            let lot = lots.get_mut(&entry.grant).ok_or(Mismatch::Unknown)?;
            shift(lot, &mut sums, entry)?;
        }
        if matches!(entry.kind, LedgerEntryKind::Hold | LedgerEntryKind::Capture | LedgerEntryKind::Release) {
            let job = entry.job.ok_or(Mismatch::Unknown)?;
            let tally = jobs.entry(job).or_insert_with(|| {
                let held = open.get(&job).map_or(0, |taken| taken.values().sum());
                Tally { held, ..Tally::default() }
            });
            let taken = open.entry(job).or_default().entry(entry.grant).or_default();
            match entry.kind {
                LedgerEntryKind::Hold => {
                    (tally.held, *taken) = (plus(tally.held, entry.amount)?, plus(*taken, entry.amount)?)
                }
                LedgerEntryKind::Capture => {
                    (tally.captured, *taken) = (plus(tally.captured, entry.amount)?, minus(*taken, entry.amount)?);
                }
                _ => (tally.released, *taken) = (plus(tally.released, entry.amount)?, minus(*taken, entry.amount)?),
            }
        }
        sums.available = match entry.kind {
            LedgerEntryKind::Grant | LedgerEntryKind::Release => plus(sums.available, entry.amount)?,
            LedgerEntryKind::Hold | LedgerEntryKind::Expire | LedgerEntryKind::Debit => {
                minus(sums.available, entry.amount)?
            }
            LedgerEntryKind::Capture => sums.available,
        };
        if entry.balance_after != sums.available {
            return Err(Mismatch::Chain);
        }
        sums.entries += 1;
    }
    for (job, tally) in jobs {
        let taken = open.remove(&job).unwrap_or_default();
        if follows(&tally, &taken, rows.holds.get(&job).ok_or(Mismatch::Hold)?)? == HoldState::Held {
            open.insert(job, taken);
        }
    }
    compare(&lots, &rows.lots)?;
    lots.retain(|_, lot| !lot.is_over());
    let standing = rows.lots.values().try_fold(0, |sum, lot| plus(sum, lot.remaining))?;
    if standing != sums.available {
        return Err(Mismatch::Lot);
    }
    sums.held = lots.values().try_fold(0, |sum, lot| plus(sum, lot.held))?;
    let parts = [sums.available, sums.held, sums.spent, sums.expired, sums.debited];
    if sums.granted != parts.into_iter().try_fold(0, plus)? {
        return Err(Mismatch::Lot);
    }
    Ok(ProvedAccount { version: rows.version, sums, lots, open })
}

/// Applies an entry to its lot, and to the sum of what lots lose for good.
fn shift(lot: &mut Lot, sums: &mut Sums, entry: &Entry) -> Result<(), Mismatch> {
    let (from, to, sum) = match entry.kind {
        LedgerEntryKind::Hold => (&mut lot.remaining, &mut lot.held, None),
        LedgerEntryKind::Capture => (&mut lot.held, &mut lot.spent, Some(&mut sums.spent)),
        LedgerEntryKind::Release => (&mut lot.held, &mut lot.remaining, None),
        LedgerEntryKind::Expire => (&mut lot.remaining, &mut lot.expired, Some(&mut sums.expired)),
        LedgerEntryKind::Debit => (&mut lot.remaining, &mut lot.debited, Some(&mut sums.debited)),
        LedgerEntryKind::Grant => return Err(Mismatch::Unknown),
    };
    (*from, *to) = (minus(*from, entry.amount)?, plus(*to, entry.amount)?);
    if let Some(sum) = sum {
        *sum = plus(*sum, entry.amount)?;
    }
    Ok(())
}

/// Checks a hold's row. A hold is open until one settlement ends it completely.
fn follows(tally: &Tally, taken: &BTreeMap<Uuid, i64>, row: &HoldRow) -> Result<HoldState, Mismatch> {
    let has_ended = plus(tally.captured, tally.released)? > 0;
    let state = if has_ended { HoldState::Settled } else { HoldState::Held };
    let left: i64 = taken.values().sum();
    if (row.held, row.captured, row.state) != (tally.held, tally.captured, state) || (has_ended && left != 0) {
        return Err(Mismatch::Hold);
    }
    let mut lots: BTreeMap<Uuid, i64> = BTreeMap::new();
    for (lot, amount) in row.lots.iter().filter(|(_, amount)| *amount != 0) {
        let sum = lots.entry(*lot).or_default();
        *sum = plus(*sum, *amount)?;
    }
    if !has_ended && lots != *taken {
        return Err(Mismatch::Hold);
    }
    Ok(state)
}

/// Checks that each lot's row matches its entries, and that no row lacks entries. Lots that were used up when they were
/// proved are not checked again.
fn compare(derived: &BTreeMap<Uuid, Lot>, rows: &BTreeMap<Uuid, Lot>) -> Result<(), Mismatch> {
    let known: BTreeSet<&Uuid> = derived.keys().collect();
    let unknown = rows.iter().any(|(id, row)| !row.is_over() && !known.contains(id));
    let differs = derived.iter().any(|(id, lot)| rows.get(id) != Some(lot));
    if unknown || differs { Err(Mismatch::Lot) } else { Ok(()) }
}

fn plus(a: i64, b: i64) -> Result<i64, Mismatch> {
    a.checked_add(b).ok_or(Mismatch::Negative)
}

fn minus(a: i64, b: i64) -> Result<i64, Mismatch> {
    a.checked_sub(b).filter(|left| *left >= 0).ok_or(Mismatch::Negative)
}
