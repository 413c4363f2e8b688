//! Calls whose response a test expects to be good.

use reqwest::Method;
use serde_json::Value;

use crate::site::{Browser, Site};

/// The JSON at a path.
pub async fn read(site: &Site, who: &Browser, path: &str) -> Value {
    let answer = site.get(who, path).await;
    assert_eq!(answer.status(), 200, "{path}: {:?}", answer.text().await);
    answer.json().await.expect("JSON")
}

/// What a request with this body gives.
pub async fn done(site: &Site, who: &Browser, method: Method, path: &str, body: Value) -> Value {
    let answer = site.send(who, method, path, &body).await;
    let status = answer.status();
    let said = answer.text().await.unwrap_or_default();
    assert!(status.is_success(), "{path} {body}: {status} {said}");
    serde_json::from_str(&said).unwrap_or_default()
}
