//! Posts: an app's tags, and visits by the other creators.

use reqwest::Method;
use serde_json::{Value, json};

use crate::cli::client::{Client, text_at};
use crate::cli::failure::Failure;

/// The ids of tags, by their English names.
pub async fn tag_ids(client: &Client, names: &[String]) -> Result<Vec<String>, Failure> {
    let tree = client.get("/api/public/workflow-tag").await?;
    let tags = tree.get("items").and_then(Value::as_array).cloned().unwrap_or_default();
    let id_of = |name: &String| {
        let tag = tags.iter().find(|tag| text_at(tag, "name").as_ref() == Some(name));
        tag.and_then(|tag| text_at(tag, "_id")).ok_or_else(|| Failure::server(format!("there is no tag {name}")))
    };
    names.iter().map(id_of).collect()
}

/// Views and runs a post as this user, and likes it if they do not yet.
pub async fn enjoy(client: &Client, workflow: &str) -> Result<(), Failure> {
    let path = format!("/api/general/workflow/{workflow}");
    let seen = client.get(&path).await?;
    client.send(Method::PATCH, &format!("{path}/launch"), &json!({})).await?;
    if seen.get("isLiked").and_then(Value::as_bool) == Some(false) {
        client.send(Method::POST, &format!("/api/general/workflow-like/{workflow}"), &json!({})).await?;
    }
    Ok(())
}

/// Adds a post to the basic workflows, as an admin.
pub async fn choose(admin: &Client, workflow: &str) -> Result<(), Failure> {
    let body = json!({ "isBasic": true });
    admin.send(Method::PATCH, &format!("/api/general/workflow/{workflow}"), &body).await?;
    Ok(())
}
