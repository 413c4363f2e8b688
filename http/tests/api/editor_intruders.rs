//! The node editor's calls as an attacker makes them: another user's ids, names that leave a folder, forged requests, and
//! bodies and numbers without measure.

use reqwest::Method;
use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};

use crate::editor_client::{KEY_HEADERS, PlainClient};
use crate::editor_files::hash_of;
use crate::editor_prompts::{API, entry_of, get, post, submit};
use crate::editor_socket::Socket;
use crate::jobs::{prompt, with_idle_worker, with_worker};
use crate::posts;
use crate::roles::table::rows;
use crate::shares::private_app;
use crate::site::{Browser, Site, text};

/// A user's job, file or setting: its placeholder in calls, its name, and a name of the same kind that does not exist.
type Thing = (&'static str, String, String);

struct Things(Vec<Thing>);

impl Things {
    /// A path or body with the names, and the same with names that do not exist.
    fn fill(&self, form: &str) -> (String, String) {
        let names = |name: for<'t> fn(&'t Thing) -> &'t String| {
            self.0.iter().fold(form.to_owned(), |text, thing| text.replace(thing.0, name(thing)))
        };
        (names(|thing| &thing.1), names(|thing| &thing.2))
    }

    /// An answer without what differs between the names.
    fn nameless(&self, status: u16, body: &str) -> String {
        let mut body = body.to_owned();
        if let Ok(Value::Object(mut fields)) = serde_json::from_str(&body) {
            fields.remove("requestId");
            body = Value::Object(fields).to_string();
        }
        let named = self.0.iter().fold(body, |text, (key, one, other)| text.replace(one, key).replace(other, key));
        format!("{status} {named}")
    }
}

/// Sends a request, and returns the status and the body.
async fn send(client: &PlainClient<'_>, method: &Method, path: &str, body: &str) -> (u16, String) {
    let answer = client.ask(method.clone(), path).body(body.to_owned()).send().await.expect("an answer");
    (answer.status().as_u16(), answer.text().await.expect("a body"))
}

/// What Ann has: a prompt that has ended under an id of her own, its output, an upload, a file and a setting.
async fn things(site: &Site, ann: &Browser) -> Things {
    let alias = "11111111-2222-4333-8444-555555555555";
    let picture = posts::png(99);
    let client = PlainClient::of(site, ann, "api-key", "").await;
    assert_eq!(client.upload("secret.png", picture.clone()).await, "secret.png");
    let mut body = prompt(42);
    body["prompt_id"] = json!(alias);
    submit(site, ann, &body).await;
    let entry = entry_of(site, ann, alias).await;
    let output = &entry["outputs"]["2"]["images"][0];
    let bytes = client.view(output).await.expect("the owner's output");
    let mine: Value = site.get(ann, "/api/general/job").await.json().await.expect("JSON");
    let known = json!({ "hash": format!("sha256:{}", hash_of(&picture)), "name": "secret.png" });
    let asset = post(site, ann, "/assets/from-hash", &known).await.1;
    for (path, body) in [("/userdata/workflows%2FA.json", json!({})), ("/settings/Ann.Secret", json!("secret"))] {
        assert_eq!(post(site, ann, path, &body).await.0, 200);
    }
    let of = |key: &'static str, name: String, other: &str| (key, name, other.to_owned());
    let (content, upload) = (hash_of(&bytes), hash_of(&picture));
    Things(vec![
        of("$job", text(&mine["items"][0], "_id"), "01970000-0000-7000-8000-00000000dea1"),
        of("$alias", alias.to_owned(), "11111111-2222-4333-8444-0000000000ff"),
        of("$output", text(output, "subfolder"), "01970000-0000-7000-8000-00000000dea2"),
        of("$asset", text(&asset, "id"), "01970000-0000-7000-8000-00000000dea3"),
        of("$content", content.clone(), &"0".repeat(64)),
        of("$upload", upload.clone(), &"1".repeat(64)),
        of("$file", "test_00001_.png".to_owned(), "nope_00001_.png"),
        of("$input", "secret.png".to_owned(), "absent.png"),
        of("$graph", "workflows%2FA.json".to_owned(), "workflows%2FB.json"),
        of("$setting", "Ann.Secret".to_owned(), "Ann.Absent"),
    ])
}

/// Calls that name a job, a file or a setting.
const CALLS: [(&str, &str, &str); 38] = [
    ("GET", "/history/$job", ""),
    ("GET", "/history/$alias", ""),
    ("GET", "/history_v2/$job", ""),
    ("GET", "/history_v2/$alias", ""),
    ("GET", "/jobs/$job", ""),
    ("GET", "/jobs/$alias", ""),
    ("GET", "/job/$job/status", ""),
    ("GET", "/job/$alias/status", ""),
    ("POST", "/jobs/$job/cancel", ""),
    ("POST", "/jobs/cancel", r#"{"job_ids":["$job","$alias"]}"#),
    ("POST", "/queue", r#"{"delete":["$job","$alias"]}"#),
    ("POST", "/history", r#"{"delete":["$job","$alias"]}"#),
    ("POST", "/interrupt", r#"{"prompt_id":"$alias"}"#),
    ("GET", "/view?filename=$file&subfolder=$output&type=output", ""),
    ("GET", "/view?filename=$file", ""),
    ("GET", "/view?filename=$output.png&type=temp", ""),
    ("GET", "/view?filename=$content.png", ""),
    ("GET", "/view?filename=sha256:$content", ""),
    ("GET", "/view?filename=$output/$file%20[output]&type=input", ""),
    ("GET", "/view?filename=$input&type=input", ""),
    ("GET", "/view?filename=$input%20[input]", ""),
    ("GET", "/view?filename=$asset.png&type=input", ""),
    ("GET", "/view?filename=$upload.png&type=input&channel=rgb", ""),
    ("GET", "/view?filename=$input&subfolder=.&type=input&preview=webp", ""),
    ("HEAD", "/assets/hash/sha256:$upload", ""),
    ("POST", "/assets/from-hash", r#"{"hash":"sha256:$upload","tags":["input"]}"#),
    ("GET", "/assets/$asset", ""),
    ("GET", "/assets/$output", ""),
    ("PUT", "/assets/$asset", r#"{"name":"x"}"#),
    ("POST", "/assets/$output/tags", r#"{"tags":["x"]}"#),
    ("DELETE", "/assets/$asset/tags", r#"{"tags":["input"]}"#),
    ("DELETE", "/assets/$asset", ""),
    ("DELETE", "/assets/$output", ""),
    ("GET", "/files/mask-layers?filename=$upload.png", ""),
    ("GET", "/userdata/$graph", ""),
    ("DELETE", "/userdata/$graph", ""),
    ("POST", "/userdata/$graph/move/C.json", ""),
    ("GET", "/settings/$setting", ""),
];

/// Values of a prompt that name files.
const FILES: [&str; 7] = [
    "$input",
    "$input [input]",
    "$asset.png",
    "$upload.png",
    "sha256:$upload",
    "$output/$file [output]",
    "$content.png [output]",
];

#[actix_web::test]
async fn another_users_things_answer_as_things_that_do_not_exist() {
    let site = Site::start().await;
    let (ann, bob, admin) = (site.person().await, site.person().await, site.admin().await);
    let (worker, _folder) = with_worker(&site).await;
    let things = things(&site, &ann).await;
    let load = |name: &str| {
        let load = json!({ "class_type": "LoadImage", "inputs": { "image": name } });
        let show = json!({ "class_type": "PreviewImage", "inputs": { "images": ["1", 0] } });
        json!({ "prompt": { "1": load, "2": show } }).to_string()
    };
    let mut calls: Vec<(Method, String, String)> = CALLS
        .iter()
        .map(|(method, path, body)| (method.parse().expect("a method"), (*path).to_owned(), (*body).to_owned()))
        .collect();
    calls.extend(FILES.map(|name| (Method::POST, "/prompt".to_owned(), load(name))));
    for stranger in [&bob, &admin] {
        for header in KEY_HEADERS {
            let client = PlainClient::of(&site, stranger, header, "/api").await;
            for (method, path, body) in &calls {
                let ((path, no_path), (body, no_body)) = (things.fill(path), things.fill(body));
                let theirs = send(&client, method, &path, &body).await;
                // Comfy Cloud tells another user's job from an unknown one, and nothing more of it.
                if header == "x-api-key" && path == things.fill("/jobs/$job").0 {
                    assert_eq!(theirs.0, 403, "{}", theirs.1);
                    assert!(!theirs.1.contains(path.trim_start_matches("/jobs/")), "{}", theirs.1);
                    continue;
                }
                let none = send(&client, method, &no_path, &no_body).await;
                let [theirs, none] = [theirs, none].map(|(status, body)| things.nameless(status, &body));
                assert_eq!(theirs, none, "{method} {path} {body} with {header}");
            }
            for reference in [
                json!({ "filename": "secret.png", "type": "input" }),
                json!({ "filename": things.fill("$asset").0 }),
                json!({ "filename": things.fill("$asset.png").0 }),
                json!({ "filename": things.fill("$file").0, "subfolder": things.fill("$output").0, "type": "output" }),
                json!({ "filename": "../secret.png", "type": "input" }),
            ] {
                let form = Form::new().text("original_ref", reference.to_string());
                let form = form.part("image", Part::bytes(posts::png(1)).file_name("mask.png"));
                let sent = client.ask(Method::POST, "/upload/mask").multipart(form).send().await.expect("an answer");
                assert!([400, 404].contains(&sent.status().as_u16()), "{reference}: {}", sent.status());
            }
            for (path, list) in [("/jobs", "jobs"), ("/history_v2", "history"), ("/queue", "queue_pending")] {
                assert_eq!(client.get(path).await.1[list], json!([]), "{path}");
            }
            assert_eq!(client.get("/history").await, (200, json!({})));
            assert_eq!(client.get("/internal/files/input").await, (200, json!([])));
            assert_eq!(client.get("/internal/files/output").await, (200, json!([])));
            let (_, settings) = client.get("/settings").await;
            assert!(settings.get("Ann.Secret").is_none());
            let (_, classes) = client.get("/object_info/LoadImage").await;
            assert!(!classes.to_string().contains("secret.png"), "{classes}");
            for path in ["/queue", "/history"] {
                assert_eq!(client.post(path, &json!({ "clear": true })).await.0, 200);
            }
        }
    }
    // All is still there.
    for (method, path, _) in calls.iter().filter(|(method, path, _)| *method == Method::GET && !path.contains("$asset"))
    {
        let answer = ann.sign(site.ask(method.clone(), &format!("{API}{}", things.fill(path).0)));
        let answer = answer.send().await.expect("an answer");
        // It is a picture without a mask.
        let expected = if path.starts_with("/files/mask-layers") { 404 } else { 200 };
        assert_eq!(answer.status(), expected, "{path}");
    }
    assert!(get(&site, &ann, "/history").await.1.get("11111111-2222-4333-8444-555555555555").is_some());
    worker.stop().await.expect("the worker stops");
    site.finish().await;
}

#[actix_web::test]
async fn sockets_with_another_users_client_id_stay_silent() {
    let site = Site::start().await;
    let (ann, bob) = (site.person().await, site.person().await);
    let (worker, _folder) = with_worker(&site).await;
    let owner = PlainClient::of(&site, &ann, "api-key", "").await;
    let mut own = owner.socket().await;
    // The key of Comfy Cloud's clients, whose sockets get the messages of all jobs of their account.
    let cloud = PlainClient::of(&site, &bob, "x-api-key", "").await;
    let mut local = PlainClient::of(&site, &bob, "api-key", "").await;
    local.id = owner.id.clone();
    let mut sockets = [cloud.socket().await, local.socket().await];
    let mut body = prompt(3);
    body["client_id"] = json!(owner.id);
    owner.run(&mut own, &body["prompt"]).await;
    for socket in &mut sockets {
        assert!(socket.is_silent().await, "a socket got a message about another account's prompt");
    }
    // The same ids in a prompt of another account.
    local.run(&mut sockets[1], &body["prompt"]).await;
    assert!(own.is_silent().await);
    drop((own, sockets));
    worker.stop().await.expect("the worker stops");
    site.finish().await;
}

#[actix_web::test]
async fn sockets_of_comfy_clouds_clients_get_all_of_their_account() {
    // A slow machine stores an output later, and the order is the same.
    let site = Site::with(|settings| settings.jobs.output_hold_seconds = 600).await;
    let ann = site.person().await;
    let cloud = PlainClient::of(&site, &ann, "x-api-key", "/api").await;
    let (worker, _folder) = with_idle_worker(&site).await;
    // As in its documentation: the prompt names no client, and the socket may be late.
    let (status, accepted) = cloud.post("/prompt", &prompt(4)).await;
    assert_eq!(status, 200, "{accepted}");
    let id = text(&accepted, "prompt_id");
    let mut socket = cloud.socket().await;
    verdigraph_core::jobs::start(&site.core.core);
    let frames = socket.until("executing", |data| data["node"].is_null() && data["prompt_id"] == id).await;
    let kinds: Vec<&str> = frames.iter().map(|frame| frame.kind()).filter(|kind| *kind != "status").collect();
    let expected = [
        "execution_start",
        "execution_cached",
        "progress_state",
        "executing",
        "progress_state",
        "progress_state",
        "executing",
        "executed",
        "progress_state",
        "execution_success",
        "executing",
    ];
    assert_eq!(kinds, expected);
    drop(socket);
    worker.stop().await.expect("the worker stops");
    site.finish().await;
}

#[actix_web::test]
async fn changes_by_cookie_need_the_token() {
    let site = Site::start().await;
    let (ann, bob) = (site.person().await, site.person().await);
    let changes: Vec<_> = rows()
        .into_iter()
        .filter(|row| row.path.starts_with(API) && ![Method::GET, Method::HEAD].contains(&row.method))
        .collect();
    assert!(changes.len() >= 15, "{} calls change something", changes.len());
    for row in &changes {
        for path in [row.path.clone(), row.path.replacen("/api/", "/", 1)] {
            for token in ["", bob.xsrf.as_str()] {
                // A form of another site cannot declare JSON.
                let forged = site.ask(row.method.clone(), &path.replace(['{', '}'], "")).body("{}");
                let forged = forged.header("cookie", format!("vg_session={}; XSRF-TOKEN={token}", ann.session));
                let forged = forged.header("content-type", "text/plain").header("x-xsrf-token", token);
                let answer = forged.send().await.expect("an answer");
                assert_eq!(answer.status(), 403, "{} {path}", row.method);
                let error: Value = answer.json().await.expect("JSON");
                assert_eq!(error["code"], "XSRF_MISMATCH", "{} {path}", row.method);
            }
        }
    }
    site.finish().await;
}

#[actix_web::test]
async fn names_and_numbers_without_measure_are_refused() {
    let site = Site::start().await;
    let ann = site.person().await;
    let (worker, _folder) = with_idle_worker(&site).await;
    let most = i64::MAX;
    for path in [
        "/view?filename=a%00b.png".to_owned(),
        "/view?filename=a.png&subfolder=x%00y&type=input".to_owned(),
        "/view?filename=a.png&subfolder=x%00y".to_owned(),
        "/view?filename=a.png&subfolder=..%5C..&type=input".to_owned(),
        "/view?filename=..%2F..%2Fetc%2Fpasswd&type=input".to_owned(),
        "/view?filename=%2Fetc%2Fpasswd".to_owned(),
        "/view?filename=%FF%FE&type=input".to_owned(),
        format!("/view?filename={}&type=input", "a".repeat(5000)),
        "/jobs?workflow_id=a%00b".to_owned(),
        "/jobs?status=%00".to_owned(),
        format!("/jobs?limit={most}&offset={most}"),
        format!("/jobs?status=completed&limit={most}&offset={most}"),
        format!("/history?max_items={most}&offset={most}"),
        format!("/history?max_items={most}&offset=-{most}"),
        "/history?max_items=99999999999999999999".to_owned(),
        format!("/history_v2?max_items={most}&offset={most}"),
        "/history/a%00b".to_owned(),
        "/userdata?dir=..".to_owned(),
        "/userdata/a%00b".to_owned(),
        "/settings/a%00b".to_owned(),
        "/models/..%2F..".to_owned(),
        "/object_info/a%00b".to_owned(),
        "/assets/a%00b".to_owned(),
        "/assets/hash/sha256:%00".to_owned(),
        "/assets?include_tags=a%00b".to_owned(),
        "/assets?name_contains=%00".to_owned(),
        "/assets?metadata_filter=%7B%22a%22:%22%5Cu0000%22%7D".to_owned(),
        format!("/assets?limit={most}&offset={most}"),
        "/assets/tags/refine?exclude_tags=%00".to_owned(),
        "/tags?prefix=%00".to_owned(),
        "/files/mask-layers?filename=..%2Fa%00".to_owned(),
        "/workflows?name=%00&limit=99999999999999999999".to_owned(),
        "/workflows/a%00b/content".to_owned(),
        "/jobs?output_type=%00".to_owned(),
        "/internal/files/..%2F..".to_owned(),
    ] {
        let status = site.get(&ann, &format!("{API}{path}")).await.status().as_u16();
        assert!(status < 500, "{status} for {path}");
    }
    let deep = "[".repeat(50_000) + &"]".repeat(50_000);
    for (path, body) in [
        ("/prompt", format!(r#"{{"prompt":{deep}}}"#)),
        ("/prompt", format!(r#"{{"prompt":{{"1":{{"class_type":"EmptyImage","inputs":{{"width":{deep}}}}}}}}}"#)),
        ("/prompt", format!(r#"{{"prompt":{{}},"client_id":{deep}}}"#)),
        ("/prompt", format!(r#"{{"prompt":{{}},"extra_data":{{"x":{deep}}}}}"#)),
        ("/settings", format!(r#"{{"a":{deep}}}"#)),
        ("/settings/a", deep.clone()),
        ("/queue", format!(r#"{{"delete":{deep}}}"#)),
        ("/history", format!(r#"{{"delete":{deep}}}"#)),
        ("/jobs/cancel", format!(r#"{{"job_ids":{deep}}}"#)),
        ("/assets/from-hash", format!(r#"{{"hash":{deep}}}"#)),
        (
            "/prompt",
            r#"{"prompt":{"1":{"class_type":"A\u0000"}},"client_id":"a\u0000b","workflow_id":"\u0000"}"#.to_owned(),
        ),
        ("/prompt", r#"{"prompt":{},"number":1e999}"#.to_owned()),
        ("/settings", r#"{"a\u0000":1}"#.to_owned()),
    ] {
        let answer = ann.sign(site.ask(Method::POST, &format!("{API}{path}"))).body(body).send().await;
        let status = answer.expect("an answer").status().as_u16();
        assert_eq!(status, 400, "{path}");
    }
    let limits = &site.core.settings.limits;
    let large = |bytes: usize| "a".repeat(bytes + 1);
    for (path, body) in [
        ("/prompt", large(16 << 20)),
        ("/queue", large(16 << 20)),
        ("/settings", large(2 * verdigraph_core::editor::MAX_SETTINGS_BYTES)),
        ("/userdata/a.json", large(verdigraph_core::editor::MAX_FILE_BYTES)),
    ] {
        let answer = ann.sign(site.ask(Method::POST, &format!("{API}{path}"))).body(body).send().await;
        assert_eq!(answer.expect("an answer").status(), 413, "{path}");
    }
    let upload = usize::try_from(limits.upload_bytes.max(limits.media_bytes)).expect("a size");
    assert!(upload < 1 << 30, "uploads have no measure");
    // Each output that a prompt names is looked for.
    let outputs: Vec<String> =
        (0..300).map(|number| format!("01970000-0000-7000-8000-{number:012}/a.png [output]")).collect();
    let mut many = prompt(1);
    many["prompt"]["1"]["inputs"]["unused"] = json!(outputs);
    let (status, refused) = post(&site, &ann, "/prompt", &many).await;
    assert_eq!((status, &refused["error"]["type"]), (400, &json!("validation_failed")), "{refused}");
    worker.stop().await.expect("the worker stops");
    site.finish().await;
}

#[actix_web::test]
async fn socket_takes_no_credential_of_another_kind() {
    let site = Site::start().await;
    let (ann, guest) = (site.person().await, Browser::default());
    let made = site.send(&ann, Method::POST, "/api/general/api-key", &json!({ "name": "script" })).await;
    let key = text(&made.json().await.expect("JSON"), "key");
    for query in [format!("?token={}", ann.session), format!("?token={}", ann.xsrf), format!("?key={key}")] {
        assert_eq!(Socket::open(&site, &guest, &query, None).await.err(), Some(401), "{query}");
    }
    // A token opens a socket and nothing else.
    for path in ["/queue", "/history", "/jobs", "/prompt"] {
        let answer = site.get(&guest, &format!("{API}{path}?token={key}")).await;
        assert_eq!(answer.status(), 401, "{path}");
    }
    // A client id with a NUL, or a long one, is not taken over.
    for id in ["%00".to_owned(), "a".repeat(201)] {
        let mut socket = Socket::open(&site, &ann, &format!("?clientId={id}"), None).await.expect("a socket");
        let greeting = socket.next().await.expect("a greeting");
        assert_eq!(text(greeting.data(), "sid").len(), 32, "{id}");
    }
    site.finish().await;
}

#[actix_web::test]
async fn graph_of_a_shared_mini_app_is_in_no_answer() {
    let site = Site::start().await;
    let (ann, bob) = (site.person().await, site.person().await);
    let (worker, _folder) = with_worker(&site).await;
    let (app, _) = private_app(&site, &ann).await;
    let share = json!({ "workflowApiId": app, "userEmail": bob.email });
    assert_eq!(site.send(&ann, Method::POST, "/api/general/workflow-api-shared", &share).await.status(), 201);
    let run = site.send(&bob, Method::POST, &format!("/api/general/job/workflow-api/{app}"), &json!({})).await;
    assert_eq!(run.status(), 201);
    let id = text(&run.json().await.expect("a job"), "_id");
    let entry = entry_of(&site, &bob, &id).await;
    assert_eq!((&entry["prompt"][2], &entry["prompt"][3]), (&json!({}), &json!({})), "{entry}");
    for path in ["/jobs/", "/history/", "/history_v2/"] {
        let (status, answer) = get(&site, &bob, &format!("{path}{id}")).await;
        assert_eq!(status, 200, "{path}");
        assert!(!answer.to_string().contains("ImageAddNoise"), "{path}: {answer}");
    }
    worker.stop().await.expect("the worker stops");
    site.finish().await;
}
