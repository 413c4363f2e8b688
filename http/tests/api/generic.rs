//! The generic calls: each resource is requested as a guest, another user, the owner and an admin, with valid and
//! invalid queries.

mod jobs;
mod mini_apps;
mod notifications;
mod refused;
mod writes;

use reqwest::Method;
use serde_json::{Value, json};
use verdigraph_core::gallery::{self, factory};
use verdigraph_core::ids::{OutputAssetId, UserId};
use verdigraph_core::{Caller, users, workflows};

use crate::posts;
use crate::site::{Browser, Site, error, text};

/// The callers and their content: of each resource the owner has a public and a private item.
struct Town {
    site: Site,
    people: [(&'static str, Browser); 4],
    owner: UserId,
    workflows: [String; 2],
    pictures: [String; 2],
    inputs: [String; 2],
    /// The other user's comment below the owner's public post, and the owner's answer.
    comments: [String; 2],
}

async fn id_of(site: &Site, who: &Browser) -> UserId {
    text(&site.get(who, "/api/auth").await.json::<Value>().await.expect("a user"), "_id").parse().expect("an id")
}

async fn town() -> Town {
    let site = Site::start().await;
    let (other, owner, admin) = (site.person().await, site.person().await, site.admin().await);
    for who in [&other, &owner] {
        users::confirm(&site.core, &Caller::system(), &who.email).await.expect("a confirmed address");
    }
    let user = id_of(&site, &owner).await;
    let now = site.core.clock.now();
    let public = workflows::workflow(user).name("open").published(now).insert(&site.core.db).await.id;
    let draft = workflows::workflow(user).name("draft").insert(&site.core.db).await.id;
    let outputs = [factory::output(user, now), factory::output(user, now)];
    factory::insert(&site.core.db, &outputs).await;
    let shown: [OutputAssetId; 1] = [outputs[0].id];
    gallery::set_private(&site.core, &Caller::customer(user), &shown, false).await.expect("a publication");
    let mut inputs = Vec::new();
    for (red, is_private) in [(1, false), (2, true)] {
        let body = json!({ "asset": posts::picture(&site, &owner, red).await, "isPrivate": is_private });
        let kept = site.send(&owner, Method::POST, "/api/general/input-asset", &body).await;
        assert_eq!(kept.status(), 201);
        inputs.push(text(&kept.json().await.expect("an input"), "_id"));
    }
    let said = json!({ "workflow": public, "content": "<p>Lovely</p>", "depth": 0 });
    let said = site.send(&other, Method::POST, "/api/general/comment", &said).await.json::<Value>().await;
    let comment = text(&said.expect("a comment"), "_id");
    let answer = json!({ "parent": comment, "content": "<p>Thanks</p>", "depth": 1 });
    let answer = site.send(&owner, Method::POST, "/api/general/comment", &answer).await.json::<Value>().await;
    Town {
        comments: [comment, text(&answer.expect("an answer"), "_id")],
        people: [("guest", Browser::default()), ("other", other), ("owner", owner), ("admin", admin)],
        owner: user,
        workflows: [public.to_string(), draft.to_string()],
        pictures: outputs.map(|output| output.id.to_string()),
        inputs: inputs.try_into().expect("two of them"),
        site,
    }
}

fn prefix(role: &str) -> &'static str {
    if role == "guest" { "public" } else { "general" }
}

impl Town {
    fn person(&self, role: &str) -> &Browser {
        &self.people.iter().find(|(name, _)| *name == role).expect("one of them").1
    }

    /// How many items a filter finds for a role, in the list and in the count; or the status of the error.
    async fn found(&self, role: &str, resource: &str, filter: &str) -> Result<usize, u16> {
        let who = self.person(role);
        let path = format!("/api/{}/{resource}", prefix(role));
        // With the slash that the specification writes.
        let list = self.site.get(who, &format!("{path}/?filter={filter}")).await;
        let count = self.site.get(who, &format!("{path}/count?filter={filter}")).await;
        assert_eq!(list.status(), count.status(), "{role} {path} {filter}: the list and the count disagree");
        if list.status() != 200 {
            return Err(list.status().as_u16());
        }
        let (list, count): (Value, Value) = (list.json().await.expect("a list"), count.json().await.expect("a count"));
        let found = list["items"].as_array().expect("items").len();
        assert_eq!(count["count"], found, "{role} {path} {filter}: {list}");
        assert_eq!(count["isMore"], false);
        Ok(found)
    }
}

#[actix_web::test]
async fn filters_return_only_visible_items() {
    let town = town().await;
    let owner = town.owner;
    let ids = |ids: &[String]| format!(r#"{{"_id":{{"$in":{}}}}}"#, json!(ids));
    let of_owner = format!(r#"{{"user":"{owner}"}}"#);
    let private = format!(r#"{{"user":"{owner}","isPrivate":true}}"#);
    let public = format!(r#"{{"user":"{owner}","isPrivate":false,"createdAt":{{"$gte":"1970-01-01T00:00:00Z"}}}}"#);
    let nothing = r#"{"_id":{"$in":[]}}"#.to_owned();
    let image = r#"{"kind":"Image","isNsfw":false}"#.to_owned();
    let video = r#"{"kind":"Video"}"#.to_owned();
    let app = r#"{"workflowApi":{"$exists":true}}"#.to_owned();
    let tag = format!(r#"{{"workflowTags":"{}"}}"#, posts::TAG);
    let (none, login, forbidden) = (Ok(0), Err(401), Err(403));
    for (resource, filter, expected) in [
        ("workflow", "{}".to_owned(), [Ok(1), Ok(1), Ok(1), Ok(2)]),
        ("workflow", ids(&town.workflows), [Ok(1), Ok(1), Ok(2), Ok(2)]),
        ("workflow", of_owner.clone(), [Ok(1), Ok(1), Ok(2), Ok(2)]),
        ("workflow", private.clone(), [none, none, Ok(1), Ok(1)]),
        ("workflow", public.clone(), [Ok(1), Ok(1), Ok(1), Ok(1)]),
        ("workflow", r#"{"isPrivate":true}"#.to_owned(), [login, none, Ok(1), Ok(1)]),
        ("workflow", nothing.clone(), [none, none, none, none]),
        ("workflow", app, [none, none, none, none]),
        ("workflow", tag, [Ok(1), Ok(1), Ok(1), Ok(2)]),
        ("output-asset", "{}".to_owned(), [Ok(1), Ok(1), Ok(1), Ok(2)]),
        ("output-asset", ids(&town.pictures), [Ok(1), Ok(1), Ok(2), Ok(2)]),
        ("output-asset", of_owner.clone(), [Ok(1), Ok(1), Ok(2), Ok(2)]),
        ("output-asset", private, [none, none, Ok(1), Ok(1)]),
        ("output-asset", public, [Ok(1), Ok(1), Ok(1), Ok(1)]),
        ("output-asset", image, [Ok(1), Ok(1), Ok(1), Ok(2)]),
        ("output-asset", video, [none, none, none, none]),
        ("output-asset", nothing.clone(), [none, none, none, none]),
        ("input-asset", "{}".to_owned(), [Err(404), none, Ok(2), Ok(2)]),
        ("input-asset", ids(&town.inputs), [Err(404), none, Ok(2), Ok(2)]),
        ("input-asset", of_owner, [Err(404), forbidden, Ok(2), Ok(2)]),
        ("input-asset", r#"{"isPrivate":false}"#.to_owned(), [Err(404), none, Ok(1), Ok(1)]),
        ("input-asset", nothing.clone(), [Err(404), none, none, none]),
        ("comment", format!(r#"{{"workflow":"{}"}}"#, town.workflows[0]), [Ok(1), Ok(1), Ok(1), Ok(1)]),
        ("comment", format!(r#"{{"workflow":"{}"}}"#, town.workflows[1]), [none, none, none, none]),
        ("comment", format!(r#"{{"outputAsset":"{}"}}"#, town.pictures[1]), [none, none, none, none]),
        ("comment", format!(r#"{{"parent":"{}","depth":1}}"#, town.comments[0]), [Ok(1), Ok(1), Ok(1), Ok(1)]),
        ("comment", ids(&town.comments), [Ok(2), Ok(2), Ok(2), Ok(2)]),
        ("comment", format!(r#"{{"user":"{owner}"}}"#), [login, forbidden, Ok(1), Ok(1)]),
        ("comment", "{}".to_owned(), [Err(400), Err(400), Err(400), Ok(2)]),
        (
            "comment",
            r#"{"depth":0,"createdAt":{"$lt":"1970-01-01T00:00:00Z"}}"#.to_owned(),
            [Err(400), Err(400), Err(400), none],
        ),
        ("comment", nothing.clone(), [none, none, none, none]),
        // The owner was notified of the comment, the other user of the answer.
        ("notification", "{}".to_owned(), [Err(404), Ok(1), Ok(1), none]),
        ("notification", r#"{"type":"COMMENT","checkedAt":null}"#.to_owned(), [Err(404), Ok(1), Ok(1), none]),
        ("notification", r#"{"checkedAt":{"$exists":true}}"#.to_owned(), [Err(404), none, none, none]),
        ("notification", format!(r#"{{"workflow":"{}"}}"#, town.workflows[0]), [Err(404), Ok(1), Ok(1), none]),
        ("notification", nothing.clone(), [Err(404), none, none, none]),
        ("user", format!(r#"{{"_id":"{owner}"}}"#), [Ok(1), Ok(1), Ok(1), Ok(1)]),
        (
            "user",
            format!(r#"{{"_id":{{"$in":["{owner}","{}"]}}}}"#, uuid::Uuid::now_v7()),
            [Ok(1), Ok(1), Ok(1), Ok(1)],
        ),
        ("user", "{}".to_owned(), [Err(400), Err(400), Err(400), Ok(3)]),
        ("user", nothing, [none, none, none, none]),
        ("workflow-tag", r#"{"parentTag":null}"#.to_owned(), [Ok(6), Ok(6), Ok(6), Ok(6)]),
        (
            "workflow-tag",
            r#"{"depth":1,"parentTag":"01970000-0000-7000-8000-000000000200"}"#.to_owned(),
            [Ok(4), Ok(4), Ok(4), Ok(4)],
        ),
        ("workflow-tag", format!(r#"{{"_id":"{}"}}"#, posts::TAG), [Ok(1), Ok(1), Ok(1), Ok(1)]),
    ] {
        for ((role, _), expected) in town.people.iter().zip(expected) {
            let found = town.found(role, resource, &filter).await;
            assert_eq!(found, expected, "{role} {resource} {filter}");
        }
    }
    town.site.finish().await;
}

#[actix_web::test]
async fn cursor_and_skip_return_the_same_items() {
    let town = town().await;
    let owner = town.person("owner");
    let user = town.owner;
    for resource in ["workflow", "output-asset", "input-asset"] {
        let page = async |options: &str| -> Value {
            let path = format!(r#"/api/general/{resource}/?filter={{"user":"{user}"}}&options={options}"#);
            town.site.get(owner, &path).await.json().await.expect("a page")
        };
        let first = page(r#"{"limit":1,"sort":{"createdAt":1}}"#).await;
        let cursor = first["nextCursor"].as_str().unwrap_or_else(|| panic!("{resource} goes on: {first}"));
        let second = page(&format!(r#"{{"limit":1,"sort":"createdAt","cursor":"{cursor}"}}"#)).await;
        let skipped = page(r#"{"limit":1,"sort":"_id","skip":1}"#).await;
        assert_eq!(second["items"][0]["_id"], skipped["items"][0]["_id"], "{resource}");
        assert_ne!(first["items"][0]["_id"], second["items"][0]["_id"], "{resource}");
        assert_eq!(second["nextCursor"], Value::Null, "{resource}");
        assert_eq!(page(r#"{"skip":10000}"#).await["items"], json!([]), "{resource}");
    }
    for (who, path) in
        [("admin", "/api/general/comment?"), ("admin", "/api/general/user?"), ("guest", "/api/public/workflow-tag?")]
    {
        let page = async |options: &str| -> Value {
            let answer = town.site.get(town.person(who), &format!("{path}options={options}")).await;
            answer.json().await.expect("a page")
        };
        let first = page(r#"{"limit":1,"sort":"-createdAt"}"#).await;
        let cursor = first["nextCursor"].as_str().unwrap_or_else(|| panic!("{path} goes on: {first}"));
        let second = page(&format!(r#"{{"limit":1,"sort":"-createdAt","cursor":"{cursor}"}}"#)).await;
        let skipped = page(r#"{"limit":1,"sort":"-createdAt","skip":1}"#).await;
        assert_eq!(second["items"][0]["_id"], skipped["items"][0]["_id"], "{path}");
        assert_ne!(first["items"][0]["_id"], second["items"][0]["_id"], "{path}");
    }
    town.site.finish().await;
}

#[actix_web::test]
async fn stats_count_own_items_and_for_admins_all() {
    let town = town().await;
    let today = town.site.core.clock.now().date_naive();
    for (resource, own) in [("output-asset", 2), ("input-asset", 2)] {
        for (role, expected) in [("other", 0), ("owner", own), ("admin", own)] {
            let path = format!("/api/general/{resource}/stats");
            let stats: Value = town.site.get(town.person(role), &path).await.json().await.expect("stats");
            assert_eq!(stats["total"], expected, "{role} {resource}");
            let items = stats["items"].as_array().expect("days");
            let last = json!({ "date": today.to_string(), "count": expected });
            assert_eq!((items.len(), items.last()), (30, Some(&last)), "{role} {resource}");
        }
    }
    town.site.finish().await;
}

#[actix_web::test]
async fn private_input_does_not_hide_a_published_picture() {
    let town = town().await;
    let (owner, other) = (town.person("owner"), town.person("other"));
    let input = |id: &str| format!("/api/general/input-asset/{id}");
    let [shown, kept] = &town.inputs;
    let seen: Value = town.site.get(owner, &input(shown)).await.json().await.expect("an input");
    let raw = text(&seen["asset"], "url");
    let status = async |who: &Browser| town.site.get(who, &raw).await.status().as_u16();
    assert_eq!(status(other).await, 200, "it was kept for everybody to see");
    let hidden = town.site.send(owner, Method::PATCH, &input(shown), &json!({ "isPrivate": true })).await;
    assert_eq!(hidden.json::<Value>().await.expect("the input")["isPrivate"], true);
    assert_eq!(status(other).await, 404);
    assert_eq!(status(owner).await, 200);

    // Keeping a picture as private does not hide it in a published workflow.
    let workflow = posts::post(&town.site, owner, "On show").await;
    let workflow: Value =
        town.site.get(owner, &format!("/api/general/workflow/{workflow}")).await.json().await.expect("a post");
    let (cover, url) = (text(&workflow["cover"], "_id"), text(&workflow["cover"], "url"));
    let body = json!({ "asset": cover, "isPrivate": true });
    assert_eq!(town.site.send(owner, Method::POST, "/api/general/input-asset", &body).await.status(), 201);
    assert_eq!(town.site.get(other, &url).await.status(), 200, "a cover vanished from its card");

    let both = format!(r#"/api/general/input-asset?filter={{"_id":{{"$in":["{shown}","{kept}"]}}}}"#);
    let gone = async |who: &Browser| {
        let answer = town.site.send(who, Method::DELETE, &both, &json!({})).await;
        answer.json::<Value>().await.expect("a number")["deletedCount"].clone()
    };
    assert_eq!(gone(other).await, 0);
    assert_eq!(gone(owner).await, 2);
    assert_eq!(town.site.get(owner, &input(kept)).await.status(), 404);
    assert_eq!(status(owner).await, 404, "a picture that was deleted is still given out");
    town.site.finish().await;
}

#[actix_web::test]
async fn read_notification_stays_read() {
    let town = town().await;
    let (owner, other) = (town.person("owner"), town.person("other"));
    let unseen = r#"/api/general/notification/?filter={"checkedAt":null}"#;
    let list: Value = town.site.get(owner, unseen).await.json().await.expect("a list");
    let id = text(&list["items"][0], "_id");
    let path = format!("/api/general/notification/{id}");
    assert_eq!(town.site.get(other, &path).await.status(), 404, "a box is its owner's alone");
    let seen = json!({ "isChecked": true });
    let several = format!(r#"/api/general/notification?filter={{"_id":{{"$in":["{id}"]}}}}"#);
    let checked = async |who: &Browser| {
        let answer = town.site.send(who, Method::PATCH, &several, &seen).await;
        answer.json::<Value>().await.expect("a number")["checkedCount"].clone()
    };
    assert_eq!(checked(other).await, 0);
    assert_eq!(checked(owner).await, 1);
    let one: Value = town.site.send(owner, Method::PATCH, &path, &seen).await.json().await.expect("a notification");
    assert!(one["checkedAt"].is_string(), "{one}");
    assert_eq!(town.found("owner", "notification", r#"{"checkedAt":null}"#).await, Ok(0));
    assert_eq!(town.found("owner", "notification", r#"{"checkedAt":{"$exists":true}}"#).await, Ok(1));
    town.site.finish().await;
}

#[actix_web::test]
async fn only_permitted_users_delete_comments_and_blocked_users_are_hidden() {
    let town = town().await;
    let (owner, other) = (town.person("owner"), town.person("other"));
    let [comment, answer] = &town.comments;
    let below = format!(r#"/api/general/comment/?filter={{"workflow":"{}"}}"#, town.workflows[0]);
    let listed = async |who: &Browser| {
        let list: Value = town.site.get(who, &below).await.json().await.expect("a list");
        list["items"].as_array().expect("items").len()
    };
    let block = json!({ "user": id_of(&town.site, other).await });
    assert_eq!(town.site.send(owner, Method::POST, "/api/general/user-block", &block).await.status(), 204);
    assert_eq!((listed(owner).await, listed(other).await), (0, 1));

    let both = format!(r#"/api/general/comment?filter={{"_id":{{"$in":["{comment}","{answer}"]}}}}"#);
    let gone = async |who: &Browser| {
        let deleted = town.site.send(who, Method::DELETE, &both, &json!({})).await;
        deleted.json::<Value>().await.expect("a number")["deletedCount"].clone()
    };
    assert_eq!(gone(other).await, 1, "the answer is the owner's");
    assert_eq!(gone(owner).await, 1);
    assert_eq!(listed(other).await, 0);
    assert_eq!(town.site.get(other, &format!("/api/general/comment/{comment}")).await.status(), 404);
    town.site.finish().await;
}

#[actix_web::test]
async fn outputs_are_filtered_by_job_and_nsfw_and_sorted_by_likes() {
    let town = town().await;
    let (owner, other, admin) = (town.person("owner"), town.person("other"), town.person("admin"));
    let now = town.site.core.clock.now();
    let more = [factory::output(town.owner, now), factory::output(town.owner, now)];
    factory::insert(&town.site.core.db, &more).await;
    let shown = more.clone().map(|output| output.id);
    gallery::set_private(&town.site.core, &Caller::customer(town.owner), &shown, false).await.expect("a publication");
    let job = format!(r#"{{"job":"{}"}}"#, more[0].job);
    for role in ["guest", "other", "owner", "admin"] {
        assert_eq!(town.found(role, "output-asset", &job).await, Ok(1), "{role}");
    }

    let like = format!("/api/general/output-asset-like/{}", more[0].id);
    assert_eq!(town.site.send(other, Method::POST, &like, &json!({})).await.status(), 200);
    for (options, first) in [
        (r#"{"sort":"-likeCount","limit":1}"#, more[0].id.to_string()),
        (r#"{"sort":{"likeCount":-1},"limit":1}"#, more[0].id.to_string()),
        (r#"{"sort":"-createdAt","limit":1}"#, more[1].id.to_string()),
        (r#"{"sort":"createdAt","limit":1}"#, town.pictures[0].clone()),
    ] {
        let path = format!(r#"/api/public/output-asset/?filter={{"user":"{}"}}&options={options}"#, town.owner);
        let list: Value = town.site.get(other, &path).await.json().await.expect("a list");
        assert_eq!(list["items"][0]["_id"], first.as_str(), "{options}: {list}");
    }

    let one = format!("/api/general/output-asset/{}", more[1].id);
    let marked = town.site.send(admin, Method::PATCH, &one, &json!({ "isNsfw": true })).await;
    assert_eq!(marked.json::<Value>().await.expect("an output")["isNsfw"], true);
    let named = format!(r#"{{"_id":"{}"}}"#, more[1].id);
    let unsafe_ones = format!(r#"{{"user":"{}","isNsfw":true}}"#, town.owner);
    for role in ["guest", "other", "owner", "admin"] {
        assert_eq!(town.found(role, "output-asset", &unsafe_ones).await, Ok(1), "{role} asks for it");
        assert_eq!(town.found(role, "output-asset", &named).await, Ok(1), "{role} has its address");
    }
    let both = town.site.send(owner, Method::PATCH, &one, &json!({ "isNsfw": true, "isPrivate": true })).await;
    assert_eq!(error(both).await.0, 400, "one thing at a time");
    town.site.finish().await;
}

#[actix_web::test]
async fn bulk_edit_changes_only_own_comments() {
    let town = town().await;
    let owner = town.person("owner");
    let [theirs, own] = &town.comments;
    let filter = json!({ "_id": { "$in": [theirs, own] } });
    let path = format!("/api/general/comment?filter={filter}");
    let edited = town.site.send(owner, Method::PATCH, &path, &json!({ "content": "<p>Changed</p>" })).await;
    assert_eq!(edited.status(), 200);
    let edited: Value = edited.json().await.expect("comments");
    assert_eq!((edited["items"].as_array().map(Vec::len), &edited["items"][0]["_id"]), (Some(1), &json!(own)));
    let found: Value = town.site.get(owner, &format!("/api/general/comment/{theirs}")).await.json().await.expect("one");
    assert_eq!(found["content"], "<p>Lovely</p>", "the owner of a post changed another user's comment");
    let (status, ..) = error(town.site.send(owner, Method::PATCH, &path, &json!({ "content": " " })).await).await;
    assert_eq!(status, 400);
    town.site.finish().await;
}

#[actix_web::test]
async fn public_stats_count_only_public_items() {
    let town = town().await;
    let guest = Browser::default();
    let tags = town.found("guest", "workflow-tag", "{}").await.expect("tags");
    for (resource, expected) in [("output-asset", 1), ("comment", 2), ("user", 3), ("workflow-api", 0)] {
        let path = format!("/api/public/{resource}/stats?groupBy=month");
        let stats: Value = town.site.get(&guest, &path).await.json().await.expect("stats");
        assert_eq!(stats["total"], expected, "{resource}: {stats}");
    }
    // The migration created the tags, on the day of its release.
    let long = "/api/public/workflow-tag/stats?startDate=2026-01-01&groupBy=month";
    let stats: Value = town.site.get(&guest, long).await.json().await.expect("stats");
    assert_eq!(stats["total"], tags, "{stats}");
    let profile: Value = town
        .site
        .get(town.person("other"), &format!("/api/general/user/{}", town.owner))
        .await
        .json()
        .await
        .expect("a profile");
    assert_eq!(profile["_id"], town.owner.to_string());
    assert_eq!(town.site.get(&guest, &format!("/api/general/user/{}", town.owner)).await.status(), 401);
    town.site.finish().await;
}
