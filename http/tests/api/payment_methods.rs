//! Payment methods: saving cards at the test provider, the default one, and removal.

use reqwest::Method;
use serde_json::{Value, json};

use crate::calls::{done, read};
use crate::site::{Browser, Site, error, text};

const METHODS: &str = "/api/general/payment-method";
const START: &str = "2026-01-01T00:00:00Z";

async fn open_shop() -> Site {
    Site::with(|settings| settings.payments.test_provider = true).await
}

async fn refused(site: &Site, who: &Browser, method: Method, path: &str, body: Value) -> (u16, String) {
    let (status, code, _) = error(site.send(who, method, path, &body).await).await;
    (status, code)
}

/// Saves a test card, and returns its view.
pub async fn saved(site: &Site, who: &Browser, country: &str) -> Value {
    let opened = done(site, who, Method::POST, METHODS, json!({ "country": country })).await;
    let id = text(&opened, "_id");
    let page = text(&opened, "page");
    let card = format!("/api/public{page}");
    let back = format!("/account?tab=payment&method={id}");
    let expected = json!({ "_id": id, "page": page, "toss": null, "hasCardForm": false });
    assert_eq!(opened, expected);
    let complete = format!("{METHODS}/{id}/complete");
    let early = refused(site, who, Method::POST, &complete, json!({})).await;
    assert_eq!(early, (409, "PAYMENT_METHOD_NOT_READY".to_owned()));

    let card_id = page.strip_prefix("/test-card/").expect("a page of the test provider");
    let shown = read(site, who, &card).await;
    assert_eq!(shown, json!({ "_id": card_id, "state": "Created", "cancelUrl": format!("{back}&failed=1") }));
    let answer = format!("{card}/answer");
    let answered = done(site, who, Method::POST, &answer, json!({ "answer": "Works" })).await;
    assert_eq!(answered, json!({ "returnUrl": back }));
    assert_eq!(read(site, who, &card).await["state"], "Saved");
    let again = refused(site, who, Method::POST, &answer, json!({ "answer": "Works" })).await;
    assert_eq!(again, (409, "TEST_PAYMENT_ANSWERED".to_owned()));
    let method = done(site, who, Method::POST, &complete, json!({ "authKey": null })).await;
    assert_eq!(done(site, who, Method::POST, &complete, json!({})).await, method, "a reload changes nothing");
    method
}

#[actix_web::test]
async fn cards_are_saved_listed_and_removed() {
    let site = open_shop().await;
    let (ann, bob) = (site.person().await, site.person().await);
    assert_eq!(read(&site, &ann, METHODS).await, json!({ "methods": [], "hasCardForm": false }));
    let first = saved(&site, &ann, "KR").await;
    let id = text(&first, "_id");
    let expected = json!({
        "_id": id, "provider": "Test", "label": "4330-12**-****-1234", "issuer": "Test", "currency": "KRW",
        "isDefault": true, "createdAt": START,
    });
    assert_eq!(first, expected);
    let second = saved(&site, &ann, "KR").await;
    assert_eq!((&second["isDefault"], &second["currency"]), (&json!(false), &json!("KRW")));
    assert_eq!(read(&site, &ann, METHODS).await["methods"], json!([first, second]));
    assert_eq!(read(&site, &bob, METHODS).await["methods"], json!([]));

    let path = format!("{METHODS}/{id}");
    let default = refused(&site, &ann, Method::DELETE, &path, Value::Null).await;
    assert_eq!(default, (409, "DEFAULT_PAYMENT_METHOD".to_owned()));
    let other = format!("{METHODS}/{}/default", text(&second, "_id"));
    assert_eq!(done(&site, &ann, Method::PUT, &other, Value::Null).await["isDefault"], true);
    for (method, path) in [(Method::DELETE, &path), (Method::PUT, &other)] {
        assert_eq!(refused(&site, &bob, method, path, Value::Null).await, (404, "NOT_FOUND".to_owned()));
    }
    assert_eq!(site.send(&ann, Method::DELETE, &path, &Value::Null).await.status(), 204);
    assert_eq!(refused(&site, &ann, Method::DELETE, &path, Value::Null).await, (404, "NOT_FOUND".to_owned()));
    let left = read(&site, &ann, METHODS).await;
    assert_eq!(left["methods"].as_array().expect("methods").len(), 1);
    site.finish().await;
}

#[actix_web::test]
async fn cards_are_not_saved_without_a_provider_and_not_by_a_form_that_is_off() {
    let site = open_shop().await;
    let ann = site.person().await;
    let opened = done(&site, &ann, Method::POST, METHODS, json!({ "country": "KR" })).await;
    let form = format!("{METHODS}/{}/card", text(&opened, "_id"));
    let mut card = json!({
        "number": "4330123412341234", "passwordDigits": "12", "identityNumber": "900101", "expirationMonth": 12,
        "expirationYear": 2030, "name": "Ann", "email": null, "isAgreed": true,
    });
    assert_eq!(refused(&site, &ann, Method::POST, &form, card.clone()).await, (404, "NOT_FOUND".to_owned()));
    card["isAgreed"] = json!(false);
    assert_eq!(refused(&site, &ann, Method::POST, &form, card).await, (422, "TERMS_NOT_AGREED".to_owned()));
    let dollars = refused(&site, &ann, Method::POST, METHODS, json!({ "country": "Other" })).await;
    assert_eq!(dollars, (409, "BUYING_NOT_SET_UP".to_owned()), "plans in dollars have no cards");
    let wrong = refused(&site, &ann, Method::POST, METHODS, json!({ "country": "Korea" })).await;
    assert_eq!(wrong, (400, "VALIDATION_FAILED".to_owned()));
    site.finish().await;

    let closed = Site::start().await;
    let ann = closed.person().await;
    let refusal = refused(&closed, &ann, Method::POST, METHODS, json!({ "country": "KR" })).await;
    assert_eq!(refusal, (409, "BUYING_NOT_SET_UP".to_owned()));
    closed.finish().await;
}

#[actix_web::test]
async fn export_has_saved_and_removed_cards_without_their_numbers() {
    let site = open_shop().await;
    let ann = site.person().await;
    let first = saved(&site, &ann, "KR").await;
    let second = saved(&site, &ann, "KR").await;
    let path = format!("{METHODS}/{}", text(&second, "_id"));
    assert_eq!(site.send(&ann, Method::DELETE, &path, &json!({})).await.status(), 204);
    done(&site, &ann, Method::POST, METHODS, json!({ "country": "KR" })).await;
    let export = read(&site, &ann, "/api/auth/me/export").await;
    let card = |of: &Value, is_removed: bool| {
        json!({
            "_id": of["_id"], "provider": "Test", "brand": "Test", "lastFour": "1234", "currency": of["currency"],
            "isDefault": of["isDefault"], "isRemoved": is_removed, "createdAt": START,
        })
    };
    assert_eq!(export["savedCards"], json!([card(&second, true), card(&first, false)]));
    assert!(!export.to_string().contains("4330"), "the export has more of a card's number than its end");
    assert_eq!(export["subscriptions"], json!([]));
    site.finish().await;
}
