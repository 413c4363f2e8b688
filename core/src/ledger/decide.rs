//! What a batch of posts comes to: each decided in its order, on copies of the accounts. Nothing here is written yet.

use std::any::Any;
use std::collections::{BTreeMap, HashMap};

use chrono::{DateTime, Utc};

use super::state::{Account, Denied, Hold, Moved};
use super::store::Changes;
use super::{Balance, Movement, Post, PostError, Posted};
use crate::ids::{GrantId, JobId, UserId};

/// A batch as decided: one outcome per post, and what is to be written.
pub(super) struct Decided {
    pub outcomes: Vec<Option<Result<Posted, PostError>>>,
    pub accounts: HashMap<UserId, Account>,
    pub changes: Changes,
}

/// Outcomes that an earlier decision about the same batch has fixed, by index.
#[derive(Default)]
pub(super) struct Fixed {
    pub refused: BTreeMap<usize, Box<dyn Any + Send>>,
    pub denied: BTreeMap<usize, Denied>,
}

/// The posts that were denied, by index.
pub(super) fn denied(outcomes: &[Option<Result<Posted, PostError>>]) -> BTreeMap<usize, Denied> {
    outcomes
        .iter()
        .enumerate()
        .filter_map(|(index, outcome)| match outcome {
            Some(Err(PostError::Denied(why))) => Some((index, *why)),
            _ => None,
        })
        .collect()
}

/// Decides every post in order, on copies of the accounts.
pub(super) fn decide(
    remembered: &HashMap<UserId, Account>,
    posts: &[&Post],
    holds: &HashMap<JobId, Hold>,
    now: DateTime<Utc>,
    stands: &dyn Fn(usize) -> bool,
    fixed: &mut Fixed,
) -> Decided {
    let mut accounts: HashMap<UserId, Account> = HashMap::new();
    let mut open: HashMap<JobId, Option<Hold>> = HashMap::new();
    let mut changes = Changes::default();
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
            outcomes.push(Some(Ok(Posted { balance: Balance::default(), amount: 0 })));
            continue;
        }
        let account =
            accounts.entry(post.account).or_insert_with(|| remembered.get(&post.account).cloned().unwrap_or_default());
        let moved = if stands(index) {
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
            Ok(Moved::default())
        };
        outcomes.push(Some(match moved {
            Ok(moved) => {
                changes.entries.extend(moved.entries.into_iter().map(|entry| (post.account, entry)));
                Ok(Posted { balance: account.balance(), amount: moved.amount })
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
    Decided { outcomes, accounts, changes }
}

/// Finds the accounts and lots that changed, and drops the lots that no longer matter from memory.
fn compare(remembered: &HashMap<UserId, Account>, accounts: &mut HashMap<UserId, Account>, changes: &mut Changes) {
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
            changes.accounts.push((*id, account.version));
            account.version += 1;
        }
    }
}
