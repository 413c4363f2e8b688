//! Workers and their agents, for admins and for other callers.

use reqwest::Method;
use serde_json::{Value, json};
use verdigraph_core::fleet::{self, AgentFacts, AgentHello};

use crate::site::{Browser, Site, error, text};

/// The body that adds a worker at this address.
fn at(name: &str, url: &str) -> Value {
    json!({ "name": name, "url": url, "pool": "cpu" })
}

#[actix_web::test]
async fn worker_address_without_credentials_needs_a_session() {
    let site = Site::start().await;
    let admin = site.admin().await;
    for url in ["http://user:pass@10.0.0.5:8188", "http://user@10.0.0.5", "http://:pass@10.0.0.5", "https://@h"] {
        let (status, code, body) =
            error(site.send(&admin, Method::POST, "/api/admin/worker", &at("w", url)).await).await;
        assert_eq!((status, code.as_str()), (422, "WORKER_ADDRESS_CREDENTIALS"), "{url}");
        assert!(!body.to_string().contains("pass@"), "{body}");
    }
    let key = site.send(&admin, Method::POST, "/api/general/api-key", &json!({ "name": "script" })).await;
    let key: Value = key.json().await.expect("a key");
    let program = site.ask(Method::POST, "/api/admin/worker").header("api-key", text(&key, "key"));
    let refused = program.json(&at("w", "http://10.0.0.5:8188")).send().await.expect("an answer");
    let (status, code, _) = error(refused).await;
    assert_eq!((status, code.as_str()), (403, "SESSION_REQUIRED"));
    // As an earlier version stored it.
    sqlx::query(
        "INSERT INTO workers (id, name, url, pool, created_at) VALUES (gen_random_uuid(), 'old', $1, 'cpu', now())",
    )
    .bind("http://user:s3cret@10.0.0.6:8188")
    .execute(&site.core.db)
    .await
    .expect("a worker");
    let added = site.send(&admin, Method::POST, "/api/admin/worker", &at("new", "http://10.0.0.7:8188")).await;
    assert_eq!(added.status(), 201);
    let list = site.get(&admin, "/api/admin/worker").await.text().await.expect("a list");
    assert!(list.contains("http://***@10.0.0.6:8188") && !list.contains("s3cret"), "{list}");
    site.finish().await;
}

#[actix_web::test]
async fn agent_request_without_websocket_is_refused() {
    let site = Site::start().await;
    let admin = site.admin().await;
    let made = json!({ "name": "machines", "pools": ["cpu"] });
    let made: Value =
        site.send(&admin, Method::POST, "/api/admin/agent-token", &made).await.json().await.expect("JSON");
    let token = text(&made, "token");
    let ask = async |token: &str| {
        let request = site.ask(Method::GET, "/api/agent").header(verdigraph_agent::protocol::TOKEN_HEADER, token);
        let response = request.send().await.expect("an answer");
        let upgrade = response.headers().get("upgrade").map(|value| value.to_str().expect("a word").to_owned());
        let (status, code, body) = error(response).await;
        (status, code, upgrade, body.to_string())
    };
    let (status, code, upgrade, _) = ask(&token).await;
    assert_eq!((status, code.as_str(), upgrade.as_deref()), (426, "UPGRADE_REQUIRED", Some("websocket")));
    for wrong in ["", "vga_wrong", "vg_1234"] {
        let (status, code, _, body) = ask(wrong).await;
        assert_eq!((status, code.as_str()), (401, "AGENT_TOKEN_INVALID"), "{wrong}");
        assert!(body.contains("agent token") && !body.contains("api key"), "{body}");
    }
    site.finish().await;
}

#[actix_web::test]
async fn disconnected_agent_is_not_in_the_health() {
    let site = Site::start().await;
    let admin = site.admin().await;
    let made = json!({ "name": "machines", "pools": ["cpu"] });
    let made: Value =
        site.send(&admin, Method::POST, "/api/admin/agent-token", &made).await.json().await.expect("JSON");
    let hello = AgentHello {
        name: "gpu".into(),
        pool: None,
        identity: "a".repeat(64),
        run: "b".repeat(64),
        facts: AgentFacts::default(),
    };
    let come = fleet::connect_agent(&site.core, &text(&made, "token"), hello, |_| Ok(())).await;
    let agent = come.expect("the database").expect("let in");
    let workers = async || {
        let health: Value = site.get(&Browser::default(), "/api/health").await.json().await.expect("JSON");
        health["workers"].as_object().expect("states").values().filter_map(Value::as_u64).sum::<u64>()
    };
    assert_eq!(workers().await, 1);
    fleet::disconnect_agent(&site.core, &agent).await.expect("noted");
    fleet::reconcile(&site.core).await.expect("read again");
    assert_eq!(workers().await, 0, "a machine that is switched off is told of to everybody");
    site.finish().await;
}
