//! Rate limits.

use reqwest::Method;

use crate::site::{Browser, Site, error};

#[actix_web::test]
async fn rate_limited_request_gets_retry_after() {
    let site = Site::start().await;
    let burst = site.core.settings.limits.requests_per_minute_per_address / 6;
    let mut refused = None;
    for _ in 0..burst * 2 {
        let response = site.ask(Method::GET, "/api/public/mini-app").send().await.unwrap();
        assert_eq!(response.headers()["ratelimit-limit"], burst.to_string().as_str());
        if response.status() == 429 {
            refused = Some(response);
            break;
        }
    }
    let refused = refused.expect("the limit holds");
    assert!(refused.headers()["retry-after"].to_str().unwrap().parse::<u64>().unwrap() >= 1);
    assert_eq!(refused.headers()["ratelimit-remaining"], "0");
    let (_, code, _) = error(refused).await;
    assert_eq!(code, "RATE_LIMITED");
    // Sign-in counts for the account, so another client at the address cannot lock out signed-in users.
    let page = site.get(&Browser::default(), "/").await.status();
    assert!(page != 429, "pages are not counted");
    site.finish().await;
}
