//! The support chat, and the installation's operator.

use secrecy::SecretString;
use serde_json::{Value, json};

use crate::site::{Browser, Site, error, text};

const SECRET: &str = "4629de5def93d6a2abea6afa9bd5476d9c6cbc04223f9a2f7e517b535dde3e25";

async fn policy_of(site: &Site) -> String {
    let page = site.get(&Browser::default(), "/").await;
    page.headers().get("content-security-policy").expect("a policy").to_str().expect("text").to_owned()
}

#[actix_web::test]
async fn user_gets_a_chat_signature_and_the_policy_allows_the_chat() {
    let site = Site::with(|settings| {
        settings.chat.plugin_key = Some("plugin".to_owned());
        settings.chat.secret = Some(SecretString::from(SECRET));
    })
    .await;
    let (ann, ben) = (site.person().await, site.person().await);
    let member =
        async |who| site.get(who, "/api/auth/me/chat").await.json::<Value>().await.expect("JSON")["member"].clone();
    let (hers, his) = (member(&ann).await, member(&ben).await);
    let id = text(&site.get(&ann, "/api/auth").await.json().await.expect("JSON"), "_id");
    assert_eq!((text(&hers, "memberId"), text(&hers, "pluginKey")), (id, "plugin".to_owned()));
    assert_eq!(text(&hers, "memberHash").len(), 64);
    assert_ne!(hers["memberHash"], his["memberHash"], "a hash of one person opens the chat of another");
    assert!(!hers.to_string().contains(SECRET));
    assert_eq!(error(site.get(&Browser::default(), "/api/auth/me/chat").await).await.0, 401);
    assert!(policy_of(&site).await.contains("script-src 'self' https://cdn.channel.io/"));
    site.finish().await;
}

#[actix_web::test]
async fn unconfigured_chat_adds_no_foreign_hosts() {
    let site = Site::start().await;
    let ann = site.person().await;
    let chat: Value = site.get(&ann, "/api/auth/me/chat").await.json().await.expect("JSON");
    assert_eq!(chat, json!({ "member": null }));
    assert!(!policy_of(&site).await.contains("channel.io"));
    site.finish().await;
}

#[actix_web::test]
async fn operator_is_public() {
    let site = Site::with(|settings| {
        settings.operator.email = Some("help@example.com".to_owned());
        settings.operator.support_desk = Some("https://desk.example/".to_owned());
    })
    .await;
    let told =
        async |who: &Browser| -> Value { site.get(who, "/api/public/operator").await.json().await.expect("JSON") };
    let expected = |desk: Value| {
        json!({
            "name": "Verdigraph", "email": "help@example.com", "termsVersion": "2026-11-21", "outputDays": 30,
            "hasChat": false, "supportDesk": desk,
        })
    };
    assert_eq!(told(&Browser::default()).await, expected(Value::Null));
    assert_eq!(told(&site.person().await).await, expected(Value::Null), "where admins answer is theirs to know");
    assert_eq!(told(&site.admin().await).await, expected(json!("https://desk.example/")));
    site.finish().await;
}
