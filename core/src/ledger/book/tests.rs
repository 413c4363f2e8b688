use tokio::sync::oneshot;

use super::{Book, LockMode, PendingPost};
use crate::database;
use crate::ids::{JobId, UserId};
use crate::ledger::{
    GrantKind, LedgerPost, Movement, NewGrant, PostError, PostReceipt, available, grant, lot, reconcile,
};
use crate::testing::TestCore;

type Answer = oneshot::Receiver<Result<PostReceipt, PostError>>;

fn pending(account: UserId, movement: Movement) -> (PendingPost, Answer) {
    let (answer, outcome) = oneshot::channel();
    (PendingPost { post: LedgerPost { account, movement, attached: None }, answer }, outcome)
}

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
                pending(*account, Movement::Hold { job: JobId::new(), want: 1, at_least: 1, day_ceiling: None })
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
async fn grant_and_its_debits_in_one_batch_are_written_together() {
    let core = TestCore::new().await;
    let (account, source) = (UserId::new(), "order:1".to_owned());
    let debit = |amount| Movement::Debit { source: source.clone(), amount };
    let new = Movement::Grant { kind: GrantKind::Purchase, source: source.clone(), amount: 10, expires_at: None };
    let posts = [new, debit(4), debit(7), debit(6)].map(|movement| pending(account, movement));
    let (batch, answers): (Vec<_>, Vec<_>) = posts.into_iter().unzip();
    assert!(Book::new(LockMode::Optimistic).commit(&core.db, &core.clock, batch).await.is_empty());
    let mut committed = Vec::new();
    for answer in answers {
        committed.push(answer.await.expect("an answer").is_ok());
    }
    assert_eq!(committed, [true, true, false, true], "the debit of 7 found 6");
    let grant = lot(&core, account, &source).await.expect("a grant").expect("a source that granted");
    assert_eq!((grant.remaining, grant.debited), (0, 10));
    assert!(reconcile(&core.db).await.expect("an audit").is_clean());
}

#[actix::test]
async fn several_lots_are_granted_once_and_taken_back_together() {
    let core = TestCore::new().await;
    let account = UserId::new();
    let new =
        |source: &str, amount| NewGrant { kind: GrantKind::Purchase, source: source.into(), amount, expires_at: None };
    let both = || Movement::Grants(vec![new("order:1", 10), new("bonus:1", 2)]);
    let debits = |bonus| Movement::Debits(vec![("bonus:1".into(), bonus), ("order:1".into(), 10)]);
    let posted = async |movement| core.ledger.post(LedgerPost { account, movement, attached: None }).await;
    assert_eq!(posted(both()).await.expect("two lots").amount, 12);
    assert_eq!(posted(both()).await.expect("a repetition").amount, 0);
    let one = Movement::Grants(vec![new("order:2", 10), new("bonus:1", 2)]);
    assert_eq!(posted(one).await.expect("a repetition").amount, 0, "one of the sources has granted");
    assert!(posted(debits(3)).await.is_err(), "one of the lots is too small");
    assert_eq!(available(&core, account).await.expect("a balance"), 12);
    assert_eq!(posted(debits(2)).await.expect("two debits").amount, 12);
    assert_eq!(available(&core, account).await.expect("a balance"), 0);
    assert!(reconcile(&core.db).await.expect("an audit").is_clean());
}
