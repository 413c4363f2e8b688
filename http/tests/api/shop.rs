//! The shop: items, purchases through the test provider, refunds, and the lists of admins.

use reqwest::Method;
use serde_json::{Value, json};

use crate::calls::{done, read};
use crate::site::{Browser, Site, error, text};

const ITEMS: &str = "/api/admin/item";
const ORDERS: &str = "/api/admin/order";
const OWN: &str = "/api/general/order";
const START: &str = "2026-01-01T00:00:00Z";

async fn open_shop() -> Site {
    Site::with(|settings| settings.payments.test_provider = true).await
}

async fn refused(site: &Site, who: &Browser, path: &str, body: Value) -> (u16, String, Value) {
    let (status, code, body) = error(site.send(who, Method::POST, path, &body).await).await;
    (status, code, body["details"].clone())
}

async fn new_item(site: &Site, admin: &Browser) -> String {
    let pack = json!({ "name": "Starter", "credits": 10_000, "prices": { "KRW": 9_900, "USD": 699 } });
    text(&done(site, admin, Method::POST, ITEMS, pack).await, "_id")
}

fn purchase(item: &str, country: &str) -> Value {
    json!({ "itemId": item, "country": country, "isAgreed": true })
}

/// Buys an item and answers its payment, and returns the order's id.
async fn bought(site: &Site, who: &Browser, item: &str, answer: &str) -> String {
    let order = done(site, who, Method::POST, OWN, purchase(item, "KR")).await;
    let page = text(&order, "payAt");
    let id = page.strip_prefix("/test-payment/").expect("a page of the test provider");
    let path = format!("/api/public/test-payment/{id}");
    let shown = read(site, who, &path).await;
    let back = format!("/account?tab=orders&order={}", text(&order, "_id"));
    let expected = json!({
        "_id": id, "description": "Starter", "amount": 9_900, "currency": "KRW", "state": "Created",
        "cancelUrl": format!("{back}&canceled=1"),
    });
    assert_eq!(shown, expected);
    let answered = done(site, who, Method::POST, &path, json!({ "answer": answer })).await;
    assert_eq!(answered, json!({ "returnUrl": back }));
    let (status, code, _) = refused(site, who, &path, json!({ "answer": answer })).await;
    assert_eq!((status, code.as_str()), (409, "TEST_PAYMENT_ANSWERED"));
    text(&order, "_id")
}

#[actix_web::test]
async fn pack_is_bought_listed_and_refunded() {
    let site = open_shop().await;
    let (admin, ann, bob) = (site.admin().await, site.person().await, site.person().await);
    let item = new_item(&site, &admin).await;
    let shop = read(&site, &bob, "/api/public/item").await;
    let pack = json!({
        "_id": item, "kind": "Credit", "name": "Starter", "plan": null, "credits": 10_000, "amount": 10_000,
        "prices": { "KRW": 9_900, "USD": 699 },
    });
    let buying = json!({ "isTest": true, "currencies": ["KRW", "USD"] });
    assert_eq!(shop, json!({ "items": [pack], "buying": buying }));

    let before = read(&site, &ann, "/api/general/credit").await["available"].as_i64().expect("credits");
    let id = bought(&site, &ann, &item, "Approve").await;
    let path = format!("{OWN}/{id}");
    let order = done(&site, &ann, Method::POST, &format!("{path}/complete"), Value::Null).await;
    let expected = json!({
        "_id": id, "type": "Payment", "kind": "Credit", "name": "Starter", "plan": null, "periodFrom": null,
        "periodUntil": null, "isChange": false, "credits": 10_000, "bonusCredits": 0, "amount": 9_900, "listAmount": null,
        "percentOff": null, "couponCode": null, "currency": "KRW", "provider": "Test", "status": "Paid",
        "isSettling": false, "failure": null, "declineReason": null, "payAt": null, "refundedAmount": 0,
        "refundedCredits": 0, "refundedBonusCredits": 0, "refundableUntil": "2026-01-08T00:00:00Z",
        "createdAt": START, "paidAt": START, "expiresAt": "2026-04-01T00:00:00Z",
    });
    assert_eq!(order, expected);
    assert_eq!(read(&site, &ann, "/api/general/credit").await["available"], json!(before + 10_000));
    assert_eq!(read(&site, &ann, OWN).await, json!({ "items": [order], "nextCursor": null }));
    assert_eq!(read(&site, &ann, "/api/auth/me/export").await["orders"], json!([order]));
    for action in ["complete", "cancel", "refund"] {
        let (status, code, _) = refused(&site, &bob, &format!("{path}/{action}"), Value::Null).await;
        assert_eq!((status, code.as_str()), (404, "NOT_FOUND"), "another user's order: {action}");
    }
    let (status, code, _) = refused(&site, &ann, &format!("{path}/cancel"), Value::Null).await;
    assert_eq!((status, code.as_str()), (409, "ORDER_NOT_CANCELABLE"));

    let back = done(&site, &ann, Method::POST, &format!("{path}/refund"), Value::Null).await;
    assert_eq!((&back["status"], &back["refundedAmount"]), (&json!("Refunded"), &json!(9_900)));
    assert_eq!(read(&site, &ann, "/api/general/credit").await["available"], json!(before));
    let taken = read(&site, &ann, "/api/general/credit/entries?kind=Debit").await;
    assert_eq!((&taken["items"][0]["amount"], &taken["items"][1]), (&json!(10_000), &Value::Null));
    let (status, code, details) = refused(&site, &ann, &format!("{path}/refund"), Value::Null).await;
    assert_eq!((status, code.as_str(), details), (409, "ORDER_NOT_REFUNDABLE", json!({ "why": "NotPaid" })));
    site.finish().await;
}

#[actix_web::test]
async fn purchase_needs_terms_an_offer_and_a_provider() {
    let site = open_shop().await;
    let (admin, ann) = (site.admin().await, site.person().await);
    let item = new_item(&site, &admin).await;
    let without_terms = json!({ "itemId": item, "country": "KR", "isAgreed": false });
    let (status, code, _) = refused(&site, &ann, OWN, without_terms).await;
    assert_eq!((status, code.as_str()), (422, "TERMS_NOT_AGREED"));
    let (status, code, _) = refused(&site, &ann, OWN, purchase(&item, "Korea")).await;
    assert_eq!((status, code.as_str()), (400, "VALIDATION_FAILED"));
    let path = format!("{ITEMS}/{item}");
    let dollars = done(&site, &admin, Method::PATCH, &path, json!({ "prices": { "USD": 799 } })).await;
    assert_eq!(dollars["prices"], json!({ "KRW": null, "USD": 799 }));
    let (status, code, _) = refused(&site, &ann, OWN, purchase(&item, "KR")).await;
    assert_eq!((status, code.as_str()), (409, "BUYING_NOT_SET_UP"));
    done(&site, &admin, Method::PATCH, &path, json!({ "isActive": false })).await;
    let (status, code, _) = refused(&site, &ann, OWN, purchase(&item, "Other")).await;
    assert_eq!((status, code.as_str()), (404, "NOT_FOUND"));
    for wrong in [
        json!({ "name": " ", "credits": 1, "prices": { "KRW": 100 } }),
        json!({ "name": "A", "credits": 0, "prices": { "KRW": 100 } }),
        json!({ "name": "A", "credits": 1, "prices": {} }),
        json!({ "name": "A", "credits": 1, "prices": { "KRW": 99 } }),
        json!({ "name": "A", "credits": 1, "prices": { "USD": 49 } }),
    ] {
        let (status, code, _) = refused(&site, &admin, ITEMS, wrong.clone()).await;
        assert_eq!((status, code.as_str()), (400, "VALIDATION_FAILED"), "{wrong}");
    }
    assert_eq!(read(&site, &ann, OWN).await["items"], json!([]), "nothing was ordered");
    let log = read(&site, &admin, &format!("/api/admin/audit?target={item}")).await;
    let actions: Vec<String> =
        log["items"].as_array().expect("a log").iter().map(|line| text(line, "action")).collect();
    assert_eq!(actions, ["item.change", "item.change", "item.create"]);
    site.finish().await;

    let closed = Site::start().await;
    let shop = read(&closed, &closed.person().await, "/api/public/item").await;
    assert_eq!(shop, json!({ "items": [], "buying": { "isTest": false, "currencies": [] } }));
    closed.finish().await;
}

#[actix_web::test]
async fn admins_find_orders_and_refund_them_in_parts() {
    let site = open_shop().await;
    let (admin, ann, bob) = (site.admin().await, site.person().await, site.person().await);
    let item = new_item(&site, &admin).await;
    let paid = bought(&site, &ann, &item, "Twice").await;
    done(&site, &ann, Method::POST, &format!("{OWN}/{paid}/complete"), Value::Null).await;
    let failed = bought(&site, &bob, &item, "Decline").await;
    let order = done(&site, &bob, Method::POST, &format!("{OWN}/{failed}/complete"), Value::Null).await;
    assert_eq!((&order["status"], &order["failure"]), (&json!("Failed"), &json!("DECLINED")));

    let found = async |query: &str| {
        let page = read(&site, &admin, &format!("{ORDERS}?{query}")).await;
        page["items"].as_array().expect("orders").iter().map(|one| text(one, "_id")).collect::<Vec<_>>()
    };
    let (only_paid, only_failed) = ([paid.clone()], [failed.clone()]);
    assert_eq!(found("").await, [failed.clone(), paid.clone()]);
    assert_eq!(found("status=Paid").await, only_paid);
    assert_eq!(found("kind=Credit").await, [failed.clone(), paid.clone()]);
    assert_eq!(found("kind=Subscription").await, Vec::<String>::new());
    assert_eq!(found(&format!("search={paid}")).await, only_paid);
    assert_eq!(found(&format!("search={}", bob.email)).await, only_failed);
    assert_eq!(found("provider=PayPal").await, Vec::<String>::new());
    assert_eq!(found("from=2026-01-02").await, Vec::<String>::new());
    assert_eq!(found("from=2026-01-01&until=2026-01-01&limit=1").await, only_failed);
    let wrong = site.get(&admin, &format!("{ORDERS}?from=2026-01-02&until=2026-01-01")).await;
    assert_eq!(wrong.status(), 400);

    let path = format!("{ORDERS}/{paid}");
    let detail = read(&site, &admin, &path).await;
    assert_eq!((&detail["creditsLeft"], &detail["user"]["name"]), (&json!(10_000), &json!("Ann")));
    let ask = |amount: i64, credits: i64| json!({ "amount": amount, "credits": credits, "reason": "a complaint" });
    let refund = format!("{path}/refund");
    let part = done(&site, &admin, Method::POST, &refund, ask(4_950, 5_000)).await;
    let shown = (&part["status"], &part["refundedAmount"], &part["creditsLeft"], &part["refunds"][0]["status"]);
    assert_eq!(shown, (&json!("Paid"), &json!(4_950), &json!(5_000), &json!("Done")));
    for wrong in [ask(4_951, 0), ask(0, 0), ask(1, 5_001)] {
        let (status, code, _) = refused(&site, &admin, &refund, wrong).await;
        assert_eq!((status, code.as_str()), (400, "VALIDATION_FAILED"));
    }
    let failed_path = format!("{ORDERS}/{failed}/refund");
    let (status, code, details) = refused(&site, &admin, &failed_path, ask(1, 0)).await;
    assert_eq!((status, code.as_str(), details), (409, "ORDER_NOT_REFUNDABLE", json!({ "why": "NotPaid" })));

    let file = site.get(&admin, &format!("{ORDERS}.csv?status=Paid")).await;
    assert_eq!(file.headers()["content-type"], "text/csv; charset=utf-8");
    let user = text(&detail["user"], "_id");
    let lines = file.text().await.expect("a whole file");
    let expected = format!(
        "id,createdAt,user,item,credits,amount,currency,provider,status,refundedAmount,paidAt,listAmount,percentOff,\
         couponCode,bonusCredits,type\r\n\
         {paid},{START},{user},Starter,10000,9900,KRW,Test,Paid,4950,{START},,,,0,Payment\r\n"
    );
    assert_eq!(lines, expected);
    let wrong = site.get(&admin, &format!("{ORDERS}.csv?status=Lost")).await;
    assert_eq!(wrong.status(), 400);
    site.finish().await;
}

#[actix_web::test]
async fn history_has_what_coupons_and_admins_gave() {
    let site = open_shop().await;
    let (admin, ann, bob) = (site.admin().await, site.person().await, site.person().await);
    let id = text(&read(&site, &ann, "/api/auth").await, "_id");
    let credits = json!({ "kind": "Credits", "amount": 500, "plan": null, "days": 90, "percent": null });
    let plan = json!({ "kind": "Plan", "plan": "Standard", "amount": null, "days": 30, "percent": null });
    for (name, benefit, code) in [("=Welcome", credits, "WELCOME"), ("A month", plan, "MONTH")] {
        let new = json!({ "name": name, "benefit": benefit, "code": code });
        done(&site, &admin, Method::POST, "/api/admin/coupon", new).await;
        done(&site, &ann, Method::POST, "/api/general/coupon", json!({ "code": code })).await;
    }
    let gift = json!({ "plan": "Pro", "until": "2026-03-01T00:00:00Z" });
    done(&site, &admin, Method::PUT, &format!("/api/admin/user/{id}/plan"), gift).await;
    let item = new_item(&site, &admin).await;
    let order = bought(&site, &ann, &item, "Approve").await;
    done(&site, &ann, Method::POST, &format!("{OWN}/{order}/complete"), Value::Null).await;

    let own = read(&site, &ann, OWN).await;
    let fields = ["type", "kind", "provider", "name", "plan", "credits", "amount", "currency", "status", "periodUntil"];
    let lines = own["items"].as_array().expect("orders").iter().map(|one| fields.map(|field| one[field].clone()));
    let expected = json!([
        ["Payment", "Credit", "Test", "Starter", null, 10_000, 9_900, "KRW", "Paid", null],
        ["Free", "Subscription", "Free", "Pro", "Pro", 0, 0, null, "Paid", "2026-03-01T00:00:00Z"],
        ["Coupon", "Subscription", "Coupon", "A month", "Standard", 0, 0, null, "Paid", "2026-01-31T00:00:00Z"],
        ["Coupon", "Credit", "Coupon", "=Welcome", null, 500, 0, null, "Paid", null],
    ]);
    assert_eq!(json!(lines.collect::<Vec<_>>()), expected);
    let ids: Vec<String> = own["items"].as_array().expect("orders").iter().map(|one| text(one, "_id")).collect();
    assert_eq!((&ids[0], &own["items"][3]["expiresAt"]), (&order, &json!("2026-04-01T00:00:00Z")));
    assert_eq!(read(&site, &bob, OWN).await["items"], json!([]), "another user's history");

    let (one, any) = (format!("{OWN}/{}", ids[3]), format!("{ORDERS}/{}", ids[3]));
    assert_eq!(read(&site, &ann, &one).await, own["items"][3]);
    assert_eq!(error(site.get(&bob, &one).await).await.0, 404);
    assert_eq!(read(&site, &admin, &any).await["creditsLeft"], Value::Null);
    let ask = json!({ "amount": 1, "credits": 0, "reason": "a mistake" });
    assert_eq!(refused(&site, &admin, &format!("{any}/refund"), ask).await.0, 404, "it has no payment");
    for action in ["complete", "cancel", "refund"] {
        assert_eq!(refused(&site, &ann, &format!("{one}/{action}"), Value::Null).await.0, 404, "{action}");
    }

    let found = async |query: &str| {
        let page = read(&site, &admin, &format!("{ORDERS}?{query}")).await;
        page["items"].as_array().expect("orders").iter().map(|one| text(one, "_id")).collect::<Vec<_>>()
    };
    assert_eq!(found("").await, ids);
    assert_eq!(found("type=Coupon").await, ids[2..]);
    assert_eq!(found("provider=Free").await, ids[1..2]);
    assert_eq!(found("type=Payment").await, ids[..1]);
    assert_eq!(found("kind=Subscription").await, ids[1..3]);
    assert_eq!(found(&format!("search={}&status=Paid", ann.email)).await, ids);
    assert_eq!(found(&format!("search={}", ids[2])).await, ids[2..3]);
    assert_eq!(found("from=2026-01-01&until=2026-01-01&type=Free").await, ids[1..2]);
    for nothing in ["status=Refunded", "type=Coupon&provider=PayPal", "until=2025-12-31"] {
        assert_eq!(found(nothing).await, Vec::<String>::new(), "{nothing}");
    }
    let mut walked = Vec::new();
    let mut query = "limit=1".to_owned();
    loop {
        let page = read(&site, &admin, &format!("{ORDERS}?{query}")).await;
        walked.push(text(&page["items"][0], "_id"));
        let Some(cursor) = page["nextCursor"].as_str() else { break };
        query = format!("limit=1&cursor={cursor}");
    }
    assert_eq!(walked, ids, "pages of one line");

    let file = site.get(&admin, &format!("{ORDERS}.csv?type=Coupon")).await.text().await.expect("a whole file");
    let lines: Vec<&str> = file.split("\r\n").skip(1).collect();
    let expected = [
        format!("{},{START},{id},A month,0,0,,Coupon,Paid,0,{START},,,MONTH,0,Coupon", ids[2]),
        format!("{},{START},{id},'=Welcome,500,0,,Coupon,Paid,0,{START},,,WELCOME,0,Coupon", ids[3]),
        String::new(),
    ];
    assert_eq!(lines, expected);
    site.finish().await;
}
