//! The effect of a movement on an account. Pure: no clock, no database, no randomness except new ids.
//!
//! Spending starts with the lot that expires first (ties: the earliest issue); lots without an expiry come last. A
//! settlement captures from lots in the order in which the hold took them, and releases the rest. Each movement first
//! writes off expired lots. Credits released to an expired lot expire at once.

use chrono::{DateTime, Utc};

use super::balance::{Balance, DaySpending, MAX_BALANCE};
use super::entry::LedgerEntryKind;
use super::grant::{Grant, NewGrant};
use super::movement::Movement;
use crate::ids::{GrantId, JobId};

/// An account's lots with available or held credits.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Account {
    /// The account's version when it was read; 0 for an account that was never changed.
    pub version: i64,
    pub spending: DaySpending,
    /// In the order of spending.
    pub grants: Vec<Grant>,
}

/// A job's hold as a movement finds and leaves it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Hold {
    pub job: JobId,
    pub state: HoldState,
    pub held: i64,
    pub captured: i64,
    /// The lots it was taken from, in the order of taking.
    pub lots: Vec<(GrantId, i64)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i16)]
pub enum HoldState {
    Held = 0,
    Settled = 1,
}

/// An entry to be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NewEntry {
    pub kind: LedgerEntryKind,
    pub grant: GrantId,
    pub job: Option<JobId>,
    pub amount: i64,
    pub balance_after: i64,
}

/// Why a balance does not allow a movement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Denial {
    OutOfCredits {
        needed: i64,
        available: i64,
    },
    /// The account would spend more on this day than its owner wants.
    DayCeiling {
        ceiling: i64,
        spent: i64,
        held: i64,
    },
    /// The account would have more than [`MAX_BALANCE`].
    AccountFull,
    /// The lot has fewer available credits than the debit takes.
    LotTooSmall {
        available: i64,
    },
    /// The job has no hold.
    HoldUnknown,
    /// The job's hold was settled before.
    HoldEnded,
}

/// The effect of an allowed movement.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct MovementEffect {
    /// Credits that a grant gave, a hold took, an extension added, a settlement captured or a debit took.
    pub amount: i64,
    pub entries: Vec<NewEntry>,
}

impl Account {
    pub fn new(mut grants: Vec<Grant>) -> Self {
        grants.sort_by_key(spending_order);
        Self { version: 0, spending: DaySpending::default(), grants }
    }

    pub fn balance(&self) -> Balance {
        Balance {
            available: self.grants.iter().fold(0, |sum, grant| sum.saturating_add(grant.remaining)),
            held: self.grants.iter().fold(0, |sum, grant| sum.saturating_add(grant.held)),
        }
    }

    /// Credits that can be held now: expired lots do not count, even before they are written off.
    fn available_at(&self, now: DateTime<Utc>) -> i64 {
        self.grants.iter().fold(0, |sum, grant| sum.saturating_add(grant.available_at(now)))
    }

    /// Denies a hold of more than the ceiling of a day allows; otherwise returns how much it allows.
    fn room_of_day(&self, ceiling: Option<i64>, least: i64, now: DateTime<Utc>) -> Result<i64, Denial> {
        let Some(ceiling) = ceiling else { return Ok(i64::MAX) };
        let (spent, held) = (self.spending.on(now), self.balance().held);
        let room = ceiling.saturating_sub(spent).saturating_sub(held);
        // A free run is never beyond it.
        if least > 0 && room < least { Err(Denial::DayCeiling { ceiling, spent, held }) } else { Ok(room.max(0)) }
    }

    /// Applies a movement, or refuses it and changes nothing. `hold` is the hold of the movement's job; a new hold is
    /// stored there.
    pub fn apply(
        &mut self,
        movement: &Movement,
        hold: &mut Option<Hold>,
        now: DateTime<Utc>,
    ) -> Result<MovementEffect, Denial> {
        let mut moved = MovementEffect::default();
        match movement {
            Movement::None => return Ok(moved),
            Movement::Grant { kind, source, amount, expires_at } => {
                let (kind, source) = (*kind, source.clone());
                let lot = NewGrant { kind, source, amount: *amount, expires_at: *expires_at };
                self.grant(&[lot], now, &mut moved)?;
            }
            Movement::Grants(lots) => self.grant(lots, now, &mut moved)?,
            Movement::Hold { job, want, at_least, day_ceiling } => {
                if hold.is_some() {
                    return Err(Denial::HoldEnded);
                }
                let available = self.available_at(now);
                if available < *at_least {
                    return Err(Denial::OutOfCredits { needed: *at_least, available });
                }
                let room = self.room_of_day(*day_ceiling, *at_least, now)?;
                self.expire(now, &mut moved);
                let lots = self.take(*job, (*want).min(available).min(room), &mut moved);
                let held = lots.iter().map(|(_, amount)| amount).sum();
                moved.amount = held;
                *hold = Some(Hold { job: *job, state: HoldState::Held, held, captured: 0, lots });
            }
            Movement::Extend { job, by, day_ceiling } => {
                let open = open(hold)?;
                let (available, at_least) = (self.available_at(now), (*by).min(1));
                if available < at_least {
                    return Err(Denial::OutOfCredits { needed: *by, available });
                }
                let room = self.room_of_day(*day_ceiling, at_least, now)?;
                self.expire(now, &mut moved);
                let lots = self.take(*job, (*by).min(available).min(room), &mut moved);
                moved.amount = lots.iter().map(|(_, amount)| amount).sum();
                open.held += moved.amount;
                open.lots.extend(lots);
            }
            Movement::Settle { job, used } => {
                let open = open(hold)?;
                self.expire(now, &mut moved);
                let short = (used - open.held).max(0).min(self.balance().available);
                if short > 0 {
                    let lots = self.take(*job, short, &mut moved);
                    open.held += short;
                    open.lots.extend(lots);
                }
                moved.amount = self.settle(open, *used, &mut moved);
                self.spending.add(now, moved.amount);
                self.expire(now, &mut moved);
            }
            Movement::Debit { source, amount } => self.debit(&[(source.as_str(), *amount)], now, &mut moved)?,
            Movement::Debits(lots) => {
                let lots: Vec<(&str, i64)> = lots.iter().map(|(source, amount)| (source.as_str(), *amount)).collect();
                self.debit(&lots, now, &mut moved)?;
            }
            Movement::Expire => self.expire(now, &mut moved),
        }
        Ok(moved)
    }

    /// Writes off expired lots. Held credits stay held.
    fn expire(&mut self, now: DateTime<Utc>, moved: &mut MovementEffect) {
        let due: Vec<GrantId> = self
            .grants
            .iter()
            .filter(|grant| grant.remaining > 0 && grant.expires_at.is_some_and(|at| at <= now))
            .map(|grant| grant.id)
            .collect();
        for id in due {
            let Some(grant) = self.grant_mut(id) else { continue };
            let amount = std::mem::take(&mut grant.remaining);
            grant.expired += amount;
            self.note(LedgerEntryKind::Expire, id, None, amount, moved);
        }
    }

    /// Adds new lots, all or none. Nothing changes if one of their sources has a lot.
    fn grant(&mut self, lots: &[NewGrant], now: DateTime<Utc>, moved: &mut MovementEffect) -> Result<(), Denial> {
        let is_new = !self.grants.iter().any(|grant| lots.iter().any(|lot| lot.source == grant.source));
        let amount = lots.iter().fold(0, |sum: i64, lot| sum.saturating_add(lot.amount));
        let kept = self.available_at(now).saturating_add(self.balance().held);
        if is_new && kept.saturating_add(amount) > MAX_BALANCE {
            return Err(Denial::AccountFull);
        }
        self.expire(now, moved);
        if !is_new {
            return Ok(());
        }
        for lot in lots {
            let grant = Grant {
                id: GrantId::new(),
                kind: lot.kind,
                source: lot.source.clone(),
                amount: lot.amount,
                remaining: lot.amount,
                held: 0,
                spent: 0,
                expired: 0,
                debited: 0,
                issued_at: now,
                expires_at: lot.expires_at,
            };
            let id = grant.id;
            self.grants.push(grant);
            self.grants.sort_by_key(spending_order);
            self.note(LedgerEntryKind::Grant, id, None, lot.amount, moved);
        }
        moved.amount = amount;
        Ok(())
    }

    /// Takes back an amount of each of these lots, of different sources: all or nothing. Other lots are not touched, even
    /// if these expire last.
    fn debit(&mut self, lots: &[(&str, i64)], now: DateTime<Utc>, moved: &mut MovementEffect) -> Result<(), Denial> {
        let mut taken = Vec::with_capacity(lots.len());
        for (source, amount) in lots {
            let amount = (*amount).max(0);
            let lot = self.grants.iter().find(|grant| grant.source == *source);
            let (id, available) = lot.map_or((None, 0), |lot| (Some(lot.id), lot.available_at(now)));
            if available < amount {
                return Err(Denial::LotTooSmall { available });
            }
            taken.extend(id.map(|id| (id, amount)));
        }
        self.expire(now, moved);
        for (id, amount) in taken {
            let Some(grant) = self.grant_mut(id) else { continue };
            grant.remaining -= amount;
            grant.debited += amount;
            self.note(LedgerEntryKind::Debit, id, None, amount, moved);
            moved.amount += amount;
        }
        Ok(())
    }

    /// Moves `wanted` from available to held; the caller checks that there is enough.
    fn take(&mut self, job: JobId, wanted: i64, moved: &mut MovementEffect) -> Vec<(GrantId, i64)> {
        let mut left = wanted;
        let mut lots = Vec::new();
        let offering: Vec<GrantId> =
            self.grants.iter().filter(|grant| grant.remaining > 0).map(|grant| grant.id).collect();
        for id in offering {
            let Some(grant) = self.grant_mut(id) else { continue };
            let amount = grant.remaining.min(left);
            grant.remaining -= amount;
            grant.held += amount;
            left -= amount;
            self.note(LedgerEntryKind::Hold, id, Some(job), amount, moved);
            lots.push((id, amount));
            if left == 0 {
                break;
            }
        }
        lots
    }

    /// Captures and releases; returns the captured amount.
    fn settle(&mut self, hold: &mut Hold, used: i64, moved: &mut MovementEffect) -> i64 {
        let mut left = used.max(0);
        for (id, held) in hold.lots.clone() {
            let captured = held.min(left);
            let released = held - captured;
            left -= captured;
            let Some(grant) = self.grant_mut(id) else { continue };
            grant.held -= captured;
            grant.spent += captured;
            hold.captured += captured;
            self.note(LedgerEntryKind::Capture, id, Some(hold.job), captured, moved);
            let Some(grant) = self.grant_mut(id) else { continue };
            grant.held -= released;
            grant.remaining += released;
            self.note(LedgerEntryKind::Release, id, Some(hold.job), released, moved);
        }
        hold.state = HoldState::Settled;
        hold.captured
    }

    fn note(&self, kind: LedgerEntryKind, grant: GrantId, job: Option<JobId>, amount: i64, moved: &mut MovementEffect) {
        if amount > 0 {
            moved.entries.push(NewEntry { kind, grant, job, amount, balance_after: self.balance().available });
        }
    }

    fn grant_mut(&mut self, id: GrantId) -> Option<&mut Grant> {
        self.grants.iter_mut().find(|grant| grant.id == id)
    }
}

/// The hold, if it is open.
fn open(hold: &mut Option<Hold>) -> Result<&mut Hold, Denial> {
    match hold {
        None => Err(Denial::HoldUnknown),
        Some(hold) if hold.state == HoldState::Settled => Err(Denial::HoldEnded),
        Some(hold) => Ok(hold),
    }
}

/// Earliest expiry first, ties by the earliest issue; lots that never expire last.
fn spending_order(grant: &Grant) -> (bool, Option<DateTime<Utc>>, DateTime<Utc>, GrantId) {
    (grant.expires_at.is_none(), grant.expires_at, grant.issued_at, grant.id)
}

#[cfg(test)]
mod tests;
