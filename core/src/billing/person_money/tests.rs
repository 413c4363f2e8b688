//! The money of a user, with a real database.

use super::*;
use crate::Code;
use crate::billing::orders::tests::{answered, bought, completed, is_clean, shop};
use crate::billing::providers::TestAnswer;
use crate::ledger::{GrantKind, LedgerPost, Movement, NewGrant, grant_by_operator, lot};

const SOURCE: &str = "operator:thanks";

fn debit(source: &str, amount: i64, reason: &str) -> OperatorDebit {
    OperatorDebit { source: source.into(), amount, reason: reason.into() }
}

async fn give(core: &Core, account: UserId, amount: i64) {
    let new = NewGrant { kind: GrantKind::Operator, source: SOURCE.into(), amount, expires_at: None };
    grant_by_operator(core, &Caller::system(), account, new).await.expect("a grant");
}

#[actix::test]
async fn money_of_a_user_has_grants_and_newest_orders() {
    let (core, item, ann) = shop().await;
    let (admin, bob) = (Caller::system(), users::factory::user().insert(&core.db).await);
    let mut newest = Vec::new();
    for _ in 0..7 {
        newest.insert(0, bought(&core, ann, &item).await.id);
    }
    newest.truncate(4);
    bought(&core, bob, &item).await;
    give(&core, ann, 100).await;
    let job = crate::ids::JobId::new();
    let hold = Movement::Hold { job, want: 30, at_least: 30, day_ceiling: None };
    core.ledger.post(LedgerPost { account: ann, movement: hold, attached: None }).await.expect("a hold");

    let money = of_person(&core, &admin, ann).await.expect("money");
    assert_eq!((money.user.id, money.balance), (ann, Balance { available: 70, held: 30 }));
    assert_eq!(money.grants.iter().map(|grant| grant.source.as_str()).collect::<Vec<_>>(), [SOURCE]);
    let [given, orders @ ..] = money.orders.as_slice() else { panic!("{money:?}") };
    assert!(given.bought().is_none(), "the grant is the newest: {given:?}");
    assert_eq!(orders.iter().map(HistoryOrder::id).collect::<Vec<_>>(), newest);
    assert!(money.subscription.is_none());
    let unknown = of_person(&core, &admin, UserId::new()).await;
    assert!(matches!(unknown, Err(Error::NotFound { .. })), "{unknown:?}");
    let forbidden = of_person(&core, &Caller::customer(ann), ann).await;
    assert!(matches!(forbidden, Err(Error::Forbidden)), "{forbidden:?}");
}

#[actix::test]
async fn credits_of_a_grant_are_taken_back_and_logged_or_neither() {
    let (core, _, ann) = shop().await;
    let admin = Caller::system();
    give(&core, ann, 100).await;
    let balance = take_back(&core, &admin, ann, debit(SOURCE, 60, " a mistake ")).await.expect("a debit");
    assert_eq!(balance, Balance { available: 40, held: 0 });
    let refused = take_back(&core, &admin, ann, debit(SOURCE, 41, "too much")).await;
    assert!(
        matches!(&refused, Err(Error::Refused { code: Code::CreditsUsed, details, .. }) if details["available"] == 40),
        "{refused:?}"
    );
    let unknown = take_back(&core, &admin, ann, debit("operator:other", 1, "unknown")).await;
    assert!(matches!(unknown, Err(Error::NotFound { .. })), "{unknown:?}");
    for (wrong, field) in [(debit(SOURCE, 0, "none"), "amount"), (debit(SOURCE, 1, " "), "reason")] {
        let refused = take_back(&core, &admin, ann, wrong).await;
        assert!(matches!(&refused, Err(Error::Invalid { field: found, .. }) if found == field), "{refused:?}");
    }
    let forbidden = take_back(&core, &Caller::customer(ann), ann, debit(SOURCE, 1, "mine")).await;
    assert!(matches!(forbidden, Err(Error::Forbidden)), "{forbidden:?}");

    let grant = lot(&core, ann, SOURCE).await.expect("no error").expect("a grant");
    assert_eq!((grant.remaining, grant.debited), (40, 60));
    let logged = core
        .database
        .count("SELECT count(*) FROM audit_entries WHERE action = 'credit.debit' AND after->>'reason' = 'a mistake'")
        .await;
    let all = core.database.count("SELECT count(*) FROM audit_entries WHERE action = 'credit.debit'").await;
    assert_eq!((logged, all), (1, 1), "a refused debit writes no entry");
    is_clean(&core).await;
}

#[actix::test]
async fn credits_of_an_order_are_only_taken_back_by_its_refund() {
    let (core, item, ann) = shop().await;
    let order = bought(&core, ann, &item).await;
    answered(&core, &order, TestAnswer::Approve).await;
    completed(&core, &order).await;
    let money = of_person(&core, &Caller::system(), ann).await.expect("money");
    let [grant] = &money.grants[..] else { panic!("one grant: {:?}", money.grants) };
    assert_eq!(order_of_source(&grant.source), Some(order.id));
    let refused = take_back(&core, &Caller::system(), ann, debit(&grant.source, 1, "a mistake")).await;
    assert!(matches!(&refused, Err(Error::Invalid { field, .. }) if field == "source"), "{refused:?}");
    is_clean(&core).await;
}
