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
