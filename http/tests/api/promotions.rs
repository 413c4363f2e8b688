//! Promotions: banners, the bonus of a first purchase, and codes that lower a price.

use reqwest::Method;
use serde_json::{Value, json};

use crate::calls::{done, read};
use crate::site::{Browser, Site, error, text};

const ADMIN: &str = "/api/admin/promotion";
const CURRENT: &str = "/api/public/promotion";
const ORDER: &str = "/api/general/order";

fn banner() -> Value {
    json!({
        "name": "Spring", "kind": "Banner", "audience": "Everyone", "textEn": "Spring is here", "textKo": "봄맞이 행사",
        "labelEn": "See the packs", "labelKo": "크레딧 보기", "link": "/pricing",
    })
}

async fn open_shop() -> Site {
    Site::with(|settings| settings.payments.test_provider = true).await
}

async fn refused(site: &Site, who: &Browser, path: &str, body: Value) -> (u16, String, Value) {
    let (status, code, body) = error(site.send(who, Method::POST, path, &body).await).await;
    (status, code, body["details"].clone())
}

async fn new_item(site: &Site, admin: &Browser) -> String {
    let pack = json!({ "name": "Starter", "credits": 10_000, "prices": { "KRW": 9_900 } });
    text(&done(site, admin, Method::POST, "/api/admin/item", pack).await, "_id")
}

/// Pays an order at the test provider.
async fn paid(site: &Site, who: &Browser, order: &Value) -> Value {
    let page = text(order, "payAt");
    let id = page.strip_prefix("/test-payment/").expect("a page of the test provider");
    done(site, who, Method::POST, &format!("/api/public/test-payment/{id}"), json!({ "answer": "Approve" })).await;
    done(site, who, Method::POST, &format!("{ORDER}/{}/complete", text(order, "_id")), Value::Null).await
}

#[actix_web::test]
async fn banner_is_made_shown_and_switched_off() {
    let site = Site::start().await;
    let admin = site.admin().await;
    assert_eq!(read(&site, &admin, CURRENT).await, json!({ "banner": null, "firstPurchasePercent": null }));
    let made = done(&site, &admin, Method::POST, ADMIN, banner()).await;
    let id = text(&made, "_id");
    let mut expected = banner();
    for (key, value) in [
        ("_id", json!(id)),
        ("isActive", json!(true)),
        ("startsAt", Value::Null),
        ("endsAt", Value::Null),
        ("percent", Value::Null),
        ("createdAt", json!("2026-01-01T00:00:00Z")),
    ] {
        expected[key] = value;
    }
    assert_eq!(made, expected);
    assert_eq!(read(&site, &admin, ADMIN).await, json!({ "items": [made], "nextCursor": null }));
    let shown = read(&site, &Browser::default(), CURRENT).await;
    let expected = json!({
        "_id": id, "textEn": "Spring is here", "textKo": "봄맞이 행사", "labelEn": "See the packs",
        "labelKo": "크레딧 보기", "link": "/pricing",
    });
    assert_eq!(shown["banner"], expected);

    let path = format!("{ADMIN}/{id}");
    let off = done(&site, &admin, Method::PATCH, &path, json!({ "isActive": false })).await;
    assert_eq!((&off["isActive"], &off["textEn"]), (&json!(false), &json!("Spring is here")), "what is left out stays");
    assert_eq!(read(&site, &Browser::default(), CURRENT).await["banner"], Value::Null);
    let log = read(&site, &admin, &format!("/api/admin/audit?target={id}")).await;
    let actions: Vec<String> =
        log["items"].as_array().expect("a log").iter().map(|line| text(line, "action")).collect();
    assert_eq!(actions, ["promotion.change", "promotion.create"]);
    assert_eq!(log["items"][0]["after"], json!({ "isActive": false }));
    let named = (&log["items"][0]["before"]["name"], &log["items"][1]["after"]["name"]);
    assert!(named.0.is_string() && named.0 == named.1, "the line does not say what was changed: {log}");

    let with = |key: &str, value: Value| {
        let mut body = banner();
        body[key] = value;
        body
    };
    for (body, field) in [
        (with("link", json!("//example.com")), "link"),
        (with("textKo", Value::Null), "textKo"),
        (with("percent", json!(10)), "percent"),
        (with("audience", json!("All")), "audience"),
        (with("kind", json!("FirstPurchase")), "audience"),
        (json!({ "name": "First", "kind": "FirstPurchase" }), "percent"),
        (json!({ "name": "First", "kind": "Gift", "percent": 1 }), "kind"),
    ] {
        let (status, code, details) = refused(&site, &admin, ADMIN, body.clone()).await;
        assert_eq!((status, code.as_str()), (400, "VALIDATION_FAILED"), "{body}");
        assert_eq!(details[0]["field"], json!(field), "{body}: {details}");
    }
    let part = error(site.send(&admin, Method::PATCH, &path, &json!({ "textEn": "Only one text" })).await).await;
    assert_eq!(part.0, 400, "the fields of a banner are changed together");
    site.finish().await;
}

#[actix_web::test]
async fn first_purchase_gives_the_shown_bonus() {
    let site = open_shop().await;
    let (admin, ann) = (site.admin().await, site.person().await);
    let item = new_item(&site, &admin).await;
    let bonus = json!({ "name": "First", "kind": "FirstPurchase", "percent": 25 });
    done(&site, &admin, Method::POST, ADMIN, bonus).await;
    for who in [&Browser::default(), &ann] {
        assert_eq!(read(&site, who, CURRENT).await["firstPurchasePercent"], json!(25));
    }
    let quote = format!("{ORDER}/quote");
    let quoted = done(&site, &ann, Method::POST, &quote, json!({ "itemId": item, "country": "KR" })).await;
    let expected = json!({
        "amount": 9_900, "currency": "KRW", "listAmount": null, "percentOff": null, "couponCode": null,
        "credits": 10_000, "bonusCredits": 2_500,
    });
    assert_eq!(quoted, expected);
    let before = read(&site, &ann, "/api/general/credit").await["available"].as_i64().expect("credits");
    let body = json!({ "itemId": item, "country": "KR", "amount": 9_900, "isAgreed": true });
    let order = done(&site, &ann, Method::POST, ORDER, body).await;
    let order = paid(&site, &ann, &order).await;
    assert_eq!((&order["status"], &order["bonusCredits"]), (&json!("Paid"), &json!(2_500)));
    assert_eq!(read(&site, &ann, "/api/general/credit").await["available"], json!(before + 12_500));
    assert_eq!(read(&site, &ann, CURRENT).await["firstPurchasePercent"], Value::Null, "it was the first");

    let path = format!("/api/admin/order/{}", text(&order, "_id"));
    let ask = json!({ "amount": 990, "credits": 0, "reason": "a complaint" });
    let part = done(&site, &admin, Method::POST, &format!("{path}/refund"), ask).await;
    assert_eq!((&part["refundedBonusCredits"], &part["refunds"][0]["bonusCredits"]), (&json!(250), &json!(250)));
    site.finish().await;
}

#[actix_web::test]
async fn code_lowers_the_price_of_a_purchase() {
    let site = open_shop().await;
    let (admin, ann) = (site.admin().await, site.person().await);
    let item = new_item(&site, &admin).await;
    let benefit = json!({ "kind": "PercentOff", "amount": null, "plan": null, "days": null, "percent": 20 });
    let coupon = json!({ "name": "Spring", "benefit": benefit, "code": "SPRING-20" });
    let coupon = done(&site, &admin, Method::POST, "/api/admin/coupon", coupon).await;
    assert_eq!(coupon["benefit"], benefit);
    let (status, code, _) = refused(&site, &ann, "/api/general/coupon", json!({ "code": "SPRING-20" })).await;
    assert_eq!((status, code.as_str()), (409, "COUPON_FOR_PURCHASES"));

    let purchase = |amount: i64| {
        json!({
            "itemId": item, "country": "KR", "code": "spring 20", "amount": amount, "isAgreed": true,
        })
    };
    let (status, code, details) = refused(&site, &ann, ORDER, purchase(9_900)).await;
    assert_eq!((status, code.as_str()), (409, "PRICE_CHANGED"));
    assert_eq!(details, json!({ "amount": 7_920, "currency": "KRW" }));
    let order = done(&site, &ann, Method::POST, ORDER, purchase(7_920)).await;
    let order = paid(&site, &ann, &order).await;
    let shown = (&order["amount"], &order["listAmount"], &order["percentOff"], &order["couponCode"]);
    assert_eq!(shown, (&json!(7_920), &json!(9_900), &json!(20), &json!("SPRING-20")));
    let (status, code, _) = refused(&site, &ann, ORDER, purchase(7_920)).await;
    assert_eq!((status, code.as_str()), (409, "COUPON_USED"));
    let uses = read(&site, &ann, "/api/general/coupon").await;
    assert_eq!((&uses["items"][0]["benefit"], &uses["items"][0]["until"]), (&benefit, &Value::Null));
    let file = site.get(&admin, "/api/admin/order.csv").await.text().await.expect("a whole file");
    assert!(file.contains(",Starter,10000,7920,KRW,Test,Paid,0,"), "{file}");
    assert!(file.ends_with(",9900,20,SPRING-20,0,Payment\r\n"), "{file}");
    site.finish().await;
}
