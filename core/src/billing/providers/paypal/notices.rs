//! Notices of PayPal: PayPal itself verifies their signature.

use reqwest::Method;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::PayPal;
use super::answers::PayPalFailure;
use crate::billing::providers::call::CallError;

/// Characters of a header that is passed on.
const MAX_HEADER_CHARS: usize = 2000;

/// The headers of a notice, from `PAYPAL-AUTH-ALGO` and so on.
#[derive(Debug, Clone, Default)]
pub struct PayPalSignature {
    pub auth_algo: String,
    pub cert_url: String,
    pub transmission_id: String,
    pub transmission_sig: String,
    pub transmission_time: String,
}

#[derive(serde::Serialize)]
struct Question<'a> {
    auth_algo: &'a str,
    cert_url: &'a str,
    transmission_id: &'a str,
    transmission_sig: &'a str,
    transmission_time: &'a str,
    webhook_id: &'a str,
    /// As it came, because the signature is about its bytes.
    webhook_event: &'a RawValue,
}

#[derive(Deserialize)]
struct Verification {
    verification_status: String,
}

impl PayPal {
    /// Whether PayPal has sent this notice.
    pub async fn has_sent(&self, signature: &PayPalSignature, body: &str) -> Result<bool, CallError> {
        let PayPalSignature { auth_algo, cert_url, transmission_id, transmission_sig, transmission_time } = signature;
        let headers = [auth_algo, cert_url, transmission_id, transmission_sig, transmission_time];
        let Ok(webhook_event) = serde_json::from_str::<&RawValue>(body) else { return Ok(false) };
        if headers.iter().any(|text| text.is_empty() || text.len() > MAX_HEADER_CHARS) {
            return Ok(false);
        }
        let webhook_id = &self.webhook_id;
        let question = Question {
            auth_algo,
            cert_url,
            transmission_id,
            transmission_sig,
            transmission_time,
            webhook_id,
            webhook_event,
        };
        let request = self.request(Method::POST, &["v1", "notifications", "verify-webhook-signature"]).json(&question);
        match self.send::<Verification>(request).await {
            Ok(answer) => Ok(answer.verification_status == "SUCCESS"),
            // It cannot read the signature.
            Err(PayPalFailure::Said { status: 400 | 422, .. }) => Ok(false),
            Err(failure) => Err(failure.unknown()),
        }
    }
}

/// What a notice is about, by PayPal's id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::billing) enum PayPalSubject {
    Order(String),
    Agreement(String),
}

/// What a notice is about.
pub(in crate::billing) fn subject_of(body: &str) -> Option<PayPalSubject> {
    let notice: Value = serde_json::from_str(body).ok()?;
    let (kind, resource) = (notice.get("event_type")?.as_str()?, notice.get("resource")?);
    let id_of = |prefix: &str| resource.get("id").filter(|_| kind.starts_with(prefix));
    let text = |id: &Value| id.as_str().map(str::to_owned);
    let agreement = resource.get("billing_agreement_id").or_else(|| id_of("BILLING.SUBSCRIPTION."));
    if let Some(id) = agreement {
        return text(id).map(PayPalSubject::Agreement);
    }
    let order = resource.pointer("/supplementary_data/related_ids/order_id").or_else(|| id_of("CHECKOUT.ORDER."));
    text(order?).map(PayPalSubject::Order)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notice_names_an_order_or_an_agreement_or_nothing() {
        let order = |id: &str| Some(PayPalSubject::Order(id.to_owned()));
        let agreement = |id: &str| Some(PayPalSubject::Agreement(id.to_owned()));
        for (body, subject) in [
            (r#"{"event_type":"CHECKOUT.ORDER.APPROVED","resource":{"id":"O"}}"#, order("O")),
            (
                r#"{"event_type":"PAYMENT.CAPTURE.COMPLETED",
                    "resource":{"id":"C","supplementary_data":{"related_ids":{"order_id":"O"}}}}"#,
                order("O"),
            ),
            (r#"{"event_type":"BILLING.SUBSCRIPTION.CANCELLED","resource":{"id":"I-1"}}"#, agreement("I-1")),
            (
                r#"{"event_type":"PAYMENT.SALE.COMPLETED","resource":{"id":"S","billing_agreement_id":"I-1"}}"#,
                agreement("I-1"),
            ),
            (r#"{"event_type":"PAYMENT.SALE.COMPLETED","resource":{"id":"S"}}"#, None),
            (r#"{"event_type":"CUSTOMER.DISPUTE.CREATED","resource":{"id":"D"}}"#, None),
            (r#"{"event_type":"BILLING.SUBSCRIPTION.CANCELLED","resource":{"id":1}}"#, None),
            ("no notice", None),
        ] {
            assert_eq!(subject_of(body), subject, "{body}");
        }
    }
}
