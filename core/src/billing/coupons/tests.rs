//! Coupons on a real database: limits under load, each refusal, plans, and the log.

use std::collections::BTreeMap;
use std::time::Duration;

use chrono::TimeDelta;
use futures_util::future::join_all;
use serde_json::{Value, json};
use tokio::time::timeout;

use super::redemption::{MAX_CODE_CHARS, TRIES_PER_ACCOUNT, TRIES_PER_NETWORK};
use super::*;
use crate::ids::UserId;
use crate::ledger::{self, GrantKind, reconcile};
use crate::testing::TestCore;
use crate::users::factory::user;
use crate::users::{self, RequestOrigin};

/// Longer than any of these tests takes.
const PATIENCE: Duration = Duration::from_secs(60);

fn shared(code: &str) -> NewCoupon {
    NewCoupon {
        name: "Welcome".into(),
        benefit: CouponBenefit::Credits { amount: 500, days: Some(90) },
        codes: NewCodes::Shared(code.into()),
        uses_per_account: 1,
        max_uses: None,
        starts_at: None,
        ends_at: None,
    }
}

fn plan_days(code: &str, plan: &str) -> NewCoupon {
    NewCoupon { benefit: CouponBenefit::Plan { plan: plan.into(), days: 30 }, uses_per_account: 10, ..shared(code) }
}

async fn made(core: &Core, new: NewCoupon) -> Coupon {
    create(core, &Caller::system(), new).await.expect("a coupon")
}

async fn redeemed(core: &Core, account: UserId, code: &str) -> Result<CouponUse> {
    let (caller, origin) = (Caller::customer(account), RequestOrigin::default());
    timeout(PATIENCE, redeem(core, &caller, &origin, code)).await.expect("an answer in time")
}

/// New accounts, one after another, because they have one name.
async fn accounts(core: &Core, count: usize) -> Vec<UserId> {
    let mut accounts = Vec::new();
    for _ in 0..count {
        accounts.push(user().insert(&core.db).await);
    }
    accounts
}

async fn refusal(core: &Core, account: UserId, code: &str) -> (&'static str, Option<Value>) {
    let error = redeemed(core, account, code).await.expect_err("a refusal");
    (error.code().name(), error.details())
}

async fn found(core: &Core, coupon: &Coupon) -> Coupon {
    store::coupons::find(&core.db, coupon.id).await.expect("a query").expect("a coupon")
}

/// How often each outcome occurred, by the code of its error.
fn tally(outcomes: Vec<Result<CouponUse>>) -> BTreeMap<&'static str, usize> {
    let mut tally = BTreeMap::new();
    for outcome in outcomes {
        *tally.entry(outcome.map_or_else(|error| error.code().name(), |_| "OK")).or_default() += 1;
    }
    tally
}

async fn is_clean(core: &TestCore) {
    let report = reconcile(&core.db).await.expect("an audit");
    assert!(report.is_clean(), "{:#?}", report.differences);
}

#[actix::test]
async fn coupon_gives_credits_once_in_any_spelling() {
    let core = TestCore::new().await;
    let (ann, coupon) = (user().insert(&core.db).await, made(&core, shared("welcome-2026")).await);
    assert_eq!((coupon.code.as_deref(), coupon.code_count, coupon.max_uses), (Some("WELCOME-2026"), 1, None));
    let used = redeemed(&core, ann, " wel come20-26").await.expect("a use");
    let until = core.clock.now() + TimeDelta::days(90);
    assert_eq!((used.name.as_str(), used.code.as_str(), used.until), ("Welcome", "WELCOME-2026", Some(until)));
    assert_eq!(refusal(&core, ann, "WELCOME2026").await, ("COUPON_USED", None));

    let caller = Caller::customer(ann);
    let [grant] = &ledger::grants(&core, &caller).await.expect("grants")[..] else { panic!("one grant") };
    assert_eq!((grant.kind, grant.amount, grant.expires_at), (GrantKind::Coupon, 500, Some(until)));
    assert_eq!(grant.source, format!("coupon:{}", used.id));
    let own = own_uses(&core, &caller, ListQuery::at((), None, 10)).await.expect("uses");
    assert_eq!(own.items, [used]);
    assert_eq!(found(&core, &coupon).await.use_count, 1);
    is_clean(&core).await;
}

#[actix::test]
async fn credits_without_days_expire_as_all_credits_do() {
    let core = TestCore::new().await;
    let ann = user().insert(&core.db).await;
    made(&core, NewCoupon { benefit: CouponBenefit::Credits { amount: 1, days: None }, ..shared("FREE") }).await;
    let days = i64::from(core.settings.credits.days);
    let until = core.clock.now() + TimeDelta::days(days);
    assert_eq!(redeemed(&core, ann, "free").await.expect("a use").until, Some(until));
}

#[actix::test]
async fn limit_of_all_uses_holds_for_twenty_accounts_on_two_nodes() {
    let core = TestCore::new().await;
    let other = core.another("other");
    let coupon = made(&core, NewCoupon { max_uses: Some(5), ..shared("FIVE") }).await;
    let accounts = accounts(&core, 20).await;
    let tries = accounts.iter().enumerate().map(|(at, account)| {
        let node = if at % 2 == 0 { &core.core } else { &other };
        redeemed(node, *account, "FIVE")
    });
    assert_eq!(tally(join_all(tries).await), BTreeMap::from([("OK", 5), ("COUPON_USED_UP", 15)]));
    assert_eq!(found(&core, &coupon).await.use_count, 5);
    assert_eq!(core.database.count("SELECT count(*) FROM coupon_uses").await, 5);
    assert_eq!(core.database.count("SELECT count(*) FROM credit_grants WHERE kind = 3").await, 5);
    is_clean(&core).await;
}

#[actix::test]
async fn account_that_redeems_ten_times_at_once_gets_one_grant() {
    let core = TestCore::new().await;
    let other = core.another("other");
    let (ann, coupon) = (user().insert(&core.db).await, made(&core, shared("ONCE")).await);
    let tries = (0..10).map(|at| redeemed(if at % 2 == 0 { &core.core } else { &other }, ann, "once"));
    assert_eq!(tally(join_all(tries).await), BTreeMap::from([("OK", 1), ("COUPON_USED", 9)]));
    assert_eq!(found(&core, &coupon).await.use_count, 1);
    assert_eq!(core.database.count("SELECT count(*) FROM credit_grants").await, 1);
    assert_eq!(ledger::available(&core, ann).await.expect("a balance"), 500);
    is_clean(&core).await;
}

#[actix::test]
async fn several_coupons_at_once_do_not_block_each_other() {
    let core = TestCore::new().await;
    let nodes = [core.core.clone(), core.another("other")];
    let codes = ["AAAA", "BBBB", "CCCC", "DDDD"];
    for code in codes {
        made(&core, NewCoupon { max_uses: Some(3), ..shared(code) }).await;
    }
    let accounts = accounts(&core, 8).await;
    // Each account begins with another coupon.
    let tries = accounts.iter().enumerate().flat_map(|(at, account)| {
        let node = &nodes[at % 2];
        (0..codes.len()).map(move |turn| redeemed(node, *account, codes[(at + turn) % codes.len()]))
    });
    assert_eq!(tally(join_all(tries).await), BTreeMap::from([("OK", 12), ("COUPON_USED_UP", 20)]));
    is_clean(&core).await;
}

#[actix::test]
async fn single_code_is_used_once() {
    let core = TestCore::new().await;
    let new = NewCoupon { codes: NewCodes::Single(3), uses_per_account: 2, ..shared("") };
    let coupon = made(&core, new).await;
    assert_eq!((&coupon.code, coupon.code_count, coupon.max_uses), (&None, 3, Some(3)));
    let system = Caller::system();
    let codes = async || super::codes(&core, &system, coupon.id, "", 10).await.expect("codes");
    let [first, second, third] = &codes().await[..] else { panic!("three codes") };
    let accounts = accounts(&core, 8).await;
    let tries = accounts.iter().map(|account| redeemed(&core, *account, &first.code));
    assert_eq!(tally(join_all(tries).await), BTreeMap::from([("OK", 1), ("COUPON_USED_UP", 7)]));

    let ann = user().insert(&core.db).await;
    redeemed(&core, ann, &second.code.to_lowercase()).await.expect("a use");
    assert_eq!(refusal(&core, ann, &second.code).await.0, "COUPON_USED_UP", "its own code, once more");
    redeemed(&core, ann, &third.code).await.expect("the second use of this account");
    let after = codes().await;
    assert!(after.iter().all(|code| code.used_at == Some(core.clock.now())), "{after:?}");
    assert_eq!(after[1].used_by, Some(format!("{ann}@example.com")));
    let page = super::codes(&core, &system, coupon.id, &first.key, 1).await.expect("a page");
    assert_eq!(page.iter().map(|code| &code.key).collect::<Vec<_>>(), [&second.key]);
    is_clean(&core).await;
}

#[actix::test]
async fn refusals_say_why() {
    let core = TestCore::new().await;
    let (ann, now) = (user().insert(&core.db).await, core.clock.now());
    let day = TimeDelta::days(1);
    for code in ["", &"A".repeat(MAX_CODE_CHARS + 1)] {
        assert_eq!(refusal(&core, ann, code).await.0, "VALIDATION_FAILED", "{code:?}");
    }
    for code in [" ", "NONE", "!", "a\0bcd", &"A".repeat(100)] {
        assert_eq!(refusal(&core, ann, code).await, ("COUPON_UNKNOWN", None), "{code:?}");
    }
    let (starts_at, ends_at) = (Some(now + day), Some(now + day * 2));
    let coupon = made(&core, NewCoupon { starts_at, ends_at, ..shared("LATER") }).await;
    let expected = json!({ "startsAt": "2026-01-02T00:00:00Z" });
    assert_eq!(refusal(&core, ann, "LATER").await, ("COUPON_NOT_STARTED", Some(expected)));
    core.clock.advance(day * 2);
    assert_eq!(refusal(&core, ann, "LATER").await, ("COUPON_ENDED", None));
    let reopened = CouponChange { ends_at: Some(None), is_active: Some(false), ..CouponChange::default() };
    change(&core, &Caller::system(), coupon.id, reopened).await.expect("a change");
    assert_eq!(refusal(&core, ann, "LATER").await, ("COUPON_UNKNOWN", None), "it is not active");
    let active = CouponChange { is_active: Some(true), ..CouponChange::default() };
    change(&core, &Caller::system(), coupon.id, active).await.expect("a change");
    redeemed(&core, ann, "LATER").await.expect("a use");

    let most = CouponBenefit::Credits { amount: MAX_GRANT, days: None };
    let much = made(&core, NewCoupon { benefit: most, ..shared("MUCH") }).await;
    let grants = (0..ledger::MAX_BALANCE / MAX_GRANT - 1).map(|turn| ledger::NewGrant {
        kind: GrantKind::Operator,
        source: turn.to_string(),
        amount: MAX_GRANT,
        expires_at: None,
    });
    for granted in join_all(grants.map(|grant| ledger::grant(&core, ann, grant))).await {
        granted.expect("a grant");
    }
    assert_eq!(refusal(&core, ann, "MUCH").await.0, "CREDIT_LIMIT");
    assert_eq!(found(&core, &much).await.use_count, 0);
    assert!(matches!(
        redeem(&core, &Caller::guest(), &RequestOrigin::default(), "MUCH").await,
        Err(Error::LoginRequired)
    ));
    is_clean(&core).await;
}

#[actix::test]
async fn banned_account_redeems_nothing() {
    let core = TestCore::new().await;
    let ann = user().insert(&core.db).await;
    made(&core, shared("WELCOME")).await;
    sqlx::query("UPDATE users SET banned_at = $1, ban_reason = 'spam'")
        .bind(core.clock.now())
        .execute(&core.db)
        .await
        .expect("a ban");
    assert_eq!(refusal(&core, ann, "WELCOME").await.0, "ACCOUNT_BANNED");
}

#[actix::test]
async fn tries_are_limited_for_accounts_and_networks() {
    let core = TestCore::new().await;
    let ann = user().insert(&core.db).await;
    made(&core, NewCoupon { uses_per_account: 100, ..shared("WELCOME") }).await;
    redeemed(&core, ann, "WELCOME").await.expect("a use counts too");
    for _ in 1..TRIES_PER_ACCOUNT {
        assert_eq!(refusal(&core, ann, "WRONG").await.0, "COUPON_UNKNOWN");
    }
    assert_eq!(refusal(&core, ann, "WELCOME").await.0, "RATE_LIMITED");
    core.clock.advance(TimeDelta::hours(1));
    redeemed(&core, ann, "WELCOME").await.expect("the next hour");

    let origin = RequestOrigin { address: Some("10.1.2.3".parse().expect("an address")), user_agent: None };
    for turn in 0..=TRIES_PER_NETWORK {
        let guest = Caller::customer(user().insert(&core.db).await);
        let answer = redeem(&core, &guest, &origin, "WRONG").await.expect_err("a wrong code").code();
        let expected = if turn < TRIES_PER_NETWORK { Code::CouponUnknown } else { Code::RateLimited };
        assert_eq!(answer, expected, "try {turn}");
    }
}

#[actix::test]
async fn plan_is_given_for_days_and_extended() {
    let core = TestCore::new().await;
    let (ann, now) = (user().insert(&core.db).await, core.clock.now());
    let coupon = made(&core, plan_days("STANDARD", "Standard")).await;
    let other = made(&core, plan_days("PROPLAN", "Pro")).await;
    assert_eq!(users::plan(&core, ann).await.expect("a plan").name, "Free", "cached");
    let used = redeemed(&core, ann, "standard").await.expect("a use");
    assert_eq!((used.until, used.benefit.clone()), (Some(now + TimeDelta::days(30)), coupon.benefit.clone()));
    assert_eq!(users::plan(&core, ann).await.expect("a plan").name, "Standard");
    core.clock.advance(TimeDelta::days(10));
    let again = redeemed(&core, ann, "standard").await.expect("a use");
    assert_eq!(again.until, Some(now + TimeDelta::days(60)), "the end moves");

    let until = json!({ "plan": "Standard", "until": "2026-03-02T00:00:00Z" });
    assert_eq!(refusal(&core, ann, "PROPLAN").await, ("COUPON_PLAN_NOT_NOW", Some(until)));
    assert_eq!(found(&core, &other).await.use_count, 0, "it is not used up");
    core.clock.advance(TimeDelta::days(50));
    redeemed(&core, ann, "PROPLAN").await.expect("a use after the other plan");
    assert_eq!(users::plan(&core, ann).await.expect("a plan").name, "Pro");
    core.clock.advance(TimeDelta::days(30));
    assert_eq!(users::plan(&core, ann).await.expect("a plan").name, "Free");
    assert_eq!(found(&core, &coupon).await.use_count, 2);

    let bob = user().plan("Pro").insert(&core.db).await;
    let own = json!({ "plan": "Pro", "until": null });
    assert_eq!(refusal(&core, bob, "STANDARD").await, ("COUPON_PLAN_NOT_NOW", Some(own)));
    is_clean(&core).await;
}

#[actix::test]
async fn plan_of_a_coupon_is_given_once_at_the_same_time() {
    let core = TestCore::new().await;
    let ann = user().insert(&core.db).await;
    made(&core, NewCoupon { uses_per_account: 2, ..plan_days("STANDARD", "Standard") }).await;
    let tries = (0..10).map(|_| redeemed(&core, ann, "STANDARD"));
    assert_eq!(tally(join_all(tries).await), BTreeMap::from([("OK", 2), ("COUPON_USED", 8)]));
    let given = users::find(&core, ann).await.expect("a user").given_plan.clone().expect("a given plan");
    assert_eq!(given.until, core.clock.now() + TimeDelta::days(60));
    let other = core.another_with("other", |settings| settings.plans.retain(|plan| plan.name != "Standard"));
    let bob = user().insert(&core.db).await;
    assert_eq!(refusal(&other, bob, "STANDARD").await.0, "COUPON_UNKNOWN", "the plan is no longer configured");
}

#[actix::test]
async fn invalid_coupons_are_refused_by_field() {
    let core = TestCore::new().await;
    let now = core.clock.now();
    let credits = |amount, days| CouponBenefit::Credits { amount, days };
    let plan = |plan: &str, days| CouponBenefit::Plan { plan: plan.into(), days };
    let new = || shared("WELCOME");
    let (day, single) = (TimeDelta::days(1), NewCoupon { codes: NewCodes::Single(2), ..new() });
    let table = [
        ("name", NewCoupon { name: " ".into(), ..new() }),
        ("name", NewCoupon { name: "a".repeat(81), ..new() }),
        ("name", NewCoupon { name: "a\u{202e}b".into(), ..new() }),
        ("code", shared("ABC")),
        ("code", shared("AB CD")),
        ("codeCount", NewCoupon { codes: NewCodes::Single(0), ..new() }),
        ("codeCount", NewCoupon { codes: NewCodes::Single(10_001), ..new() }),
        ("benefit.amount", NewCoupon { benefit: credits(0, None), ..new() }),
        ("benefit.amount", NewCoupon { benefit: credits(MAX_GRANT + 1, None), ..new() }),
        ("benefit.days", NewCoupon { benefit: credits(1, Some(0)), ..new() }),
        ("benefit.days", NewCoupon { benefit: plan("Pro", 3651), ..new() }),
        ("benefit.plan", NewCoupon { benefit: plan("pro", 1), ..new() }),
        ("benefit.percent", NewCoupon { benefit: CouponBenefit::PercentOff { percent: 0 }, ..new() }),
        ("benefit.percent", NewCoupon { benefit: CouponBenefit::PercentOff { percent: 91 }, ..new() }),
        ("usesPerAccount", NewCoupon { uses_per_account: 0, ..new() }),
        ("usesPerAccount", NewCoupon { uses_per_account: 101, ..new() }),
        ("maxUses", NewCoupon { max_uses: Some(0), ..new() }),
        ("maxUses", NewCoupon { max_uses: Some(3), ..single.clone() }),
        ("endsAt", NewCoupon { ends_at: Some(now), ..new() }),
        ("endsAt", NewCoupon { starts_at: Some(now + day), ends_at: Some(now + day), ..new() }),
    ];
    for (expected, new) in table {
        let shown = format!("{new:?}");
        let refused = create(&core, &Caller::system(), new).await;
        assert!(matches!(&refused, Err(Error::Invalid { field, .. }) if field == expected), "{shown}: {refused:?}");
    }
    assert_eq!(core.database.count("SELECT count(*) FROM coupons").await, 0);
    made(&core, NewCoupon { max_uses: Some(2), ..single }).await;
}

#[actix::test]
async fn coupons_are_created_changed_and_logged_by_admins() {
    let core = TestCore::new().await;
    let (ann, admin) = (user().insert(&core.db).await, user().admin().insert(&core.db).await);
    let admin = Caller { admin: true, ..Caller::customer(admin) };
    for (caller, expected) in [(Caller::guest(), Code::AuthLoginRequired), (Caller::customer(ann), Code::Forbidden)] {
        let refused = [
            create(&core, &caller, shared("WELCOME")).await.err(),
            list(&core, &caller, ListQuery::at(CouponFilter::default(), None, 10)).await.err(),
            change(&core, &caller, CouponId::new(), CouponChange::default()).await.err(),
            codes(&core, &caller, CouponId::new(), "", 10).await.err(),
            uses(&core, &caller, CouponId::new(), ListQuery::at((), None, 10)).await.err(),
        ];
        for error in refused {
            assert_eq!(error.expect("a refusal").code(), expected);
        }
    }
    let coupon = create(&core, &admin, shared("WELCOME")).await.expect("a coupon");
    let taken = create(&core, &admin, shared("wel-come")).await.expect_err("the same code").code();
    assert_eq!(taken, Code::CouponCodeTaken);
    assert_eq!(core.database.count("SELECT count(*) FROM coupons").await, 1);
    redeemed(&core, ann, "WELCOME").await.expect("a use");
    let bob = user().insert(&core.db).await;
    redeemed(&core, bob, "WELCOME").await.expect("a use");
    let made = async |most: CouponChange| change(&core, &admin, coupon.id, most).await;
    let few = made(CouponChange { max_uses: Some(Some(1)), ..CouponChange::default() }).await;
    assert!(matches!(few, Err(Error::Invalid { field, .. }) if field == "maxUses"), "there are two uses");
    let changes = CouponChange { name: Some("Hello".into()), max_uses: Some(Some(2)), ..CouponChange::default() };
    let changed = made(changes.clone()).await.expect("a change");
    assert_eq!((changed.name.as_str(), changed.max_uses, changed.use_count), ("Hello", Some(2), 2));
    made(changes).await.expect("no change");

    let lines: Vec<(String, Option<Value>, Value)> =
        sqlx::query_as("SELECT action, before, after FROM audit_entries WHERE target_id = $1 ORDER BY id")
            .bind(coupon.id.0)
            .fetch_all(&core.db)
            .await
            .expect("the log");
    let [(created, Some(Value::Null), new), (change, Some(before), after)] = &lines[..] else { panic!("{lines:?}") };
    assert_eq!((created.as_str(), change.as_str()), ("coupon.create", "coupon.change"));
    assert_eq!(new["benefit"], json!({ "kind": "Credits", "amount": 500, "days": 90 }));
    assert_eq!(before, &json!({ "name": "Welcome", "maxUses": null }));
    assert_eq!(after, &json!({ "name": "Hello", "maxUses": 2 }));

    let page = uses(&core, &admin, coupon.id, ListQuery::at((), None, 1)).await.expect("uses");
    assert_eq!(page.items.iter().map(|one| (one.user, one.code.as_str())).collect::<Vec<_>>(), [(bob, "WELCOME")]);
    let next = uses(&core, &admin, coupon.id, ListQuery::at((), page.next_cursor.as_deref(), 1)).await.expect("uses");
    assert_eq!((next.items[0].user, next.next_cursor), (ann, None));
}

#[actix::test]
async fn coupons_are_found_by_name_code_and_state() {
    let core = TestCore::new().await;
    let system = Caller::system();
    made(&core, NewCoupon { name: "100% Spring".into(), ..shared("WELCOME") }).await;
    let many = made(&core, NewCoupon { name: "Autumn".into(), codes: NewCodes::Single(2), ..shared("") }).await;
    let single = codes(&core, &system, many.id, "", 1).await.expect("a code").remove(0).code;
    let off = CouponChange { is_active: Some(false), ..CouponChange::default() };
    change(&core, &system, many.id, off).await.expect("a change");
    let found = async |search: &str, is_active| {
        let filter = CouponFilter { search: Some(search), is_active };
        let page = list(&core, &system, ListQuery::at(filter, None, 10)).await.expect("a page");
        page.items.into_iter().map(|coupon| coupon.name).collect::<Vec<_>>()
    };
    let (spring, autumn) = ("100% Spring", "Autumn");
    assert_eq!(found("", None).await, [autumn, spring]);
    assert_eq!(found(" spRing ", None).await, [spring]);
    assert_eq!(found("0%", None).await, [spring]);
    assert_eq!(found("wel-come", None).await, [spring]);
    assert!(found("wel", None).await.is_empty(), "a part of a code");
    assert_eq!(found(&single, None).await, [autumn]);
    assert_eq!(found("", Some(true)).await, [spring]);
    assert_eq!(found(&single, Some(false)).await, [autumn]);
    let first = list(&core, &system, ListQuery::at(CouponFilter::default(), None, 1)).await.expect("a page");
    assert!(first.next_cursor.is_some());
}
