//! Prices and times of runs before they are submitted.

use reqwest::Method;
use serde_json::{Value, json};

use crate::jobs::{ended, with_worker};
use crate::posts;
use crate::shares::private_app;
use crate::site::{Browser, Site, error, text};

#[actix_web::test]
async fn quote_of_an_app_follows_its_runs() {
    let site = Site::start().await;
    let ann = site.person().await;
    let (worker, _folder) = with_worker(&site).await;
    let (app, workflow) = private_app(&site, &ann).await;
    let (own, public) =
        (format!("/api/general/workflow-api/{app}/quote"), format!("/api/public/workflow-api/{app}/quote"));
    let quote = async |who: &Browser, path: &str| -> Value {
        let answer = site.get(who, path).await;
        assert_eq!(answer.status(), 200, "{path}: {:?}", answer.text().await);
        answer.json().await.expect("a quote")
    };
    assert_eq!(error(site.get(&Browser::default(), &public).await).await.0, 404, "the app is private");

    let first = quote(&ann, &own).await;
    let plan = site.core.settings.first_plan().expect("a plan");
    let pool = site.core.settings.pool("cpu").expect("a pool");
    assert_eq!((&first["pool"], &first["poolTitle"], &first["workers"]), (&json!("cpu"), &json!("CPU"), &json!(1)));
    assert_eq!(first["expected"], Value::Null, "it has not run yet");
    let most = i64::try_from(plan.max_run_seconds).expect("seconds");
    assert_eq!(first["mostCredits"], json!(most * pool.credits_per_second));
    assert_eq!(first["mostRunMs"], json!(most * 1000));
    let flex = (most * pool.credits_per_second * 60 + 99) / 100;
    assert_eq!(
        first["flex"],
        json!({ "percent": 60, "expected": null, "mostCredits": flex, "mostRunMs": most * 1000 })
    );
    assert_eq!(first["etaSeconds"], json!({ "low": 0, "high": 1 }), "the worker is free");

    let run = site.send(&ann, Method::POST, &format!("/api/general/job/workflow-api/{app}"), &json!({})).await;
    assert_eq!(run.status(), 201, "{:?}", run.text().await);
    let job = ended(&site, &ann, &text(&run.json().await.expect("a job"), "_id")).await;
    assert_eq!(job["status"], "Done", "{job}");
    let next = quote(&ann, &own).await;
    let expected = |field: &str| next["expected"][field].as_i64().unwrap_or_else(|| panic!("no {field}: {next}"));
    assert_eq!(expected("credits"), job["credits"]["used"].as_i64().expect("credits"), "{job}");
    assert!(expected("runMs") <= expected("upperRunMs") && expected("credits") <= expected("upperCredits"), "{next}");
    assert!(expected("upperCredits") <= first["mostCredits"].as_i64().expect("a number"));

    posts::publish(&site, &ann, &workflow, 7).await;
    assert_eq!(quote(&Browser::default(), &public).await["expected"], next["expected"], "guests see it, too");
    worker.stop().await.expect("the worker stops");
    let away = quote(&ann, &own).await;
    assert_eq!((&away["workers"], &away["etaSeconds"]), (&json!(0), &Value::Null));
    site.finish().await;
}

#[actix_web::test]
async fn runs_are_quoted_as_submitted_and_cost_no_more() {
    let site = Site::start().await;
    let ann = site.person().await;
    let (_worker, _folder) = with_worker(&site).await;
    let (app, _) = private_app(&site, &ann).await;
    let rate = site.core.settings.pool("cpu").expect("a pool").credits_per_second;
    let plan = i64::try_from(site.core.settings.first_plan().expect("a plan").max_run_seconds).expect("seconds") * rate;
    let post = async |body: Value| site.send(&ann, Method::POST, "/api/general/job/quote", &body).await;
    let quote = async |items: Value| -> Value {
        let answer = post(json!({ "items": items })).await;
        assert_eq!(answer.status(), 200, "{:?}", answer.text().await);
        answer.json().await.expect("a quote")
    };
    let prompt = json!({
        "1": { "class_type": "EmptyImage", "inputs": { "width": 8, "height": 8, "batch_size": 1, "color": 0 } },
        "2": { "class_type": "PreviewImage", "inputs": { "images": ["1", 0] } },
    });
    let both = quote(json!([{ "workflowApi": app, "count": 3 }, { "prompt": prompt, "maxCredits": 50 }])).await;
    let flex = json!({ "expected": null, "mostCredits": 3 * ((plan * 60 + 99) / 100) + 50 });
    assert_eq!(both["total"], json!({ "runs": 4, "expected": null, "mostCredits": 3 * plan + 50, "flex": flex }));
    assert_eq!((&both["items"][0]["mostCredits"], &both["items"][1]["mostCredits"]), (&json!(plan), &json!(50)));

    let submit = json!({ "prompt": prompt });
    let run = site.send(&ann, Method::POST, "/api/general/job/prompt?maxCredits=50", &submit).await;
    assert_eq!(run.status(), 201, "{:?}", run.text().await);
    let job = ended(&site, &ann, &text(&run.json().await.expect("a job"), "_id")).await;
    let used = job["credits"]["used"].as_i64().expect("credits");
    assert!(used <= 50 && job["credits"]["most"] == json!(50), "{job}");
    let own = json!({ "prompt": {
        "1": { "class_type": "LoadImage", "inputs": { "image": "a file that is not there.png" } },
        "2": { "class_type": "PreviewImage", "inputs": { "images": ["1", 0] } },
    } });
    let graph = site.send(&ann, Method::POST, "/api/general/editor/quote", &own).await;
    assert_eq!(graph.status(), 200, "{:?}", graph.text().await);
    let graph: Value = graph.json().await.expect("a quote");
    assert_eq!((&graph["mostCredits"], &graph["expected"]), (&json!(plan), &Value::Null));
    let next = quote(json!([{ "prompt": prompt, "count": 10 }])).await;
    assert_eq!(next["total"]["expected"]["credits"], json!(10 * used), "{next}");

    for (body, field) in [
        (json!({ "items": [] }), "items"),
        (json!({ "items": [{}] }), "items.0.workflowApi"),
        (json!({ "items": [{ "prompt": prompt, "count": 0 }] }), "items.0.count"),
        (json!({ "items": [{ "prompt": prompt, "maxCredits": 0 }] }), "items.0.maxCredits"),
    ] {
        let answer = post(body.clone()).await;
        assert_eq!(answer.status(), 400, "{body}");
        let refused: Value = answer.json().await.expect("an error");
        assert_eq!(refused["details"][0]["field"], json!(field), "{body}: {refused}");
    }
    let wrong = json!({ "items": [{ "prompt": { "1": { "class_type": "NoSuchNode", "inputs": {} } } }] });
    let (status, code, _) = error(post(wrong).await).await;
    assert_eq!((status, code.as_str()), (422, "INVALID_PROMPT"));
    site.finish().await;
}

#[actix_web::test]
async fn ceilings_bound_quotes_and_submits() {
    let rate = 10;
    let site = Site::with(|settings| settings.pools.iter_mut().for_each(|pool| pool.credits_per_second = rate)).await;
    let ann = site.person().await;
    let (_worker, _folder) = with_worker(&site).await;
    let (app, _) = private_app(&site, &ann).await;
    let set = async |body: Value| site.send(&ann, Method::PUT, "/api/general/credit/ceilings", &body).await;
    let credit = async || -> Value { site.get(&ann, "/api/general/credit").await.json().await.expect("credits") };
    assert_eq!(credit().await["ceilings"], json!({ "perRun": null, "perDay": null }));
    assert_eq!(set(json!({ "perRun": 2 * rate, "perDay": 5 * rate })).await.status(), 200);
    assert_eq!(credit().await["ceilings"], json!({ "perRun": 2 * rate, "perDay": 5 * rate }));
    let path = format!("/api/general/workflow-api/{app}/quote");
    let quote: Value = site.get(&ann, &path).await.json().await.expect("a quote");
    assert_eq!(quote["mostCredits"], json!(2 * rate));

    assert_eq!(set(json!({ "perRun": 1 })).await.status(), 200);
    let submit =
        async || site.send(&ann, Method::POST, &format!("/api/general/job/workflow-api/{app}"), &json!({})).await;
    let (status, code, body) = error(submit().await).await;
    assert_eq!((status, code.as_str()), (422, "CREDIT_CEILING"));
    assert_eq!(body["details"], json!({ "needed": rate, "maxCredits": 1 }));
    assert_eq!(set(json!({ "perDay": 1 })).await.status(), 200);
    let (status, code, body) = error(submit().await).await;
    assert_eq!((status, code.as_str()), (422, "CREDIT_CEILING"));
    assert_eq!(body["details"], json!({ "dayCeiling": 1, "spent": 0, "held": 0 }));
    for wrong in [json!({ "perRun": 0 }), json!({ "perDay": -1 }), json!({ "perDay": "all" }), json!({ "more": 1 })] {
        assert_eq!(set(wrong.clone()).await.status(), 400, "{wrong}");
    }
    assert_eq!(set(json!({})).await.status(), 200);
    assert_eq!(credit().await["ceilings"], json!({ "perRun": null, "perDay": null }));
    site.finish().await;
}
