//! The money of a user, for admins, and credits that are taken back.

use reqwest::Method;
use serde_json::{Value, json};

use crate::calls::{done, read};
use crate::site::{Browser, Site, error, text};

const GRANT: &str = "/api/admin/credit/grant";
const DEBIT: &str = "/api/admin/credit/debit";

async fn id_of(site: &Site, who: &Browser) -> String {
    text(&read(site, who, "/api/auth").await, "_id")
}

async fn refused(site: &Site, who: &Browser, body: Value) -> (u16, String, Value) {
    let (status, code, body) = error(site.send(who, Method::POST, DEBIT, &body).await).await;
    (status, code, body["details"].clone())
}

#[actix_web::test]
async fn admins_see_the_money_of_a_user_and_take_credits_back() {
    let site = Site::with(|settings| settings.payments.test_provider = true).await;
    let (admin, ann) = (site.admin().await, site.person().await);
    let id = id_of(&site, &ann).await;
    let path = format!("/api/admin/user/{id}/money");
    let start = read(&site, &admin, &path).await;
    let plan = text(&start, "plan");
    let [allowance] = &start["grants"].as_array().expect("grants")[..] else { panic!("{start}") };
    assert_eq!((&allowance["kind"], &allowance["order"]), (&json!("Plan"), &Value::Null));
    let nothing = json!({
        "plan": plan, "ownPlan": plan, "givenPlan": null, "subscription": null,
        "balance": { "available": allowance["amount"], "held": 0 }, "grants": [allowance], "orders": [],
    });
    assert_eq!(start, nothing, "a new account has the allowance of its plan");

    let gift = json!({ "user": id, "amount": 100, "reason": "thanks", "expiresAt": "2026-02-01T00:00:00Z" });
    done(&site, &admin, Method::POST, GRANT, gift).await;
    let until = json!({ "plan": "Pro", "until": "2026-03-01T00:00:00Z" });
    done(&site, &admin, Method::PUT, &format!("/api/admin/user/{id}/plan"), until.clone()).await;
    let pack = json!({ "name": "Starter", "credits": 10, "prices": { "KRW": 9_900 } });
    let item = text(&done(&site, &admin, Method::POST, "/api/admin/item", pack).await, "_id");
    let purchase = json!({ "itemId": item, "country": "KR", "isAgreed": true });
    let order = text(&done(&site, &ann, Method::POST, "/api/general/order", purchase).await, "_id");

    let money = read(&site, &admin, &path).await;
    assert_eq!((&money["plan"], &money["ownPlan"]), (&json!("Pro"), &json!(plan)));
    assert_eq!(money["givenPlan"], until);
    let grants = money["grants"].as_array().expect("grants");
    let gift = grants.iter().find(|grant| grant["source"] == "operator:thanks").expect("the gift");
    let gift = (&gift["kind"], &gift["remaining"], &gift["order"]);
    assert_eq!(gift, (&json!("Operator"), &json!(100), &Value::Null));
    let orders = money["orders"].as_array().expect("orders");
    let lines: Vec<_> = orders.iter().map(|one| json!([one["type"], one["plan"], one["credits"]])).collect();
    assert_eq!(json!(lines), json!([["Payment", null, 10], ["Free", "Pro", 0], ["Free", null, 100]]));
    assert_eq!(orders[0]["_id"], json!(order));

    let take = |amount: i64| json!({ "user": id, "source": "operator:thanks", "amount": amount, "reason": "twice" });
    let before = money["balance"]["available"].as_i64().expect("credits");
    let left = done(&site, &admin, Method::POST, DEBIT, take(60)).await;
    assert_eq!(left, json!({ "available": before - 60, "held": 0 }));
    let (status, code, details) = refused(&site, &admin, take(41)).await;
    assert_eq!((status, code.as_str(), details), (422, "CREDITS_USED", json!({ "available": 40 })));
    let unknown = json!({ "user": id, "source": "operator:\u{0}", "amount": 1, "reason": "x" });
    assert_eq!(refused(&site, &admin, unknown).await.0, 404);
    let ordered = json!({ "user": id, "source": format!("order:{order}"), "amount": 1, "reason": "x" });
    for wrong in [take(0), ordered] {
        let (status, code, _) = refused(&site, &admin, wrong).await;
        assert_eq!((status, code.as_str()), (400, "VALIDATION_FAILED"));
    }

    let log = read(&site, &admin, "/api/admin/audit?action=credit.debit").await;
    let expected = json!({ "amount": 60, "source": "operator:thanks", "reason": "twice" });
    assert_eq!((&log["items"][0]["after"], &log["items"][1]), (&expected, &Value::Null));
    let taken = read(&site, &ann, "/api/general/credit/entries?kind=Debit").await;
    assert_eq!(taken["items"][0]["amount"], json!(60));
    site.finish().await;
}
