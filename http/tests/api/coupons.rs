//! Coupons: made by admins, redeemed by users, and their codes as a file.

use reqwest::Method;
use serde_json::{Value, json};

use crate::calls::{done, read};
use crate::site::{Browser, Site, error, text};

const ADMIN: &str = "/api/admin/coupon";
const OWN: &str = "/api/general/coupon";

async fn refused(site: &Site, who: &Browser, method: Method, path: &str, body: Value) -> (u16, String, Value) {
    let (status, code, body) = error(site.send(who, method, path, &body).await).await;
    (status, code, body["details"].clone())
}

fn credits(amount: i64) -> Value {
    json!({ "kind": "Credits", "amount": amount, "plan": null, "days": 90, "percent": null })
}

#[actix_web::test]
async fn coupon_is_made_redeemed_and_switched_off() {
    let site = Site::start().await;
    let (admin, ann, bob) = (site.admin().await, site.person().await, site.person().await);
    let new = json!({ "name": "Welcome", "benefit": credits(5000), "code": "Welcome-2026" });
    let coupon = done(&site, &admin, Method::POST, ADMIN, new.clone()).await;
    let id = text(&coupon, "_id");
    let expected = json!({
        "_id": id, "name": "Welcome", "benefit": credits(5000), "code": "WELCOME-2026", "codeCount": 1,
        "usesPerAccount": 1, "maxUses": null, "useCount": 0, "startsAt": null, "endsAt": null, "isActive": true,
        "createdAt": "2026-01-01T00:00:00Z",
    });
    assert_eq!(coupon, expected);
    let (status, code, _) = refused(&site, &admin, Method::POST, ADMIN, new).await;
    assert_eq!((status, code.as_str()), (409, "COUPON_CODE_TAKEN"));

    let before = read(&site, &ann, "/api/general/credit").await["available"].as_i64().expect("credits");
    let used = done(&site, &ann, Method::POST, OWN, json!({ "code": "welcome 2026" })).await;
    let expected = json!({
        "_id": used["_id"], "name": "Welcome", "code": "WELCOME-2026", "benefit": credits(5000),
        "usedAt": "2026-01-01T00:00:00Z", "until": "2026-04-01T00:00:00Z",
    });
    assert_eq!(used, expected);
    let credit = read(&site, &ann, "/api/general/credit").await;
    assert_eq!(credit["available"], json!(before + 5000));
    let (status, code, _) = refused(&site, &ann, Method::POST, OWN, json!({ "code": "WELCOME2026" })).await;
    assert_eq!((status, code.as_str()), (409, "COUPON_USED"));
    assert_eq!(read(&site, &ann, OWN).await, json!({ "items": [used], "nextCursor": null }));
    assert_eq!(read(&site, &bob, OWN).await["items"], json!([]), "another user's uses");
    let export = read(&site, &ann, "/api/auth/me/export").await;
    assert_eq!(export["couponUses"], json!([used]));

    let uses = read(&site, &admin, &format!("{ADMIN}/{id}/use")).await;
    assert_eq!((&uses["items"][0]["code"], &uses["items"][0]["user"]["name"]), (&json!("WELCOME-2026"), &json!("Ann")));
    let path = format!("{ADMIN}/{id}");
    let off = done(&site, &admin, Method::PATCH, &path, json!({ "isActive": false, "maxUses": 7 })).await;
    assert_eq!((&off["isActive"], &off["maxUses"], &off["useCount"]), (&json!(false), &json!(7), &json!(1)));
    let (status, code, _) = refused(&site, &bob, Method::POST, OWN, json!({ "code": "WELCOME2026" })).await;
    assert_eq!((status, code.as_str()), (404, "COUPON_UNKNOWN"));
    let free = done(&site, &admin, Method::PATCH, &path, json!({ "maxUses": null })).await;
    assert_eq!((&free["isActive"], &free["maxUses"]), (&json!(false), &Value::Null), "what is left out stays");
    let log = read(&site, &admin, &format!("/api/admin/audit?target={id}")).await;
    let actions: Vec<String> =
        log["items"].as_array().expect("a log").iter().map(|line| text(line, "action")).collect();
    assert_eq!(actions, ["coupon.change", "coupon.change", "coupon.create"]);
    assert_eq!(log["items"][1]["after"], json!({ "isActive": false, "maxUses": 7 }));

    let found = async |query: &str| read(&site, &admin, &format!("{ADMIN}?{query}")).await["items"].clone();
    assert_eq!(found("search=wel-come2026").await, json!([free]));
    assert_eq!(found("search=elco&isActive=false").await, json!([free]));
    assert_eq!(found("isActive=true").await, json!([]));
    site.finish().await;
}

#[actix_web::test]
async fn codes_are_a_file_with_their_uses() {
    let site = Site::start().await;
    let (admin, ann) = (site.admin().await, site.person().await);
    let new = json!({ "name": "Fair", "benefit": credits(1), "codeCount": 1200 });
    let coupon = done(&site, &admin, Method::POST, ADMIN, new).await;
    let shown = (&coupon["code"], &coupon["codeCount"], &coupon["maxUses"]);
    assert_eq!(shown, (&Value::Null, &json!(1200), &json!(1200)));
    let path = format!("{ADMIN}/{}/code.csv", text(&coupon, "_id"));
    let file = async || {
        let answer = site.get(&admin, &path).await;
        assert_eq!(answer.status(), 200);
        assert_eq!(answer.headers()["content-type"], "text/csv; charset=utf-8");
        let disposition = answer.headers()["content-disposition"].to_str().expect("text").to_owned();
        assert!(disposition.starts_with("attachment; filename=\"coupon-"), "{disposition}");
        answer.text().await.expect("a whole file")
    };
    let before = file().await;
    let lines: Vec<&str> = before.split("\r\n").collect();
    assert_eq!((lines[0], lines.len(), lines[1201]), ("code,usedAt,usedBy", 1202, ""));
    let code = lines[1000].trim_end_matches(',');
    assert_eq!(lines[1000], format!("{code},,"));
    done(&site, &ann, Method::POST, OWN, json!({ "code": code.to_lowercase() })).await;
    let (status, said, _) = refused(&site, &admin, Method::POST, OWN, json!({ "code": code })).await;
    assert_eq!((status, said.as_str()), (409, "COUPON_USED_UP"));
    let after = file().await;
    assert_eq!(after.split("\r\n").nth(1000), Some(format!("{code},2026-01-01T00:00:00Z,{}", ann.email).as_str()));

    // An address that a spreadsheet would take for a formula.
    sqlx::query("UPDATE users SET email = '=1+1@example.com' WHERE email = $1")
        .bind(&ann.email)
        .execute(&site.core.db)
        .await
        .expect("an address");
    assert!(file().await.contains(&format!("{code},2026-01-01T00:00:00Z,'=1+1@example.com\r\n")));
    assert_eq!(error(site.get(&ann, &path).await).await.0, 403, "another user's file");
    assert_eq!(error(site.get(&Browser::default(), &path).await).await.0, 401);
    let gone = format!("{ADMIN}/{}/code.csv", uuid::Uuid::now_v7());
    assert_eq!(error(site.get(&admin, &gone).await).await.0, 404);
    site.finish().await;
}

#[actix_web::test]
async fn refusals_have_codes_and_details() {
    let site = Site::start().await;
    let (admin, ann) = (site.admin().await, site.person().await);
    let later = json!({
        "name": "Later", "benefit": credits(1), "code": "LATER", "startsAt": "2026-02-01T00:00:00Z",
        "endsAt": "2026-03-01T00:00:00Z",
    });
    done(&site, &admin, Method::POST, ADMIN, later).await;
    let plan = |plan: &str| json!({ "kind": "Plan", "plan": plan, "amount": null, "days": 30, "percent": null });
    for (code, name) in [("STANDARD", "Standard"), ("PROPLAN", "Pro")] {
        done(&site, &admin, Method::POST, ADMIN, json!({ "name": name, "benefit": plan(name), "code": code })).await;
    }
    let used = done(&site, &ann, Method::POST, OWN, json!({ "code": "standard" })).await;
    assert_eq!((&used["benefit"], &used["until"]), (&plan("Standard"), &json!("2026-01-31T00:00:00Z")));
    let subscription = read(&site, &ann, "/api/auth/me/subscription").await;
    assert!(subscription.to_string().contains("Standard"), "{subscription}");
    let until = json!({ "plan": "Standard", "until": "2026-01-31T00:00:00Z" });
    for (code, status, expected, details) in [
        ("LATER", 409, "COUPON_NOT_STARTED", json!({ "startsAt": "2026-02-01T00:00:00Z" })),
        ("PROPLAN", 409, "COUPON_PLAN_NOT_NOW", until),
        ("NONE", 404, "COUPON_UNKNOWN", Value::Null),
    ] {
        let answer = refused(&site, &ann, Method::POST, OWN, json!({ "code": code })).await;
        assert_eq!(answer, (status, expected.to_owned(), details));
    }

    let new = |change: Value| {
        let mut new = json!({ "name": "New", "benefit": credits(1), "code": "NEWCODE" });
        for (key, value) in change.as_object().expect("fields") {
            new[key] = value.clone();
        }
        new
    };
    for (change, field) in [
        (json!({ "codeCount": 1 }), "code"),
        (json!({ "code": null }), "code"),
        (json!({ "code": "a b c d" }), "code"),
        (json!({ "endsAt": "2025-01-01T00:00:00Z" }), "endsAt"),
        (json!({ "benefit": { "kind": "Credits" } }), "benefit.amount"),
        (json!({ "benefit": { "kind": "Plan", "plan": "Pro" } }), "benefit.days"),
        (json!({ "benefit": { "kind": "Plan", "days": 1, "amount": 1 } }), "benefit.amount"),
        (json!({ "benefit": { "kind": "Percent", "amount": 1 } }), "benefit.kind"),
        (json!({ "benefit": { "kind": "PercentOff" } }), "benefit.percent"),
        (json!({ "benefit": { "kind": "PercentOff", "percent": 91 } }), "benefit.percent"),
        (json!({ "benefit": { "kind": "PercentOff", "percent": 10, "days": 1 } }), "benefit.days"),
        (json!({ "benefit": { "kind": "Credits", "amount": 1, "percent": 10 } }), "benefit.percent"),
    ] {
        let (status, code, details) = refused(&site, &admin, Method::POST, ADMIN, new(change.clone())).await;
        assert_eq!((status, code.as_str()), (400, "VALIDATION_FAILED"), "{change}");
        assert_eq!(details[0]["field"], json!(field), "{change}: {details}");
    }
    assert_eq!(refused(&site, &admin, Method::POST, ADMIN, new(json!({ "percent": 10 }))).await.0, 400);
    assert_eq!(refused(&site, &ann, Method::POST, ADMIN, new(json!({}))).await.0, 403);
    site.finish().await;
}

#[actix_web::test]
async fn guesses_of_an_account_are_limited() {
    let site = Site::start().await;
    let ann = site.person().await;
    for _ in 0..20 {
        assert_eq!(refused(&site, &ann, Method::POST, OWN, json!({ "code": "WRONG" })).await.0, 404);
    }
    let answer = site.send(&ann, Method::POST, OWN, &json!({ "code": "WRONG" })).await;
    assert!(answer.headers().contains_key("retry-after"));
    assert_eq!(error(answer).await.1, "RATE_LIMITED");
    site.finish().await;
}
