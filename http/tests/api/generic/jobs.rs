//! Jobs, which only their owner sees.

use reqwest::Method;
use serde_json::{Value, json};

use super::town;
use crate::site::text;

#[actix_web::test]
async fn jobs_are_filtered_by_id_status_and_time() {
    let town = town().await;
    let (owner, other) = (town.person("owner"), town.person("other"));
    let (_running, _folder) = crate::jobs::with_idle_worker(&town.site).await;
    let mut ids = Vec::new();
    for seed in [1, 2] {
        let submitted =
            crate::jobs::submit(&town.site, owner, &crate::jobs::prompt(seed), &format!("job-{seed}")).await;
        assert_eq!(submitted.status(), 201);
        ids.push(text(&submitted.json().await.expect("a job"), "_id"));
    }
    let named = json!({ "_id": { "$in": [ids[0]] } }).to_string();
    let to_come = json!({ "createdAt": { "$gte": "2100-01-01T00:00:00Z" } }).to_string();
    for (who, filter, expected) in [
        (owner, "{}", 2),
        (owner, named.as_str(), 1),
        (owner, to_come.as_str(), 0),
        (owner, r#"{"status":"InvalidPrompt,UnknownError"}"#, 0),
        (other, named.as_str(), 0),
    ] {
        let path = format!("/api/general/job/count?filter={filter}");
        let count: Value = town.site.get(who, &path).await.json().await.expect("a count");
        assert_eq!(count["count"], expected, "{filter}: {count}");
        let list: Value =
            town.site.get(who, &format!("/api/general/job?filter={filter}")).await.json().await.expect("a list");
        assert_eq!(list["items"].as_array().map(Vec::len), usize::try_from(expected).ok(), "{filter}: {list}");
    }
    let stats: Value = town.site.get(owner, "/api/general/job/stats").await.json().await.expect("stats");
    assert_eq!(stats["total"], 2, "{stats}");
    for id in &ids {
        town.site.send(owner, Method::POST, &format!("/api/general/job/{id}/cancel"), &json!({})).await;
    }
    town.site.finish().await;
}
