//! ComfyUI's calls about files: uploads, `view` and the input folder.

use reqwest::Method;
use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};

use crate::editor_prompts::{API, entry_of, get, post, submit};
use crate::jobs::with_worker;
use crate::site::{Browser, Site, text};

fn png(side: u32, pixel: [u8; 4]) -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    let picture = image::RgbaImage::from_pixel(side, side, image::Rgba(pixel));
    picture.write_to(&mut bytes, image::ImageFormat::Png).expect("a picture");
    bytes.into_inner()
}

/// The SHA-256 of bytes, as digits.
pub fn hash_of(bytes: &[u8]) -> String {
    use sha2::Digest as _;
    sha2::Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

async fn upload(site: &Site, who: &Browser, name: &str, bytes: Vec<u8>, fields: &[(&str, &str)]) -> (u16, Value) {
    let mut form = Form::new().part("image", Part::bytes(bytes).file_name(name.to_owned()));
    for (key, value) in fields {
        form = form.text((*key).to_owned(), (*value).to_owned());
    }
    let request = who.sign(site.ask(Method::POST, &format!("{API}/upload/image"))).multipart(form);
    let response = request.send().await.expect("an answer");
    (response.status().as_u16(), response.json().await.expect("JSON"))
}

#[actix_web::test]
async fn uploads_are_inputs_of_the_callers_prompts_alone() {
    let site = Site::start().await;
    let (ann, bob) = (site.person().await, site.person().await);
    let (worker, _folder) = with_worker(&site).await;
    let (status, sent) = upload(&site, &ann, "보트.png", png(8, [200, 0, 0, 255]), &[("type", "input")]).await;
    assert_eq!((status, &sent), (200, &json!({ "name": "보트.png", "subfolder": "", "type": "input" })));
    let (_, same) = upload(&site, &ann, "보트.png", png(8, [200, 0, 0, 255]), &[]).await;
    assert_eq!(same["name"], "보트.png", "the same file keeps its name");
    let (_, clash) = upload(&site, &ann, "보트.png", png(8, [0, 200, 0, 255]), &[]).await;
    assert_eq!(clash["name"], "보트 (1).png");
    let (_, inside) =
        upload(&site, &ann, "mask.png", png(8, [9, 9, 9, 255]), &[("subfolder", "clipspace"), ("overwrite", "true")])
            .await;
    assert_eq!((&inside["name"], &inside["subfolder"]), (&json!("mask.png"), &json!("clipspace")));
    for bad in ["../..", "/etc"] {
        assert_eq!(upload(&site, &ann, "a.png", png(8, [1, 1, 1, 255]), &[("subfolder", bad)]).await.0, 400, "{bad}");
    }
    let (_, names) = get(&site, &ann, "/internal/files/input").await;
    let names: Vec<&str> = names.as_array().expect("names").iter().filter_map(Value::as_str).collect();
    assert!(
        names.contains(&"보트.png") && names.contains(&"보트 (1).png") && !names.contains(&"mask.png"),
        "{names:?}"
    );
    assert_eq!(get(&site, &bob, "/internal/files/input").await.1, json!([]));

    let pixel = async |who: &Browser, query: &str| {
        let answer = site.get(who, &format!("{API}/view?{query}")).await;
        if answer.status() != 200 {
            return None;
        }
        let picture = image::load_from_memory(&answer.bytes().await.expect("bytes")).expect("a picture");
        Some(picture.into_rgba8().get_pixel(0, 0).0)
    };
    let query = "filename=보트.png&type=input";
    assert_eq!(pixel(&ann, query).await, Some([200, 0, 0, 255]));
    assert_eq!(pixel(&ann, "filename=mask.png [input]&subfolder=clipspace").await, Some([9, 9, 9, 255]));
    assert_eq!(pixel(&bob, query).await, None, "another user's input is shown");
    assert_eq!(site.get(&ann, &format!("{API}/view?filename=../a.png&type=input")).await.status(), 400);
    assert_eq!(site.get(&ann, &format!("{API}/view?filename=a.png&subfolder=../..")).await.status(), 403);

    // The same name is another file from now on.
    upload(&site, &ann, "보트.png", png(8, [0, 0, 200, 255]), &[("overwrite", "1")]).await;
    assert_eq!(pixel(&ann, query).await, Some([0, 0, 200, 255]));

    let load = |name: &str| {
        json!({ "prompt": {
            "1": { "class_type": "LoadImage", "inputs": { "image": name } },
            "2": { "class_type": "SaveImage", "inputs": { "images": ["1", 0], "filename_prefix": "loaded" } },
        } })
    };
    let (status, refused) = post(&site, &bob, "/prompt", &load("보트.png")).await;
    assert_eq!(status, 400, "another user's input is used: {refused}");
    for name in ["보트.png", "보트.png [input]", "clipspace/mask.png [input]"] {
        let id = submit(&site, &ann, &load(name)).await;
        let entry = entry_of(&site, &ann, &id).await;
        assert_eq!(entry["status"]["status_str"], "success", "{name}: {entry}");
        assert_eq!(entry["prompt"][2]["1"]["inputs"]["image"], name, "the history has the client's name");
        let file = &entry["outputs"]["2"]["images"][0];
        // An output is an input of the next prompt.
        let output = format!("{}/{} [output]", text(file, "subfolder"), text(file, "filename"));
        let (status, refused) = post(&site, &bob, "/prompt", &load(&output)).await;
        assert_eq!(status, 400, "another user's output is used: {refused}");
        let next = submit(&site, &ann, &load(&output)).await;
        assert_eq!(entry_of(&site, &ann, &next).await["status"]["status_str"], "success", "{output}");
    }
    worker.stop().await.expect("the worker stops");
    site.finish().await;
}

#[actix_web::test]
async fn text_files_are_inputs_by_their_extension() {
    let site = Site::start().await;
    let (ann, bob) = (site.person().await, site.person().await);
    let (status, sent) = upload(&site, &ann, "notes.md", b"<b>hi</b>".to_vec(), &[]).await;
    assert_eq!((status, &sent), (200, &json!({ "name": "notes.md", "subfolder": "", "type": "input" })));
    let query = format!("{API}/view?filename=notes.md&type=input");
    let answer = site.get(&ann, &query).await;
    assert_eq!(answer.headers()["content-type"], "text/plain; charset=utf-8");
    let disposition = answer.headers()["content-disposition"].to_str().expect("text");
    assert!(disposition.starts_with("attachment"), "{disposition}");
    assert_eq!(answer.text().await.expect("a text"), "<b>hi</b>");
    assert_eq!(site.get(&bob, &query).await.status(), 404, "another user's text is shown");
    for name in ["notes.png", "notes"] {
        let (status, refused) = upload(&site, &ann, name, b"hi".to_vec(), &[]).await;
        assert_eq!((status, &refused["code"]), (415, &json!("FILE_NOT_AN_IMAGE")), "{name}: {refused}");
    }
    site.finish().await;
}

#[actix_web::test]
async fn mask_editor_reads_colours_and_transparency_apart() {
    let site = Site::start().await;
    let ann = site.person().await;
    upload(&site, &ann, "half.png", png(8, [200, 20, 30, 0]), &[]).await;
    for (channel, expected) in [("rgb", [200, 20, 30, 255]), ("a", [0, 0, 0, 0])] {
        let answer = site.get(&ann, &format!("{API}/view?filename=half.png&type=input&channel={channel}")).await;
        assert_eq!((answer.status().as_u16(), &answer.headers()["content-type"]), (200, &"image/png".parse().unwrap()));
        let picture = image::load_from_memory(&answer.bytes().await.expect("bytes")).expect("a picture");
        assert_eq!(picture.into_rgba8().get_pixel(3, 3).0, expected, "{channel}");
    }
    site.finish().await;
}

#[actix_web::test]
async fn bytes_that_the_caller_has_uploaded_are_not_sent_again() {
    let site = Site::start().await;
    let (ann, bob) = (site.person().await, site.person().await);
    let bytes = png(8, [1, 2, 3, 255]);
    let hash = format!("sha256:{}", hash_of(&bytes));
    let head = async |who: &Browser| {
        let request = who.sign(site.ask(Method::HEAD, &format!("{API}/assets/hash/{hash}")));
        request.send().await.expect("an answer").status().as_u16()
    };
    assert_eq!(head(&ann).await, 404);
    let form = Form::new().part("file", Part::bytes(bytes).file_name("one.png")).text("tags", "input");
    let sent = ann.sign(site.ask(Method::POST, &format!("{API}/assets"))).multipart(form).send().await.unwrap();
    assert_eq!(sent.status(), 201);
    assert_eq!((head(&ann).await, head(&bob).await), (200, 404), "another user's bytes are told of");
    site.core.clock.advance(chrono::TimeDelta::seconds(1));
    let again = json!({ "hash": hash, "name": "two.png", "tags": ["input"] });
    let (status, asset) = post(&site, &ann, "/assets/from-hash", &again).await;
    assert_eq!((status, &asset["name"], &asset["created_new"]), (201, &json!("two.png"), &json!(true)), "{asset}");
    assert_eq!(post(&site, &bob, "/assets/from-hash", &again).await.0, 404);
    let (_, names) = get(&site, &ann, "/internal/files/input").await;
    assert_eq!(names, json!(["two.png", "one.png"]));
    let (status, found) = get(&site, &ann, &format!("/assets/{}", text(&asset, "id"))).await;
    assert_eq!((status, &found["name"]), (200, &json!("two.png")));
    assert_eq!(get(&site, &bob, &format!("/assets/{}", text(&asset, "id"))).await.0, 404);
    site.finish().await;
}
