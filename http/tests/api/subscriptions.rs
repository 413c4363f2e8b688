//! Subscriptions: plans that are paid by the month, and what admins see of them.

use reqwest::Method;
use serde_json::{Value, json};
use verdigraph_core::testing::paypal::TestPayPal;

use crate::calls::{done, read};
use crate::payment_methods::saved;
use crate::site::{Browser, Site, error, text};

const ITEMS: &str = "/api/admin/item";
const OWN: &str = "/api/general/subscription";
const ADMIN: &str = "/api/admin/subscription";
const START: &str = "2026-01-01T00:00:00Z";

async fn open_shop() -> (Site, Browser) {
    let site = Site::with(|settings| settings.payments.test_provider = true).await;
    let admin = site.admin().await;
    (site, admin)
}

async fn plan_item(site: &Site, admin: &Browser, plan: &str, price: i64) -> String {
    let item = json!({ "name": plan, "kind": "Subscription", "plan": plan, "prices": { "KRW": price } });
    text(&done(site, admin, Method::POST, ITEMS, item).await, "_id")
}

fn wish(item: &str, amount: i64) -> Value {
    json!({ "itemId": item, "country": "KR", "amount": amount, "isAgreed": true })
}

async fn refused(site: &Site, who: &Browser, method: Method, path: &str, body: Value) -> (u16, String, Value) {
    let (status, code, body) = error(site.send(who, method, path, &body).await).await;
    (status, code, body["details"].clone())
}

#[actix_web::test]
async fn plan_is_subscribed_changed_canceled_and_resumed() {
    let (site, admin) = open_shop().await;
    let (ann, bob) = (site.person().await, site.person().await);
    let basic = plan_item(&site, &admin, "Basic", 9_900).await;
    let pro = plan_item(&site, &admin, "Pro", 99_000).await;
    let shop = read(&site, &ann, "/api/public/item").await;
    let plan = json!({
        "_id": basic, "kind": "Subscription", "name": "Basic", "plan": "Basic", "credits": 72_000,
        "amount": 72_000, "prices": { "KRW": 9_900, "USD": null },
    });
    assert_eq!(shop["items"][0], plan);
    assert_eq!(read(&site, &ann, OWN).await, json!({ "subscription": null }));
    let (status, code, _) = refused(&site, &ann, Method::POST, OWN, wish(&basic, 9_900)).await;
    assert_eq!((status, code.as_str()), (409, "NO_PAYMENT_METHOD"));
    let card = saved(&site, &ann, "KR").await;
    let (status, code, details) = refused(&site, &ann, Method::POST, OWN, wish(&basic, 9_000)).await;
    assert_eq!((status, code.as_str(), details), (409, "PRICE_CHANGED", json!({ "amount": 9_900, "currency": "KRW" })));
    let mut blind = wish(&basic, 9_900);
    blind["isAgreed"] = json!(false);
    let (status, code, _) = refused(&site, &ann, Method::POST, OWN, blind).await;
    assert_eq!((status, code.as_str()), (422, "TERMS_NOT_AGREED"));
    let pack = json!({ "itemId": basic, "country": "KR", "isAgreed": true });
    let (status, code, _) = refused(&site, &ann, Method::POST, "/api/general/order", pack).await;
    assert_eq!((status, code.as_str()), (404, "NOT_FOUND"), "a plan is no pack");

    let made = done(&site, &ann, Method::POST, OWN, wish(&basic, 9_900)).await;
    let expected = json!({
        "_id": made["_id"], "plan": "Basic", "status": "Active", "paidWith": "Card", "payAt": null,
        "testPage": null,
        "isCanceled": false, "endReason": null,
        "amount": 9_900, "currency": "KRW", "credits": 72_000, "periodFrom": START,
        "periodUntil": "2026-02-01T00:00:00Z", "nextPlan": null, "nextAmount": null, "tries": 0, "nextTryAt": null,
        "method": card, "order": made["order"], "createdAt": START, "endedAt": null,
    });
    assert_eq!(made, expected);
    let order = &made["order"];
    assert_eq!(
        (&order["kind"], &order["plan"], &order["status"]),
        (&json!("Subscription"), &json!("Basic"), &json!("Paid"))
    );
    assert_eq!((&order["periodFrom"], &order["periodUntil"]), (&json!(START), &json!("2026-02-01T00:00:00Z")));
    assert_eq!(read(&site, &ann, "/api/auth").await["subscriptions"], json!([{ "name": "Basic" }]));
    assert_eq!(read(&site, &ann, OWN).await["subscription"], made);
    assert_eq!(read(&site, &bob, OWN).await["subscription"], Value::Null);

    let change = read(&site, &ann, &format!("{OWN}/change?itemId={pro}")).await;
    let expected = json!({
        "plan": "Pro", "when": "Now", "amount": 89_100, "currency": "KRW", "credits": 1_008_000, "daysLeft": 31,
        "daysOfPeriod": 31, "at": START, "nextAmount": 99_000,
    });
    assert_eq!(change, expected);
    let path = format!("{OWN}/plan");
    let (status, code, _) = refused(&site, &ann, Method::PUT, &path, json!({ "itemId": pro, "amount": 1 })).await;
    assert_eq!((status, code.as_str()), (409, "PRICE_CHANGED"));
    let larger = done(&site, &ann, Method::PUT, &path, json!({ "itemId": pro, "amount": 89_100 })).await;
    assert_eq!((&larger["plan"], &larger["order"]["isChange"]), (&json!("Pro"), &json!(true)));
    let smaller = done(&site, &ann, Method::PUT, &path, json!({ "itemId": basic, "amount": 0 })).await;
    assert_eq!(
        (&smaller["plan"], &smaller["nextPlan"], &smaller["nextAmount"]),
        (&json!("Pro"), &json!("Basic"), &json!(9_900))
    );

    let canceled = done(&site, &ann, Method::POST, &format!("{OWN}/cancel"), Value::Null).await;
    assert_eq!((&canceled["isCanceled"], &canceled["nextPlan"]), (&json!(true), &Value::Null));
    let exported = read(&site, &ann, "/api/auth/me/export").await["subscriptions"][0].take();
    assert_eq!((&exported["isCanceled"], &exported["nextPlan"]), (&json!(true), &Value::Null), "it does not come");
    let (status, code, _) =
        refused(&site, &ann, Method::GET, &format!("{OWN}/change?itemId={basic}"), Value::Null).await;
    assert_eq!((status, code.as_str()), (409, "SUBSCRIPTION_NOT_CHANGEABLE"));
    let resumed = done(&site, &ann, Method::POST, &format!("{OWN}/resume"), Value::Null).await;
    assert_eq!((&resumed["isCanceled"], &resumed["nextPlan"]), (&json!(false), &json!("Basic")), "as before");
    let (status, code, _) = refused(&site, &ann, Method::POST, &format!("{OWN}/retry"), Value::Null).await;
    assert_eq!((status, code.as_str()), (409, "SUBSCRIPTION_NOT_CHANGEABLE"));
    site.finish().await;
}

#[actix_web::test]
async fn admins_see_charges_by_day_and_end_subscriptions() {
    let (site, admin) = open_shop().await;
    let ann = site.person().await;
    let basic = plan_item(&site, &admin, "Basic", 9_900).await;
    saved(&site, &ann, "KR").await;
    let made = done(&site, &ann, Method::POST, OWN, wish(&basic, 9_900)).await;
    let month = read(&site, &admin, &format!("{ADMIN}/calendar?month=2026-02")).await;
    let sum = json!([{ "currency": "KRW", "count": 1, "amount": 9_900 }]);
    assert_eq!((month["days"].as_array().map(Vec::len), &month["month"]), (Some(28), &json!("2026-02")));
    assert_eq!(month["days"][0], json!({ "day": "2026-02-01", "planned": sum, "paid": [], "failed": 0 }));
    for wrong in ["2026-13", "2026", "x"] {
        let path = format!("{ADMIN}/calendar?month={wrong}");
        let (status, code, _) = refused(&site, &admin, Method::GET, &path, Value::Null).await;
        assert_eq!((status, code.as_str()), (400, "VALIDATION_FAILED"), "{wrong}");
    }
    let month = read(&site, &admin, &format!("{ADMIN}/calendar?month=2026-01")).await;
    assert_eq!(month["days"][0], json!({ "day": "2026-01-01", "planned": [], "paid": sum, "failed": 0 }));

    let due = read(&site, &admin, &format!("{ADMIN}?day=2026-02-01&status=Active")).await;
    assert_eq!(due["items"][0]["_id"], made["_id"]);
    let search = read(&site, &admin, &format!("{ADMIN}?search={}", ann.email)).await;
    assert_eq!((&search["items"], due["items"][0]["user"].is_object()), (&due["items"], true));
    assert_eq!(read(&site, &admin, &format!("{ADMIN}?day=2026-02-02")).await["items"], json!([]));
    let path = format!("{ADMIN}/{}/end", text(&made, "_id"));
    let (status, code, _) = refused(&site, &admin, Method::POST, &path, json!({ "reason": " " })).await;
    assert_eq!((status, code.as_str()), (400, "VALIDATION_FAILED"));
    let ended = done(&site, &admin, Method::POST, &path, json!({ "reason": "asked by mail" })).await;
    assert_eq!((&ended["status"], &ended["endReason"]), (&json!("Ended"), &json!("EndedByOperator")));
    let acts = read(&site, &admin, "/api/admin/audit?action=subscription.end").await;
    assert_eq!(acts["items"][0]["after"]["reason"], "asked by mail");
    assert_eq!(read(&site, &ann, "/api/auth").await["subscriptions"], json!([{ "name": "Free" }]));
    let (status, code, _) = refused(&site, &ann, Method::POST, &format!("{OWN}/cancel"), Value::Null).await;
    assert_eq!((status, code.as_str()), (404, "NOT_FOUND"));

    let export = read(&site, &ann, "/api/auth/me/export").await;
    let expected = json!([{
        "_id": made["_id"], "plan": "Basic", "status": "Ended", "paidWith": "Card", "amount": 9_900, "currency": "KRW",
        "periods": 1,
        "periodFrom": START, "periodUntil": ended["periodUntil"], "isCanceled": ended["isCanceled"], "nextPlan": null,
        "nextAmount": null, "createdAt": START, "endedAt": START, "endReason": "EndedByOperator",
    }]);
    assert_eq!(export["subscriptions"], expected);
    site.finish().await;
}

#[actix_web::test]
async fn plan_in_dollars_is_approved_at_paypal_and_canceled_there() {
    let paypal = TestPayPal::start().await;
    let site = Site::with(|settings| paypal.configure(settings)).await;
    let (admin, ann) = (site.admin().await, site.person().await);
    let item = json!({ "name": "Basic", "kind": "Subscription", "plan": "Basic", "prices": { "USD": 990 } });
    let basic = text(&done(&site, &admin, Method::POST, ITEMS, item).await, "_id");
    let shop = read(&site, &ann, "/api/public/item").await;
    assert_eq!(shop["buying"]["currencies"], json!(["USD"]));
    let complete = format!("{OWN}/complete");
    let (status, code, _) = refused(&site, &ann, Method::POST, &complete, Value::Null).await;
    assert_eq!((status, code.as_str()), (404, "NOT_FOUND"));

    let body = json!({ "itemId": basic, "country": "Other", "amount": 990, "isAgreed": true });
    let made = done(&site, &ann, Method::POST, OWN, body).await;
    assert_eq!(
        (&made["status"], &made["paidWith"], &made["order"]),
        (&json!("Pending"), &json!("PayPal"), &Value::Null)
    );
    let page = text(&made, "payAt");
    assert_eq!(done(&site, &ann, Method::POST, &complete, Value::Null).await["payAt"], json!(page));
    let now = START.parse().expect("a time");
    paypal.pass_to(now);
    paypal.approve_agreement(page.rsplit('/').next().expect("an id"), now);
    let paid = done(&site, &ann, Method::POST, &complete, Value::Null).await;
    assert_eq!((&paid["status"], &paid["payAt"], &paid["nextTryAt"]), (&json!("Active"), &Value::Null, &Value::Null));
    assert_eq!((&paid["order"]["provider"], &paid["order"]["status"]), (&json!("PayPal"), &json!("Paid")));
    assert_eq!(read(&site, &ann, "/api/auth").await["subscriptions"], json!([{ "name": "Basic" }]));
    for call in ["resume", "retry"] {
        let (status, code, _) = refused(&site, &ann, Method::POST, &format!("{OWN}/{call}"), Value::Null).await;
        assert_eq!((status, code.as_str()), (409, "SUBSCRIPTION_AT_PAYPAL"), "{call}");
    }
    let canceled = done(&site, &ann, Method::POST, &format!("{OWN}/cancel"), Value::Null).await;
    assert_eq!((&canceled["status"], &canceled["isCanceled"]), (&json!("Active"), &json!(true)));
    site.finish().await;
}

/// Subscribes in dollars, and returns the page of the agreement at the test provider.
async fn agreed(site: &Site, who: &Browser, item: &str) -> String {
    let body = json!({ "itemId": item, "country": "Other", "amount": 990, "isAgreed": true });
    let made = done(site, who, Method::POST, OWN, body).await;
    assert_eq!((&made["status"], &made["paidWith"]), (&json!("Pending"), &json!("PayPal")));
    format!("/api/public{}", text(&made, "payAt"))
}

async fn dollar_shop() -> (Site, String) {
    let (site, admin) = open_shop().await;
    let item = json!({ "name": "Basic", "kind": "Subscription", "plan": "Basic", "prices": { "USD": 990 } });
    let basic = text(&done(&site, &admin, Method::POST, ITEMS, item).await, "_id");
    (site, basic)
}

#[actix_web::test]
async fn test_agreement_is_approved_charged_and_canceled_by_the_buyer() {
    let (site, basic) = dollar_shop().await;
    let ann = site.person().await;
    let page = agreed(&site, &ann, &basic).await;
    let answer = format!("{page}/answer");
    let back = "/account?tab=subscription&paypal";
    let shown = read(&site, &Browser::default(), &page).await;
    let expected = json!({
        "_id": page.rsplit('/').next(), "description": "Basic", "amount": 990, "currency": "USD", "state": "Created",
        "failed": 0, "cancelUrl": format!("{back}=canceled"),
    });
    assert_eq!(shown, expected);
    let early = refused(&site, &ann, Method::POST, &answer, json!({ "answer": "Charge" })).await;
    assert_eq!((early.0, early.1.as_str()), (409, "TEST_PAYMENT_ANSWERED"));
    let wrong = refused(&site, &ann, Method::POST, &answer, json!({ "answer": "Works" })).await;
    assert_eq!((wrong.0, wrong.1.as_str()), (400, "VALIDATION_FAILED"));
    let answered = done(&site, &ann, Method::POST, &answer, json!({ "answer": "Approve" })).await;
    assert_eq!(answered, json!({ "returnUrl": format!("{back}=returned") }));
    let again = refused(&site, &ann, Method::POST, &answer, json!({ "answer": "Approve" })).await;
    assert_eq!((again.0, again.1.as_str()), (409, "TEST_PAYMENT_ANSWERED"));

    let complete = format!("{OWN}/complete");
    let paid = done(&site, &ann, Method::POST, &complete, Value::Null).await;
    let test_page = page.strip_prefix("/api/public").expect("a page");
    assert_eq!(
        (&paid["status"], &paid["payAt"], &paid["testPage"]),
        (&json!("Active"), &Value::Null, &json!(test_page))
    );
    assert_eq!((&paid["order"]["provider"], &paid["order"]["status"]), (&json!("Test"), &json!("Paid")));
    let first = read(&site, &ann, "/api/general/credit").await["available"].as_i64().expect("credits");
    done(&site, &ann, Method::POST, &answer, json!({ "answer": "Charge" })).await;
    let next = done(&site, &ann, Method::POST, &complete, Value::Null).await;
    assert_eq!(next["periodFrom"], paid["periodUntil"], "the next month follows");
    let second = read(&site, &ann, "/api/general/credit").await["available"].as_i64().expect("credits");
    assert_eq!(second - first, 72_000);

    done(&site, &ann, Method::POST, &answer, json!({ "answer": "Fail" })).await;
    assert_eq!(read(&site, &ann, &page).await["failed"], 1);
    done(&site, &ann, Method::POST, &answer, json!({ "answer": "Cancel" })).await;
    let ended = done(&site, &ann, Method::POST, &complete, Value::Null).await;
    assert_eq!((&ended["status"], &ended["isCanceled"]), (&json!("Active"), &json!(true)), "the paid months stay");
    site.finish().await;
}

#[actix_web::test]
async fn test_agreement_is_declined_and_survives_lost_answers_and_repeated_notices() {
    let (site, basic) = dollar_shop().await;
    let complete = format!("{OWN}/complete");
    let ann = site.person().await;
    let page = agreed(&site, &ann, &basic).await;
    done(&site, &ann, Method::POST, &format!("{page}/answer"), json!({ "answer": "Decline" })).await;
    let declined = done(&site, &ann, Method::POST, &complete, Value::Null).await;
    assert_eq!((&declined["status"], &declined["endReason"]), (&json!("Ended"), &json!("NotApproved")));
    for answer in ["Hang", "Twice"] {
        let bob = site.person().await;
        let page = agreed(&site, &bob, &basic).await;
        done(&site, &bob, Method::POST, &format!("{page}/answer"), json!({ "answer": answer })).await;
        done(&site, &bob, Method::POST, &complete, Value::Null).await;
        let paid = done(&site, &bob, Method::POST, &complete, Value::Null).await;
        assert_eq!(paid["status"], "Active", "{answer}");
        let orders = read(&site, &bob, "/api/general/order").await;
        assert_eq!(orders["items"].as_array().map(Vec::len), Some(1), "{answer}: one payment is one order");
        done(&site, &bob, Method::POST, &format!("{OWN}/cancel"), Value::Null).await;
    }
    site.finish().await;

    let closed = Site::start().await;
    let unknown = "/api/public/test-agreement/01970000-0000-7000-8000-000000000000";
    let (status, code, _) = refused(&closed, &Browser::default(), Method::GET, unknown, Value::Null).await;
    assert_eq!((status, code.as_str()), (404, "NOT_FOUND"));
    closed.finish().await;
}

#[actix_web::test]
async fn one_active_item_per_plan_is_sold() {
    let (site, admin) = open_shop().await;
    let basic = plan_item(&site, &admin, "Basic", 9_900).await;
    let second = json!({ "name": "B", "kind": "Subscription", "plan": "Basic", "prices": { "KRW": 5_000 } });
    let (status, code, _) = refused(&site, &admin, Method::POST, ITEMS, second.clone()).await;
    assert_eq!((status, code.as_str()), (409, "PLAN_IS_OFFERED"));
    done(&site, &admin, Method::PATCH, &format!("{ITEMS}/{basic}"), json!({ "isActive": false })).await;
    done(&site, &admin, Method::POST, ITEMS, second).await;
    let again = json!({ "isActive": true });
    let (status, code, _) = refused(&site, &admin, Method::PATCH, &format!("{ITEMS}/{basic}"), again).await;
    assert_eq!((status, code.as_str()), (409, "PLAN_IS_OFFERED"));
    for wrong in [
        json!({ "name": "A", "kind": "Subscription", "plan": "Free", "prices": { "KRW": 100 } }),
        json!({ "name": "A", "kind": "Subscription", "plan": "Gold", "prices": { "KRW": 100 } }),
        json!({ "name": "A", "kind": "Subscription", "prices": { "KRW": 100 } }),
        json!({ "name": "A", "kind": "Subscription", "plan": "Pro", "credits": 5, "prices": { "KRW": 100 } }),
        json!({ "name": "A", "kind": "Credit", "plan": "Pro", "credits": 5, "prices": { "KRW": 100 } }),
        json!({ "name": "A", "kind": "Credit", "prices": { "KRW": 100 } }),
        json!({ "name": "A", "kind": "Gift", "credits": 5, "prices": { "KRW": 100 } }),
    ] {
        let (status, code, _) = refused(&site, &admin, Method::POST, ITEMS, wrong.clone()).await;
        assert_eq!((status, code.as_str()), (400, "VALIDATION_FAILED"), "{wrong}");
    }
    site.finish().await;
}
