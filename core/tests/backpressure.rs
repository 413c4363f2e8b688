//! A ledger that cannot commit fills its lane and refuses further posts at once.

use std::time::{Duration, Instant};

use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use verdigraph_core::Error;
use verdigraph_core::ids::UserId;
use verdigraph_core::ledger::{LedgerPost, Movement, PostError};
use verdigraph_core::testing::TestCore;

/// More posts than a lane and its mailbox hold.
const POSTS: usize = 60_000;

#[actix::test]
async fn full_lane_refuses_posts_and_keeps_accepted_ones() {
    let core = TestCore::new().await;
    let mut lock = core.db.begin().await.expect("a transaction");
    sqlx::raw_sql("LOCK TABLE ledger_commits IN ACCESS EXCLUSIVE MODE").execute(&mut *lock).await.expect("a lock");
    let account = UserId::new();
    let post = || core.ledger.post(LedgerPost { account, movement: Movement::None, attached: None });
    let mut posts: FuturesUnordered<_> = (0..POSTS).map(|_| post()).collect();

    let began = Instant::now();
    let mut refused = 0;
    // While nothing can be committed, every answer is a refusal.
    while let Ok(Some(outcome)) = tokio::time::timeout(Duration::from_secs(1), posts.next()).await {
        assert!(
            matches!(outcome, Err(PostError::Failed(Error::Unavailable { retry_after_seconds: 1.., .. }))),
            "{outcome:?}"
        );
        refused += 1;
    }
    assert!(refused > 0 && refused < POSTS, "{refused} of {POSTS} were refused");
    assert!(began.elapsed() < Duration::from_secs(10), "refusals took {:?}", began.elapsed());
    lock.rollback().await.expect("the lock is gone");
    while let Some(outcome) = posts.next().await {
        assert!(outcome.is_ok(), "accepted posts are written: {outcome:?}");
    }
    assert!(post().await.is_ok(), "the lane takes posts again");
}
