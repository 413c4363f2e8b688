//! Notices of payment providers.

use actix_web::web::{self, Data, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse};
use verdigraph_core::billing::{self, PayPalSignature};
use verdigraph_core::{Core, Error};

use super::auth::origin;
use crate::error::Result;
use crate::extract::{JsonLimit, RawBody};
use crate::openapi::{self, OpenApi};

/// The largest notice.
const NOTICE_BYTES: usize = 64 << 10;

#[derive(OpenApi)]
#[openapi(paths(paypal, toss))]
pub struct Api;

pub fn configure(config: &mut ServiceConfig) {
    let resource = |path: &str| web::resource(path).app_data(JsonLimit(NOTICE_BYTES));
    config
        .service(resource("/public/payment-notice/PayPal").post(paypal))
        .service(resource("/public/payment-notice/TossPayments").post(toss));
}

/// Takes a notice of PayPal
///
/// It is only a hint: PayPal is asked about the payment. One that PayPal has not signed is refused. 404 where PayPal is not
/// set up.
#[openapi::path(post, path = "/api/public/payment-notice/PayPal", tag = "orders",
    request_body(content = serde_json::Value, content_type = "application/json"),
    responses((status = 200, description = "Also for unknown payments"),
    (status = 404, description = "NOT_FOUND: PayPal is not set up here"),
    (status = 403, description = "PayPal has not sent it"), (status = 503, description = "PayPal does not answer")))]
async fn paypal(core: Data<Core>, request: HttpRequest, RawBody(body): RawBody) -> Result<HttpResponse> {
    let header = |name: &str| {
        let value = request.headers().get(name).and_then(|value| value.to_str().ok());
        value.unwrap_or_default().to_owned()
    };
    let signature = PayPalSignature {
        auth_algo: header("paypal-auth-algo"),
        cert_url: header("paypal-cert-url"),
        transmission_id: header("paypal-transmission-id"),
        transmission_sig: header("paypal-transmission-sig"),
        transmission_time: header("paypal-transmission-time"),
    };
    billing::take_paypal_notice(&core, &origin(&core, &request), &signature, text(&body)?).await?;
    Ok(HttpResponse::Ok().finish())
}

/// Takes a notice of TossPayments
///
/// It is only a hint: Toss is asked about the payment. 404 where Toss is not set up.
#[openapi::path(post, path = "/api/public/payment-notice/TossPayments", tag = "orders",
    request_body(content = serde_json::Value, content_type = "application/json"),
    responses((status = 200, description = "Also for unknown payments"),
    (status = 404, description = "NOT_FOUND: TossPayments is not set up here")))]
async fn toss(core: Data<Core>, request: HttpRequest, RawBody(body): RawBody) -> Result<HttpResponse> {
    billing::take_toss_notice(&core, &origin(&core, &request), text(&body)?).await?;
    Ok(HttpResponse::Ok().finish())
}

fn text(body: &[u8]) -> std::result::Result<&str, Error> {
    std::str::from_utf8(body).map_err(|_| Error::invalid("body", "is not UTF-8"))
}
