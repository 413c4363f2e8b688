//! Versions of mini apps: runs that are pinned to one, and the OpenAPI document of each.

use std::collections::BTreeSet;

use reqwest::{Method, Response};
use serde_json::{Value, json};

use crate::calls::{done, read};
use crate::jobs::{ended, with_worker};
use crate::posts;
use crate::shares::private_app;
use crate::site::{Browser, Site, error, text};

/// An app whose first version has a width, and whose current one has a seed alone.
struct TwoVersions {
    app: String,
    workflow: String,
    first: String,
    current: String,
    /// A form of the first version.
    form: Value,
}

async fn two_versions(site: &Site, who: &Browser) -> TwoVersions {
    let (app, workflow) = private_app(site, who).await;
    let path = format!("/api/general/workflow-api/{app}");
    let old = read(site, who, &path).await;
    let fields = old["rjsf"]["schema"]["properties"].as_object().expect("fields");
    let width = fields.keys().find(|name| name.contains("width")).expect("a width");
    let form = json!({ width: 40 });
    let inputs = json!({ "1.seed": old["inputs"]["1.seed"] });
    let new = done(site, who, Method::PATCH, &path, json!({ "inputs": inputs })).await;
    let (first, current) = (text(&old, "version"), text(&new, "version"));
    assert_ne!(first, current, "a save makes a version");
    TwoVersions { app, workflow, first, current, form }
}

async fn lines(site: &Site, who: &Browser, items: &[Value]) -> Vec<Value> {
    let request = who.sign(site.ask(Method::POST, "/api/general/job/batch"));
    let request = request.header("content-type", "application/x-ndjson");
    let file: String = items.iter().map(|item| format!("{item}\n")).collect();
    let answer = request.body(file).send().await.expect("an answer").text().await.expect("its lines");
    answer.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[actix_web::test]
async fn pinned_run_is_not_changed_by_a_new_version() {
    let site = Site::start().await;
    let ann = site.person().await;
    let (worker, _folder) = with_worker(&site).await;
    let TwoVersions { app, first, current, form, .. } = two_versions(&site, &ann).await;
    let run = format!("/api/general/job/workflow-api/{app}");
    let pinned = format!("{run}/version/{first}");

    let job = text(&done(&site, &ann, Method::POST, &pinned, form.clone()).await, "_id");
    let job = ended(&site, &ann, &job).await;
    assert_eq!((&job["workflowApiVersion"], &job["workflowApi"]), (&json!(first), &json!(app)), "{job}");
    assert_eq!((&job["status"], &job["fault"]), (&json!("Done"), &Value::Null));
    let old = job;
    let outputs = read(&site, &ann, &format!("/api/general/job/{}/api-outputs", text(&old, "_id"))).await;
    assert_eq!(outputs[0]["outputs"]["images"][0]["width"], json!(40), "the retired input has no effect: {outputs}");

    let (status, code, _) = error(site.send(&ann, Method::POST, &run, &form).await).await;
    assert_eq!((status, code.as_str()), (400, "VALIDATION_FAILED"), "the current version took a retired input");
    let job = done(&site, &ann, Method::POST, &run, json!({})).await;
    let job = read(&site, &ann, &format!("/api/general/job/{}", text(&job, "_id"))).await;
    assert_eq!(job["workflowApiVersion"], json!(current));

    let path = format!("/api/general/job/{}/again", text(&old, "_id"));
    let job = text(&done(&site, &ann, Method::POST, &path, json!({})).await, "_id");
    let job = ended(&site, &ann, &job).await;
    assert_eq!(job["workflowApiVersion"], json!(first), "run again, it has the version of the first run");

    // The version belongs to the request of an idempotency key.
    let keyed = async |path: &str| -> Response {
        let request = ann.sign(site.ask(Method::POST, path)).header("Idempotency-Key", "one");
        request.json(&json!({})).send().await.expect("an answer")
    };
    assert_eq!(keyed(&pinned).await.status(), 201);
    assert_eq!(error(keyed(&run).await).await.1, "IDEMPOTENCY_MISMATCH");

    let (other, _) = private_app(&site, &ann).await;
    for wrong in [format!("/api/general/job/workflow-api/{other}/version/{first}"), format!("{run}/version/{app}")] {
        assert_eq!(error(site.send(&ann, Method::POST, &wrong, &json!({})).await).await.0, 404, "{wrong}");
    }
    worker.stop().await.expect("the worker stops");
    site.finish().await;
}

#[actix_web::test]
async fn quote_and_batch_take_a_version() {
    let site = Site::start().await;
    let ann = site.person().await;
    let (worker, _folder) = with_worker(&site).await;
    let TwoVersions { app, first, form, .. } = two_versions(&site, &ann).await;
    let item = |version: Option<&str>| {
        let mut item = json!({ "workflowApi": app, "form": form });
        if let Some(version) = version {
            item["version"] = json!(version);
        }
        item
    };
    let quote =
        async |item: Value| site.send(&ann, Method::POST, "/api/general/job/quote", &json!({ "items": [item] })).await;
    assert_eq!(quote(item(Some(&first))).await.status(), 200);
    assert_eq!(error(quote(item(None)).await).await.0, 400, "the current version has no width");
    assert_eq!(error(quote(item(Some(&app))).await).await.0, 404);
    let of_app = format!("/api/general/workflow-api/{app}/quote?version=");
    assert_eq!(site.get(&ann, &format!("{of_app}{first}")).await.status(), 200);
    assert_eq!(error(site.get(&ann, &format!("{of_app}{app}")).await).await.0, 404, "no version has the app's id");

    let keyed = |key: &str, mut item: Value| {
        item["key"] = json!(key);
        item
    };
    let items = [keyed("a", item(Some(&first))), keyed("b", item(None)), keyed("c", item(Some(&app)))];
    let answer = lines(&site, &ann, &items).await;
    let codes: Vec<String> = answer[1..4].iter().map(|line| text(&line["error"], "code")).collect();
    assert_eq!(codes, ["", "VALIDATION_FAILED", "NOT_FOUND"], "{answer:?}");
    worker.stop().await.expect("the worker stops");
    site.finish().await;
}

/// Every `$ref` of a document.
fn references(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            found.extend(fields.get("$ref").and_then(Value::as_str).map(str::to_owned));
            fields.values().for_each(|field| references(field, found));
        }
        Value::Array(items) => items.iter().for_each(|item| references(item, found)),
        _ => {}
    }
}

/// Whether every reference leads somewhere, all calls have their own name, and every answer is described.
fn assert_complete(api: &Value) {
    let (mut named, mut names) = (Vec::new(), BTreeSet::new());
    references(api, &mut named);
    for place in named {
        assert!(api.pointer(place.trim_start_matches('#')).is_some(), "{place} is not there");
    }
    let paths = api["paths"].as_object().expect("paths");
    assert_eq!(paths.len(), 5, "the run, and the reading and canceling of jobs: {:?}", paths.keys());
    for (method, call) in paths.values().flat_map(|methods| methods.as_object().expect("methods")) {
        assert!(names.insert(text(call, "operationId")), "{method}: two calls have one name: {call}");
        for (status, answer) in call["responses"].as_object().expect("answers") {
            assert!(answer["$ref"].is_string() || answer["description"].is_string(), "{status} says nothing: {call}");
        }
    }
}

#[actix_web::test]
async fn app_openapi_document_is_complete() {
    let site = Site::start().await;
    let (ann, bob) = (site.person().await, site.person().await);
    let (worker, _folder) = with_worker(&site).await;
    let (app, _) = private_app(&site, &ann).await;
    let path = format!("/api/general/workflow-api/{app}/openapi");
    assert_eq!(error(site.get(&bob, &path).await).await.0, 404);
    let share = json!({ "workflowApiId": app, "userEmail": bob.email });
    done(&site, &ann, Method::POST, "/api/general/workflow-api-shared", share).await;
    let api = read(&site, &bob, &path).await;
    assert_eq!((&api["openapi"], &api["info"]["title"]), (&json!("3.1.0"), &json!("Noisy")));
    let saved = read(&site, &bob, &format!("/api/general/workflow-api/{app}")).await;
    assert_eq!(api["info"]["version"], saved["version"]);
    let run = &api["paths"][format!("/api/general/job/workflow-api/{app}")]["post"];
    assert_eq!(run["requestBody"]["content"]["application/json"]["schema"], saved["rjsf"]["schema"]);
    assert!(!run["parameters"].as_array().expect("parameters").iter().any(|one| one["in"] == "path"), "{run}");
    assert_complete(&api);

    let output = &api["components"]["schemas"]["AppOutputView"]["properties"];
    assert_eq!(output["nodeId"]["enum"], json!(["2"]), "the outputs of another app");
    assert_eq!(output["name"]["enum"], json!([saved["outputs"]["2"]["name"]]));
    assert!(api.pointer("/components/schemas/FileOutputView").is_some(), "the outputs refer to it");
    let named = &api["paths"]["/api/general/job/{id}/api-outputs"]["get"]["responses"]["200"];
    let items = &named["content"]["application/json"]["schema"]["items"];
    assert_eq!(items["$ref"], json!("#/components/schemas/AppOutputView"));

    // Its example is a valid form.
    let example = run["requestBody"]["content"]["application/json"]["example"].clone();
    let accepted = done(&site, &bob, Method::POST, &format!("/api/general/job/workflow-api/{app}"), example).await;
    let shown = &run["responses"]["201"]["content"]["application/json"]["example"];
    let keys = |value: &Value| value.as_object().map(|fields| fields.keys().cloned().collect::<BTreeSet<_>>());
    assert_eq!((keys(shown), keys(&shown["seeds"])), (keys(&accepted), keys(&accepted["seeds"])));
    worker.stop().await.expect("the worker stops");
    site.finish().await;
}

#[actix_web::test]
async fn document_of_a_version_runs_that_version() {
    let site = Site::start().await;
    let ann = site.person().await;
    let (worker, _folder) = with_worker(&site).await;
    let TwoVersions { app, workflow, first, form, .. } = two_versions(&site, &ann).await;
    let path = |area: &str| format!("/api/{area}/workflow-api/{app}/version/{first}/openapi");
    let api = read(&site, &ann, &path("general")).await;
    assert_complete(&api);
    assert_eq!(api["info"]["version"], json!(first));
    let run = format!("/api/general/job/workflow-api/{app}/version/{first}");
    let body = &api["paths"][&run]["post"]["requestBody"]["content"]["application/json"];
    for field in form.as_object().expect("a form").keys() {
        assert!(body["schema"]["properties"][field].is_object(), "the form of another version: {body}");
    }
    done(&site, &ann, Method::POST, &run, body["example"].clone()).await;

    let guest = Browser::default();
    assert_eq!(error(site.get(&guest, &path("public")).await).await.0, 404, "the app is private");
    posts::publish(&site, &ann, &workflow, 9).await;
    let answer = site.get(&guest, &path("public")).await;
    let tag = answer.headers().get("etag").expect("an ETag").to_str().expect("a text").to_owned();
    assert_eq!(answer.json::<Value>().await.expect("JSON")["paths"], api["paths"]);
    let known = async |tag: &str| {
        let request = guest.sign(site.ask(Method::GET, &path("public"))).header("If-None-Match", tag);
        request.send().await.expect("an answer").status()
    };
    assert_eq!(known(&tag).await, 304);
    assert_eq!(known("W/\"other\"").await, 200);
    worker.stop().await.expect("the worker stops");
    site.finish().await;
}

#[actix_web::test]
async fn owner_lists_the_versions_with_their_addresses() {
    let site = Site::start().await;
    let (ann, bob) = (site.person().await, site.person().await);
    let (worker, _folder) = with_worker(&site).await;
    let TwoVersions { app, workflow, first, current, form } = two_versions(&site, &ann).await;
    let path = format!("/api/general/workflow-api/{app}/version");
    let list = read(&site, &ann, &path).await;
    let items = list["items"].as_array().expect("items");
    let shown: Vec<_> = items.iter().map(|item| (text(item, "_id"), item["isCurrent"].clone())).collect();
    assert_eq!(shown, [(current.clone(), json!(true)), (first.clone(), json!(false))], "newest first: {list}");
    done(&site, &ann, Method::POST, &text(&items[1], "run"), form).await;
    let document = text(&items[1], "openapi");
    assert_eq!(read(&site, &ann, &document).await["info"]["version"], json!(first));

    let page = read(&site, &ann, &format!("{path}?limit=1")).await;
    let next = format!("{path}?limit=1&cursor={}", text(&page, "nextCursor"));
    assert_eq!(text(&page["items"][0], "_id"), current);
    let page = read(&site, &ann, &next).await;
    assert_eq!((text(&page["items"][0], "_id"), &page["nextCursor"]), (first, &Value::Null));

    let share = json!({ "workflowApiId": app, "userEmail": bob.email });
    done(&site, &ann, Method::POST, "/api/general/workflow-api-shared", share).await;
    assert_eq!(error(site.get(&bob, &path).await).await.0, 404, "a user who may only run it");
    posts::publish(&site, &ann, &workflow, 9).await;
    let document = text(&read(&site, &ann, &path).await["items"][0], "openapi");
    let api = read(&site, &Browser::default(), &document).await;
    assert_eq!(api["info"]["version"], json!(current), "the document of a published app needs no key");
    worker.stop().await.expect("the worker stops");
    site.finish().await;
}
