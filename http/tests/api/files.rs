//! Uploads and stored files.

use reqwest::Method;
use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};

use crate::site::{Browser, Site, error, text};

/// A PNG of one color.
fn picture(side: u32, red: u8) -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    let picture = image::RgbImage::from_pixel(side, side, image::Rgb([red, 20, 30]));
    picture.write_to(&mut bytes, image::ImageFormat::Png).expect("a picture");
    bytes.into_inner()
}

async fn upload(site: &Site, who: &Browser, bytes: Vec<u8>) -> reqwest::Response {
    let part = Part::bytes(bytes).file_name("../../évil.png");
    who.sign(site.ask(Method::POST, "/api/general/asset/file/image"))
        .multipart(Form::new().part("image", part))
        .send()
        .await
        .unwrap()
}

#[actix_web::test]
async fn private_picture_is_visible_only_to_its_owner() {
    let site = Site::start().await;
    let (ann, bob) = (site.person().await, site.person().await);
    let bytes = picture(300, 200);
    let asset = upload(&site, &ann, bytes.clone()).await;
    assert_eq!(asset.status(), 201);
    let asset: Value = asset.json().await.unwrap();
    assert_eq!((asset["width"].as_i64(), text(&asset, "name").as_str()), (Some(300), "évil.png"));
    let url = text(&asset, "url");
    for stranger in [&bob, &Browser::default()] {
        assert_eq!(error(site.get(stranger, &url).await).await.0, 404, "a private picture must not be told of");
        assert_eq!(site.get(stranger, &text(&asset, "thumbnailUrl")).await.status(), 404);
    }
    let own = site.get(&ann, &url).await;
    assert_eq!(own.status(), 200);
    assert_eq!(own.headers()["x-content-type-options"], "nosniff");
    assert!(own.headers()["cache-control"].to_str().unwrap().starts_with("private"));
    let tag = own.headers()["etag"].clone();
    assert_eq!(own.bytes().await.unwrap(), bytes);

    let kept = json!({ "asset": asset["_id"] });
    assert_eq!(site.send(&bob, Method::POST, "/api/general/input-asset", &kept).await.status(), 404);
    assert_eq!(site.send(&ann, Method::POST, "/api/general/input-asset", &kept).await.status(), 201);
    let mine: Value = site.get(&ann, "/api/general/input-asset/my").await.json().await.unwrap();
    assert_eq!(
        (&mine["items"][0]["asset"]["_id"], &mine["pagination"]["totalCount"]),
        (&asset["_id"], &Value::from(1))
    );
    let others: Value = site.get(&bob, "/api/general/input-asset/my").await.json().await.unwrap();
    assert_eq!(others["pagination"]["totalCount"], 0);

    let again = ann.sign(site.ask(Method::GET, &url)).header("if-none-match", tag.clone()).send().await.unwrap();
    assert_eq!(again.status(), 304);
    let part = ann.sign(site.ask(Method::GET, &url)).header("range", "bytes=1-3").send().await.unwrap();
    assert_eq!(part.status(), 206);
    assert_eq!(part.headers()["content-range"], format!("bytes 1-3/{}", bytes.len()).as_str());
    assert_eq!(part.bytes().await.unwrap(), bytes[1..4]);
    let outside = ann.sign(site.ask(Method::GET, &url)).header("range", "bytes=9999999-").send().await.unwrap();
    assert_eq!(outside.headers()["content-range"], format!("bytes */{}", bytes.len()).as_str());
    assert_eq!(error(outside).await.1, "RANGE_NOT_SATISFIABLE");
    for quality in ["w200", "w480", "w960", "optimal"] {
        let edition = url.replace("/raw/", &format!("/{quality}/"));
        let made = site.get(&ann, &edition).await;
        assert_eq!((made.status().as_u16(), &made.headers()["content-type"]), (200, &"image/webp".parse().unwrap()));
        assert_eq!(made.headers()["cache-control"], "private, max-age=31536000, immutable", "{quality}");
        let tag = made.headers()["etag"].clone();
        let again =
            ann.sign(site.ask(Method::GET, &edition)).header("if-none-match", tag.clone()).send().await.unwrap();
        assert_eq!(again.status(), 304, "{quality}");
        assert_eq!(site.get(&bob, &edition).await.status(), 404, "{quality} of a private picture must not be told of");
    }
    assert_eq!(text(&asset, "thumbnailUrl"), url.replace("/raw/", "/w200/"));
    assert_eq!(site.get(&ann, &url.replace("/raw/", "/w640/")).await.status(), 404, "there is no such edition");
    site.finish().await;
}

#[actix_web::test]
async fn range_with_if_range_of_other_bytes_is_sent_whole() {
    let site = Site::start().await;
    let ann = site.person().await;
    let mut addresses = Vec::new();
    for side in [200, 300] {
        let asset: Value = upload(&site, &ann, picture(side, 200)).await.json().await.expect("an upload");
        addresses.push(text(&asset, "url"));
    }
    let edition = addresses[0].replace("/raw/", "/w200/");
    let tag = async |url: &str| {
        let head = site.get(&ann, url).await.headers()["etag"].clone();
        head.to_str().expect("a tag").to_owned()
    };
    let (own, other, smaller) = (tag(&addresses[0]).await, tag(&addresses[1]).await, tag(&edition).await);
    let weak = format!("W/{own}");
    let bare = own.trim_matches('"').to_owned();
    let date = "Wed, 21 Oct 2026 07:28:00 GMT".to_owned();
    let cases = [(&own, 206), (&other, 200), (&smaller, 200), (&weak, 200), (&bare, 200), (&date, 200)];
    let length = site.get(&ann, &addresses[0]).await.bytes().await.expect("a file").len();
    for (had, status) in cases {
        let request =
            ann.sign(site.ask(Method::GET, &addresses[0])).header("range", "bytes=1-3").header("if-range", had);
        let given = request.send().await.expect("an answer");
        assert_eq!((given.status().as_u16(), given.headers().contains_key("content-range")), (status, status == 206));
        let bytes = given.bytes().await.expect("its bytes");
        assert_eq!(bytes.len(), if status == 206 { 3 } else { length }, "{had}");
    }
    // A range outside of the file counts as absent too, where the file is another one.
    let request = ann.sign(site.ask(Method::GET, &addresses[0])).header("range", "bytes=9999999-");
    let given = request.header("if-range", &other).send().await.expect("an answer");
    assert_eq!(given.status(), 200);
    site.finish().await;
}

#[actix_web::test]
async fn invalid_or_too_large_picture_is_refused() {
    let site = Site::start().await;
    let ann = site.person().await;
    let (status, code, _) = error(upload(&site, &ann, b"hello".to_vec()).await).await;
    assert_eq!((status, code.as_str()), (415, "FILE_NOT_AN_IMAGE"));
    let large = vec![0; usize::try_from(site.core.settings.limits.upload_bytes).unwrap() + 1];
    let (status, code, _) = error(upload(&site, &ann, large).await).await;
    assert_eq!((status, code.as_str()), (413, "FILE_TOO_LARGE"));
    site.finish().await;
}

#[actix_web::test]
async fn audio_and_video_are_uploaded_and_listed_by_kind() {
    let site = Site::start().await;
    let (ann, bob) = (site.person().await, site.person().await);
    let send = async |kind: &'static str, bytes: Vec<u8>| {
        let form = Form::new().part(kind, Part::bytes(bytes).file_name(kind));
        let request = ann.sign(site.ask(Method::POST, &format!("/api/general/asset/file/{kind}")));
        request.multipart(form).send().await.expect("an answer")
    };
    let film = verdigraph_core::testing::MP4.to_vec();
    let mut kept = Vec::new();
    for (kind, word, bytes) in [("audio", "Audio", verdigraph_core::testing::wav()), ("video", "Video", film.clone())] {
        let answer = send(kind, bytes).await;
        assert_eq!(answer.status(), 201, "{kind}");
        let asset: Value = answer.json().await.expect("JSON");
        assert_eq!(text(&asset, "kind").to_lowercase(), kind, "{asset}");
        assert_eq!(site.get(&ann, &text(&asset, "url")).await.status(), 200);
        assert_eq!(site.get(&bob, &text(&asset, "url")).await.status(), 404, "{kind}: it is its owner's alone");
        let input = json!({ "asset": asset["_id"], "isPrivate": true });
        assert_eq!(site.send(&ann, Method::POST, "/api/general/input-asset", &input).await.status(), 201, "{word}");
        kept.push(asset["_id"].clone());
    }
    for (kind, bytes) in [
        ("audio", film),
        ("video", verdigraph_core::testing::wav()),
        ("audio", picture(8, 1)),
        ("video", b"no film".to_vec()),
    ] {
        let (status, code, body) = error(send(kind, bytes).await).await;
        assert_eq!(status, 415, "{kind}: {body}");
        assert!(["FILE_NOT_MEDIA", "FILE_FORMAT_UNSUPPORTED"].contains(&code.as_str()), "{kind}: {code}");
    }
    // What pages offer to choose from.
    let mine: Value = site.get(&ann, "/api/general/input-asset/my").await.json().await.expect("JSON");
    let listed: Vec<_> =
        mine["items"].as_array().expect("items").iter().map(|item| item["asset"]["_id"].clone()).collect();
    assert_eq!(listed, kept.into_iter().rev().collect::<Vec<_>>());
    site.finish().await;
}

#[actix_web::test]
async fn upload_has_the_name_of_either_form_of_its_head() {
    let site = Site::start().await;
    let ann = site.person().await;
    for (red, (names, kept)) in (1..).zip([
        ("filename*=UTF-8''%EA%B3%A0%EC%96%91%EC%9D%B4.png", "고양이.png"),
        ("filename=\"_.png\"; filename*=utf-8'ko'%EA%B3%A0%EC%96%91%EC%9D%B4.png", "고양이.png"),
        ("filename*=iso-8859-1''caf%E9.png; filename=\"cafe.png\"", "café.png"),
        ("filename*=koi8-r''%EB.png; filename=\"plain.png\"", "plain.png"),
        ("filename=\"고양이.png\"", "고양이.png"),
    ]) {
        let head = format!("--edge\r\nContent-Disposition: form-data; name=\"image\"; {names}\r\n\r\n");
        let body = [head.as_bytes(), &picture(8, red)[..], &b"\r\n--edge--\r\n"[..]].concat();
        let request = ann.sign(site.ask(Method::POST, "/api/general/asset/file/image"));
        let request = request.header("content-type", "multipart/form-data; boundary=edge").body(body);
        let answer = request.send().await.expect("an answer");
        assert_eq!(answer.status(), 201, "{names}");
        assert_eq!(text(&answer.json().await.expect("JSON"), "name"), kept, "{names}");
    }
    site.finish().await;
}

#[actix_web::test]
async fn text_file_is_stored_as_utf8_and_only_downloaded() {
    let site = Site::start().await;
    let (ann, bob) = (site.person().await, site.person().await);
    let send = async |who: &Browser, name: &'static str, bytes: Vec<u8>| {
        let form = Form::new().part("text", Part::bytes(bytes).file_name(name));
        let request = who.sign(site.ask(Method::POST, "/api/general/asset/file/text")).multipart(form);
        request.send().await.expect("an answer")
    };
    let page = "<!doctype html><script>alert(document.domain)</script>";
    let drawing = "<svg xmlns='http://www.w3.org/2000/svg'/>";
    for (name, bytes, stored) in [
        ("가격.csv", "\u{feff}품목,값\r\n".as_bytes().to_vec(), "품목,값\r\n"),
        ("notes.txt", b"\xff\xfeh\0i\0".to_vec(), "hi"),
        ("page.html", page.as_bytes().to_vec(), page),
        ("image.svg", drawing.as_bytes().to_vec(), drawing),
    ] {
        let answer = send(&ann, name, bytes).await;
        assert_eq!(answer.status(), 201, "{name}");
        let asset: Value = answer.json().await.expect("JSON");
        assert_eq!((text(&asset, "kind").as_str(), text(&asset, "name").as_str()), ("Text", name));
        assert_eq!(asset["sizeBytes"], json!(stored.len()), "{name}");
        let url = text(&asset, "url");
        let own = site.get(&ann, &url).await;
        assert_eq!(own.status(), 200, "{name}");
        assert_eq!(own.headers()["content-type"], "text/plain; charset=utf-8", "{name}");
        assert_eq!(own.headers()["x-content-type-options"], "nosniff", "{name}");
        let disposition = own.headers()["content-disposition"].to_str().expect("text");
        assert!(disposition.starts_with("attachment"), "{name}: {disposition}");
        assert_eq!(own.text().await.expect("a text"), stored);
        for stranger in [&bob, &Browser::default()] {
            assert_eq!(site.get(stranger, &url).await.status(), 404, "{name}: another user reads it");
        }
        // Its bytes are of no type that browsers show.
        for other in ["png", "html", "svg", "mp4"] {
            let address = url.replace(".txt", &format!(".{other}"));
            assert_eq!(site.get(&ann, &address).await.status(), 404, "{name}: {other}");
        }
        assert_eq!(site.get(&ann, &url.replace("/raw/", "/w200/")).await.status(), 404, "{name}");
        let input = json!({ "asset": asset["_id"], "isPrivate": true });
        assert_eq!(site.send(&ann, Method::POST, "/api/general/input-asset", &input).await.status(), 201, "{name}");
    }
    for (kind, count) in [("Text", 4), ("Image", 0)] {
        let path = format!("/api/general/input-asset/my?kind={kind}");
        let mine: Value = site.get(&ann, &path).await.json().await.expect("JSON");
        assert_eq!(mine["pagination"]["totalCount"], count, "{kind}");
    }
    let limit = usize::try_from(site.core.settings.limits.text_bytes).expect("a size");
    for (bytes, expected) in [
        (vec![b'a'; limit], (201, "")),
        (vec![b'a'; limit + 1], (413, "FILE_TOO_LARGE")),
        (Vec::new(), (415, "FILE_EMPTY")),
        (b"\xef\xbb\xbf".to_vec(), (415, "FILE_EMPTY")),
        (picture(8, 1), (415, "FILE_NOT_TEXT")),
        (b"a\0b".to_vec(), (415, "FILE_NOT_TEXT")),
        (b"caf\xe9".to_vec(), (415, "FILE_NOT_TEXT")),
    ] {
        let answer = send(&ann, "a.txt", bytes).await;
        let status = answer.status().as_u16();
        let code = if status == 201 { String::new() } else { error(answer).await.1 };
        assert_eq!((status, code.as_str()), expected);
    }
    assert_eq!(error(send(&Browser::default(), "a.txt", b"a".to_vec()).await).await.0, 401);
    site.finish().await;
}

/// A mask whose left half is drawn.
fn half_mask(side: u32) -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    let mask = image::RgbaImage::from_fn(side, side, |x, _| image::Rgba([if x < side / 2 { 0 } else { 255 }; 4]));
    mask.write_to(&mut bytes, image::ImageFormat::Png).expect("a picture");
    bytes.into_inner()
}

fn mask_form(mask: Vec<u8>, original: &str) -> Form {
    Form::new()
        .part("image", Part::bytes(mask).file_name("mask.png"))
        .text("original_ref", json!({ "filename": original }).to_string())
        .text("type", "input")
        .text("subfolder", "clipspace")
        .text("kind", "Image")
}

const MASK: &str = "/comfyui-editor/api/upload/mask";

#[actix_web::test]
async fn mask_becomes_a_private_input_with_the_pictures_colours() {
    let site = Site::start().await;
    let (ann, bob) = (site.person().await, site.person().await);
    let asset: Value = upload(&site, &ann, picture(16, 200)).await.json().await.expect("JSON");
    let id = text(&asset, "_id");
    for name in [id.clone(), format!("{id}.png")] {
        let form = mask_form(half_mask(16), &name);
        let answer = ann.sign(site.ask(Method::POST, MASK)).multipart(form).send().await.expect("an answer");
        assert_eq!(answer.status(), 200);
        let input: Value = answer.json().await.expect("JSON");
        assert_eq!(
            (&input["isPrivate"], &input["type"], &input["subfolder"]),
            (&true.into(), &"input".into(), &"clipspace".into())
        );
        assert_ne!(input["asset"]["_id"], asset["_id"], "the picture itself was changed");
        let url = text(&input["asset"], "url");
        let bytes = site.get(&ann, &url).await.bytes().await.expect("bytes");
        let masked = image::load_from_memory(&bytes).expect("a picture").into_rgba8();
        assert_eq!((masked.get_pixel(3, 9).0, masked.get_pixel(12, 9).0), ([200, 20, 30, 0], [200, 20, 30, 255]));
        assert_eq!(site.get(&bob, &url).await.status(), 404, "another user sees a private mask");
    }
    let mine: Value = site.get(&ann, "/api/general/input-asset/my").await.json().await.expect("JSON");
    assert_eq!(mine["pagination"]["totalCount"], 1, "the same mask under the same name is one input");
    site.finish().await;
}

#[actix_web::test]
async fn mask_needs_a_session_and_an_own_picture() {
    let site = Site::start().await;
    let (ann, bob, admin) = (site.person().await, site.person().await, site.admin().await);
    let asset: Value = upload(&site, &ann, picture(16, 100)).await.json().await.expect("JSON");
    let id = text(&asset, "_id");
    let send = async |who: &Browser, mask: Vec<u8>, original: &str| {
        let form = mask_form(mask, original);
        error(who.sign(site.ask(Method::POST, MASK)).multipart(form).send().await.expect("an answer")).await
    };
    assert_eq!(send(&Browser::default(), half_mask(16), &id).await.0, 401);
    for stranger in [&bob, &admin] {
        assert_eq!(send(stranger, half_mask(16), &id).await.0, 404, "a mask was drawn on another user's picture");
    }
    let without_token = Browser { email: ann.email.clone(), session: ann.session.clone(), xsrf: "another".to_owned() };
    let (status, code, _) = send(&without_token, half_mask(16), &id).await;
    assert_eq!((status, code.as_str()), (403, "XSRF_MISMATCH"));

    let blank = {
        let mut bytes = std::io::Cursor::new(Vec::new());
        let mask = image::RgbaImage::from_pixel(16, 16, image::Rgba([255; 4]));
        mask.write_to(&mut bytes, image::ImageFormat::Png).expect("a picture");
        bytes.into_inner()
    };
    let large = vec![0; usize::try_from(site.core.settings.limits.upload_bytes).expect("a size") + 1];
    let jpeg = {
        let mut bytes = std::io::Cursor::new(Vec::new());
        image::RgbImage::new(16, 16).write_to(&mut bytes, image::ImageFormat::Jpeg).expect("a picture");
        bytes.into_inner()
    };
    for (mask, original, expected) in [
        (half_mask(15), id.as_str(), (415, "FILE_SIDES_UNSUPPORTED")),
        (blank, id.as_str(), (400, "VALIDATION_FAILED")),
        (jpeg, id.as_str(), (415, "FILE_FORMAT_UNSUPPORTED")),
        (b"hello".to_vec(), id.as_str(), (415, "FILE_NOT_AN_IMAGE")),
        (Vec::new(), id.as_str(), (415, "FILE_EMPTY")),
        (large, id.as_str(), (413, "FILE_TOO_LARGE")),
        (half_mask(16), "boat.png", (400, "VALIDATION_FAILED")),
        (half_mask(16), "01970000-0000-7000-8000-00000000dead", (404, "NOT_FOUND")),
    ] {
        let (status, code, _) = send(&ann, mask, original).await;
        assert_eq!((status, code.as_str()), expected, "{original}");
    }
    let mine: Value = site.get(&ann, "/api/general/input-asset/my").await.json().await.expect("JSON");
    assert_eq!(mine["pagination"]["totalCount"], 0, "what was refused is kept");
    site.finish().await;
}
