//! What the ledger decides follows; whatever is changed of it afterwards does not.

use std::collections::HashMap;

use chrono::{DateTime, TimeDelta, Utc};
use proptest::prelude::*;

use super::state::{Entry, HoldRow, Lot, Proved, Stands, prove};
use crate::ids::JobId;
use crate::ledger::state::{Account, Hold, HoldState};
use crate::ledger::{EntryKind, Grant, GrantKind, Movement};

/// An account's life: how it stands, and the entries since it was proved last.
struct Life {
    account: Account,
    jobs: Vec<JobId>,
    holds: HashMap<JobId, Hold>,
    version: i64,
    now: DateTime<Utc>,
    new: Vec<Entry>,
}

/// What may happen: which movement, about which job, and how much.
type Step = (u8, usize, i64);

impl Life {
    fn begin() -> Self {
        let now = "2026-01-01T00:00:00Z".parse().expect("a time");
        let jobs = (0..4).map(|_| JobId::new()).collect();
        Self { account: Account::new(Vec::new()), jobs, holds: HashMap::new(), version: 0, now, new: Vec::new() }
    }

    fn go_on(&mut self, number: usize, (kind, job, amount): Step) {
        let job = self.jobs[job % self.jobs.len()];
        self.now += TimeDelta::hours(1);
        let expires_at = (amount % 3 == 0).then(|| self.now + TimeDelta::hours(5));
        let movement = match kind % 5 {
            0 => Movement::Grant { kind: GrantKind::Coupon, source: number.to_string(), amount, expires_at },
            1 => Movement::Hold { job, want: amount, at_least: amount },
            2 => Movement::Extend { job, by: amount },
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

    fn stands(&self) -> Stands {
        let lots = self.account.grants.iter().map(|grant| {
            let Grant { amount, remaining, held, spent, expired, .. } = *grant;
            (grant.id.0, Lot { amount, remaining, held, spent, expired })
        });
        let holds = self.holds.values().map(|hold| {
            let lots = hold.lots.iter().map(|(lot, amount)| (lot.0, *amount)).collect();
            (hold.job.0, HoldRow { state: hold.state, held: hold.held, captured: hold.captured, lots })
        });
        Stands { version: self.version, lots: lots.collect(), holds: holds.collect() }
    }
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    proptest::collection::vec((0_u8..5, 0_usize..4, 1_i64..60), 1..40)
}

proptest! {
    #[test]
    fn whatever_the_ledger_decides_follows_wherever_the_proofs_are_made(
        steps in steps(), every in 1_usize..6
    ) {
        let (mut life, mut proved) = (Life::begin(), Proved::default());
        for (number, step) in steps.into_iter().enumerate() {
            life.go_on(number, step);
            if number % every == 0 {
                let went_on = prove(&proved, &life.new, &life.stands());
                prop_assert!(went_on.is_ok(), "{went_on:?}");
                proved = went_on.expect("it follows");
                life.new.clear();
            }
        }
    }

    #[test]
    fn nothing_that_was_changed_by_hand_since_the_proof_follows(
        before in steps(), after in steps(), at in 0_usize..1000, what in 0_u8..11
    ) {
        let (mut life, proved) = (Life::begin(), Proved::default());
        for (number, step) in before.into_iter().enumerate() {
            life.go_on(number, step);
        }
        let proved = prove(&proved, &life.new, &life.stands()).expect("it follows");
        life.new.clear();
        for (number, step) in after.into_iter().enumerate() {
            life.go_on(1000 + number, step);
        }
        prop_assume!(!life.new.is_empty());
        let (mut entries, mut stands) = (life.new.clone(), life.stands());
        let at = at % entries.len();
        let touched = entries.iter().filter_map(|entry| entry.job).collect::<Vec<_>>();
        let lot = entries[at].grant;
        match what {
            0 => drop(entries.remove(at)),
            1 => entries.insert(at, entries[at]),
            2 => entries[at].amount += 1,
            3 => entries[at].balance_after += 1,
            4 => entries[at].version = proved.version,
            5 => entries[at].version = stands.version + 1,
            6 => {
                let lot = stands.lots.get_mut(&lot).expect("a row");
                (lot.amount, lot.remaining) = (lot.amount + 1, lot.remaining + 1);
            }
            7 => stands.lots.get_mut(&lot).expect("a row").spent += 1,
            8 => drop(stands.lots.remove(&lot)),
            _ => {
                prop_assume!(!touched.is_empty());
                let hold = stands.holds.get_mut(&touched[at % touched.len()]).expect("a row");
                match what {
                    9 => hold.captured += 1,
                    _ if hold.state == HoldState::Held => hold.state = HoldState::Settled,
                    _ => hold.state = HoldState::Held,
                }
            }
        }
        prop_assert!(prove(&proved, &entries, &stands).is_err(), "changed by {what} at {at}, and nobody saw it");
    }
}

#[test]
fn the_lots_of_an_open_hold_are_those_that_its_entries_say() {
    let mut life = Life::begin();
    for (number, step) in [(0, 0, 10), (0, 0, 20), (1, 0, 15)].into_iter().enumerate() {
        life.go_on(number, step);
    }
    let mut stands = life.stands();
    prove(&Proved::default(), &life.new, &stands).expect("it follows");
    let hold = stands.holds.values_mut().next().expect("a hold");
    let (first, second) = (hold.lots[0].0, hold.lots[1].0);
    hold.lots = vec![(second, 10), (first, 5)];
    assert!(prove(&Proved::default(), &life.new, &stands).is_err(), "its release would go to other lots");
    assert_eq!(life.new.iter().filter(|entry| entry.kind == EntryKind::Hold).count(), 2);
}
