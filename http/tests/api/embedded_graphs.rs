//! Workers write the prompt and the graph into their files. No way in which a stranger fetches a published output or a
//! picture of a workflow may give them away.

use std::process::Command;

use reqwest::multipart::{Form, Part};
use reqwest::{Method, Response};
use serde_json::{Value, json};
use verdigraph_core::gallery;
use verdigraph_core::ids::OutputAssetId;

use crate::editor_prompts::{API, entry_of, submit};
use crate::file_names::{one, stored};
use crate::jobs::{prompt, with_worker};
use crate::output_assets::zip_reader;
use crate::posts::{TAG, draft, png_of};
use crate::site::{Browser, Site, text};

/// Part of the prompt in each file.
const SECRET: &str = "MySecretPromptNode";

/// A prompt as ComfyUI writes it, and as a workflow.
fn graph() -> String {
    json!({ "3": { "class_type": SECRET, "inputs": { "text": "a cat" } } }).to_string()
}

fn has_secret(bytes: &[u8]) -> bool {
    let wide: Vec<u8> = SECRET.bytes().flat_map(|byte| [byte, 0]).collect();
    [SECRET.as_bytes(), &wide].into_iter().any(|secret| bytes.windows(secret.len()).any(|window| window == secret))
}

fn encoded(format: image::ImageFormat) -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    image::RgbImage::from_pixel(8, 8, image::Rgb([9, 80, 200])).write_to(&mut bytes, format).expect("a picture");
    bytes.into_inner()
}

/// A picture with the graph in a text chunk, and behind its end.
fn png(picture: &[u8]) -> Vec<u8> {
    let data = [b"tEXtprompt\0", graph().as_bytes()].concat();
    let length = u32::try_from(data.len() - 4).expect("short").to_be_bytes();
    let chunk = [&length[..], &data, &crc32fast::hash(&data).to_be_bytes()].concat();
    [&picture[..33], &chunk, &picture[33..], graph().as_bytes()].concat()
}

fn pictures() -> Vec<(&'static str, Vec<u8>)> {
    let graph = graph();
    let jpeg = encoded(image::ImageFormat::Jpeg);
    let length = u16::try_from(graph.len() + 8).expect("short").to_be_bytes();
    let segment = [&[0xff, 0xe1][..], &length, b"Exif\0\0", graph.as_bytes()].concat();
    let even = if graph.len().is_multiple_of(2) { graph.clone() } else { format!("{graph} ") };
    let webp = encoded(image::ImageFormat::WebP);
    let mut webp =
        [&webp[..], b"EXIF", &u32::try_from(even.len()).expect("short").to_le_bytes(), even.as_bytes()].concat();
    let size = u32::try_from(webp.len() - 8).expect("short").to_le_bytes();
    webp[4..8].copy_from_slice(&size);
    let gif = encoded(image::ImageFormat::Gif);
    let comment = [&[0x21, 0xfe, u8::try_from(graph.len()).expect("short")], graph.as_bytes(), &[0]].concat();
    vec![
        ("a_00001_.png", png(&encoded(image::ImageFormat::Png))),
        ("a_00001_.jpg", [&jpeg[..2], &segment, &jpeg[2..]].concat()),
        ("a_00001_.webp", webp),
        ("a_00001_.gif", [&gif[..gif.len() - 1], &comment, b"\x3b"].concat()),
    ]
}

/// A sound or video with the graph in its tags, as ComfyUI's nodes and those of node packs write it.
fn recording(extension: &str, arguments: &[&str]) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join(format!("a.{extension}"));
    let mut command = Command::new("ffmpeg");
    command.args(["-v", "error", "-nostdin"]).args(arguments);
    for tag in ["prompt", "workflow", "comment"] {
        command.args(["-metadata", &format!("{tag}={}", graph())]);
    }
    command.args(["-movflags", "use_metadata_tags"]).arg(&file);
    let made = command.output().expect("ffmpeg");
    assert!(made.status.success(), "{extension}: {}", String::from_utf8_lossy(&made.stderr));
    std::fs::read(&file).expect("a recording")
}

fn recordings() -> Vec<(&'static str, Vec<u8>)> {
    let film = ["-f", "lavfi", "-i", "testsrc=duration=1:size=64x48:rate=5", "-pix_fmt", "yuv420p"];
    let sound = ["-f", "lavfi", "-i", "sine=duration=1"];
    let with = |input: &[&'static str], codec: &[&'static str]| [input, codec].concat();
    let mut made = vec![
        ("v_00001_.mp4", recording("mp4", &with(&film, &["-c:v", "libx264"]))),
        ("v_00001_.webm", recording("webm", &with(&film, &["-c:v", "libvpx"]))),
        ("s_00001_.flac", recording("flac", &sound)),
        ("s_00001_.mp3", recording("mp3", &sound)),
        ("s_00001_.opus", recording("ogg", &with(&sound, &["-c:a", "libopus"]))),
        ("s_00001_.m4a", recording("m4a", &sound)),
        ("s_00001_.wav", recording("wav", &with(&sound, &["-bitexact"]))),
    ];
    // Some programs append data.
    for (_, bytes) in &mut made {
        bytes.extend(graph().bytes());
    }
    made
}

/// Files that only their owner sees, with the graph where ComfyUI's nodes write it.
fn other_files() -> Vec<(&'static str, Vec<u8>)> {
    let texts = json!({ "prompt": graph(), "workflow": graph() });
    let scene = json!({ "asset": { "version": "2.0", "extras": texts }, "scenes": [] }).to_string();
    let scene = format!("{scene:width$}", width = scene.len().next_multiple_of(4));
    let length = u32::try_from(scene.len()).expect("short");
    let glb = [b"glTF\x02\0\0\0", &(length + 20).to_le_bytes()[..], &length.to_le_bytes(), b"JSON", scene.as_bytes()];
    let entry = json!({ "dtype": "F32", "shape": [1], "data_offsets": [0, 4] });
    let head = json!({ "__metadata__": texts, "latent_tensor": entry }).to_string();
    let latent = [&(head.len() as u64).to_le_bytes()[..], head.as_bytes(), &[0; 4]];
    let svg = format!("<svg xmlns='http://www.w3.org/2000/svg'><metadata><![CDATA[{}]]></metadata></svg>", graph());
    vec![("m_00001_.glb", glb.concat()), ("l_00001_.latent", latent.concat()), ("d_00001_.svg", svg.into_bytes())]
}

async fn bytes_of(response: Response) -> (u16, Vec<u8>) {
    (response.status().as_u16(), response.bytes().await.expect("bytes").to_vec())
}

/// The addresses of files in an answer.
fn addresses(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) if text.contains("/media/") => {
            found.push(text[text.find("/media/").expect("a path")..].to_owned());
        }
        Value::Array(items) => items.iter().for_each(|item| addresses(item, found)),
        Value::Object(fields) => fields.values().for_each(|field| addresses(field, found)),
        _ => {}
    }
}

async fn publish(site: &Site, who: &Browser, id: OutputAssetId, shows_origin: bool) -> u16 {
    let body = json!({ "ids": [id], "isPrivate": false, "showsOrigin": shows_origin });
    site.send(who, Method::PATCH, "/api/general/output-asset/privates", &body).await.status().as_u16()
}

/// Everything that a stranger gets of a published output.
async fn fetched(site: &Site, stranger: &Browser, id: OutputAssetId) -> Vec<(String, Vec<u8>)> {
    let shown = site.get(stranger, &format!("/api/public/output-asset/{id}")).await;
    let shown: Value = shown.json().await.expect("an output");
    let mut paths = vec![format!("/api/public/output-asset/{id}"), format!("/api/public/output-asset/{id}/origin")];
    addresses(&shown, &mut paths);
    let key = text(&shown, "key");
    paths.extend(["raw", "w200", "w480", "w960", "optimal"].map(|quality| format!("/media/{quality}/{key}")));
    let mut got = Vec::new();
    for path in paths {
        let (status, bytes) = bytes_of(site.get(stranger, &path).await).await;
        if status == 200 {
            got.push((path, bytes));
        }
    }
    assert!(got.iter().any(|(path, _)| path.starts_with("/media/raw/")), "a stranger does not get the file: {shown}");
    let original = site.get(stranger, &format!("/api/general/output-asset/{id}/original")).await;
    assert!([401, 404].contains(&original.status().as_u16()));
    let view = site.get(stranger, &format!("{API}/view?filename=a.png&subfolder={id}&type=output")).await;
    assert!([401, 404].contains(&view.status().as_u16()));
    if !stranger.session.is_empty() {
        let zip = site.send(stranger, Method::POST, "/api/general/output-asset/zip", &json!({ "ids": [id] })).await;
        got.extend(zip_reader(&zip.bytes().await.expect("an archive")));
        let path = format!("/api/general/output-asset/{id}/upload");
        let copied = site.send(stranger, Method::POST, &path, &json!({})).await;
        if copied.status() == 201 {
            let asset: Value = copied.json().await.expect("an upload");
            let view = format!("{API}/view?filename={}&type=input", text(&asset, "_id"));
            for path in [format!("/media/raw/{}", text(&asset, "key")), view] {
                let (status, bytes) = bytes_of(site.get(stranger, &path).await).await;
                assert_eq!(status, 200, "{path}");
                got.push((path, bytes));
            }
        }
    }
    got
}

#[actix_web::test]
async fn stranger_gets_no_graph_with_a_published_file() {
    let site = Site::start().await;
    let (ann, bob) = (site.person().await, site.person().await);
    for (name, bytes) in pictures().into_iter().chain(recordings()) {
        assert!(has_secret(&bytes), "{name}: the test's file has no graph");
        let id = stored(&site, &ann, Some(name), bytes.clone().leak()).await;
        assert_eq!(publish(&site, &ann, id, false).await, 200, "{name}");
        for stranger in [&bob, &Browser::default()] {
            for (path, bytes) in fetched(&site, stranger, id).await {
                assert!(!has_secret(&bytes), "{name}: {path} gives the graph away");
            }
        }
        let seen = one(&site, &ann, id).await;
        for url in ["rawUrl", "downloadUrl"] {
            let (status, saved) = bytes_of(site.get(&ann, &text(&seen, url)).await).await;
            assert!(status == 200 && !has_secret(&saved), "{name}: the owner passes the graph on without knowing");
        }
        let output = gallery::find_all(&site.core, &[id]).await.expect("an output").remove(0);
        let whole = site.core.files.original(&output.content, &output.embedded).await.expect("the original");
        assert!(whole.bytes().await.expect("bytes") == bytes, "{name}: the owner does not get the worker's file back");
    }
    site.finish().await;
}

#[actix_web::test]
async fn file_that_only_its_owner_sees_has_no_graph_either() {
    let site = Site::start().await;
    let (ann, bob) = (site.person().await, site.person().await);
    for (name, bytes) in other_files() {
        assert!(has_secret(&bytes), "{name}: the test's file has no graph");
        let id = stored(&site, &ann, Some(name), bytes.clone().leak()).await;
        assert_eq!(publish(&site, &ann, id, false).await, 422, "{name}");
        let seen = one(&site, &ann, id).await;
        let url = text(&seen, "downloadUrl");
        let (status, saved) = bytes_of(site.get(&ann, &url).await).await;
        assert!(status == 200 && !has_secret(&saved), "{name}: the owner passes the graph on without knowing");
        for stranger in [&bob, &Browser::default()] {
            for path in [url.clone(), format!("/media/raw/{}", text(&seen, "key"))] {
                assert_eq!(site.get(stranger, &path).await.status(), 404, "{name}: {path}");
            }
        }
        let output = gallery::find_all(&site.core, &[id]).await.expect("an output").remove(0);
        let whole = site.core.files.original(&output.content, &output.embedded).await.expect("the original");
        assert!(whole.bytes().await.expect("bytes") == bytes, "{name}: the owner does not get the worker's file back");
    }
    site.finish().await;
}

#[actix_web::test]
async fn only_the_owner_gets_the_graph_of_a_job() {
    let site = Site::start().await;
    let (ann, bob) = (site.person().await, site.person().await);
    let (worker, _folder) = with_worker(&site).await;
    let mut body = prompt(77);
    body["extra_data"] = json!({ "extra_pnginfo": { "workflow": { "nodes": [], "links": [], "note": SECRET } } });
    let id = submit(&site, &ann, &body).await;
    let entry = entry_of(&site, &ann, &id).await;
    let output: OutputAssetId = text(&entry["outputs"]["2"]["images"][0], "subfolder").parse().expect("an id");
    let original = format!("/api/general/output-asset/{output}/original");
    let (status, whole) = bytes_of(site.get(&ann, &original).await).await;
    assert!(status == 200 && has_secret(&whole), "the worker wrote no graph");
    assert_eq!(publish(&site, &ann, output, false).await, 200);
    let selected = format!("/api/public/output-asset/{output}?select=prompt%20name");
    for stranger in [&bob, &Browser::default()] {
        for (path, bytes) in fetched(&site, stranger, output).await {
            assert!(!has_secret(&bytes), "{path} gives the graph away");
        }
        assert_eq!(site.get(stranger, &selected).await.status(), 404, "the owner hides what made it");
    }

    // An address that the owner's program passes on needs no key.
    let key = site.send(&ann, Method::POST, "/api/general/api-key", &json!({ "name": "script" })).await;
    let key = text(&key.json::<Value>().await.expect("a key"), "key");
    let view = format!("{API}/view?filename=a.png&subfolder={output}&type=output");
    let asked = site.ask(Method::GET, &view).header("X-API-Key", key).send().await.expect("an answer");
    let signed = asked.headers().get("location").and_then(|address| address.to_str().ok());
    let bytes = match signed {
        Some(address) => {
            let path = &address[address.find("/media/").expect("a path")..];
            let (status, bytes) = bytes_of(site.get(&Browser::default(), path).await).await;
            assert_eq!(status, 200, "{path}");
            bytes
        }
        // The client has followed it.
        None => bytes_of(asked).await.1,
    };
    assert!(!bytes.is_empty() && !has_secret(&bytes), "the signed address gives the graph away");
    worker.stop().await.expect("the worker stops");
    site.finish().await;
}

#[actix_web::test]
async fn picture_of_a_workflow_has_no_graph() {
    let site = Site::start().await;
    let ann = site.person().await;
    let id = draft(&site, &ann, "Boats").await;
    let picture = png(&png_of([7, 70, 170]));
    assert!(has_secret(&picture), "the test's file has no graph");
    let form = Form::new().part("image", Part::bytes(picture).file_name("cover.png"));
    let sent = ann.sign(site.ask(Method::POST, "/api/general/asset/file/image")).multipart(form);
    let asset: Value = sent.send().await.expect("an answer").json().await.expect("an upload");
    let body = json!({ "thumbnails": [text(&asset, "_id")], "workflowTags": [TAG], "isPrivate": false });
    let path = format!("/api/general/workflow/{id}");
    assert_eq!(site.send(&ann, Method::PATCH, &path, &body).await.status(), 200);
    let guest = Browser::default();
    let seen: Value = site.get(&guest, &format!("/api/public/workflow/{id}")).await.json().await.expect("a workflow");
    let mut paths = Vec::new();
    addresses(&seen, &mut paths);
    assert!(!paths.is_empty(), "the workflow has no picture: {seen}");
    for path in paths {
        let (status, bytes) = bytes_of(site.get(&guest, &path).await).await;
        assert!(status == 200 && !has_secret(&bytes), "{path}: {status}");
    }
    site.finish().await;
}
