//! Generates the OpenAPI document from the routes.

use utoipa::OpenApi as _;
use utoipa::openapi::path::HttpMethod;
use utoipa::openapi::security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::{Components, InfoBuilder, OpenApi, OpenApiBuilder, SecurityRequirement};

use super::error_responses;
use crate::area::Area;
use crate::error::ErrorBody;
use crate::routes;

const ABOUT: &str = "Runs ComfyUI workflows. Sign in with an API key, in the header api-key or as a Bearer token; \
pages of this site use a session cookie, and repeat the cookie XSRF-TOKEN in the header X-XSRF-TOKEN on everything \
that changes something.

Addresses below /api/public are open to anyone, /api/general needs a key or a session, /api/admin an operator's. \
Every error has one shape: code (what programs switch on), message (what people read), details (wrong fields, for \
instance) and requestId. Requests are limited for each key, account and address: the RateLimit headers say where you \
stand, and 429 comes with Retry-After. A query parameter that a list does not know is refused with VALIDATION_FAILED. \
Graphs are kept and run as they are written, with every digit of their numbers; NaN and infinities, which JSON does not \
have, are read as null in notes and in what editors draw, and refused in inputs. A submit may carry an Idempotency-Key: the same key and body give the first \
answer again.";

/// Schemas that no route names.
#[derive(utoipa::OpenApi)]
#[openapi(components(schemas(ErrorBody)))]
struct Shared;

/// The whole document.
#[must_use]
pub fn generate() -> OpenApi {
    let mut components = Components::new();
    let key = |name: &str| SecurityScheme::ApiKey(ApiKey::Header(ApiKeyValue::new(name)));
    components.add_security_scheme("apiKey", key("api-key"));
    let bearer = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).build();
    components.add_security_scheme("bearer", SecurityScheme::Http(bearer));
    let cookie = ApiKeyValue::new(crate::cookies::SESSION);
    components.add_security_scheme("session", SecurityScheme::ApiKey(ApiKey::Cookie(cookie)));
    components.responses.extend(error_responses::ALL.map(error_responses::SharedResponse::component));
    let info =
        InfoBuilder::new().title("Verdigraph API").version(env!("CARGO_PKG_VERSION")).description(Some(ABOUT)).build();
    let mut api = OpenApiBuilder::new().info(info).components(Some(components)).build();
    api.merge(Shared::openapi());
    for area in areas() {
        api.merge(area);
    }
    let any_scheme = ["apiKey", "bearer", "session"].map(|name| SecurityRequirement::new(name, Vec::<String>::new()));
    for (path, item) in &mut api.paths.paths {
        let needs_caller = matches!(Area::of_path(path), Area::General | Area::Admin);
        let operations = [
            (HttpMethod::Get, &mut item.get),
            (HttpMethod::Post, &mut item.post),
            (HttpMethod::Put, &mut item.put),
            (HttpMethod::Patch, &mut item.patch),
            (HttpMethod::Delete, &mut item.delete),
        ];
        for (method, operation) in operations {
            let Some(operation) = operation else { continue };
            operation.operation_id = operation.operation_id.take().map(|id| unique_id(path, &id));
            if needs_caller {
                operation.security = Some(any_scheme.to_vec());
            }
            error_responses::add(path, &method, operation);
        }
    }
    api
}

/// Puts area and room before a handler's name (`general_job_list`): handlers have unique names only within their file,
/// clients need names that are unique in the document.
fn unique_id(path: &str, id: &str) -> String {
    let place = path.trim_start_matches("/api/").split('/').take(2).filter(|part| !part.starts_with('{'));
    let mut words: Vec<String> = place.map(|part| part.replace(['-', '.'], "_")).collect();
    words.push(id.to_owned());
    words.join("_")
}

/// The documents of the route files.
#[must_use]
pub fn areas() -> Vec<OpenApi> {
    vec![
        routes::auth::Api::openapi(),
        routes::recovery::Api::openapi(),
        routes::social::Api::openapi(),
        routes::account::Api::openapi(),
        routes::chat::Api::openapi(),
        routes::api_keys::Api::openapi(),
        routes::credits::Api::openapi(),
        routes::coupons::Api::openapi(),
        routes::promotions::Api::openapi(),
        routes::payment_methods::Api::openapi(),
        routes::payment_notices::Api::openapi(),
        routes::shop::Api::openapi(),
        routes::orders::Api::openapi(),
        routes::any_jobs::Api::openapi(),
        routes::subscriptions::Api::openapi(),
        routes::revenue::Api::openapi(),
        routes::assets::Api::openapi(),
        routes::input_assets::Api::openapi(),
        routes::generators::Api::openapi(),
        routes::quotes::Api::openapi(),
        routes::requirements::Api::openapi(),
        routes::workflows::Api::openapi(),
        routes::workflow_tags::Api::openapi(),
        routes::workflow_tag_filter::Api::openapi(),
        routes::mini_apps::Api::openapi(),
        routes::app_documents::Api::openapi(),
        routes::app_versions::Api::openapi(),
        routes::mini_app_filter::Api::openapi(),
        routes::mini_app_shares::Api::openapi(),
        routes::search::Api::openapi(),
        routes::discovery::Api::openapi(),
        routes::jobs::Api::openapi(),
        routes::batches::Api::openapi(),
        routes::output_assets::Api::openapi(),
        routes::comments::Api::openapi(),
        routes::comment_filter::Api::openapi(),
        routes::notifications::Api::openapi(),
        routes::notification_filter::Api::openapi(),
        routes::blocks::Api::openapi(),
        routes::gallery_lists::Api::openapi(),
        routes::gallery_filter::Api::openapi(),
        routes::videos::Api::openapi(),
        routes::announcements::Api::openapi(),
        routes::operator::Api::openapi(),
        routes::plans::Api::openapi(),
        routes::users::Api::openapi(),
        routes::user_filter::Api::openapi(),
        routes::moderation::Api::openapi(),
        routes::people::Api::openapi(),
        routes::person_money::Api::openapi(),
        routes::audit::Api::openapi(),
        routes::upkeep::Api::openapi(),
        routes::events::Api::openapi(),
        routes::webhooks::Api::openapi(),
        routes::fleet::Api::openapi(),
        routes::agents::Api::openapi(),
        routes::error_codes::Api::openapi(),
        routes::health::Api::openapi(),
    ]
}
