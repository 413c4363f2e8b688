//! What runs of assistants may cost.

use serde_json::{Value, json};

use crate::jobs::{prompt, with_idle_worker};
use crate::mcp::Client;
use crate::shares::private_app;
use crate::site::Site;

#[actix_web::test]
async fn run_over_its_budget_is_refused_before_it_costs() {
    let rate = 10;
    let site = Site::with(|settings| settings.pools.iter_mut().for_each(|pool| pool.credits_per_second = rate)).await;
    let ann = Client::new(&site).await;
    let (worker, _folder) = with_idle_worker(&site).await;
    let (app, _) = private_app(&site, &ann.person).await;
    let run = |most: Value| json!({ "app_id": app, "max_credits": most, "wait_s": 0 });
    let (code, fields) = ann.refused("run_app", run(json!(3))).await;
    assert_eq!(code, "CREDIT_CEILING");
    let expected = (&fields[0]["field"], &fields[0]["given"], &fields[0]["allowed"]["minimum"]);
    assert_eq!(expected, (&json!("max_credits"), &json!(3), &json!(rate)), "{fields}");
    for (most, given) in [(json!(0), json!(0)), (json!("9"), json!("9")), (json!(-5), json!(-5))] {
        let (code, fields) = ann.refused("run_app", run(most)).await;
        assert_eq!(
            (code.as_str(), &fields[0]["field"], &fields[0]["given"]),
            ("VALIDATION_FAILED", &json!("max_credits"), &given)
        );
        assert_eq!(fields[0]["allowed"]["minimum"], json!(1));
    }
    let (code, fields) = ann.refused("run_app", json!({ "app_id": app })).await;
    assert_eq!(
        (code.as_str(), &fields[0]["field"], &fields[0]["given"]),
        ("VALIDATION_FAILED", &json!("max_credits"), &Value::Null)
    );
    let (code, _) = ann.refused("submit_workflow", json!({ "workflow": prompt(1)["prompt"], "max_credits": 3 })).await;
    assert_eq!(code, "CREDIT_CEILING");
    let quoted = ann.call("quote", json!({ "app_id": app, "max_credits": 3 })).await;
    assert_eq!((&quoted["fits_max_credits"], &quoted["price"]["least_credits"]), (&json!(false), &json!(rate)));
    let many = json!({ "app_id": app, "runs": [{}, {}, {}], "max_credits": 12 });
    let many = ann.result("run_many", many).await["structuredContent"]["runs"][0]["error"]["fields"][0].clone();
    assert_eq!((&many["given"], &many["allowed"]["minimum"]), (&json!(12), &json!(3 * rate)), "all together: {many}");
    let account = ann.call("get_account", json!({})).await;
    assert_eq!((&account["credits"]["held"], &account["jobs"]["queued"]), (&json!(0), &json!(0)), "{account}");
    let accepted = ann.call("run_app", run(json!(2 * rate))).await;
    let account = ann.call("get_account", json!({})).await;
    assert_eq!((&accepted["status"], &accepted["max_credits"]), (&json!("queued"), &json!(2 * rate)), "{accepted}");
    assert!(account["credits"]["held"].as_i64().is_some_and(|held| held <= 2 * rate), "{account}");
    let cancel = json!({ "job_id": accepted["job_id"] });
    let canceled = ann.call("cancel_job", cancel.clone()).await;
    assert_eq!((&canceled["status"], &canceled["credits_returned"]), (&json!("canceled"), &account["credits"]["held"]));
    assert_eq!(ann.call("cancel_job", cancel).await["credits_returned"], Value::Null, "they are returned once");
    worker.stop().await.expect("the worker stops");
    site.finish().await;
}
