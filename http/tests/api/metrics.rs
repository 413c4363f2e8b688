//! Who may read `/metrics`.

use reqwest::Method;

use crate::site::{Browser, Site, error, text};

#[actix_web::test]
async fn proxied_metrics_need_an_admin() {
    let site = Site::start().await;
    let (person, admin) = (site.person().await, site.admin().await);
    let through_proxy =
        |who: &Browser| who.sign(site.ask(Method::GET, "/metrics")).header("X-Forwarded-For", "192.0.2.7").send();
    let (status, code, _) = error(through_proxy(&Browser::default()).await.expect("an answer")).await;
    assert_eq!((status, code.as_str()), (404, "NOT_FOUND"), "strangers are not told that it is there");
    assert_eq!(error(through_proxy(&person).await.expect("an answer")).await.0, 403);
    let own = through_proxy(&admin).await.expect("an answer");
    assert_eq!(own.status(), 200);

    let key: serde_json::Value = site
        .send(&admin, Method::POST, "/api/general/api-key", &serde_json::json!({ "name": "prometheus" }))
        .await
        .json()
        .await
        .expect("JSON");
    let keyed = site.ask(Method::GET, "/metrics").header("X-Forwarded-For", "192.0.2.7");
    let keyed = keyed.bearer_auth(text(&key, "key")).send().await.expect("an answer");
    assert_eq!(keyed.status(), 200, "Prometheus sends the key as a bearer token");

    let local = site.ask(Method::GET, "/metrics").send().await.expect("an answer");
    assert_eq!(local.status(), 200, "this machine itself may read without a key");
    assert!(local.headers()["content-type"].to_str().expect("text").starts_with("text/plain; version=0.0.4"));
    let told = local.text().await.expect("a text");
    assert!(
        told.contains("verdigraph_http_requests_total{route=\"/metrics\",method=\"GET\",status=\"404\"} 1"),
        "{told}"
    );
    assert!(told.contains("\nverdigraph_database_up 1\n"), "{told}");
    site.finish().await;
}

#[actix_web::test]
async fn connection_beyond_the_limit_is_refused() {
    let site = Site::with(|settings| settings.limits.connections_per_node = 1).await;
    assert_eq!(site.get(&Browser::default(), "/api/public/mini-app").await.status(), 200);
    // The first client's connection is kept alive; another client needs its own.
    let other = reqwest::Client::builder().no_proxy().build().expect("a client");
    let refused = other.get(format!("{}/api/public/mini-app", site.url)).send().await.expect("an answer");
    assert_eq!(refused.status(), 503);
    assert_eq!(
        (&refused.headers()["retry-after"], &refused.headers()["connection"]),
        (&"5".parse().expect("a header"), &"close".parse().expect("a header"))
    );
    assert_eq!(error(refused).await.1, "UNAVAILABLE");
    assert_eq!(site.get(&Browser::default(), "/api/public/mini-app").await.status(), 200);
    site.finish().await;
}
