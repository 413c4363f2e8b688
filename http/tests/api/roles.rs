//! The role matrix: every documented operation and every call of ComfyUI's APIs, requested as a guest, another user,
//! the owner, an admin, and as an owner who is banned, unconfirmed, or whose content moderators have hidden.
//! `roles/matrix.table` has the expected responses. An operation without a row fails, as does a row without an
//! operation, or an undocumented route.

mod bodies;
mod people;
mod statements;
pub mod table;
mod things;

use std::collections::BTreeSet;
use std::path::Path;

use reqwest::Method;
use reqwest::multipart::{Form, Part};

use crate::posts;
use crate::site::Browser;
use table::{Row, rows};
use things::Things;

pub const ROLES: [&str; 7] = ["guest", "other", "owner", "admin", "banned", "unproven", "moderated"];

/// Routes for browsers and machines, which the OpenAPI document leaves out.
const UNDOCUMENTED: [&str; 17] = [
    "GET /api/agent",
    "GET /api/docs",
    "GET /api/openapi.json",
    "GET /comfyui-editor",
    "GET /comfyui-editor/",
    "GET /comfyui-editor/assets/{}",
    "GET /comfyui-editor/index.html",
    "GET /comfyui-editor/installed.json",
    "GET /media/raw/{}/{}",
    "GET /media/signed/{}",
    "GET /media/{}/{}",
    "GET /metrics",
    "GET /optimal/{}",
    "GET /robots.txt",
    "GET /sitemap.xml",
    "GET /sitemaps/pages.xml",
    "GET /sitemaps/{}-{}.xml",
];

/// ComfyUI's calls. ComfyUI documents them, so the document of this API does not, but each has a row in the table.
const EDITOR_API: &str = "/comfyui-editor/api";
const COMFY_V2: &str = "/api/v2";
/// The Model Context Protocol documents its messages.
const MCP: &str = "/mcp";

/// Calls that others document, without the names of parameters.
fn foreign_calls() -> BTreeSet<String> {
    let is_foreign = |operation: &String| {
        [EDITOR_API, COMFY_V2].iter().any(|api| operation.contains(&format!(" {api}/")))
            || operation.ends_with(&format!(" {MCP}"))
            || operation.ends_with(&format!(" {MCP}/"))
    };
    mounted().into_iter().filter(is_foreign).collect()
}

fn documented() -> BTreeSet<String> {
    let api = verdigraph_http::openapi::value();
    let mut operations = BTreeSet::new();
    for (path, methods) in api["paths"].as_object().expect("paths") {
        for method in methods.as_object().expect("methods").keys().filter(|key| *key != "parameters") {
            operations.insert(format!("{} {path}", method.to_uppercase()));
        }
    }
    operations
}

#[test]
fn operations_and_rows_match() {
    let operations: BTreeSet<String> =
        documented().iter().map(|operation| nameless(operation)).chain(foreign_calls()).collect();
    let tried: BTreeSet<String> = rows().iter().map(|row| nameless(&row.operation())).collect();
    let without_row: Vec<_> = operations.difference(&tried).collect();
    let without_operation: Vec<_> = tried.difference(&operations).collect();
    assert!(
        without_row.is_empty() && without_operation.is_empty(),
        "say in roles/matrix.table who may do this: {without_row:#?}\nthese rows are of nothing: {without_operation:#?}"
    );
}

#[test]
fn rows_agree_with_their_prefix() {
    for row in rows() {
        let [guest, other, owner, _, rest @ ..] = row.expected;
        if row.path.starts_with("/api/general/") || row.path.starts_with("/api/admin/") {
            assert_eq!(guest, 401, "line {}: a guest is let in", row.line);
        }
        if row.path.starts_with("/api/admin/") {
            assert_eq!((other, owner), (403, 403), "line {}: a caller without the role is let in", row.line);
            assert_eq!(rest, [403; 3], "line {}: a caller without the role is let in", row.line);
        }
        assert!(row.expected.iter().all(|status| *status < 500), "line {}: a fault is no answer", row.line);
    }
}

/// `GET /api/x/{}` for every route in the sources.
fn mounted() -> BTreeSet<String> {
    fn read(folder: &Path, found: &mut BTreeSet<String>) {
        for entry in std::fs::read_dir(folder).expect("a folder of routes") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                read(&path, found);
                continue;
            }
            let source = std::fs::read_to_string(&path).expect("a source");
            let source = source.split("#[cfg(test)]").next().unwrap_or_default();
            // It mounts the modules beside it.
            if ["src/editor/mod.rs", "src/comfy_v2/mod.rs", "src/mcp/mod.rs"]
                .iter()
                .any(|module| path.ends_with(module))
            {
                continue;
            }
            for other in ["web::scope(", ".route(", "#[get(", "#[post(", "web::to("] {
                assert!(!source.contains(other), "{path:?} mounts with {other}, which this test cannot read");
            }
            let prefix = match path.file_name().and_then(|name| name.to_str()) {
                Some("media.rs") => "/media",
                Some("site.rs") => "/comfyui-editor",
                Some("metrics.rs") => "",
                _ if path.components().any(|part| part.as_os_str() == "editor") => EDITOR_API,
                _ if path.components().any(|part| part.as_os_str() == "comfy_v2") => COMFY_V2,
                _ if path.components().any(|part| part.as_os_str() == "mcp") => MCP,
                _ => "/api",
            };
            for mount in source.split("resource(\"").skip(1) {
                let (address, chain) = mount.split_once('"').expect("an address");
                let prefix = if is_file(address) { "" } else { prefix };
                let chain = chain.split(';').next().unwrap_or_default().split(".service(").next().unwrap_or_default();
                for method in ["get", "post", "put", "patch", "delete", "head"] {
                    if chain.contains(&format!(".{method}(")) {
                        found.insert(nameless(&format!("{} {prefix}{address}", method.to_uppercase())));
                    }
                }
            }
        }
    }
    let mut found = BTreeSet::new();
    for folder in ["src/routes", "src/editor", "src/comfy_v2", "src/mcp"] {
        read(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &mut found);
    }
    found
}

/// Whether this is a whole address and not below `/api`: files at well-known places, the short address of media, and
/// probes before the gate.
fn is_file(address: &str) -> bool {
    ["/robots.txt", "/sitemap", "/optimal/", "/api/"].iter().any(|start| address.starts_with(start))
}

/// Removes the names of parameters, which may differ between router and document.
fn nameless(operation: &str) -> String {
    let mut parts = operation.split('{');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + "{}" + part.split_once('}').map_or("", |(_, rest)| rest))
}

#[test]
fn undocumented_routes_are_listed() {
    let documented: BTreeSet<String> = documented().iter().map(|operation| nameless(operation)).collect();
    let mounted = mounted();
    let calls = foreign_calls();
    let hidden = mounted.difference(&documented).filter(|operation| !calls.contains(*operation));
    let hidden: BTreeSet<&str> = hidden.map(String::as_str).collect();
    assert_eq!(hidden, BTreeSet::from(UNDOCUMENTED), "undocumented routes");
    let missing: Vec<_> = documented.difference(&mounted).collect();
    assert!(missing.is_empty(), "documented and not mounted: {missing:#?}");
}

#[actix_web::test]
async fn operations_answer_roles_as_in_the_table() {
    let (mut things, mut mailed) = (Things::start().await, Things::with_mail().await);
    let mut wrong = Vec::new();
    for row in rows() {
        for (role, expected) in ROLES.iter().zip(row.expected) {
            let things = if *role == "unproven" { &mut mailed } else { &mut things };
            let who = match row.is_consumed && *role != "guest" {
                true => things.fresh_person(role).await,
                false => things.person(role),
            };
            let (status, asked) = ask(things, &row, &who, role).await;
            if status.0 != expected {
                wrong.push(format!(
                    "line {}: {asked} as {role}: {} instead of {expected}: {}",
                    row.line, status.0, status.1
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{} answers are not what the table says: {wrong:#?}", wrong.len());
    things.finish().await;
    mailed.finish().await;
}

/// Status and beginning of the body, and the request.
async fn ask(things: &mut Things, row: &Row, who: &Browser, role: &str) -> ((u16, String), String) {
    things.begin(role);
    let path = things.fill(&row.address(), who).await;
    let body = things.fill(&row.body, who).await;
    things.put_into(role, who).await;
    let request = who.sign(things.site.ask(row.method.clone(), &path));
    let request = match body.as_str() {
        "" if row.method == Method::GET => request,
        "" => request.header("content-type", "application/json").body("{}"),
        "@picture" => {
            let part = Part::bytes(posts::png(77)).file_name("a.png");
            request.multipart(Form::new().part("image", part))
        }
        "@text" => {
            let part = Part::bytes(b"words".to_vec()).file_name("a.txt");
            request.multipart(Form::new().part("text", part))
        }
        "@ndjson" => {
            let item = serde_json::json!({ "key": "one", "prompt": crate::jobs::prompt(1)["prompt"] });
            request.header("content-type", "application/x-ndjson").body(format!("{item}\n"))
        }
        json => request.header("content-type", "application/json").body(json.to_owned()),
    };
    let response = request.send().await.expect("an answer");
    let status = response.status().as_u16();
    things.take_out_of(role, who).await;
    // A stream does not end; only a refusal is read.
    let said = if status >= 400 { response.text().await.unwrap_or_default() } else { String::new() };
    ((status, said.chars().take(300).collect()), format!("{} {path} {body}", row.method))
}
