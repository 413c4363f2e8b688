//! The admins' list of all users' jobs.

use reqwest::Method;
use serde_json::{Value, json};

use crate::calls::{done, read};
use crate::jobs::{ended, prompt, with_worker};
use crate::shares::private_app;
use crate::site::{Site, error, text};

fn ids(page: &Value) -> Vec<String> {
    page["items"].as_array().expect("items").iter().map(|job| text(job, "_id")).collect()
}

#[actix_web::test]
async fn admin_list_finds_jobs_of_all_users_by_each_filter() {
    let site = Site::start().await;
    let (ann, bob, admin) = (site.person().await, site.person().await, site.admin().await);
    let (worker, _folder) = with_worker(&site).await;
    let (app, workflow) = private_app(&site, &ann).await;
    let run = format!("/api/general/job/workflow-api/{app}");
    let of_ann = text(&done(&site, &ann, Method::POST, &run, json!({})).await, "_id");
    let mut body = prompt(7);
    body["labels"] = json!({ "order": "42" });
    let of_bob = text(&done(&site, &bob, Method::POST, "/api/general/job/prompt", body).await, "_id");
    for (who, job) in [(&ann, &of_ann), (&bob, &of_bob)] {
        assert_eq!(ended(&site, who, job).await["status"], json!("Done"));
    }

    let all = read(&site, &admin, "/api/admin/job").await;
    assert_eq!(ids(&all), [of_bob.clone(), of_ann.clone()], "newest first: {all}");
    let [second, first] = [&all["items"][0], &all["items"][1]];
    assert_eq!((&first["workflowApi"], &first["workflow"]["_id"]), (&json!(app), &json!(workflow)), "{first}");
    assert_eq!((&second["workflow"], &second["labels"]), (&Value::Null, &json!({ "order": "42" })), "{second}");
    assert!(first["worker"]["name"].is_string() && first["durationMs"].is_i64(), "{first}");
    let (user, worker_id) = (text(&second["user"], "_id"), text(&first["worker"], "_id"));
    let (pool, lane) = (text(first, "pool"), text(first, "lane"));

    let both = vec![of_bob.clone(), of_ann.clone()];
    for (filter, expected) in [
        (format!("user={user}"), vec![of_bob.clone()]),
        (format!("workflowApi={app}"), vec![of_ann.clone()]),
        ("label=order=42".to_owned(), vec![of_bob.clone()]),
        (format!("user={user}&label=order=43"), Vec::new()),
        (format!("pool={pool}&worker={worker_id}&lane={lane}&priceClass=standard&status=Done"), both.clone()),
        ("pool=none".to_owned(), Vec::new()),
        (format!("worker={app}"), Vec::new()),
        ("priceClass=flex".to_owned(), Vec::new()),
        ("status=Pending,ExecuteError".to_owned(), Vec::new()),
        ("exception=RuntimeError".to_owned(), Vec::new()),
        ("from=2020-01-01&until=9999-12-31".to_owned(), both),
        ("until=2020-01-01".to_owned(), Vec::new()),
    ] {
        let page = read(&site, &admin, &format!("/api/admin/job?{filter}")).await;
        assert_eq!((ids(&page), &page["nextCursor"]), (expected, &Value::Null), "{filter}");
    }
    worker.stop().await.expect("the worker stops");
    site.finish().await;
}

#[actix_web::test]
async fn admin_list_of_jobs_goes_on_by_cursor_and_refuses_wrong_filters() {
    let site = Site::start().await;
    let (ann, admin) = (site.person().await, site.admin().await);
    let (worker, _folder) = with_worker(&site).await;
    let mut jobs = Vec::new();
    for color in 1..=3 {
        jobs.push(text(&done(&site, &ann, Method::POST, "/api/general/job/prompt", prompt(color)).await, "_id"));
    }
    jobs.reverse();
    let first = read(&site, &admin, "/api/admin/job?limit=2").await;
    assert_eq!(ids(&first), jobs[..2]);
    let next = read(&site, &admin, &format!("/api/admin/job?limit=2&cursor={}", text(&first, "nextCursor"))).await;
    assert_eq!((ids(&next).as_slice(), &next["nextCursor"]), (&jobs[2..], &Value::Null));

    let long = format!("pool={}", "a".repeat(101));
    let wrong = [
        "status=Lost",
        "label=order",
        "lane=fast",
        "pool=a%00b",
        "from=2026-01-02&until=2026-01-01",
        "cursor=x",
        long.as_str(),
    ];
    for filter in wrong {
        let answer = site.get(&admin, &format!("/api/admin/job?{filter}")).await;
        assert_eq!(error(answer).await.0, 400, "{filter}");
    }
    assert_eq!(error(site.get(&ann, "/api/admin/job").await).await.0, 403);
    worker.stop().await.expect("the worker stops");
    site.finish().await;
}
