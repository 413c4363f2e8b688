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
/// Notices of money that was given back.
const REFUNDS: [&str; 4] =
    ["PAYMENT.SALE.REFUNDED", "PAYMENT.SALE.REVERSED", "PAYMENT.CAPTURE.REFUNDED", "PAYMENT.CAPTURE.REVERSED"];

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
    /// Money of a charge that was given back.
    Refund {
        charge: String,
        refund: Option<String>,
    },
}

/// What a notice is about.
pub(in crate::billing) fn subject_of(body: &str) -> Option<PayPalSubject> {
    let notice: Value = serde_json::from_str(body).ok()?;
    let (kind, resource) = (notice.get("event_type")?.as_str()?, notice.get("resource")?);
    if let Some(subject) = refund_of(kind, resource) {
        return Some(subject);
    }
    let id_of = |prefix: &str| resource.get("id").filter(|_| kind.starts_with(prefix));
    let text = |id: &Value| id.as_str().map(str::to_owned);
    let agreement = resource.get("billing_agreement_id").or_else(|| id_of("BILLING.SUBSCRIPTION."));
    if let Some(id) = agreement {
        return text(id).map(PayPalSubject::Agreement);
    }
    let order = resource.pointer("/supplementary_data/related_ids/order_id").or_else(|| id_of("CHECKOUT.ORDER."));
    text(order?).map(PayPalSubject::Order)
}

/// The charge of a refund, of a reversal, or of a dispute that has ended.
fn refund_of(kind: &str, resource: &Value) -> Option<PayPalSubject> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    if kind == "CUSTOMER.DISPUTE.RESOLVED" {
        let charge = text(resource.pointer("/disputed_transactions/0/seller_transaction_id")?)?;
        return Some(PayPalSubject::Refund { charge, refund: None });
    }
    if !REFUNDS.contains(&kind) {
        return None;
    }
    let id = resource.get("id").and_then(text);
    // A reversal may be about the sale itself.
    let charge = resource.get("sale_id").and_then(text).or_else(|| linked_charge(resource)).or_else(|| id.clone())?;
    let refund = id.filter(|id| *id != charge);
    Some(PayPalSubject::Refund { charge, refund })
}

/// The end of the link from a refund to its charge.
fn linked_charge(resource: &Value) -> Option<String> {
    let links = resource.get("links")?.as_array()?;
    let text = |link: &Value, name: &str| link.get(name).and_then(Value::as_str).map(str::to_owned);
    let link = links.iter().find(|link| matches!(text(link, "rel").as_deref(), Some("up" | "sale" | "capture")))?;
    text(link, "href")?.rsplit('/').next().map(str::to_owned)
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

    #[test]
    fn notice_of_a_refund_names_its_charge() {
        let refund = |charge: &str, refund: Option<&str>| {
            Some(PayPalSubject::Refund { charge: charge.to_owned(), refund: refund.map(str::to_owned) })
        };
        for (body, subject) in [
            (
                r#"{"event_type":"PAYMENT.SALE.REFUNDED",
                    "resource":{"id":"R","sale_id":"S","billing_agreement_id":"I-1"}}"#,
                refund("S", Some("R")),
            ),
            (r#"{"event_type":"PAYMENT.SALE.REVERSED","resource":{"id":"S"}}"#, refund("S", None)),
            (
                r#"{"event_type":"PAYMENT.CAPTURE.REFUNDED","resource":{"id":"R","links":[
                    {"rel":"self","href":"https://api.paypal.com/v2/payments/refunds/R"},
                    {"rel":"up","href":"https://api.paypal.com/v2/payments/captures/C"}]}}"#,
                refund("C", Some("R")),
            ),
            (
                r#"{"event_type":"CUSTOMER.DISPUTE.RESOLVED",
                    "resource":{"dispute_id":"PP-D-1","disputed_transactions":[{"seller_transaction_id":"S"}]}}"#,
                refund("S", None),
            ),
            (r#"{"event_type":"CUSTOMER.DISPUTE.RESOLVED","resource":{"dispute_id":"PP-D-1"}}"#, None),
            (r#"{"event_type":"PAYMENT.SALE.REFUNDED","resource":{}}"#, None),
        ] {
            assert_eq!(subject_of(body), subject, "{body}");
        }
    }
}
