//! Shared mini apps: who sees what of them, and who runs them.

use reqwest::Method;
use serde_json::{Value, json};

use crate::calls::read;
use crate::jobs::with_worker;
use crate::mini_apps::noisy;
use crate::site::{Browser, Site, error, text};

const SHARED: &str = "/api/general/workflow-api-shared";

/// A mini app on a private workflow; returns its id and the workflow's.
pub async fn private_app(site: &Site, who: &Browser) -> (String, String) {
    let workflow = noisy(site, who).await;
    let path = format!("/api/general/workflow-api/editor/{workflow}");
    let editor: Value = site.get(who, &path).await.json().await.expect("an editor");
    let proposal = &editor["proposal"];
    let body = json!({ "workflow": workflow, "inputs": proposal["inputs"], "outputs": proposal["outputs"] });
    let made = site.send(who, Method::POST, "/api/general/workflow-api", &body).await;
    assert_eq!(made.status(), 201, "{:?}", made.text().await);
    (text(&made.json().await.expect("an app"), "_id"), workflow)
}

#[actix_web::test]
async fn shared_app_can_be_run_without_its_graph() {
    let site = Site::start().await;
    let (ann, bob) = (site.person().await, site.person().await);
    let (worker, _folder) = with_worker(&site).await;
    let (app, workflow) = private_app(&site, &ann).await;
    let (one, run) = (format!("/api/general/workflow-api/{app}"), format!("/api/general/job/workflow-api/{app}"));
    assert_eq!(error(site.get(&bob, &one).await).await.0, 404);

    let body = json!({ "workflowApiId": app, "userEmail": bob.email });
    let made = site.send(&ann, Method::POST, SHARED, &body).await;
    assert_eq!(made.status(), 201, "{:?}", made.text().await);
    let share: Value = made.json().await.expect("a share");
    assert_eq!(share["sharedUser"]["email"], json!(bob.email));
    let people = read(&site, &ann, &format!("{SHARED}/{app}/shared-users")).await;
    assert_eq!(people["items"], json!([share]), "what is made is what is listed");

    let (own, seen) = (read(&site, &ann, &one).await, read(&site, &bob, &one).await);
    assert_eq!((&seen["rjsf"], &seen["outputs"]), (&own["rjsf"], &own["outputs"]));
    assert!(own["inputs"].is_object() && seen.get("inputs").is_none(), "the graph's nodes are told: {seen}");
    for path in [format!("/api/general/workflow/{workflow}"), format!("/api/general/workflow/{workflow}/graph")] {
        assert_eq!(error(site.get(&bob, &path).await).await.0, 404, "{path}");
    }
    let mine = read(&site, &bob, SHARED).await;
    assert_eq!(mine["items"][0]["workflowApi"], json!({ "_id": app, "name": "Noisy" }));
    assert_eq!((&mine["items"][0]["owner"]["name"], &mine["nextCursor"]), (&json!("Ann"), &Value::Null));
    assert_eq!(read(&site, &ann, SHARED).await["items"], json!([]));

    let accepted = site.send(&bob, Method::POST, &run, &json!({})).await;
    assert_eq!(accepted.status(), 201, "{:?}", accepted.text().await);
    let job: Value = accepted.json().await.expect("a job");
    let path = format!("/api/general/job/{}", text(&job, "_id"));
    assert_eq!(error(site.get(&ann, &path).await).await.0, 404, "what others run is their business");
    let public = format!("/api/public/workflow-api/{app}");
    assert_eq!(read(&site, &bob, &public).await["_id"], json!(app));
    assert_eq!(error(site.get(&Browser::default(), &public).await).await.0, 404);

    let back = format!("{SHARED}/{}", text(&share, "_id"));
    let answer = site.send(&bob, Method::DELETE, &back, &json!({})).await;
    assert_eq!(answer.status(), 204, "one may give back what one was given");
    assert_eq!(error(site.send(&bob, Method::POST, &run, &json!({})).await).await.0, 404);
    assert_eq!(read(&site, &bob, &path).await["workflowApi"], json!(app), "what was run stays");
    worker.stop().await.expect("the worker stops");
    site.finish().await;
}

#[actix_web::test]
async fn refused_shares_have_their_codes() {
    let site = Site::start().await;
    let (ann, bob) = (site.person().await, site.person().await);
    let (worker, _folder) = with_worker(&site).await;
    let (app, _) = private_app(&site, &ann).await;
    let refused = async |email: &str| {
        let body = json!({ "workflowApiId": app, "userEmail": email });
        let (status, code, body) = error(site.send(&ann, Method::POST, SHARED, &body).await).await;
        (status, code, body)
    };
    let (status, _, body) = refused("bob").await;
    assert_eq!((status, &body["details"][0]["field"]), (400, &json!("userEmail")));
    for (email, expected) in
        [("nobody@example.com", (404, "SHARE_USER_UNKNOWN")), (ann.email.as_str(), (409, "SHARE_WITH_YOURSELF"))]
    {
        let (status, code, _) = refused(email).await;
        assert_eq!((status, code.as_str()), expected);
    }
    let body = json!({ "workflowApiId": app, "userEmail": bob.email });
    assert_eq!(site.send(&ann, Method::POST, SHARED, &body).await.status(), 201);
    let (status, code, _) = refused(&bob.email).await;
    assert_eq!((status, code.as_str()), (409, "SHARED_ALREADY"));
    worker.stop().await.expect("the worker stops");
    site.finish().await;
}

#[actix_web::test]
async fn jobs_are_filtered_by_app_over_all_versions() {
    let site = Site::start().await;
    let (ann, bob) = (site.person().await, site.person().await);
    let (worker, _folder) = with_worker(&site).await;
    let ((app, _), (other, _)) = (private_app(&site, &ann).await, private_app(&site, &ann).await);
    let run = async |app: &str| {
        let path = format!("/api/general/job/workflow-api/{app}");
        let accepted = site.send(&ann, Method::POST, &path, &json!({})).await;
        assert_eq!(accepted.status(), 201, "{:?}", accepted.text().await);
        text(&accepted.json().await.expect("a job"), "_id")
    };
    let (first, _) = (run(&app).await, run(&other).await);
    let saved = read(&site, &ann, &format!("/api/general/workflow-api/{app}")).await;
    let body = json!({ "workflow": saved["workflow"]["_id"], "inputs": saved["inputs"], "outputs": saved["outputs"] });
    assert_eq!(site.send(&ann, Method::POST, "/api/general/workflow-api", &body).await.status(), 201);
    let second = run(&app).await;
    let ids = async |who: &Browser, query: &str| {
        let page = read(&site, who, &format!("/api/general/job?{query}")).await;
        let items = page["items"].as_array().expect("items").iter().map(|item| text(item, "_id"));
        items.collect::<Vec<_>>()
    };
    assert_eq!(ids(&ann, &format!("workflowApi={app}")).await, [second.clone(), first]);
    assert_eq!(ids(&ann, &format!("workflowApi={app}&limit=1")).await, [second]);
    assert!(ids(&bob, &format!("workflowApi={app}")).await.is_empty(), "another user's jobs");
    let filter = format!("filter={{\"workflowApi\":\"{app}\"}}");
    assert_eq!(ids(&ann, &filter).await.len(), 2);
    let counted = read(&site, &ann, &format!("/api/general/job/count?{filter}")).await;
    assert_eq!(counted["count"], json!(2));
    assert_eq!(error(site.get(&ann, "/api/general/job?workflowApi=x").await).await.0, 400);
    worker.stop().await.expect("the worker stops");
    site.finish().await;
}

#[actix_web::test]
async fn apps_are_filtered_by_whether_they_work() {
    let site = Site::start().await;
    let ann = site.person().await;
    let (worker, _folder) = with_worker(&site).await;
    let (app, workflow) = private_app(&site, &ann).await;
    let works = read(&site, &ann, &format!("/api/general/workflow-api/{app}")).await["works"].clone();
    assert_eq!((&works["ok"], &works["missing"]), (&json!(true), &json!({ "classes": [], "models": [] })), "{works}");
    assert!(works["checkedAt"].is_string(), "{works}");
    let card = read(&site, &ann, &format!("/api/general/workflow/{workflow}")).await;
    assert_eq!(card["workflowApiWorks"], json!(true));
    for query in ["works=true", "works=false"] {
        assert_eq!(read(&site, &ann, &format!("/api/public/mini-app?{query}")).await["items"], json!([]));
    }
    assert_eq!(error(site.get(&ann, "/api/public/mini-app?works=maybe").await).await.0, 400);
    worker.stop().await.expect("the worker stops");
    site.finish().await;
}
