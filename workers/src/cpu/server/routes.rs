//! Routes. Each exists with and without the `/api` prefix, except `/internal/*`.

use std::net::IpAddr;

use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::{Method, StatusCode, Uri, header};
use actix_web::middleware::Next;
use actix_web::{Error, HttpRequest, HttpResponse, Resource, Route, guard, web};

use secrecy::ExposeSecret;
use sha2::{Digest, Sha256};
use verdigraph_core::graph::ComfyVersion;

use super::worker::Worker;
use super::{info, jobs, prompts, upload, userdata, view, ws};

/// Registers the routes of this version.
pub(super) fn configure(config: &mut web::ServiceConfig, like: ComfyVersion) {
    let is_new = like >= ComfyVersion::V0_33_0;
    let only_prefixed = if is_new { since_0_33_0_prefixed } else { nothing };
    let also = if is_new { since_0_33_0 } else { nothing };
    config
        .service(resource("/internal/logs").route(get().to(info::logs)))
        .service(resource("/internal/logs/raw").route(get().to(info::raw_logs)))
        .service(resource("/internal/logs/subscribe").route(web::patch().to(info::subscribe_logs)))
        .service(resource("/internal/folder_paths").route(get().to(info::folder_paths)))
        .service(resource("/internal/files/{kind}").route(get().to(info::files)))
        .service(
            web::scope("/api")
                .configure(both)
                .configure(also)
                .configure(only_prefixed)
                .default_service(web::to(unknown)),
        )
        .service(resource("/").route(get().to(info::root)))
        .configure(both)
        .configure(also)
        .default_service(web::to(unknown));
}

fn nothing(_config: &mut web::ServiceConfig) {}

fn since_0_33_0(config: &mut web::ServiceConfig) {
    config
        .service(resource("/global_subgraphs").route(get().to(info::empty_object)))
        .service(resource("/global_subgraphs/{id}").route(get().to(info::nothing)))
        .service(resource("/node_replacements").route(get().to(info::empty_object)));
}

/// Routes that only exist with the prefix.
fn since_0_33_0_prefixed(config: &mut web::ServiceConfig) {
    config
        .service(resource("/jobs").route(get().to(jobs::list)))
        .service(resource("/jobs/cancel").route(web::post().to(jobs::cancel_all)))
        .service(resource("/jobs/{id}").route(get().to(jobs::one)))
        .service(resource("/jobs/{id}/cancel").route(web::post().to(jobs::cancel)))
        .service(web::resource("/assets").to(info::no_assets))
        .service(web::resource("/assets/{tail:.*}").to(info::no_assets))
        .service(web::resource("/tags").to(info::no_assets));
}

fn both(config: &mut web::ServiceConfig) {
    config
        .service(resource("/prompt").route(get().to(prompts::exec_info)).route(web::post().to(prompts::submit)))
        .service(resource("/queue").route(get().to(prompts::queue)).route(web::post().to(prompts::change_queue)))
        .service(resource("/history").route(get().to(prompts::history)).route(web::post().to(prompts::change_history)))
        .service(resource("/history/{id}").route(get().to(prompts::history_entry)))
        .service(resource("/interrupt").route(web::post().to(prompts::interrupt)))
        .service(resource("/free").route(web::post().to(prompts::free)))
        .service(resource("/ws").route(get().to(ws::connect)))
        .service(resource("/upload/image").route(web::post().to(upload::image)))
        .service(resource("/upload/mask").route(web::post().to(upload::mask)))
        .service(resource("/view").route(get().to(view::view)))
        .configure(information)
        .configure(user);
}

fn information(config: &mut web::ServiceConfig) {
    config
        .service(resource("/object_info").route(get().to(info::object_info)))
        .service(resource("/object_info/{class}").route(get().to(info::one_object_info)))
        .service(resource("/system_stats").route(get().to(info::system_stats)))
        .service(resource("/features").route(get().to(info::features)))
        .service(resource("/embeddings").route(get().to(info::empty_list)))
        .service(resource("/extensions").route(get().to(info::empty_list)))
        .service(resource("/models").route(get().to(info::model_folders)))
        .service(resource("/models/{folder}").route(get().to(info::models)))
        .service(resource("/experiment/models").route(get().to(info::experiment_folders)))
        .service(resource("/experiment/models/{folder}").route(get().to(info::models)))
        .service(resource("/i18n").route(get().to(info::empty_object)))
        .service(resource("/workflow_templates").route(get().to(info::empty_object)));
}

fn user(config: &mut web::ServiceConfig) {
    config
        .service(resource("/users").route(get().to(userdata::users)).route(web::post().to(userdata::add_user)))
        .service(resource("/v2/userdata").route(get().to(userdata::tree)))
        .service(resource("/settings").route(get().to(userdata::settings)).route(web::post().to(userdata::set_all)))
        .service(resource("/settings/{id}").route(get().to(userdata::setting)).route(web::post().to(userdata::set_one)))
        .service(resource("/userdata").route(get().to(userdata::list)))
        .service(resource("/userdata/{file}/move/{dest}").route(web::post().to(userdata::rename)))
        .service(
            resource("/userdata/{file}")
                .route(get().to(userdata::read))
                .route(web::post().to(userdata::write))
                .route(web::delete().to(userdata::delete)),
        );
}

/// GET and HEAD.
fn get() -> Route {
    web::route().guard(guard::Any(guard::Get()).or(guard::Head()))
}

/// A path with its answer to other methods.
fn resource(path: &'static str) -> Resource {
    web::resource(path).default_service(web::to(wrong_method))
}

/// A real server looks for a static file for GET of a POST-only path. Other wrong methods get 405.
async fn wrong_method(request: HttpRequest) -> HttpResponse {
    if matches!(*request.method(), Method::GET | Method::HEAD) {
        return HttpResponse::NotFound().finish();
    }
    HttpResponse::MethodNotAllowed().content_type("text/plain; charset=utf-8").body("405: Method Not Allowed")
}

async fn unknown() -> HttpResponse {
    HttpResponse::NotFound().finish()
}

/// If the worker has a secret, rejects requests without it.
pub(super) async fn require_secret(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let secret = request.app_data::<web::Data<Worker>>().and_then(|worker| worker.options.secret.as_ref());
    let told = request.headers().get(header::AUTHORIZATION).map(header::HeaderValue::as_bytes);
    if let Some(secret) = secret
        && !told.is_some_and(|told| is_secret(told, secret.expose_secret()))
    {
        return Ok(request.into_response(HttpResponse::new(StatusCode::UNAUTHORIZED)));
    }
    next.call(request).await.map(ServiceResponse::map_into_boxed_body)
}

/// Compares digests, so that timing reveals nothing about the secret.
fn is_secret(told: &[u8], secret: &str) -> bool {
    told.strip_prefix(b"Bearer ").is_some_and(|told| Sha256::digest(told) == Sha256::digest(secret))
}

/// Prevents websites in a browser from using a worker on the same machine: if Host is a loopback address, `Origin` must
/// be the same. Other OPTIONS requests get 200.
pub(super) async fn require_same_origin(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let text = |name: header::HeaderName| request.headers().get(name).and_then(|value| value.to_str().ok());
    if let (Some(host), Some(origin)) = (text(header::HOST), text(header::ORIGIN))
        && !is_allowed_origin(host, origin)
    {
        let refused = HttpResponse::new(StatusCode::FORBIDDEN);
        return Ok(request.into_response(refused));
    }
    if request.method() == Method::OPTIONS {
        return Ok(request.into_response(HttpResponse::new(StatusCode::OK)));
    }
    next.call(request).await.map(ServiceResponse::map_into_boxed_body)
}

/// Whether a page of this origin may call this host. Ports are compared if both have one. An opaque origin (`null`) is
/// rejected; a real server accepts it.
fn is_allowed_origin(host: &str, origin: &str) -> bool {
    let host = host.to_ascii_lowercase();
    let origin = origin.to_ascii_lowercase();
    let (Ok(host), Ok(origin)) = (host.parse::<Uri>(), origin.parse::<Uri>()) else {
        return false;
    };
    let (Some(host), Some(origin)) = (host.authority(), origin.authority()) else {
        return true;
    };
    if !is_loopback(host.host()) {
        return true;
    }
    let ports_agree = match (host.port_u16(), origin.port_u16()) {
        (Some(host), Some(origin)) => host == origin,
        _ => true,
    };
    host.host() == origin.host() && ports_agree
}

fn is_loopback(host: &str) -> bool {
    let address = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    host == "localhost" || address.is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::is_allowed_origin;

    #[test]
    fn only_same_origin_may_call_a_loopback_host() {
        let table = [
            ("127.0.0.1:8188", "http://127.0.0.1:8188", true),
            ("127.0.0.1:8188", "http://evil.example", false),
            ("127.0.0.1:8188", "http://127.0.0.1:9999", false),
            ("localhost:8188", "http://localhost", true),
            ("[::1]:8188", "http://evil.example:8188", false),
            ("[::1]:8188", "http://[::1]:8188", true),
            ("example.com", "http://evil.example", true),
            ("127.0.0.1:8188", "null", false),
            ("LOCALHOST:8188", "http://localhost:8188", true),
        ];
        for (host, origin, allowed) in table {
            assert_eq!(is_allowed_origin(host, origin), allowed, "{origin} to {host}");
        }
    }
}
