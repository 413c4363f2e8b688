//! Revenue over time, for admins.

use reqwest::Method;
use serde_json::{Value, json};

use crate::calls::{done, read};
use crate::site::{Site, error, text};

const REVENUE: &str = "/api/admin/revenue";

#[actix_web::test]
async fn revenue_has_what_was_paid_and_paid_back_by_period() {
    let site = Site::with(|settings| settings.payments.test_provider = true).await;
    let (admin, ann) = (site.admin().await, site.person().await);
    let pack = json!({ "name": "Starter", "credits": 10_000, "prices": { "KRW": 9_900 } });
    let item = text(&done(&site, &admin, Method::POST, "/api/admin/item", pack).await, "_id");
    let purchase = json!({ "itemId": item, "country": "KR", "isAgreed": true });
    let order = done(&site, &ann, Method::POST, "/api/general/order", purchase).await;
    let page = text(&order, "payAt");
    let payment = page.strip_prefix("/test-payment/").expect("a page of the test provider");
    let answer = json!({ "answer": "Approve" });
    done(&site, &ann, Method::POST, &format!("/api/public/test-payment/{payment}"), answer).await;
    let id = text(&order, "_id");
    done(&site, &ann, Method::POST, &format!("/api/general/order/{id}/complete"), Value::Null).await;
    let part = json!({ "amount": 900, "credits": 0, "reason": "a complaint" });
    done(&site, &admin, Method::POST, &format!("/api/admin/order/{id}/refund"), part).await;

    let row = json!({
        "period": "2026-01-01", "provider": "Test", "currency": "KRW", "kind": "Credit",
        "orders": 1, "paid": 9_900, "refunded": 900, "net": 9_000,
    });
    let days = read(&site, &admin, &format!("{REVENUE}?from=2025-12-31&until=2026-01-01")).await;
    assert_eq!(days, json!({ "periods": ["2025-12-31", "2026-01-01"], "rows": [row] }));
    let months = read(&site, &admin, &format!("{REVENUE}?from=2025-12-15&until=2026-02-15&groupBy=month")).await;
    assert_eq!(months, json!({ "periods": ["2025-12-01", "2026-01-01", "2026-02-01"], "rows": [row] }));
    let usual = read(&site, &admin, REVENUE).await;
    assert_eq!(usual["periods"].as_array().map(Vec::len), Some(30));
    let file = site.get(&admin, &format!("{REVENUE}.csv?groupBy=month")).await;
    assert_eq!(file.headers()["content-type"], "text/csv; charset=utf-8");
    let expected = "period,provider,currency,kind,orders,paid,refunded,net\r\n\
                    2026-01-01,Test,KRW,Credit,1,9900,900,9000\r\n";
    assert_eq!(file.text().await.expect("a whole file"), expected);

    for (query, field) in [
        ("?from=2026-01-02&until=2026-01-01", "until"),
        ("?from=2020-01-01&until=2026-01-01", "from"),
        ("?from=yesterday", "from"),
        ("?groupBy=year", "groupBy"),
    ] {
        let (status, _, body) = error(site.get(&admin, &format!("{REVENUE}{query}")).await).await;
        assert_eq!((status, &body["details"][0]["field"]), (400, &json!(field)), "{query}");
    }
    site.finish().await;
}
