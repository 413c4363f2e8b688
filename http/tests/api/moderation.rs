//! Reports, the moderation queue, bans and the audit log.

use reqwest::Method;
use serde_json::{Value, json};

use crate::calls::{done, read};
use crate::jobs::{ended, prompt, submit, with_worker};
use crate::posts::post;
use crate::site::{Browser, Site, error, text};
use crate::workflows::workflow;

async fn refused(site: &Site, who: &Browser, method: Method, path: &str, body: Value) -> (u16, String, Value) {
    error(site.send(who, method, path, &body).await).await
}

async fn report(site: &Site, who: &Browser, kind: &str, id: &str) -> Value {
    let body = json!({ "kind": kind, "id": id, "reason": "Hate", "text": "look at it" });
    done(site, who, Method::POST, "/api/general/report", body).await
}

async fn own_id(site: &Site, who: &Browser) -> String {
    text(&read(site, who, "/api/auth").await, "_id")
}

/// A user's notices, newest first.
async fn notices(site: &Site, who: &Browser) -> Vec<String> {
    let list = read(site, who, "/api/general/notification-box/list/NOTICE/20").await;
    list["items"].as_array().expect("a list").iter().map(|item| text(&item["title"], "workflow")).collect()
}

#[actix_web::test]
async fn decision_hides_the_post_bans_the_author_and_notifies() {
    let site = Site::start().await;
    let (author, reporter, admin) = (site.person().await, site.person().await, site.admin().await);
    let id = post(&site, &author, "Boats").await;
    let first = report(&site, &reporter, "Workflow", &id).await;
    let again = report(&site, &reporter, "Workflow", &id).await;
    assert_eq!((&first["_id"], &first["reason"]), (&again["_id"], &json!("Hate")), "one open report for each person");

    let queue = read(&site, &admin, "/api/admin/moderation?state=Open&kind=Workflow&sort=mostReported").await;
    let case = &queue["items"][0];
    assert_eq!((&case["target"], &case["openReports"], &case["state"]), (&json!(id), &json!(1), &json!("Open")));
    assert_eq!((&case["seen"]["title"], &case["seen"]["picture"]["kind"]), (&json!("Boats"), &json!("image")));
    assert!(case["author"]["name"].is_string() && case["author"].get("email").is_none());
    let path = format!("/api/admin/moderation/{}", text(case, "_id"));
    let detail = read(&site, &admin, &path).await;
    assert_eq!((&detail["reports"][0]["text"], &detail["now"]["title"]), (&json!("look at it"), &json!("Boats")));
    assert_eq!((&detail["history"], &detail["authorBan"]), (&json!([]), &Value::Null));

    let decision = json!({
        "revision": detail["revision"], "verdict": "Hide", "warning": "not here", "ban": { "days": 7, "reason": "hate" },
    });
    let decide = format!("{path}/decide");
    let hidden = done(&site, &admin, Method::POST, &decide, decision.clone()).await;
    assert_eq!((&hidden["state"], &hidden["openReports"]), (&json!("Hidden"), &json!(0)));
    let (status, code, _) = refused(&site, &admin, Method::POST, &decide, decision).await;
    assert_eq!((status, code.as_str()), (409, "CASE_CHANGED"), "the second of two admins is told");
    assert_eq!(site.get(&Browser::default(), &format!("/api/public/workflow/{id}")).await.status(), 404);
    assert_eq!(notices(&site, &reporter).await, ["We have looked at your report"]);
    assert_eq!(notices(&site, &author).await.len(), 3, "the verdict, the warning and the ban");

    let me = read(&site, &author, "/api/auth").await;
    assert_eq!((&me["ban"]["reason"], &me["ban"]["until"]), (&json!("hate"), &json!("2026-01-08T00:00:00Z")));
    let other = post(&site, &reporter, "Trees").await;
    let comment = json!({ "workflow": other, "content": "<p>hello</p>" });
    let (status, code, body) = refused(&site, &author, Method::POST, "/api/general/comment", comment.clone()).await;
    assert_eq!((status, code.as_str()), (403, "ACCOUNT_BANNED"));
    assert_eq!(body["details"], json!({ "until": "2026-01-08T00:00:00Z", "reason": "hate" }));
    assert_eq!(site.get(&author, "/api/general/workflow").await.status(), 200, "reading goes on");

    let person = own_id(&site, &author).await;
    let standing = read(&site, &admin, &format!("/api/admin/user/{person}")).await;
    let history: Vec<String> = standing["history"].as_array().unwrap().iter().map(|line| text(line, "kind")).collect();
    assert_eq!(history, ["Ban", "Warn", "Hide"]);
    assert_eq!(
        site.send(&admin, Method::DELETE, &format!("/api/admin/user/{person}/ban"), &json!({})).await.status(),
        204
    );
    assert_eq!(read(&site, &author, "/api/auth").await["ban"], Value::Null);
    done(&site, &author, Method::POST, "/api/general/comment", comment).await;

    let log = read(&site, &admin, &format!("/api/admin/audit?target={person}")).await;
    let lines: Vec<String> = log["items"].as_array().unwrap().iter().map(|line| text(line, "action")).collect();
    assert_eq!(lines, ["user.unban", "case.hide"]);
    let line = &log["items"][1];
    assert_eq!((&line["before"], &line["after"]["state"]), (&json!({ "state": "Open" }), &json!("Hidden")));
    assert_eq!(line["after"]["title"], "Boats", "the line does not say what was hidden");
    assert_eq!(line["person"]["_id"], json!(person));
    assert!(line["requestId"].is_string() && line["address"].is_string(), "{line}");
    site.finish().await;
}

#[actix_web::test]
async fn only_admins_see_and_find_a_hidden_comment() {
    let site = Site::start().await;
    let (author, reporter, admin) = (site.person().await, site.person().await, site.admin().await);
    let place = post(&site, &reporter, "Trees").await;
    let said = json!({ "workflow": place, "content": "<p>rude words</p>" });
    let comment = done(&site, &author, Method::POST, "/api/general/comment", said).await;
    assert_eq!(comment["isHidden"], json!(false));
    report(&site, &reporter, "Comment", &text(&comment, "_id")).await;
    let queue = read(&site, &admin, "/api/admin/moderation?kind=Comment").await;
    let path = format!("/api/admin/moderation/{}", text(&queue["items"][0], "_id"));
    let detail = read(&site, &admin, &path).await;
    assert_eq!((&detail["workflow"], &detail["seen"]["content"]), (&json!(place), &json!("rude words")));
    let decision = json!({ "revision": detail["revision"], "verdict": "Hide" });
    done(&site, &admin, Method::POST, &format!("{path}/decide"), decision).await;

    let list = format!("/api/public/comment/workflow/{place}");
    for (who, words) in [(&Browser::default(), ""), (&author, ""), (&admin, "<p>rude words</p>")] {
        let shown = &read(&site, who, &list).await["items"][0];
        assert_eq!((&shown["isHidden"], &shown["content"]), (&json!(true), &json!(words)));
    }
    let found = read(&site, &admin, "/api/admin/comment?keyword=RUDE").await;
    assert_eq!(found["items"][0]["_id"], comment["_id"]);
    let whose = own_id(&site, &reporter).await;
    assert_eq!(read(&site, &admin, &format!("/api/admin/comment?user={whose}")).await["items"], json!([]));
    let path = format!("/api/general/comment/{}", text(&comment, "_id"));
    assert_eq!(site.send(&admin, Method::DELETE, &path, &json!({})).await.status(), 204);
    assert_eq!(read(&site, &admin, "/api/admin/comment").await["items"], json!([]));
    site.finish().await;
}

#[actix_web::test]
async fn invalid_reports_and_decisions_are_refused() {
    let site = Site::start().await;
    let (author, reporter, admin) = (site.person().await, site.person().await, site.admin().await);
    let (id, draft) = (post(&site, &author, "Boats").await, workflow(&site, &author).await);
    let long = "a".repeat(1001);
    for (body, expected) in [
        (json!({ "kind": "User", "id": id, "reason": "Spam" }), (400, "VALIDATION_FAILED")),
        (json!({ "kind": "Workflow", "id": "x", "reason": "Spam" }), (400, "VALIDATION_FAILED")),
        (json!({ "kind": "Workflow", "id": id, "reason": "Boring" }), (400, "VALIDATION_FAILED")),
        (json!({ "kind": "Workflow", "id": id, "reason": "Other" }), (400, "VALIDATION_FAILED")),
        (json!({ "kind": "Workflow", "id": id, "reason": "Spam", "text": long }), (400, "VALIDATION_FAILED")),
        (json!({ "kind": "Workflow", "id": id, "reason": "Spam", "more": 1 }), (400, "VALIDATION_FAILED")),
        (json!({ "kind": "Workflow", "id": draft, "reason": "Spam" }), (404, "NOT_FOUND")),
        (json!({ "kind": "Comment", "id": id, "reason": "Spam" }), (404, "NOT_FOUND")),
    ] {
        let (status, code, _) = refused(&site, &reporter, Method::POST, "/api/general/report", body.clone()).await;
        assert_eq!((status, code.as_str()), expected, "{body}");
    }
    let own = json!({ "kind": "Workflow", "id": id, "reason": "Spam" });
    let (status, code, _) = refused(&site, &author, Method::POST, "/api/general/report", own).await;
    assert_eq!((status, code.as_str()), (422, "REPORT_OWN"));
    for wrong in ["state=Closed", "kind=User", "sort=random", "cursor=x", "limit=0", "page=2"] {
        assert_eq!(error(site.get(&admin, &format!("/api/admin/moderation?{wrong}")).await).await.0, 400, "{wrong}");
    }
    for wrong in ["action=user.hug", "admin=x", "from=yesterday", "cursor=x", "limit=101"] {
        assert_eq!(error(site.get(&admin, &format!("/api/admin/audit?{wrong}")).await).await.0, 400, "{wrong}");
    }
    report(&site, &reporter, "Workflow", &id).await;
    let case = read(&site, &admin, "/api/admin/moderation").await["items"][0].clone();
    let decide = format!("/api/admin/moderation/{}/decide", text(&case, "_id"));
    let revision = &case["revision"];
    for (body, expected) in [
        (json!({ "revision": revision, "verdict": "Burn" }), (400, "VALIDATION_FAILED")),
        (json!({ "revision": revision, "verdict": "Restore" }), (409, "CASE_STATE")),
        (json!({ "revision": revision, "verdict": "Keep", "warning": " " }), (400, "VALIDATION_FAILED")),
        (
            json!({ "revision": revision, "verdict": "Keep", "ban": { "days": 2, "reason": "x" } }),
            (400, "VALIDATION_FAILED"),
        ),
    ] {
        let (status, code, _) = refused(&site, &admin, Method::POST, &decide, body.clone()).await;
        assert_eq!((status, code.as_str()), expected, "{body}");
    }
    site.finish().await;
}

#[actix_web::test]
async fn admins_find_users_change_roles_and_see_sessions() {
    let site = Site::start().await;
    let (person, admin) = (site.person().await, site.admin().await);
    let (id, own) = (own_id(&site, &person).await, own_id(&site, &admin).await);
    for keyword in [person.email.clone(), id.clone()] {
        let found = read(&site, &admin, &format!("/api/admin/user?keyword={keyword}")).await;
        assert_eq!((found["items"].as_array().map(Vec::len), &found["items"][0]["_id"]), (Some(1), &json!(id)));
        assert_eq!(found["items"][0]["email"], json!(person.email));
    }
    let page = read(&site, &admin, "/api/admin/user?limit=1").await;
    let next = read(&site, &admin, &format!("/api/admin/user?limit=1&cursor={}", text(&page, "nextCursor"))).await;
    assert_eq!((&page["items"][0]["_id"], &next["items"][0]["_id"]), (&json!(own), &json!(id)), "the newest first");

    let standing = read(&site, &admin, &format!("/api/admin/user/{id}")).await;
    assert_eq!((&standing["plan"], &standing["sessionCount"]), (&json!("Free"), &json!(1)));
    assert!(standing["credits"].is_i64() && standing["roles"] == json!(["Customer"]), "{standing}");
    let role = format!("/api/admin/user/{id}/role");
    let promoted = done(&site, &admin, Method::PATCH, &role, json!({ "isAdmin": true })).await;
    assert_eq!(promoted["roles"], json!(["Customer", "Admin"]));
    let (status, code, _) =
        refused(&site, &admin, Method::POST, &format!("/api/admin/user/{id}/ban"), json!({ "reason": "x" })).await;
    assert_eq!((status, code.as_str()), (409, "BAN_ADMIN"));
    let mine = format!("/api/admin/user/{own}/role");
    let (status, code, _) = refused(&site, &admin, Method::PATCH, &mine, json!({ "isAdmin": false })).await;
    assert_eq!((status, code.as_str()), (409, "ROLE_OWN"));
    done(&site, &admin, Method::PATCH, &role, json!({ "isAdmin": false })).await;
    let confirmed = done(&site, &admin, Method::POST, &format!("/api/admin/user/{id}/confirm"), json!({})).await;
    assert_eq!(confirmed["emailVerified"], json!(true), "{confirmed}");
    let warn = format!("/api/admin/user/{id}/warning");
    done(&site, &admin, Method::POST, &warn, json!({ "text": "please stop" })).await;
    assert_eq!(notices(&site, &person).await.len(), 1);
    assert_eq!(refused(&site, &admin, Method::POST, &warn, json!({ "text": "" })).await.0, 400);

    let seen = read(&site, &admin, "/api/admin/session?limit=10").await;
    let session = &seen["items"][0];
    assert_eq!((&session["user"]["_id"], &session["address"]), (&json!(own), &json!("127.0.0.1")));
    assert_eq!(read(&site, &admin, "/api/admin/session?address=192.0.2.1").await["items"], json!([]));
    assert_eq!(error(site.get(&admin, &format!("/api/admin/user/{}", uuid::Uuid::now_v7())).await).await.0, 404);
    site.finish().await;
}

#[actix_web::test]
async fn hidden_bytes_are_for_moderators_only_and_refused_on_upload() {
    let site = Site::start().await;
    let (ann, bob, admin) = (site.person().await, site.person().await, site.admin().await);
    let asset = crate::posts::picture(&site, &ann, 200).await;
    let show = json!({ "asset": asset, "isPrivate": false });
    let input: Value =
        site.send(&ann, Method::POST, "/api/general/input-asset", &show).await.json().await.expect("an input");
    let address = text(&input["asset"], "url");
    let path = address.find("/media/").and_then(|at| address.get(at..)).expect("an address of media");
    assert_eq!(site.get(&Browser::default(), path).await.status(), 200);
    let report = json!({ "kind": "Asset", "id": asset, "reason": "Copyright" });
    assert_eq!(site.send(&bob, Method::POST, "/api/general/report", &report).await.status(), 201);
    let queue: Value = site.get(&admin, "/api/admin/moderation?kind=Asset").await.json().await.expect("cases");
    let case = &queue["items"][0];
    assert!(case["seen"]["picture"]["url"].is_string(), "the moderator does not see what it is about: {case}");
    let decide = format!("/api/admin/moderation/{}/decide", text(case, "_id"));
    let hide = json!({ "revision": case["revision"], "verdict": "Hide" });
    assert_eq!(site.send(&admin, Method::POST, &decide, &hide).await.status(), 200);
    for (who, expected) in [(&Browser::default(), 404), (&ann, 404), (&bob, 404), (&admin, 200)] {
        assert_eq!(site.get(who, path).await.status(), expected, "{path} by {}", who.email);
    }
    for who in [&ann, &bob] {
        let part = reqwest::multipart::Part::bytes(crate::posts::png(200)).file_name("other.png");
        let form = reqwest::multipart::Form::new().part("image", part);
        let again = who.sign(site.ask(Method::POST, "/api/general/asset/file/image")).multipart(form).send().await;
        let (status, code, _) = error(again.expect("an answer")).await;
        assert_eq!((status, code.as_str()), (409, "MODERATION_LOCKED"));
    }
    let (status, code, _) = error(site.send(&ann, Method::POST, "/api/general/input-asset", &show).await).await;
    assert_eq!((status, code.as_str()), (409, "MODERATION_LOCKED"));
    site.finish().await;
}

#[actix_web::test]
async fn output_that_a_moderator_hid_is_a_note_on_its_job() {
    let site = Site::start().await;
    let (ann, bob, admin) = (site.person().await, site.person().await, site.admin().await);
    let (worker, _folder) = with_worker(&site).await;
    let accepted: Value = submit(&site, &ann, &prompt(99), "hidden").await.json().await.expect("a job");
    let job = text(&accepted, "_id");
    let made = ended(&site, &ann, &job).await;
    let picture = text(&made["result"], "outputAsset");
    let publish = json!({ "ids": [picture], "isPrivate": false });
    done(&site, &ann, Method::PATCH, "/api/general/output-asset/privates", publish).await;
    report(&site, &bob, "OutputAsset", &picture).await;
    let queue = read(&site, &admin, "/api/admin/moderation?kind=OutputAsset").await;
    let case = &queue["items"][0];
    let decide = format!("/api/admin/moderation/{}/decide", text(case, "_id"));
    let hide = json!({ "revision": case["revision"], "verdict": "Hide" });
    done(&site, &admin, Method::POST, &decide, hide).await;

    let path = format!("/api/general/job/{job}/api-outputs");
    let own = read(&site, &ann, &path).await;
    assert_eq!(own[0]["outputs"], json!({}), "a file that its owner cannot load: {own}");
    assert_eq!(own[0]["undelivered"][0]["code"], "HIDDEN_BY_MODERATOR", "{own}");
    let again = read(&site, &ann, &format!("/api/general/job/{job}")).await;
    assert_eq!(again["result"], Value::Null, "a broken picture in the list of jobs");
    assert_eq!(again["promptResult"].pointer("/2/images"), None, "{again}");
    let seen = read(&site, &admin, &path).await;
    assert_eq!(text(&seen[0]["outputs"]["images"][0], "outputAsset"), picture, "moderators see it");
    worker.stop().await.expect("the worker stops");
    site.finish().await;
}
