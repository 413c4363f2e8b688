use chrono::{DateTime, Duration, TimeZone, Utc};
use proptest::prelude::*;

use super::*;
use crate::ledger::GrantKind;

fn noon() -> DateTime<Utc> {
    Utc.with_ymd_and_hms(2026, 11, 1, 12, 0, 0).single().expect("a valid time")
}

fn lot(amount: i64, expires_in_days: Option<i64>, issued_minutes_ago: i64) -> Grant {
    Grant {
        id: GrantId::new(),
        kind: GrantKind::Purchase,
        source: GrantId::new().to_string(),
        amount,
        remaining: amount,
        held: 0,
        spent: 0,
        expired: 0,
        debited: 0,
        issued_at: noon() - Duration::minutes(issued_minutes_ago),
        expires_at: expires_in_days.map(|days| noon() + Duration::days(days)),
    }
}

fn hold(account: &mut Account, want: i64) -> Option<Hold> {
    let mut hold = None;
    account
        .apply(&Movement::Hold { job: JobId::new(), want, at_least: want, day_ceiling: None }, &mut hold, noon())
        .expect("enough credits");
    hold
}

#[test]
fn lots_are_spent_by_expiry_and_then_by_issue() {
    let (never, late, early_new, early_old) =
        (lot(5, None, 90), lot(5, Some(60), 50), lot(5, Some(30), 10), lot(5, Some(30), 40));
    let expected = [early_old.id, early_new.id, late.id, never.id];
    let mut account = Account::new(vec![never, late, early_new, early_old]);
    let hold = hold(&mut account, 20).expect("a hold");
    assert_eq!(hold.lots.iter().map(|(id, _)| *id).collect::<Vec<_>>(), expected);
}

#[test]
fn settlement_spends_the_later_lots_last() {
    let mut account = Account::new(vec![lot(10, Some(1), 0), lot(10, Some(2), 0)]);
    let mut hold = hold(&mut account, 20);
    let job = hold.as_ref().expect("a hold").job;
    let moved = account.apply(&Movement::Settle { job, used: 12 }, &mut hold, noon()).expect("an open hold");
    assert_eq!(moved.amount, 12);
    assert_eq!(account.grants.iter().map(|lot| lot.remaining).collect::<Vec<_>>(), [0, 8]);
    assert_eq!(account.balance(), Balance { available: 8, held: 0 });
}

#[test]
fn a_hold_is_settled_once_only() {
    let mut account = Account::new(vec![lot(10, None, 0)]);
    let mut hold = hold(&mut account, 10);
    let settle = Movement::Settle { job: hold.as_ref().expect("a hold").job, used: 1 };
    account.apply(&settle, &mut hold, noon()).expect("the first time");
    let before = account.clone();
    assert_eq!(account.apply(&settle, &mut hold, noon()), Err(Denial::HoldEnded));
    assert_eq!(account, before, "a refused settlement must not move credits");
}

#[test]
fn credits_returned_to_an_expired_lot_expire_at_once() {
    let mut account = Account::new(vec![lot(10, Some(1), 0)]);
    let mut hold = hold(&mut account, 10);
    let job = hold.as_ref().expect("a hold").job;
    let later = noon() + Duration::days(2);
    account.apply(&Movement::Settle { job, used: 3 }, &mut hold, later).expect("an open hold");
    let lot = &account.grants[0];
    assert_eq!((lot.remaining, lot.spent, lot.expired), (0, 3, 7));
}

#[test]
fn expired_credits_cannot_be_held() {
    let mut account = Account::new(vec![lot(10, Some(1), 0)]);
    let refused = account.apply(
        &Movement::Hold { job: JobId::new(), want: 5, at_least: 5, day_ceiling: None },
        &mut None,
        noon() + Duration::days(1),
    );
    assert_eq!(refused, Err(Denial::OutOfCredits { needed: 5, available: 0 }));
}

#[test]
fn hold_takes_the_available_credits_down_to_its_minimum() {
    let mut account = Account::new(vec![lot(7, None, 0)]);
    let mut hold = None;
    let movement = Movement::Hold { job: JobId::new(), want: 30, at_least: 5, day_ceiling: None };
    assert_eq!(account.apply(&movement, &mut hold, noon()).expect("7 are enough").amount, 7);
}

#[test]
fn ceiling_of_a_day_counts_what_is_spent_and_held_until_midnight() {
    let mut account = Account::new(vec![lot(100, None, 0)]);
    let ceiling = Some(10);
    let movement = |want| Movement::Hold { job: JobId::new(), want, at_least: 1, day_ceiling: ceiling };
    let mut first = None;
    assert_eq!(account.apply(&movement(6), &mut first, noon()).expect("6 of 10").amount, 6);
    let mut second = None;
    assert_eq!(account.apply(&movement(30), &mut second, noon()).expect("the other 4").amount, 4);
    let refused = Err(Denial::DayCeiling { ceiling: 10, spent: 0, held: 10 });
    assert_eq!(account.apply(&movement(1), &mut None, noon()), refused);
    let job = first.as_ref().expect("a hold").job;
    let extend = Movement::Extend { job, by: 1, day_ceiling: ceiling };
    assert_eq!(account.apply(&extend, &mut first, noon()), refused);
    account.apply(&Movement::Settle { job, used: 5 }, &mut first, noon()).expect("an open hold");
    assert_eq!(account.apply(&movement(9), &mut None, noon()).expect("what is left").amount, 1);
    let tomorrow = noon() + Duration::hours(12);
    assert_eq!(account.apply(&movement(9), &mut None, tomorrow).expect("another day").amount, 5, "4 and 1 are held");
    let more = Movement::Extend { job: second.as_ref().expect("a hold").job, by: 20, day_ceiling: Some(12) };
    assert_eq!(account.apply(&more, &mut second, tomorrow).expect("2 of 12 are left").amount, 2);
    let free = Movement::Hold { job: JobId::new(), want: 50, at_least: 50, day_ceiling: None };
    assert_eq!(account.apply(&free, &mut None, tomorrow).expect("no ceiling").amount, 50);
}

#[test]
fn extension_takes_what_is_left_and_is_refused_when_nothing_is() {
    let mut account = Account::new(vec![lot(6, None, 0), lot(3, None, 0)]);
    let (job, mut hold) = (JobId::new(), None);
    account
        .apply(&Movement::Hold { job, want: 5, at_least: 1, day_ceiling: None }, &mut hold, noon())
        .expect("credits");
    let extend = Movement::Extend { job, by: 10, day_ceiling: None };
    assert_eq!(account.apply(&extend, &mut hold, noon()).expect("4 are left").amount, 4);
    assert_eq!(hold.as_ref().map(|hold| hold.held), Some(9));
    let refused = Err(Denial::OutOfCredits { needed: 10, available: 0 });
    assert_eq!(account.apply(&extend, &mut hold, noon()), refused);
    assert_eq!(account.apply(&Movement::Settle { job, used: 9 }, &mut hold, noon()).expect("an open hold").amount, 9);
    assert_eq!(account.balance(), Balance { available: 0, held: 0 });
}

#[test]
fn grant_to_a_full_account_changes_nothing_and_expired_credits_do_not_count() {
    let grant = |amount| Movement::Grant { kind: GrantKind::Operator, source: "more".into(), amount, expires_at: None };
    let before = Account::new(vec![lot(1, Some(-1), 10), lot(MAX_BALANCE - 5, None, 5)]);
    let mut account = before.clone();
    assert_eq!(account.apply(&grant(6), &mut None, noon()), Err(Denial::AccountFull));
    assert_eq!(account, before, "an expired lot is written off with an entry, or not at all");
    account.apply(&grant(5), &mut None, noon()).expect("room for it");
    assert_eq!(account.balance().available, MAX_BALANCE);
}

fn debit(lot: &Grant, amount: i64) -> Movement {
    Movement::Debit { source: lot.source.clone(), amount }
}

#[test]
fn debit_takes_from_its_lot_alone_and_is_no_spending() {
    let (first, last) = (lot(10, Some(1), 0), lot(10, Some(60), 0));
    let mut account = Account::new(vec![first, last.clone()]);
    let moved = account.apply(&debit(&last, 4), &mut None, noon()).expect("10 are available");
    assert_eq!(moved.amount, 4);
    let entry = NewEntry { kind: LedgerEntryKind::Debit, grant: last.id, job: None, amount: 4, balance_after: 16 };
    assert_eq!(moved.entries, [entry]);
    let parts: Vec<_> = account.grants.iter().map(|lot| (lot.remaining, lot.debited)).collect();
    assert_eq!(parts, [(10, 0), (6, 4)], "the lot that is spent first was debited");
    assert_eq!(account.spending.on(noon()), 0, "a debit counts against the ceiling of the day");
    account.apply(&debit(&last, 6), &mut None, noon()).expect("6 are left");
    let refused = account.apply(&debit(&last, 1), &mut None, noon());
    assert_eq!(refused, Err(Denial::LotTooSmall { available: 0 }));
}

#[test]
fn debit_counts_neither_held_nor_spent_credits_and_takes_all_or_nothing() {
    let lot = lot(10, None, 0);
    let mut account = Account::new(vec![lot.clone()]);
    let mut spent = hold(&mut account, 3);
    let settle = Movement::Settle { job: spent.as_ref().expect("a hold").job, used: 3 };
    account.apply(&settle, &mut spent, noon()).expect("an open hold");
    hold(&mut account, 2).expect("a hold");
    let before = account.clone();
    let refused = account.apply(&debit(&lot, 6), &mut None, noon());
    assert_eq!(refused, Err(Denial::LotTooSmall { available: 5 }));
    let unknown = Movement::Debit { source: "unknown".into(), amount: 1 };
    assert_eq!(account.apply(&unknown, &mut None, noon()), Err(Denial::LotTooSmall { available: 0 }));
    assert_eq!(account, before, "a denied debit changed the account");
    assert_eq!(account.apply(&debit(&lot, 5), &mut None, noon()).expect("5 are available").amount, 5);
    let lot = &account.grants[0];
    assert_eq!((lot.remaining, lot.held, lot.spent, lot.debited), (0, 2, 3, 5));
}

#[test]
fn expired_lot_cannot_be_debited_and_other_due_lots_are_written_off_first() {
    let (due, live) = (lot(10, Some(1), 0), lot(10, None, 0));
    let mut account = Account::new(vec![due.clone(), live.clone()]);
    let later = noon() + Duration::days(1);
    let before = account.clone();
    assert_eq!(account.apply(&debit(&due, 1), &mut None, later), Err(Denial::LotTooSmall { available: 0 }));
    assert_eq!(account, before, "a denied debit wrote off a lot without an entry");
    let moved = account.apply(&debit(&live, 1), &mut None, later).expect("10 are available");
    let entries: Vec<_> = moved.entries.iter().map(|entry| (entry.kind, entry.balance_after)).collect();
    assert_eq!(entries, [(LedgerEntryKind::Expire, 10), (LedgerEntryKind::Debit, 9)]);
}

#[test]
fn credits_released_to_a_debited_lot_are_available_again() {
    let lot = lot(10, None, 0);
    let mut account = Account::new(vec![lot.clone()]);
    let mut hold = hold(&mut account, 6);
    account.apply(&debit(&lot, 4), &mut None, noon()).expect("4 are available");
    let job = hold.as_ref().expect("a hold").job;
    account.apply(&Movement::Settle { job, used: 1 }, &mut hold, noon()).expect("an open hold");
    let lot = &account.grants[0];
    assert_eq!((lot.remaining, lot.spent, lot.debited), (5, 1, 4));
}

#[test]
fn debit_of_nothing_or_less_moves_no_credits() {
    let lot = lot(10, None, 0);
    let mut account = Account::new(vec![lot.clone()]);
    for amount in [0, -5, i64::MIN] {
        let moved = account.apply(&debit(&lot, amount), &mut None, noon()).expect("nothing is needed");
        assert_eq!((moved, account.balance().available), (MovementEffect::default(), 10), "{amount}");
    }
}

#[derive(Debug, Clone)]
enum Step {
    Grant { amount: i64, days: Option<i64> },
    Hold { want: i64, at_least: i64 },
    Extend { which: usize, by: i64 },
    Settle { which: usize, used: i64 },
    Debit { which: usize, amount: i64 },
    Wait { hours: i64 },
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        (1_i64..500, proptest::option::of(0_i64..5)).prop_map(|(amount, days)| Step::Grant { amount, days }),
        (1_i64..300, 0_i64..100).prop_map(|(want, at_least)| Step::Hold { want, at_least: at_least.min(want) }),
        (any::<usize>(), 1_i64..100).prop_map(|(which, by)| Step::Extend { which, by }),
        (any::<usize>(), 0_i64..400).prop_map(|(which, used)| Step::Settle { which, used }),
        (any::<usize>(), 1_i64..300).prop_map(|(which, amount)| Step::Debit { which, amount }),
        (1_i64..40).prop_map(|hours| Step::Wait { hours }),
    ]
}

proptest! {
    #[test]
    fn no_history_creates_or_loses_credits(
        steps in proptest::collection::vec(step(), 1..60),
        day_ceiling in proptest::option::of(1_i64..500),
    ) {
        let mut account = Account::default();
        let mut holds: Vec<Option<Hold>> = Vec::new();
        let mut now = noon();
        let mut entries = Vec::new();
        let mut granted = 0;
        for (number, step) in steps.into_iter().enumerate() {
            let (movement, which) = match step {
                Step::Wait { hours } => { now += Duration::hours(hours); continue }
                Step::Grant { amount, days } => {
                    let expires_at = days.map(|days| now + Duration::days(days));
                    granted += amount;
                    (Movement::Grant { kind: GrantKind::Plan, source: number.to_string(), amount, expires_at }, None)
                }
                Step::Hold { want, at_least } => {
                    holds.push(None);
                    (Movement::Hold { job: JobId::new(), want, at_least, day_ceiling }, Some(holds.len() - 1))
                }
                Step::Extend { which, by } if !holds.is_empty() => {
                    let which = which % holds.len();
                    let Some(hold) = &holds[which] else { continue };
                    (Movement::Extend { job: hold.job, by, day_ceiling }, Some(which))
                }
                Step::Settle { which, used } if !holds.is_empty() => {
                    let which = which % holds.len();
                    let Some(hold) = &holds[which] else { continue };
                    (Movement::Settle { job: hold.job, used }, Some(which))
                }
                Step::Debit { which, amount } if !account.grants.is_empty() => {
                    (debit(&account.grants[which % account.grants.len()], amount), None)
                }
                Step::Extend { .. } | Step::Settle { .. } | Step::Debit { .. } => continue,
            };
            let mut none = None;
            let hold = which.map_or(&mut none, |which| &mut holds[which]);
            let before = account.clone();
            let outcome = account.apply(&movement, hold, now);
            if let Movement::Debit { source, amount } = &movement {
                let offered = before.grants.iter().find(|lot| lot.source == *source).map_or(0, |lot| lot.available_at(now));
                let expected = if offered >= *amount { Ok(*amount) } else { Err(Denial::LotTooSmall { available: offered }) };
                prop_assert_eq!(outcome.as_ref().map(|moved| moved.amount), expected.as_ref().copied());
            }
            if outcome.is_err() {
                prop_assert_eq!(&account, &before, "a denied movement changed the account");
            }
            if let Ok(moved) = outcome {
                let amount = moved.amount;
                entries.extend(moved.entries);
                let spent = account.spending.on(now);
                let captured = |entry: &NewEntry| entry.kind == LedgerEntryKind::Capture;
                let all: i64 = entries.iter().filter(|entry| captured(entry)).map(|entry| entry.amount).sum();
                prop_assert!(spent <= all, "more was spent today than ever");
                let is_hold = matches!(movement, Movement::Hold { .. } | Movement::Extend { .. });
                // A run may have been charged more than it held.
                if let Some(ceiling) = day_ceiling.filter(|_| is_hold && amount > 0) {
                    prop_assert!(spent + account.balance().held <= ceiling, "beyond the ceiling of the day");
                }
            }
            for lot in &account.grants {
                let parts = [lot.remaining, lot.held, lot.spent, lot.expired, lot.debited];
                prop_assert!(parts.iter().all(|part| *part >= 0), "{:?}", parts);
                prop_assert_eq!(parts.iter().sum::<i64>(), lot.amount);
            }
            let open: i64 = holds.iter().flatten().filter(|hold| hold.state == HoldState::Held).map(|hold| hold.held).sum();
            prop_assert_eq!(account.balance().held, open, "what lots hold and what jobs hold must agree");
            if let Some(last) = entries.last() {
                prop_assert_eq!(last.balance_after, account.balance().available);
            }
        }
        prop_assert_eq!(account.grants.iter().map(|lot| lot.amount).sum::<i64>(), granted);
        let sum = |kind| entries.iter().filter(|entry| entry.kind == kind).map(|entry| entry.amount).sum::<i64>();
        let balance = account.balance();
        prop_assert_eq!(balance.held, sum(LedgerEntryKind::Hold) - sum(LedgerEntryKind::Capture) - sum(LedgerEntryKind::Release));
        prop_assert_eq!(
            balance.available,
            sum(LedgerEntryKind::Grant) - sum(LedgerEntryKind::Hold) + sum(LedgerEntryKind::Release)
                - sum(LedgerEntryKind::Expire) - sum(LedgerEntryKind::Debit)
        );
        prop_assert_eq!(account.grants.iter().map(|lot| lot.debited).sum::<i64>(), sum(LedgerEntryKind::Debit));
        let mut running = 0;
        for entry in &entries {
            running += match entry.kind {
                LedgerEntryKind::Grant | LedgerEntryKind::Release => entry.amount,
                LedgerEntryKind::Hold | LedgerEntryKind::Expire | LedgerEntryKind::Debit => -entry.amount,
                LedgerEntryKind::Capture => 0,
            };
            prop_assert_eq!(entry.balance_after, running, "each entry tells the balance after it");
        }
    }
}
