//! What follows from a proof and the entries since. Pure: no clock, no database.
//!
//! Anything that does not follow is an error and no more is said of it: the account is proved from its beginning then,
//! and that says what differs.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use uuid::Uuid;

use crate::ledger::entry::EntryKind;
use crate::ledger::state::HoldState;

/// An account as it was proved.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Proved {
    pub version: i64,
    pub sums: Sums,
    /// The lots that still offer or hold credits.
    pub lots: BTreeMap<Uuid, Lot>,
    /// What each open hold took from which lots.
    pub open: BTreeMap<Uuid, BTreeMap<Uuid, i64>>,
}

/// Sums over an account's whole life.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Sums {
    pub grants: i64,
    pub entries: i64,
    pub granted: i64,
    pub available: i64,
    pub held: i64,
    pub spent: i64,
    pub expired: i64,
}

/// A lot, as its entries or its row have it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Lot {
    pub amount: i64,
    pub remaining: i64,
    pub held: i64,
    pub spent: i64,
    pub expired: i64,
}

impl Lot {
    fn is_over(&self) -> bool {
        self.remaining == 0 && self.held == 0
    }
}

/// An entry since the proof.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Entry {
    pub version: i64,
    pub kind: EntryKind,
    pub grant: Uuid,
    pub job: Option<Uuid>,
    pub amount: i64,
    pub balance_after: i64,
}

/// A hold's row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct HoldRow {
    pub state: HoldState,
    pub held: i64,
    pub captured: i64,
    pub lots: Vec<(Uuid, i64)>,
}

/// The account as its rows have it: all lots, and the holds of the jobs that the new entries are about.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Stands {
    pub version: i64,
    pub lots: BTreeMap<Uuid, Lot>,
    pub holds: HashMap<Uuid, HoldRow>,
}

/// Why something does not follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    /// An entry that is older than the proof, or newer than its account.
    Version,
    /// An entry about a lot or a job that there is not, or twice about one that begins once.
    Unknown,
    /// More was moved than there was.
    Negative,
    /// An entry says another balance than those before it come to.
    Chain,
    Hold,
    Lot,
}

/// What a job's entries since the proof say, with what its hold had by then.
#[derive(Default)]
struct Tally {
    held: i64,
    captured: i64,
    released: i64,
}

/// Proves that the rows follow from the proof and the entries since, which come in the order of their versions.
pub(super) fn prove(before: &Proved, entries: &[Entry], stands: &Stands) -> Result<Proved, Found> {
    let Proved { version, mut sums, mut lots, mut open } = before.clone();
    let mut jobs: BTreeMap<Uuid, Tally> = BTreeMap::new();
    for entry in entries {
        if entry.version <= version || entry.version > stands.version {
            return Err(Found::Version);
        }
        if entry.kind == EntryKind::Grant {
            let new = Lot { amount: entry.amount, remaining: entry.amount, ..Lot::default() };
            if lots.insert(entry.grant, new).is_some() {
                return Err(Found::Unknown);
            }
            sums.grants += 1;
            sums.granted = plus(sums.granted, entry.amount)?;
        } else {
            let lot = lots.get_mut(&entry.grant).ok_or(Found::Unknown)?;
            shift(lot, entry)?;
            sums.spent = plus(sums.spent, if entry.kind == EntryKind::Capture { entry.amount } else { 0 })?;
            sums.expired = plus(sums.expired, if entry.kind == EntryKind::Expire { entry.amount } else { 0 })?;
        }
        if matches!(entry.kind, EntryKind::Hold | EntryKind::Capture | EntryKind::Release) {
            let job = entry.job.ok_or(Found::Unknown)?;
            let tally = jobs.entry(job).or_insert_with(|| {
                let held = open.get(&job).map_or(0, |taken| taken.values().sum());
                Tally { held, ..Tally::default() }
            });
            let taken = open.entry(job).or_default().entry(entry.grant).or_default();
            match entry.kind {
                EntryKind::Hold => {
                    (tally.held, *taken) = (plus(tally.held, entry.amount)?, plus(*taken, entry.amount)?)
                }
                EntryKind::Capture => {
                    (tally.captured, *taken) = (plus(tally.captured, entry.amount)?, minus(*taken, entry.amount)?);
                }
                _ => (tally.released, *taken) = (plus(tally.released, entry.amount)?, minus(*taken, entry.amount)?),
            }
        }
        sums.available = match entry.kind {
            EntryKind::Grant | EntryKind::Release => plus(sums.available, entry.amount)?,
            EntryKind::Hold | EntryKind::Expire => minus(sums.available, entry.amount)?,
            EntryKind::Capture => sums.available,
        };
        if entry.balance_after != sums.available {
            return Err(Found::Chain);
        }
        sums.entries += 1;
    }
    for (job, tally) in jobs {
        let taken = open.remove(&job).unwrap_or_default();
        if follows(&tally, &taken, stands.holds.get(&job).ok_or(Found::Hold)?)? == HoldState::Held {
            open.insert(job, taken);
        }
    }
    compare(&lots, &stands.lots)?;
    lots.retain(|_, lot| !lot.is_over());
    let standing = stands.lots.values().try_fold(0, |sum, lot| plus(sum, lot.remaining))?;
    if standing != sums.available {
        return Err(Found::Lot);
    }
    sums.held = lots.values().try_fold(0, |sum, lot| plus(sum, lot.held))?;
    if sums.granted != plus(plus(sums.available, sums.held)?, plus(sums.spent, sums.expired)?)? {
        return Err(Found::Lot);
    }
    Ok(Proved { version: stands.version, sums, lots, open })
}

/// What an entry makes of its lot.
fn shift(lot: &mut Lot, entry: &Entry) -> Result<(), Found> {
    let (from, to) = match entry.kind {
        EntryKind::Hold => (&mut lot.remaining, &mut lot.held),
        EntryKind::Capture => (&mut lot.held, &mut lot.spent),
        EntryKind::Release => (&mut lot.held, &mut lot.remaining),
        EntryKind::Expire => (&mut lot.remaining, &mut lot.expired),
        EntryKind::Grant => return Err(Found::Unknown),
    };
    (*from, *to) = (minus(*from, entry.amount)?, plus(*to, entry.amount)?);
    Ok(())
}

/// Whether a hold's row follows: it is open until it is settled in one go, which leaves nothing of it.
fn follows(tally: &Tally, taken: &BTreeMap<Uuid, i64>, row: &HoldRow) -> Result<HoldState, Found> {
    let has_ended = plus(tally.captured, tally.released)? > 0;
    let state = if has_ended { HoldState::Settled } else { HoldState::Held };
    let left: i64 = taken.values().sum();
    if (row.held, row.captured, row.state) != (tally.held, tally.captured, state) || (has_ended && left != 0) {
        return Err(Found::Hold);
    }
    let mut lots: BTreeMap<Uuid, i64> = BTreeMap::new();
    for (lot, amount) in row.lots.iter().filter(|(_, amount)| *amount != 0) {
        let sum = lots.entry(*lot).or_default();
        *sum = plus(*sum, *amount)?;
    }
    if !has_ended && lots != *taken {
        return Err(Found::Hold);
    }
    Ok(state)
}

/// Each lot's row is as its entries say, and no row is of a lot that none speaks of. Lots that were over when they were
/// proved are not looked at again.
fn compare(derived: &BTreeMap<Uuid, Lot>, rows: &BTreeMap<Uuid, Lot>) -> Result<(), Found> {
    let known: BTreeSet<&Uuid> = derived.keys().collect();
    let unknown = rows.iter().any(|(id, row)| !row.is_over() && !known.contains(id));
    let differs = derived.iter().any(|(id, lot)| rows.get(id) != Some(lot));
    if unknown || differs { Err(Found::Lot) } else { Ok(()) }
}

fn plus(a: i64, b: i64) -> Result<i64, Found> {
    a.checked_add(b).ok_or(Found::Negative)
}

fn minus(a: i64, b: i64) -> Result<i64, Found> {
    a.checked_sub(b).filter(|left| *left >= 0).ok_or(Found::Negative)
}
