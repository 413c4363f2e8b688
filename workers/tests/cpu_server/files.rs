//! Uploading and viewing.

use std::io::Cursor;

use image::{DynamicImage, ImageFormat, Rgba, RgbaImage};
use reqwest::multipart::{Form, Part};
use reqwest::{Response, StatusCode};
use serde_json::{Value as Json, json};

use crate::harness::Harness;

fn png(pixel: [u8; 4]) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    DynamicImage::ImageRgba8(RgbaImage::from_pixel(16, 12, Rgba(pixel)))
        .write_to(&mut bytes, ImageFormat::Png)
        .unwrap();
    bytes.into_inner()
}

pub async fn upload(harness: &Harness, path: &str, name: &str, bytes: Vec<u8>, fields: &[(&str, &str)]) -> Response {
    let form =
        fields.iter().fold(Form::new(), |form, (name, value)| form.text((*name).to_owned(), (*value).to_owned()));
    let form = form.part("image", Part::bytes(bytes).file_name(name.to_owned()));
    harness.client.post(harness.url(path)).multipart(form).send().await.unwrap()
}

async fn stored(response: Response) -> Json {
    assert_eq!(response.status(), 200);
    response.json().await.unwrap()
}

#[actix_web::test]
async fn second_upload_of_a_name_does_not_overwrite_by_default() {
    let harness = Harness::start().await;
    let (one, two) = (png([1, 2, 3, 255]), png([9, 9, 9, 255]));
    let name = |name: &str| json!({"name": name, "subfolder": "", "type": "input"});
    assert_eq!(stored(upload(&harness, "/upload/image", "up.png", one.clone(), &[]).await).await, name("up.png"));
    assert_eq!(stored(upload(&harness, "/upload/image", "up.png", one.clone(), &[]).await).await, name("up.png"));
    assert_eq!(
        stored(upload(&harness, "/api/upload/image", "up.png", two.clone(), &[]).await).await,
        name("up (1).png")
    );
    assert_eq!(stored(upload(&harness, "/upload/image", "up.png", two.clone(), &[]).await).await, name("up (1).png"));
    assert_eq!(harness.get("/view?filename=up.png&type=input").await.bytes().await.unwrap(), one);
    let overwritten = upload(&harness, "/upload/image", "up.png", two.clone(), &[("overwrite", "1")]).await;
    assert_eq!(stored(overwritten).await, name("up.png"));
    assert_eq!(harness.get("/view?filename=up.png&type=input").await.bytes().await.unwrap(), two);
    let deep = upload(&harness, "/upload/image", "x.png", one, &[("type", "temp"), ("subfolder", "a/b")]).await;
    assert_eq!(stored(deep).await, json!({"name": "x.png", "subfolder": "a/b", "type": "temp"}));
    assert_eq!(harness.get("/view?filename=x.png&type=temp&subfolder=a/b").await.status(), 200);
    harness.stop().await;
}

#[actix_web::test]
async fn uploads_cannot_leave_their_folder() {
    let harness = Harness::start().await;
    let refused: [(&str, &[(&str, &str)]); 5] = [
        ("../evil.png", &[]),
        ("a/b.png", &[]),
        ("", &[]),
        ("a.png", &[("subfolder", "../../x")]),
        ("a.png", &[("type", "nonsense")]),
    ];
    for (name, fields) in refused {
        let response = upload(&harness, "/upload/image", name, png([0; 4]), fields).await;
        assert_eq!(response.status(), 400, "{name:?} {fields:?}");
    }
    let form = Form::new().text("image", "abc");
    let response = harness.client.post(harness.url("/upload/image")).multipart(form).send().await.unwrap();
    assert_eq!(response.status(), 400, "text is no file");
    assert_eq!(harness.post("/upload/image", r#"{"image": "x"}"#).await.status(), 400);
    let names: Vec<_> = walk(harness.folder.path());
    assert!(names.iter().all(|name| !name.ends_with(".png") && !name.ends_with(".part")), "{names:?}");
    harness.stop().await;
}

fn walk(folder: &std::path::Path) -> Vec<String> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        names.push(entry.file_name().to_string_lossy().into_owned());
        if entry.path().is_dir() {
            names.extend(walk(&entry.path()));
        }
    }
    names
}

#[actix_web::test]
async fn mask_keeps_colors_and_texts_of_its_original() {
    let harness = Harness::start().await;
    let mut original = png([48, 80, 128, 255]);
    let chunk = b"\0\0\0\x08tEXtnote\0abc";
    let mut text = chunk.to_vec();
    text.extend_from_slice(&crc(&chunk[4..]).to_be_bytes());
    original.splice(33..33, text);
    stored(upload(&harness, "/upload/image", "orig.png", original, &[]).await).await;
    let reference = r#"{"filename": "orig.png", "subfolder": "", "type": "input"}"#;
    let fields = [("original_ref", reference), ("subfolder", "clipspace"), ("overwrite", "true")];
    let mask = stored(upload(&harness, "/upload/mask", "mask.png", png([7, 7, 7, 0]), &fields).await).await;
    assert_eq!(mask, json!({"name": "mask.png", "subfolder": "clipspace", "type": "input"}));
    let bytes = harness.get("/view?filename=mask.png&subfolder=clipspace&type=input").await.bytes().await.unwrap();
    let picture = image::load_from_memory(&bytes).unwrap().to_rgba8();
    assert_eq!(picture.get_pixel(3, 5).0, [48, 80, 128, 0]);
    assert!(bytes.windows(8).any(|window| window == b"note\0abc"), "the original's texts are kept");

    let refused: [(&str, Vec<u8>, u16); 5] = [
        (r#"{"filename": "none.png", "type": "input"}"#, png([0; 4]), 404),
        (r#"{"filename": "../orig.png", "type": "input"}"#, png([0; 4]), 400),
        ("not json", png([0; 4]), 400),
        (reference, b"no picture".to_vec(), 400),
        (reference, small_png(), 400),
    ];
    for (reference, bytes, status) in refused {
        let response = upload(&harness, "/upload/mask", "m2.png", bytes, &[("original_ref", reference)]).await;
        assert_eq!(response.status(), status, "{reference}");
    }
    assert_eq!(harness.get("/view?filename=m2.png&type=input").await.status(), 404);
    harness.stop().await;
}

fn small_png() -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    DynamicImage::new_rgba8(3, 3).write_to(&mut bytes, ImageFormat::Png).unwrap();
    bytes.into_inner()
}

fn crc(bytes: &[u8]) -> u32 {
    let step = |crc: u32, byte: &u8| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| if crc & 1 == 1 { (crc >> 1) ^ 0xedb8_8320 } else { crc >> 1 })
    };
    !bytes.iter().fold(u32::MAX, step)
}

#[actix_web::test]
async fn view_supports_ranges_and_conditional_requests() {
    let harness = Harness::start().await;
    let bytes = png([10, 20, 30, 128]);
    stored(upload(&harness, "/upload/image", "v.png", bytes.clone(), &[]).await).await;
    let url = harness.url("/view?filename=v.png&type=input");
    let whole = harness.client.get(&url).send().await.unwrap();
    assert_eq!(whole.headers()["content-type"], "image/png");
    assert_eq!(whole.headers()["content-disposition"], "filename=\"v.png\"");
    assert_eq!(whole.headers()["accept-ranges"], "bytes");
    let tag = whole.headers()["etag"].clone();
    let changed = whole.headers()["last-modified"].clone();
    assert_eq!(whole.bytes().await.unwrap(), bytes);

    let part = harness.client.get(&url).header("range", "bytes=2-5").send().await.unwrap();
    assert_eq!(part.status(), StatusCode::PARTIAL_CONTENT);
    assert_eq!(part.headers()["content-range"].to_str().unwrap(), format!("bytes 2-5/{}", bytes.len()));
    assert_eq!(part.bytes().await.unwrap(), bytes[2..6]);
    let outside = harness.client.get(&url).header("range", "bytes=90000-").send().await.unwrap();
    assert_eq!(outside.status(), StatusCode::RANGE_NOT_SATISFIABLE);
    assert_eq!(outside.headers()["content-range"].to_str().unwrap(), format!("bytes */{}", bytes.len()));
    let known = harness.client.get(&url).header("if-none-match", &tag).send().await.unwrap();
    assert_eq!(known.status(), StatusCode::NOT_MODIFIED);
    let known = harness.client.get(&url).header("if-modified-since", &changed).send().await.unwrap();
    assert_eq!(known.status(), StatusCode::NOT_MODIFIED);
    let head = harness.client.head(&url).send().await.unwrap();
    assert_eq!(head.status(), 200);
    assert_eq!(head.headers()["content-length"].to_str().unwrap(), bytes.len().to_string());
    assert!(head.bytes().await.unwrap().is_empty());

    for (query, status) in [
        ("filename=v.png%20[input]", 200),
        ("filename=v.png%20[input]&type=output", 200),
        ("filename=x/v.png&type=input", 200),
        ("filename=v.png&type=input&rand=0.1", 200),
        ("filename=v.png", 404),
        ("filename=v.png&type=", 400),
        ("filename=v.png&type=nonsense", 400),
        ("filename=../v.png&type=input", 400),
        ("filename=/etc/passwd", 400),
        ("filename=v.png&type=input&subfolder=../output", 403),
        ("filename=v.png&type=input&subfolder=/etc", 403),
        ("filename=v.png&type=input&subfolder=nope", 404),
        ("filename=", 400),
        ("", 404),
    ] {
        assert_eq!(harness.get(&format!("/view?{query}")).await.status(), status, "{query}");
    }
    harness.stop().await;
}

#[actix_web::test]
async fn view_supports_previews_and_channels() {
    let harness = Harness::start().await;
    stored(upload(&harness, "/upload/image", "v.png", png([10, 20, 30, 128]), &[]).await).await;
    stored(upload(&harness, "/upload/image", "note.txt", b"hello".to_vec(), &[]).await).await;
    for (query, kind, format) in [
        ("preview=webp;50", "image/webp", ImageFormat::WebP),
        ("preview=jpeg;70", "image/jpeg", ImageFormat::Jpeg),
        ("preview=", "image/webp", ImageFormat::WebP),
        ("preview=jpeg&channel=a", "image/webp", ImageFormat::WebP),
        ("channel=rgb", "image/png", ImageFormat::Png),
        ("channel=a", "image/png", ImageFormat::Png),
    ] {
        let response = harness.get(&format!("/view?filename=v.png&type=input&{query}")).await;
        assert_eq!(response.status(), 200, "{query}");
        assert_eq!(response.headers()["content-type"], kind, "{query}");
        assert!(!response.headers().contains_key("etag"), "{query}");
        let picture = image::load_from_memory_with_format(&response.bytes().await.unwrap(), format).unwrap();
        assert_eq!((picture.width(), picture.height()), (16, 12), "{query}");
        match query {
            "channel=rgb" => assert_eq!(picture.to_rgba8().get_pixel(0, 0).0, [10, 20, 30, 255]),
            "channel=a" => assert_eq!(picture.to_rgba8().get_pixel(0, 0).0, [0, 0, 0, 128]),
            _ => {}
        }
    }
    let response = harness.get("/view?filename=note.txt&type=input&preview=webp").await;
    assert_eq!(response.status(), 400, "a text has no preview");
    harness.stop().await;
}
