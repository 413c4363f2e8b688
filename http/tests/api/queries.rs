//! Lists refuse unknown query parameters.

use reqwest::Method;

use crate::site::{Site, error};

/// Addresses to which other programs add parameters: oEmbed consumers, mail programs, other sites' sign-in.
const OPEN: [&str; 3] = ["/api/public/oembed", "/api/public/unsubscribe", "/api/auth"];

#[actix_web::test]
async fn unknown_query_parameter_of_a_list_is_refused() {
    let site = Site::start().await;
    let admin = site.admin().await;
    let api = verdigraph_http::openapi::value();
    let mut lists = 0;
    for (path, methods) in api["paths"].as_object().expect("paths") {
        let parameters = methods["get"]["parameters"].as_array().map_or(&[][..], Vec::as_slice);
        let takes_query = parameters.iter().any(|parameter| parameter["in"] == "query");
        if !takes_query || OPEN.iter().any(|open| path == open || path.starts_with(&format!("{open}/"))) {
            continue;
        }
        let own = "00000000-0000-7000-8000-000000000000";
        let address: Vec<&str> = path.split('/').map(|part| if part.starts_with('{') { own } else { part }).collect();
        let required =
            parameters.iter().filter(|parameter| parameter["in"] == "query" && parameter["required"] == true);
        let required: String =
            required.map(|parameter| format!("&{}=a", parameter["name"].as_str().unwrap_or_default())).collect();
        let request = site.ask(Method::GET, &format!("{}?noSuchParameter=1{required}", address.join("/")));
        let (status, code, body) = error(admin.sign(request).send().await.expect("an answer")).await;
        assert_eq!((status, code.as_str()), (400, "VALIDATION_FAILED"), "{path}: {body}");
        assert!(body.to_string().contains("noSuchParameter"), "{path}: {body}");
        lists += 1;
    }
    assert!(lists > 40, "only {lists} lists were asked");
    site.finish().await;
}
