//! Decides a batch of posts in order, on copies of the accounts. Nothing is written here.

use std::any::Any;
use std::collections::{BTreeMap, HashMap};

use chrono::{DateTime, Utc};

use crate::ids::{GrantId, JobId, UserId};
use crate::ledger::state::{Account, Denial, Hold, MovementEffect};
use crate::ledger::store::LedgerChanges;
use crate::ledger::{Balance, LedgerPost, Movement, PostError, PostReceipt};

/// One outcome per post, and the changes to write.
pub(super) struct BatchDecision {
    pub outcomes: Vec<Option<Result<PostReceipt, PostError>>>,
    pub accounts: HashMap<UserId, Account>,
    pub changes: LedgerChanges,
}

/// Outcomes fixed by an earlier decision about the same batch, by index.
#[derive(Default)]
pub(super) struct FixedOutcomes {
    pub refused: BTreeMap<usize, Box<dyn Any + Send>>,
    pub denied: BTreeMap<usize, Denial>,
}

/// The posts that were denied, by index.
pub(super) fn denied(outcomes: &[Option<Result<PostReceipt, PostError>>]) -> BTreeMap<usize, Denial> {
    outcomes
        .iter()
        .enumerate()
        .filter_map(|(index, outcome)| match outcome {
            Some(Err(PostError::Denied(why))) => Some((index, *why)),
            _ => None,
        })
        .collect()
}

pub(super) fn decide(
    remembered: &HashMap<UserId, Account>,
    posts: &[&LedgerPost],
    holds: &HashMap<JobId, Hold>,
    now: DateTime<Utc>,
    is_new_source: &dyn Fn(usize) -> bool,
    fixed: &mut FixedOutcomes,
) -> BatchDecision {
    let mut accounts: HashMap<UserId, Account> = HashMap::new();
    let mut open: HashMap<JobId, Option<Hold>> = HashMap::new();
    let mut changes = LedgerChanges::default();
    let mut outcomes = Vec::with_capacity(posts.len());
    let mut touched_holds: Vec<(UserId, JobId)> = Vec::new();
    for (index, post) in posts.iter().enumerate() {
        if let Some(why) = fixed.refused.remove(&index) {
            outcomes.push(Some(Err(PostError::Refused(why))));
            continue;
        }
        if let Some(why) = fixed.denied.get(&index) {
            outcomes.push(Some(Err(PostError::Denied(*why))));
            continue;
        }
        if post.movement == Movement::None {
            outcomes.push(Some(Ok(PostReceipt { balance: Balance::default(), amount: 0 })));
            continue;
        }
        let account =
            accounts.entry(post.account).or_insert_with(|| remembered.get(&post.account).cloned().unwrap_or_default());
        let moved = if is_new_source(index) {
            let job = post.movement.job();
            let mut hold = job.and_then(|job| open.get(&job).cloned().unwrap_or_else(|| holds.get(&job).cloned()));
            let moved = account.apply(&post.movement, &mut hold, now);
            if let (Some(job), Ok(_)) = (job, &moved)
                && open.insert(job, hold).is_none()
            {
                touched_holds.push((post.account, job));
            }
            moved
        } else {
            Ok(MovementEffect::default())
        };
        outcomes.push(Some(match moved {
            Ok(moved) => {
                changes.entries.extend(moved.entries.into_iter().map(|entry| (post.account, entry)));
                Ok(PostReceipt { balance: account.balance(), amount: moved.amount })
            }
            Err(denied) => Err(PostError::Denied(denied)),
        }));
    }
    for (account, job) in touched_holds {
        let Some(Some(hold)) = open.remove(&job) else { continue };
        match holds.get(&job) {
            Some(before) => changes.holds.push((before.held, hold)),
            None => changes.new_holds.push((account, hold)),
        }
    }
    compare(remembered, &mut accounts, &mut changes);
    BatchDecision { outcomes, accounts, changes }
}

/// Finds the changed accounts and lots, and drops used-up lots from memory.
fn compare(
    remembered: &HashMap<UserId, Account>,
    accounts: &mut HashMap<UserId, Account>,
    changes: &mut LedgerChanges,
) {
    let mut in_order: Vec<(&UserId, &mut Account)> = accounts.iter_mut().collect();
    in_order.sort_by_key(|(id, _)| **id);
    for (id, account) in in_order {
        let unchanged = changes.grants.len() + changes.new_grants.len();
        let before: HashMap<GrantId, _> = remembered
            .get(id)
            .map(|account| account.grants.iter().map(|grant| (grant.id, grant)).collect())
            .unwrap_or_default();
        for grant in &account.grants {
            match before.get(&grant.id) {
                Some(was) if *was == grant => {}
                Some(was) => changes.grants.push(((*was).clone(), grant.clone())),
                None => changes.new_grants.push((*id, grant.clone())),
            }
        }
        account.grants.retain(|grant| grant.remaining + grant.held > 0);
        if changes.grants.len() + changes.new_grants.len() > unchanged {
            changes.accounts.push((*id, account.version, account.spending));
            account.version += 1;
        }
    }
}
