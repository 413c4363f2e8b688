//! What the ledger's connection does with its statements.

use std::time::Duration;

use futures_util::future::join_all;
use tokio::sync::oneshot;

use super::actor::CROWDED;
use super::book::{Book, LockMode, PendingPost};
use super::{GrantKind, LedgerPost, Movement, NewGrant, grant};
use crate::ids::{JobId, UserId};
use crate::testing::TestCore;
use crate::{Caller, Code, Error, database, users};

#[actix::test]
async fn batches_of_all_sizes_share_one_prepared_plan() {
    let core = TestCore::new().await;
    let shard = database::keyed_shard(&core.db);
    let (mut book, accounts) = (Book::new(LockMode::Optimistic), (0..8).map(|_| UserId::new()).collect::<Vec<_>>());
    for account in &accounts {
        let new = NewGrant { kind: GrantKind::Operator, source: "one".into(), amount: 1000, expires_at: None };
        grant(&core, *account, new).await.expect("a grant");
    }
    for round in 0..20 {
        let (batch, answers): (Vec<_>, Vec<_>) = accounts
            .iter()
            .take(1 + round % 8)
            .map(|account| {
                let (answer, outcome) = oneshot::channel();
                let movement = Movement::Hold { job: JobId::new(), want: 1, at_least: 1, day_ceiling: None };
                (PendingPost { post: LedgerPost { account: *account, movement, attached: None }, answer }, outcome)
            })
            .unzip();
        assert!(book.commit(&shard, &core.clock, batch).await.is_empty(), "no other session changes the accounts");
        for answer in answers {
            assert!(answer.await.expect("an answer").is_ok());
        }
    }
    let plans: Vec<(i64, i64)> = sqlx::query_as(
        "SELECT generic_plans, custom_plans FROM pg_prepared_statements WHERE statement LIKE 'WITH ours AS%'",
    )
    .fetch_all(&shard)
    .await
    .expect("the statements of this session");
    // PostgreSQL looks five times whether a plan for the very arrays is worth it.
    assert_eq!(plans, [(15, 5)], "each batch is planned again, or each size has its own statement");
}

#[actix::test]
async fn a_reason_that_gave_other_credits_before_is_refused() {
    let core = TestCore::new().await;
    let account = users::factory::user().insert(&core.db).await;
    let give = async |amount, kind, source: &str| {
        let new = NewGrant { kind, source: source.into(), amount, expires_at: None };
        super::grant_by_operator(&core, &Caller::system(), account, new).await
    };
    let balance = give(10, GrantKind::Operator, "operator:thanks").await.expect("a grant");
    let again = give(10, GrantKind::Operator, "operator:thanks").await.expect("a repeated grant");
    assert_eq!(again.available, balance.available, "a reason gave credits twice");
    for (amount, kind) in [(11, GrantKind::Operator), (10, GrantKind::Coupon)] {
        let refused = give(amount, kind, "operator:thanks").await;
        assert!(matches!(refused, Err(Error::Conflict { code: Code::GrantReasonUsed, .. })), "{refused:?}");
    }
    let other = give(11, GrantKind::Operator, "operator:more").await.expect("another reason");
    assert_eq!(other.available, balance.available + 11);
}

#[actix::test]
async fn ledger_is_crowded_for_a_while_after_many_posts_at_once() {
    let core = TestCore::new().await;
    let post = |_| core.ledger.post(LedgerPost { account: UserId::new(), movement: Movement::None, attached: None });
    let posts = join_all((0..CROWDED).map(post));
    let (_, is_crowded) = tokio::join!(posts, async { core.ledger.is_crowded() });
    assert!(is_crowded, "posts wait");
    let calm = async {
        while core.ledger.is_crowded() {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(10), calm).await.expect("the ledger is calm again");
}
