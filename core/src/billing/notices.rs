//! Notices of payment providers. A notice is only a hint: the provider is asked about the payment that it names.

use serde_json::Value;

use super::providers::{PayPalSignature, PayPalSubject, ProviderName, has_paypal_sent, is_set_up, paypal_subject_of};
use super::{orders, subscriptions};
use crate::users::RequestOrigin;
use crate::{Core, Error, Result, users};

/// Notices that a network may send per hour.
const NOTICES_PER_HOUR: u32 = 3000;
/// Characters of an id in a notice.
const MAX_ID_CHARS: usize = 100;

/// Takes a notice of PayPal, which PayPal is asked to verify. One that is forged changes nothing.
///
/// # Errors
/// [`Error::NotFound`] if PayPal is not set up; [`Error::RateLimited`]; [`Error::Forbidden`] for a notice that PayPal has
/// not sent; [`Error::Unavailable`] if it does not answer, so that it sends the notice again.
pub async fn take_paypal_notice(
    core: &Core,
    origin: &RequestOrigin,
    signature: &PayPalSignature,
    body: &str,
) -> Result<()> {
    admit(core, ProviderName::PayPal, origin).await?;
    // Notices about other things are not worth a question, of which PayPal answers only so many.
    let Some(subject) = paypal_subject_of(body) else { return Ok(()) };
    if !is_known(core, &subject).await? {
        return Ok(());
    }
    if !has_paypal_sent(core, signature, body).await? {
        tracing::warn!("a notice in the name of PayPal is forged");
        return Err(Error::Forbidden);
    }
    match subject {
        PayPalSubject::Order(order) => orders::note_notice(core, ProviderName::PayPal, &order).await,
        PayPalSubject::Agreement(agreement) => subscriptions::note_notice(core, &agreement).await,
        PayPalSubject::Refund { charge, refund } => {
            orders::note_refund(core, ProviderName::PayPal, &charge, refund.as_deref().filter(|id| is_id(id))).await
        }
    }
}

/// Whether a notice is about a thing of ours.
async fn is_known(core: &Core, subject: &PayPalSubject) -> Result<bool> {
    match subject {
        PayPalSubject::Order(id) | PayPalSubject::Refund { charge: id, .. } => {
            Ok(is_id(id) && orders::is_known(core, ProviderName::PayPal, id).await?)
        }
        PayPalSubject::Agreement(id) => Ok(is_id(id) && subscriptions::is_known(core, id).await?),
    }
}

/// Takes a notice of Toss. It is not signed, and names an order at most, and that its payment was canceled: Toss is then
/// asked how much it has given back.
///
/// # Errors
/// [`Error::NotFound`] if Toss is not set up; [`Error::RateLimited`].
pub async fn take_toss_notice(core: &Core, origin: &RequestOrigin, body: &str) -> Result<()> {
    admit(core, ProviderName::TossPayments, origin).await?;
    let Some((order, is_canceled)) = toss_order_of(body).filter(|(id, _)| is_id(id)) else { return Ok(()) };
    if is_canceled {
        orders::note_refund(core, ProviderName::TossPayments, &order, None).await?;
    }
    orders::note_notice(core, ProviderName::TossPayments, &order).await
}

/// `data.orderId`, or `orderId` of notices of another form; and whether the status beside it says that money was given
/// back.
fn toss_order_of(body: &str) -> Option<(String, bool)> {
    let notice: Value = serde_json::from_str(body).ok()?;
    let payment = notice.get("data").filter(|data| data.get("orderId").is_some()).unwrap_or(&notice);
    let order = payment.get("orderId")?.as_str()?.to_owned();
    let status = payment.get("status").and_then(Value::as_str);
    Some((order, matches!(status, Some("CANCELED" | "PARTIAL_CANCELED"))))
}

async fn admit(core: &Core, provider: ProviderName, origin: &RequestOrigin) -> Result<()> {
    if !is_set_up(core, provider) {
        return Err(Error::NotFound { what: "payment provider" });
    }
    users::take_quota_from(core, "payment-notice", origin, NOTICES_PER_HOUR).await
}

fn is_id(text: &str) -> bool {
    (1..=MAX_ID_CHARS).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}
