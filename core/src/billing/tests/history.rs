//! What was given without a payment is in the history of orders, and nowhere else.

use super::*;
use crate::billing::coupons::{self, CouponBenefit, NewCodes, NewCoupon, redeem};
use crate::billing::orders::{HistoryOrder, OrderFilter, find_any_in_history, find_in_history, list, own};
use crate::billing::revenue;
use crate::periods::{Grouping, Periods};
use crate::users::{self, RequestOrigin};

async fn redeemed(core: &Core, account: UserId, code: &str) {
    redeem(core, &Caller::customer(account), &RequestOrigin::default(), code).await.expect("a use");
}

#[actix::test]
async fn given_plan_days_are_listed_and_reach_no_provider_and_no_sum() {
    let (core, _, ann) = shop().await;
    let (caller, admin, now) = (Caller::customer(ann), Caller::system(), core.clock.now());
    let new = NewCoupon {
        name: "Ten days".into(),
        benefit: CouponBenefit::Plan { plan: "Standard".into(), days: 10 },
        codes: NewCodes::Shared("TENDAYS".into()),
        uses_per_account: 2,
        max_uses: None,
        starts_at: None,
        ends_at: None,
    };
    coupons::create(&core, &admin, new).await.expect("a coupon");
    redeemed(&core, ann, "TENDAYS").await;
    redeemed(&core, ann, "TENDAYS").await;
    users::give_plan(&core, &admin, ann, "Pro", None).await.expect("a plan");
    users::give_plan(&core, &admin, ann, "Free", None).await.expect("the plan is taken away again");

    let page = own(&core, &caller, ListQuery::at((), None, 10)).await.expect("a history").items;
    let given = page.iter().map(|one| match one {
        HistoryOrder::Given(given) => (given.name.as_str(), given.from, given.until),
        HistoryOrder::Bought(order) => panic!("nothing was bought: {order:?}"),
    });
    let on = |day| now + TimeDelta::days(day);
    let expected = [("Pro", now, None), ("Ten days", on(10), Some(on(20))), ("Ten days", now, Some(on(10)))];
    assert_eq!(given.collect::<Vec<_>>(), expected, "days of the same plan begin after those before");

    let id = page[0].id();
    assert_eq!(find_in_history(&core, &caller, id).await.expect("the plan"), page[0]);
    assert_eq!(find_any_in_history(&core, &admin, id).await.expect("the plan").order, page[0]);
    let bob = Caller::customer(user().insert(&core.db).await);
    assert_eq!(why(find_in_history(&core, &bob, id).await).0, "NOT_FOUND");
    assert_eq!(why(find_any_in_history(&core, &caller, id).await).0, "FORBIDDEN");
    assert_eq!(why(cancel(&core, &caller, id).await).0, "NOT_FOUND", "it has no payment");
    assert_eq!(why(refund(&core, &admin, id, (1, 0), "a mistake").await).0, "NOT_FOUND");

    core.clock.advance(TimeDelta::hours(1));
    assert_eq!(follow_due(&core).await.expect("a round"), 0, "no provider is asked");
    let periods = Periods::new(now.date_naive(), now.date_naive(), Grouping::Day).expect("a day");
    assert_eq!(revenue::of_periods(&core, &admin, &periods).await.expect("revenue").rows, []);
    is_clean(&core).await;

    let search = OrderFilter { search: Some("example.com"), ..OrderFilter::default() };
    sqlx::query("UPDATE users SET name = 'Deleted user', disabled_at = now(), deleted_at = now() WHERE id = $1")
        .bind(ann.0)
        .execute(&core.db)
        .await
        .expect("a deleted account");
    let all = list(&core, &admin, ListQuery::at(OrderFilter::default(), None, 10)).await.expect("a list").items;
    assert_eq!(all.len(), 3, "the books keep what a deleted account was given");
    let found = list(&core, &admin, ListQuery::at(search, None, 10)).await.expect("a list").items;
    assert_eq!(found, [], "its address finds nothing");
}
