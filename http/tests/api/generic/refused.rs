//! Invalid queries of the generic calls.

use serde_json::json;

use super::town;
use crate::site::{error, text};

/// Queries of a wrong type, and the expected type that the error names in JSON terms.
const WRONG_TYPES: [(&str, &str); 6] = [
    ("filter=null", "expected an object"),
    ("filter=[]", "expected an object"),
    ("filter=5", "expected an object"),
    (r#"filter={"_id":5}"#, r#"expected an id, or {"$in": [ids]}"#),
    ("options=null", "expected an object"),
    (r#"options={"limit":"5"}"#, "expected a whole number"),
];

/// Queries that no resource accepts, and the place that the error names.
const REFUSED: [(&str, &str); 20] = [
    ("filter=x", "filter"),
    ("filter=[]", "filter"),
    ("filter=null", "filter"),
    (r#"filter={"password":"x"}"#, "filter.password"),
    (r#"filter={"$where":"sleep(9999)"}"#, "filter.$where"),
    (r#"filter={"$or":[{},{}]}"#, "filter.$or"),
    (r#"filter={"_id":{"$ne":null}}"#, "filter._id.$ne"),
    (r#"filter={"_id":{"$regex":".*"}}"#, "filter._id.$regex"),
    (r#"filter={"_id":"' OR 1=1 --"}"#, "filter._id"),
    (r#"filter={"createdAt":{"$gte":"'; DROP TABLE users; --"}}"#, "filter.createdAt.$gte"),
    ("populate=password", "populate"),
    (r#"populate=[{"path":"user","populate":"sessions"}]"#, "populate"),
    (r#"options={"lean":true}"#, "options.lean"),
    (r#"options={"sort":"password"}"#, "options.sort"),
    (r#"options={"sort":"id;SELECT pg_sleep(9)"}"#, "options.sort"),
    (r#"options={"limit":1000000}"#, "options.limit"),
    (r#"options={"limit":0}"#, "options.limit"),
    (r#"options={"skip":10001}"#, "options.skip"),
    (r#"options={"skip":-1}"#, "options.skip"),
    (r#"options={"cursor":"bm90IG9uZSBvZiBvdXJz"}"#, "cursor"),
];

#[actix_web::test]
async fn invalid_queries_are_refused_with_their_place() {
    let town = town().await;
    let many: Vec<uuid::Uuid> = (0..501).map(|_| uuid::Uuid::now_v7()).collect();
    let many = format!(r#"filter={{"_id":{{"$in":{}}}}}"#, json!(many));
    let both = r#"options={"skip":1,"cursor":"x"}"#;
    // Admins may request everything, so only the fault is refused.
    let admin = town.person("admin");
    for resource in
        ["workflow", "output-asset", "input-asset", "comment", "notification", "user", "workflow-tag", "workflow-api"]
    {
        // A tag's list is filtered only by id and parent, and tags have no times.
        let is_tag = resource == "workflow-tag";
        let more = [(many.as_str(), "filter._id"), (both, "options.skip")];
        for (query, place) in REFUSED.into_iter().chain(more) {
            let path = format!("/api/general/{resource}?{query}");
            let answer = town.site.get(admin, &path).await;
            if is_tag && query == many {
                assert_eq!(answer.status(), 200, "a few hundred tags need no index");
                continue;
            }
            let (status, code, body) = error(answer).await;
            assert_eq!((status, code.as_str()), (400, "VALIDATION_FAILED"), "{path}: {body}");
            let place = if is_tag && place.starts_with("filter.createdAt") { "filter.createdAt" } else { place };
            assert_eq!(body["details"][0]["field"], place, "{path}: {body}");
        }
        for (query, said) in WRONG_TYPES {
            let path = format!("/api/general/{resource}?{query}");
            let (status, code, body) = error(town.site.get(admin, &path).await).await;
            assert_eq!((status, code.as_str()), (400, "VALIDATION_FAILED"), "{path}: {body}");
            let message = text(&body["details"][0], "message");
            assert!(message.ends_with(said) || message.contains(&format!("{said} at line")), "{path}: {message}");
        }
        for query in ["filer={}", "groupBy=year", "startDate=yesterday", "startDate=1000-01-01", "startDate=2999-01-01"]
        {
            let (status, _, body) =
                error(town.site.get(admin, &format!("/api/general/{resource}/stats?{query}")).await).await;
            assert_eq!(status, 400, "{resource}/stats?{query}: {body}");
        }
        let known = town.site.get(admin, &format!("/api/general/{resource}/count?options={{}}")).await;
        assert_eq!(error(known).await.0, 400, "{resource}: a count has no options");
    }
    town.site.finish().await;
}
