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
        let job = self.jobs[job % self.jobs.len()];
        self.now += TimeDelta::hours(1);
        let expires_at = (amount % 3 == 0).then(|| self.now + TimeDelta::hours(5));
        let movement = match kind % 5 {
            0 => Movement::Grant { kind: GrantKind::Coupon, source: number.to_string(), amount, expires_at },
            1 => Movement::Hold { job, want: amount, at_least: amount, day_ceiling: None },
            2 => Movement::Extend { job, by: amount, day_ceiling: None },
            3 => Movement::Settle { job, used: amount },
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
            let Grant { amount, remaining, held, spent, expired, .. } = *grant;
            (grant.id.0, Lot { amount, remaining, held, spent, expired })
        });
        let holds = self.holds.values().map(|hold| {
            let lots = hold.lots.iter().map(|(lot, amount)| (lot.0, *amount)).collect();
            (hold.job.0, HoldRow { state: hold.state, held: hold.held, captured: hold.captured, lots })
        });
        AccountRows { version: self.version, lots: lots.collect(), holds: holds.collect() }
    }
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    proptest::collection::vec((0_u8..5, 0_usize..4, 1_i64..60), 1..40)
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
        before in steps(), after in steps(), at in 0_usize..1000, what in 0_u8..11
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
            _ => {
                prop_assume!(!touched.is_empty());
                let hold = rows.holds.get_mut(&touched[at % touched.len()]).expect("a row");
                match what {
                    9 => hold.captured += 1,
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
