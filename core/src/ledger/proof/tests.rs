//! Rows written by the ledger follow from its proofs; manual changes do not.

use std::collections::HashMap;

use chrono::{DateTime, TimeDelta, Utc};
use proptest::prelude::*;

use super::state::{AccountRows, Entry, HoldRow, Lot, ProvedAccount, prove};
use crate::ids::JobId;
use crate::ledger::state::{Account, Hold, HoldState};
use crate::ledger::{Grant, GrantKind, LedgerEntryKind, Movement};

/// An account's history: its rows, and the entries since the last proof.
struct Life {
    account: Account,
    jobs: Vec<JobId>,
    holds: HashMap<JobId, Hold>,
    version: i64,
    now: DateTime<Utc>,
    new: Vec<Entry>,
}

/// A movement, its job and amount.
type Step = (u8, usize, i64);

impl Life {
    fn begin() -> Self {
        let now = "2026-01-01T00:00:00Z".parse().expect("a time");
        let jobs = (0..4).map(|_| JobId::new()).collect();
        Self { account: Account::new(Vec::new()), jobs, holds: HashMap::new(), version: 0, now, new: Vec::new() }
    }

    fn step(&mut self, number: usize, (kind, job, amount): Step) {
        // A debit takes from the lot at this index, if the account has one.
        let source = self.account.grants.get(job).map(|grant| grant.source.clone()).unwrap_or_default();
        let job = self.jobs[job % self.jobs.len()];
        self.now += TimeDelta::hours(1);
        let expires_at = (amount % 3 == 0).then(|| self.now + TimeDelta::hours(5));
        let movement = match kind % 6 {
            0 => Movement::Grant { kind: GrantKind::Coupon, source: number.to_string(), amount, expires_at },
            1 => Movement::Hold { job, want: amount, at_least: amount, day_ceiling: None },
            2 => Movement::Extend { job, by: amount, day_ceiling: None },
            3 => Movement::Settle { job, used: amount },
            4 => Movement::Debit { source, amount },
            _ => Movement::Expire,
        };
        let mut hold = movement.job().and_then(|job| self.holds.get(&job).cloned());
        let Ok(moved) = self.account.apply(&movement, &mut hold, self.now) else { return };
        if let Some(hold) = hold {
            self.holds.insert(hold.job, hold);
        }
        if !moved.entries.is_empty() {
            self.version += 1;
        }
        self.new.extend(moved.entries.into_iter().map(|entry| Entry {
            version: self.version,
            kind: entry.kind,
            grant: entry.grant.0,
            job: entry.job.map(|job| job.0),
            amount: entry.amount,
            balance_after: entry.balance_after,
        }));
    }

    fn rows(&self) -> AccountRows {
        let lots = self.account.grants.iter().map(|grant| {
            let Grant { amount, remaining, held, spent, expired, debited, .. } = *grant;
            (grant.id.0, Lot { amount, remaining, held, spent, expired, debited })
        });
        let holds = self.holds.values().map(|hold| {
            let lots = hold.lots.iter().map(|(lot, amount)| (lot.0, *amount)).collect();
            (hold.job.0, HoldRow { state: hold.state, held: hold.held, captured: hold.captured, lots })
        });
        AccountRows { version: self.version, lots: lots.collect(), holds: holds.collect() }
    }
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    proptest::collection::vec((0_u8..6, 0_usize..4, 1_i64..60), 1..40)
}

proptest! {
    #[test]
    fn every_movement_follows_from_the_last_proof(
        steps in steps(), every in 1_usize..6
    ) {
        let (mut life, mut proved) = (Life::begin(), ProvedAccount::default());
        for (number, step) in steps.into_iter().enumerate() {
            life.step(number, step);
            if number % every == 0 {
                let went_on = prove(&proved, &life.new, &life.rows());
                prop_assert!(went_on.is_ok(), "{went_on:?}");
                proved = went_on.expect("it follows");
                life.new.clear();
            }
        }
    }

    #[test]
    fn manual_changes_since_the_proof_are_detected(
        before in steps(), after in steps(), at in 0_usize..1000, what in 0_u8..12
    ) {
        let (mut life, proved) = (Life::begin(), ProvedAccount::default());
        for (number, step) in before.into_iter().enumerate() {
            life.step(number, step);
        }
        let proved = prove(&proved, &life.new, &life.rows()).expect("it follows");
        life.new.clear();
        for (number, step) in after.into_iter().enumerate() {
            life.step(1000 + number, step);
        }
        prop_assume!(!life.new.is_empty());
        let (mut entries, mut rows) = (life.new.clone(), life.rows());
        let at = at % entries.len();
        let touched = entries.iter().filter_map(|entry| entry.job).collect::<Vec<_>>();
        let lot = entries[at].grant;
        match what {
            0 => drop(entries.remove(at)),
            1 => entries.insert(at, entries[at]),
            2 => entries[at].amount += 1,
            3 => entries[at].balance_after += 1,
            4 => entries[at].version = proved.version,
            5 => entries[at].version = rows.version + 1,
            6 => {
                let lot = rows.lots.get_mut(&lot).expect("a row");
                (lot.amount, lot.remaining) = (lot.amount + 1, lot.remaining + 1);
            }
            7 => rows.lots.get_mut(&lot).expect("a row").spent += 1,
            8 => drop(rows.lots.remove(&lot)),
            9 => rows.lots.get_mut(&lot).expect("a row").debited += 1,
            _ => {
                prop_assume!(!touched.is_empty());
                let hold = rows.holds.get_mut(&touched[at % touched.len()]).expect("a row");
                match what {
                    10 => hold.captured += 1,
                    _ if hold.state == HoldState::Held => hold.state = HoldState::Settled,
                    _ => hold.state = HoldState::Held,
                }
            }
        }
        prop_assert!(prove(&proved, &entries, &rows).is_err(), "change {what} at {at} was not detected");
    }
}

#[test]
fn lots_of_an_open_hold_must_match_its_entries() {
    let mut life = Life::begin();
    for (number, step) in [(0, 0, 10), (0, 0, 20), (1, 0, 15)].into_iter().enumerate() {
        life.step(number, step);
    }
    let mut rows = life.rows();
    prove(&ProvedAccount::default(), &life.new, &rows).expect("it follows");
    let hold = rows.holds.values_mut().next().expect("a hold");
    let (first, second) = (hold.lots[0].0, hold.lots[1].0);
    hold.lots = vec![(second, 10), (first, 5)];
    assert!(prove(&ProvedAccount::default(), &life.new, &rows).is_err(), "its release would go to other lots");
    assert_eq!(life.new.iter().filter(|entry| entry.kind == LedgerEntryKind::Hold).count(), 2);
}

/// An account with two lots of 10 and 20 credits, of whose first 4 were debited.
fn debited_life() -> Life {
    let mut life = Life::begin();
    for (number, step) in [(0, 0, 10), (0, 0, 20), (4, 0, 4)].into_iter().enumerate() {
        life.step(number, step);
    }
    life
}

#[test]
fn debit_follows_from_the_start_and_from_a_proof() {
    let mut life = debited_life();
    let proved = prove(&ProvedAccount::default(), &life.new, &life.rows()).expect("it follows");
    assert_eq!((proved.sums.available, proved.sums.debited), (26, 4));
    life.new.clear();
    life.step(3, (4, 1, 20));
    let proved = prove(&proved, &life.new, &life.rows()).expect("it follows");
    assert_eq!((proved.sums.available, proved.sums.debited, proved.lots.len()), (6, 24, 1), "a lot of debits is over");
}

#[test]
fn forged_debit_does_not_follow() {
    let life = debited_life();
    let start = ProvedAccount::default();
    let (entries, rows) = (&life.new, life.rows());
    let debit = entries.iter().position(|entry| entry.kind == LedgerEntryKind::Debit).expect("a debit");
    let mut entry_only = entries.clone();
    entry_only.push(Entry { version: rows.version, amount: 1, balance_after: 25, ..entries[debit] });
    assert!(prove(&start, &entry_only, &rows).is_err(), "an entry without credits that were taken");
    let mut row_only = rows.clone();
    let lot = row_only.lots.get_mut(&entries[debit].grant).expect("a row");
    (lot.remaining, lot.debited) = (lot.remaining - 1, lot.debited + 1);
    assert!(prove(&start, entries, &row_only).is_err(), "credits that were taken without an entry");
    let mut other_kind = entries.clone();
    other_kind[debit].kind = LedgerEntryKind::Expire;
    assert!(prove(&start, &other_kind, &rows).is_err(), "a debit that is shown as an expiry");
    let mut other_lot = entries.clone();
    other_lot[debit].grant = entries[1].grant;
    assert!(prove(&start, &other_lot, &rows).is_err(), "a debit of another lot");
}
