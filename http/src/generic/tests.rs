//! The grammar: what is accepted, and how invalid queries are named.

use serde::Deserialize;
use uuid::Uuid;
use verdigraph_core::Error;
use verdigraph_core::filter::TimeRange;

use super::filter::{Exists, Ids, Range, present};
use super::options::Options;
use super::stats::StatsQuery;
use super::*;
use crate::query::Query;

#[derive(Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Things {
    #[serde(rename = "_id")]
    id: Option<Ids>,
    is_private: Option<bool>,
    created_at: Option<Range>,
    app: Option<Exists>,
    #[serde(default, deserialize_with = "present")]
    parent: Option<Option<Uuid>>,
}

fn place<T: std::fmt::Debug>(read: Result<T, Error>) -> String {
    match read {
        Err(Error::Invalid { field, .. }) => field,
        other => panic!("it was read as {other:?}"),
    }
}

#[test]
fn conditions_are_parsed() {
    let (one, two) = (Uuid::now_v7(), Uuid::now_v7());
    let read = |text: &str| filter::<Things>(Some(text)).unwrap_or_else(|error| panic!("{text}: {error:?}"));
    assert_eq!(filter::<Things>(None).ok(), Some(Things::default()));
    assert_eq!(read("{}"), Things::default());
    assert_eq!(read(&format!(r#"{{"_id": "{one}"}}"#)).id, Some(Ids(vec![one])));
    assert_eq!(read(&format!(r#"{{"_id": {{"$in": ["{one}", "{two}"]}}}}"#)).id, Some(Ids(vec![one, two])));
    assert_eq!(read(r#"{"_id": {"$in": []}}"#).id, Some(Ids(Vec::new())));
    assert_eq!(read(r#"{"app": {"$exists": false}}"#).app.map(|app| app.exists), Some(false));
    assert_eq!(read(r#"{"parent": null}"#).parent, Some(None));
    assert_eq!(read(&format!(r#"{{"parent": "{one}"}}"#)).parent, Some(Some(one)));
    let span = |text: &str| read(text).created_at.map(TimeRange::from).unwrap_or_default();
    let at = |text: &str| Some(text.parse().expect("a time"));
    let expected = TimeRange { from: at("2026-01-01T00:00:00Z"), until: at("2026-02-01T00:00:00Z") };
    assert_eq!(span(r#"{"createdAt": {"$gte": "2026-01-01T00:00:00Z", "$lt": "2026-02-01T00:00:00Z"}}"#), expected);
    let expected = TimeRange { from: at("2026-01-01T00:00:00.000001Z"), until: at("2026-02-01T00:00:00.000001Z") };
    assert_eq!(span(r#"{"createdAt": {"$gt": "2026-01-01T00:00:00Z", "$lte": "2026-02-01T00:00:00Z"}}"#), expected);
}

#[test]
fn invalid_filter_is_named_by_its_place() {
    for (wrong, named) in [
        ("x", "filter"),
        ("[]", "filter"),
        (r#""text""#, "filter"),
        (r#"{"_id": "x"}"#, "filter._id"),
        (r#"{"_id": 1}"#, "filter._id"),
        (r#"{"_id": {}}"#, "filter._id.$in"),
        (r#"{"_id": {"$in": ["x"]}}"#, "filter._id.$in[0]"),
        (r#"{"_id": {"$in": "x"}}"#, "filter._id.$in"),
        (r#"{"_id": {"$ne": null}}"#, "filter._id.$ne"),
        (r#"{"_id": {"$regex": ".*"}}"#, "filter._id.$regex"),
        (r#"{"$where": "sleep(1000)"}"#, "filter.$where"),
        (r#"{"$or": [{}, {}]}"#, "filter.$or"),
        (r#"{"password": {"$gt": ""}}"#, "filter.password"),
        (r#"{"isPrivate": "yes"}"#, "filter.isPrivate"),
        (r#"{"isPrivate": {"$ne": true}}"#, "filter.isPrivate"),
        (r#"{"createdAt": "2026-01-01T00:00:00Z"}"#, "filter.createdAt"),
        (r#"{"createdAt": {"$gte": "yesterday"}}"#, "filter.createdAt.$gte"),
        (r#"{"createdAt": {"$gte": "'; DROP TABLE users; --"}}"#, "filter.createdAt.$gte"),
        (r#"{"app": {"$exists": 1}}"#, "filter.app.$exists"),
        (r#"{"app": true}"#, "filter.app"),
        (r#"{"isPrivate": true} {"isPrivate": false}"#, "filter"),
    ] {
        assert_eq!(place(filter::<Things>(Some(wrong))), named, "{wrong}");
    }
    let deep = format!("{}{}", r#"{"_id":"#.repeat(5_000), "}".repeat(5_000));
    assert!(place(filter::<Things>(Some(&deep))).starts_with("filter"));
    let long = format!(r#"{{"_id": "{}"}}"#, "x".repeat(MAX_TEXT));
    assert_eq!(place(filter::<Things>(Some(&long))), "filter");
}

#[test]
fn filter_of_a_change_must_name_ids() {
    let id = Uuid::now_v7();
    assert_eq!(named::<Uuid>(Some(&format!(r#"{{"_id": {{"$in": ["{id}"]}}}}"#))).ok(), Some(vec![id]));
    assert_eq!(named::<Uuid>(Some(&format!(r#"{{"_id": "{id}"}}"#))).ok(), Some(vec![id]));
    assert_eq!(place(named::<Uuid>(None)), "filter");
    assert_eq!(place(named::<Uuid>(Some("{}"))), "filter._id");
    let more = format!(r#"{{"_id": "{id}", "isPrivate": true}}"#);
    assert_eq!(place(named::<Uuid>(Some(&more))), "filter.isPrivate");
}

#[test]
fn unknown_relations_are_refused() {
    let known = ["user", "cover"];
    for good in [
        "user cover",
        r#"["user"]"#,
        r#"[{"path": "user", "select": "name profile"}]"#,
        r#"{"path": "cover", "select": ["key"]}"#,
        r#""user""#,
        "",
    ] {
        assert!(relations::check(Some(good), &known).is_ok(), "{good}");
    }
    let many = format!("[{}]", vec![r#""user""#; 33].join(","));
    for wrong in [
        "password",
        r#"["sessions"]"#,
        r#"[{"path": "apiKey"}]"#,
        r#"[{"path": "user", "populate": {"path": "user"}}]"#,
        r#"[{"path": "user", "match": {"$where": "1"}}]"#,
        r#"[{"path": "user", "select": {"password": 1}}]"#,
        "[1]",
        "{}",
        "[",
        &many,
    ] {
        assert_eq!(place(relations::check(Some(wrong), &known)), "populate", "{wrong}");
    }
    assert_eq!(place(relations::check(Some("user"), &[])), "populate");
}

#[test]
fn unknown_options_are_refused() {
    let read = |text: &str| Options::read(Some(text)).unwrap_or_else(|error| panic!("{text}: {error:?}"));
    assert_eq!(read(r#"{"limit": 5}"#).limit().ok(), Some(5));
    assert_eq!(read(r#"{"skip": 7}"#).skip(), 7);
    assert_eq!(read(r#"{"sort": {"createdAt": -1}}"#).sort.map(|sort| sort.0).as_deref(), Some("-createdAt"));
    assert_eq!(read(r#"{"sort": {"createdAt": 1}}"#).sort.map(|sort| sort.0).as_deref(), Some("createdAt"));
    assert_eq!(read("{}").limit().ok(), Some(20));
    assert_eq!(read("{}").limit_of(Some(3)).ok(), Some(100), "what was named is given");
    for (wrong, named) in [
        (r#"{"lean": true}"#, "options.lean"),
        (r#"{"limit": "5"}"#, "options.limit"),
        (r#"{"limit": 1e99}"#, "options.limit"),
        (r#"{"sort": {"a": 1, "b": 1}}"#, "options.sort"),
        (r#"{"sort": {"a": 2}}"#, "options.sort"),
        (r#"{"sort": {}}"#, "options.sort"),
        ("null", "options"),
    ] {
        let found = place(Options::read(Some(wrong)));
        assert!(found.starts_with(named), "{wrong}: {found}");
    }
    for limit in [0, -1, 101, i64::MAX] {
        assert_eq!(place(read(&format!(r#"{{"limit": {limit}}}"#)).limit()), "options.limit");
    }
}

#[test]
fn stats_default_to_the_last_30_days() {
    let now = "2026-03-31T12:00:00Z".parse().expect("a time");
    let query = |text: &str| Query::<StatsQuery>::parse(text).expect("a query").into_inner();
    let days = |text: &str| query(text).periods(now).expect("periods").filled(Vec::new());
    let default = days("");
    assert_eq!((default.len(), default[29].start.to_string().as_str()), (30, "2026-03-31"));
    let monthly = days("startDate=2026-01-01&endDate=2026-03-31T23:00:00Z&groupBy=month");
    assert_eq!(
        monthly.iter().map(|period| period.start.to_string()).collect::<Vec<_>>(),
        ["2026-01-01", "2026-02-01", "2026-03-01"]
    );
    for (wrong, named) in [
        ("startDate=x", "startDate"),
        ("endDate=2026-02-30", "endDate"),
        ("groupBy=year", "groupBy"),
        ("startDate=2026-04-01", "endDate"),
        ("startDate=0001-01-01", "startDate"),
        ("endDate=%2B262142-12-31", "endDate"),
    ] {
        assert_eq!(place(query(wrong).periods(now)), named, "{wrong}");
    }
    assert!(Query::<StatsQuery>::parse("groupby=day").is_err());
}
