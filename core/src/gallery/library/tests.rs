use bytes::Bytes;
use image::ImageFormat;
use serde_json::json;

use super::item::{LibraryOrder, TagEdit};
use super::*;
use crate::gallery::factory::{insert, output};
use crate::gallery::tests::person;
use crate::testing::TestCore;

const FIRST: LibraryPlace = LibraryPlace { order: LibraryOrder::Created, is_descending: true, offset: 0, limit: 20 };

async fn upload(core: &TestCore, caller: &Caller, name: &str, red: u8) -> Asset {
    let mut bytes = std::io::Cursor::new(Vec::new());
    let picture = image::RgbImage::from_pixel(8, 8, image::Rgb([red, 0, 0]));
    picture.write_to(&mut bytes, ImageFormat::Png).expect("a picture");
    assets::upload(core, caller, name, Bytes::from(bytes.into_inner())).await.expect("an upload")
}

fn tagged(tags: &[&str]) -> LibraryChange {
    LibraryChange { tags: TagEdit::Add(texts(tags)), ..LibraryChange::default() }
}

fn texts(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

fn names(page: &NumberedPage<LibraryItem>) -> Vec<&str> {
    page.items.iter().map(|item| item.name.as_str()).collect()
}

#[actix::test]
async fn uploads_and_outputs_are_listed_by_tags_name_and_metadata() {
    let core = TestCore::new().await;
    let ((owner, caller), (_, stranger)) = (person(&core).await, person(&core).await);
    let (boat, car) = (upload(&core, &caller, "Boat.png", 1).await, upload(&core, &caller, "car.png", 2).await);
    let mut made = output(owner, core.clock.now());
    made.name = Some("made.png".to_owned());
    insert(&core.db, std::slice::from_ref(&made)).await;
    upload(&core, &stranger, "Boat.png", 3).await;
    let metadata = json!({ "run": 7 }).as_object().cloned();
    let change = LibraryChange { metadata, ..tagged(&["blue"]) };
    let (before, item) = change_library_item(&core, &caller, boat.id.0, &change).await.expect("a change");
    assert_eq!((before, item.tags), (texts(&["input"]), texts(&["input", "blue"])));
    change_library_item(&core, &caller, made.id.0, &tagged(&["blue"])).await.expect("a change");

    let list = async |filter: LibraryFilter, place| library(&core, &caller, &filter, place).await.expect("a list");
    let by_name = LibraryPlace { order: LibraryOrder::Name, is_descending: false, ..FIRST };
    let all = list(LibraryFilter::default(), by_name).await;
    assert_eq!((names(&all), all.total), (vec!["Boat.png", "car.png", "made.png"], 3));
    let backwards = list(LibraryFilter::default(), LibraryPlace { is_descending: true, limit: 2, ..by_name }).await;
    assert_eq!((names(&backwards), backwards.total), (vec!["made.png", "car.png"], 3));
    let beyond = list(LibraryFilter::default(), LibraryPlace { offset: 9, ..by_name }).await;
    assert_eq!((names(&beyond), beyond.total), (vec![], 3), "a page behind the end still counts");
    let by_size = list(LibraryFilter::default(), LibraryPlace { order: LibraryOrder::Size, ..FIRST }).await;
    assert_eq!(names(&by_size).first(), Some(&"made.png"), "it has the most bytes");
    for (filter, expected) in [
        (LibraryFilter { include_tags: texts(&["blue"]), ..LibraryFilter::default() }, vec!["Boat.png", "made.png"]),
        (LibraryFilter { include_tags: texts(&["blue", "output"]), ..LibraryFilter::default() }, vec!["made.png"]),
        (LibraryFilter { exclude_tags: texts(&["blue"]), ..LibraryFilter::default() }, vec!["car.png"]),
        (LibraryFilter { name: Some("BOAT".to_owned()), ..LibraryFilter::default() }, vec!["Boat.png"]),
        (LibraryFilter { name: Some("%".to_owned()), ..LibraryFilter::default() }, vec![]),
        (
            LibraryFilter {
                metadata: json!({ "run": 7 }).as_object().cloned().expect("fields"),
                ..LibraryFilter::default()
            },
            vec!["Boat.png"],
        ),
    ] {
        assert_eq!(names(&list(filter.clone(), by_name).await), expected, "{filter:?}");
    }
    let counts = library_tags(&core, &caller, &LibraryFilter::default()).await.expect("tags");
    let counts: Vec<(&str, i64)> = counts.iter().map(|(tag, count)| (tag.as_str(), *count)).collect();
    assert_eq!(counts, [("blue", 2), ("input", 2), ("output", 1)]);
    assert_eq!(library_item(&core, &caller, car.id.0).await.expect("an item").tags, texts(&["input"]));
    forget_library(&core, owner).await.expect("a deletion");
    assert_eq!(library_item(&core, &caller, boat.id.0).await.expect("an item").tags, texts(&["input"]));
}

#[actix::test]
async fn files_of_others_are_neither_shown_nor_changed() {
    let core = TestCore::new().await;
    let ((owner, caller), (other, _)) = (person(&core).await, person(&core).await);
    let asset = upload(&core, &caller, "a.png", 1).await;
    let made = output(owner, core.clock.now());
    insert(&core.db, std::slice::from_ref(&made)).await;
    let admin = Caller { admin: true, ..Caller::customer(other) };
    for stranger in [Caller::customer(other), admin] {
        for id in [asset.id.0, made.id.0, Uuid::now_v7()] {
            assert!(matches!(library_item(&core, &stranger, id).await, Err(Error::NotFound { .. })));
            let change = change_library_item(&core, &stranger, id, &tagged(&["x"])).await;
            assert!(matches!(change, Err(Error::NotFound { .. })));
        }
        let listed = library(&core, &stranger, &LibraryFilter::default(), FIRST).await.expect("a list");
        assert_eq!(listed.total, 0);
    }
    let guest = library(&core, &Caller::guest(), &LibraryFilter::default(), FIRST).await;
    assert!(matches!(guest, Err(Error::LoginRequired)));
    assert_eq!(library_item(&core, &caller, made.id.0).await.expect("an item").tags, texts(&["output"]));
}

#[actix::test]
async fn renamed_file_keeps_what_a_change_leaves_out() {
    let core = TestCore::new().await;
    let (_, caller) = person(&core).await;
    let asset = upload(&core, &caller, "a.png", 1).await;
    let change = async |change: LibraryChange| {
        change_library_item(&core, &caller, asset.id.0, &change).await.expect("a change").1
    };
    change(LibraryChange { name: Some(" Sea ".to_owned()), ..tagged(&["x"]) }).await;
    let item = change(LibraryChange { tags: TagEdit::Remove(texts(&["input"])), ..LibraryChange::default() }).await;
    assert_eq!((item.name.as_str(), item.tags), ("Sea", texts(&["x"])));
    let read = library_item(&core, &caller, asset.id.0).await.expect("an item");
    assert_eq!((read.name.as_str(), read.tags, read.metadata), ("Sea", texts(&["x"]), Map::new()));
    for bad in ["", " ", "a\0"] {
        let refused = LibraryChange { name: Some(bad.to_owned()), ..LibraryChange::default() };
        let refused = change_library_item(&core, &caller, asset.id.0, &refused).await;
        assert!(matches!(refused, Err(Error::Invalid { .. })), "{bad:?}");
    }
}
