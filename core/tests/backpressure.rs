//! A ledger that cannot commit fills its lane and refuses further posts at once.

use std::time::Duration;

use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use verdigraph_core::Error;
use verdigraph_core::database;
use verdigraph_core::ids::UserId;
use verdigraph_core::ledger::{LedgerPost, Movement, PostError};
use verdigraph_core::testing::TestCore;

/// More posts than a lane and its mailbox hold.
const POSTS: usize = 60_000;
/// The most posts that a lane keeps: those that wait, and a batch.
const KEPT: usize = 20_500;

#[actix::test]
async fn full_lane_refuses_posts_and_keeps_accepted_ones() {
    let core = TestCore::new().await;
    let mut lock = database::begin(&core.db).await.expect("a transaction");
    sqlx::raw_sql("LOCK TABLE ledger_commits IN ACCESS EXCLUSIVE MODE").execute(&mut *lock).await.expect("a lock");
    let account = UserId::new();
    let post = || core.ledger.post(LedgerPost { account, movement: Movement::None, attached: None });
    let mut posts: FuturesUnordered<_> = (0..POSTS).map(|_| post()).collect();

    let mut refused = 0;
    // Nothing can be committed: every answer is a refusal, and none has waited for a commit. A busy machine may pause
    // between those that must come.
    let patience = |refused| Duration::from_secs(if POSTS - refused > KEPT { 60 } else { 1 });
    while let Ok(Some(outcome)) = tokio::time::timeout(patience(refused), posts.next()).await {
        assert!(
            matches!(outcome, Err(PostError::Failed(Error::Unavailable { retry_after_seconds: 1.., .. }))),
            "{outcome:?}"
        );
        refused += 1;
    }
    assert!((POSTS - KEPT..POSTS).contains(&refused), "{refused} of {POSTS} were refused");
    lock.rollback().await.expect("the lock is gone");
    while let Some(outcome) = posts.next().await {
        assert!(outcome.is_ok(), "accepted posts are written: {outcome:?}");
    }
    assert!(post().await.is_ok(), "the lane takes posts again");
}
