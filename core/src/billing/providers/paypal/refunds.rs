//! What PayPal has given back of a charge: at our request, at its own site, or after a dispute.

use reqwest::Method;
use serde::Deserialize;

use super::PayPal;
use super::answers::{Amount, Denial, Link, PayPalFailure};
use crate::billing::money::{Currency, Money};
use crate::billing::providers::call::CallError;

/// A capture, or a sale of an agreement.
#[derive(Deserialize)]
struct ChargeState {
    status: String,
}

#[derive(Deserialize)]
struct MadeRefund {
    status: String,
    amount: Amount,
    #[serde(default)]
    seller_payable_breakdown: PayableBreakdown,
    #[serde(default)]
    links: Vec<Link>,
}

#[derive(Default, Deserialize)]
struct PayableBreakdown {
    #[serde(default)]
    total_refunded_amount: Option<Amount>,
}

impl PayPal {
    /// The money of a capture, or of a sale of an agreement, that was given back. PayPal says of a charge only that a part
    /// was given back, and how much with each refund. `None` if none of these refunds tells.
    pub async fn refunded_amount(
        &self,
        charge: &str,
        refunds: &[String],
        price: Money,
    ) -> Result<Option<i64>, CallError> {
        let request = self.request(Method::GET, &["v2", "payments", "captures", charge]);
        let state: ChargeState = self.send(request).await.map_err(PayPalFailure::unknown)?;
        let is_part = match state.status.as_str() {
            "REFUNDED" => return Ok(Some(price.amount)),
            "PARTIALLY_REFUNDED" => true,
            "COMPLETED" => false,
            other => return Err(CallError::Unknown(format!("the charge is {other}"))),
        };
        // Each is a least amount: a notice may be late, and a sum may be from before the next refund.
        let (mut sum, mut largest) = (0_i64, 0_i64);
        for id in refunds {
            let request = self.request(Method::GET, &["v2", "payments", "refunds", id]);
            match self.send::<MadeRefund>(request).await {
                Ok(refund) => {
                    let (amount, total) = refund.amounts(charge, price.currency)?;
                    sum = sum.saturating_add(amount);
                    largest = largest.max(total);
                }
                Err(failure) if failure.denial() == Denial::Gone => {}
                Err(failure) => return Err(failure.unknown()),
            }
        }
        let refunded = sum.max(largest).min(price.amount);
        Ok(if is_part && refunded == 0 { None } else { Some(refunded) })
    }
}

impl MadeRefund {
    /// What it gave back of this charge, and the sum of all refunds up to it.
    fn amounts(&self, charge: &str, currency: Currency) -> Result<(i64, i64), CallError> {
        if !self.is_of(charge) {
            return Ok((0, 0));
        }
        match self.status.as_str() {
            "COMPLETED" => {}
            "FAILED" | "CANCELLED" => return Ok((0, 0)),
            other => return Err(CallError::Unknown(format!("the refund is {other}"))),
        }
        let other_currency = || CallError::Unknown("a refund in another currency".into());
        let amount = self.amount.in_currency(currency).ok_or_else(other_currency)?;
        let total = self.seller_payable_breakdown.total_refunded_amount.as_ref();
        Ok((amount, total.and_then(|total| total.in_currency(currency)).unwrap_or(amount)))
    }

    /// Whether it is a refund of this charge, as far as it says.
    fn is_of(&self, charge: &str) -> bool {
        let mut of = self.links.iter().filter(|link| matches!(link.rel.as_str(), "up" | "sale" | "capture"));
        of.all(|link| link.href.rsplit('/').next() == Some(charge))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn amounts(status: &str, of: &str, total: &str) -> Option<(i64, i64)> {
        let refund = serde_json::json!({
            "status": status, "amount": { "currency_code": "USD", "value": "3.30" },
            "seller_payable_breakdown": { "total_refunded_amount": { "currency_code": "USD", "value": total } },
            "links": [
                { "rel": "self", "href": "https://api.paypal.com/v2/payments/refunds/R" },
                { "rel": "up", "href": format!("https://api.paypal.com/v2/payments/captures/{of}") },
            ],
        });
        let refund: MadeRefund = serde_json::from_value(refund).expect("a refund");
        refund.amounts("C", Currency::Usd).ok()
    }

    #[test]
    fn refund_counts_when_it_is_complete_and_of_the_charge() {
        assert_eq!(amounts("COMPLETED", "C", "5.00"), Some((330, 500)));
        assert_eq!(amounts("COMPLETED", "OTHER", "5.00"), Some((0, 0)));
        assert_eq!(amounts("FAILED", "C", "5.00"), Some((0, 0)));
        assert_eq!(amounts("PENDING", "C", "5.00"), None, "it is asked for again");
    }

    #[test]
    fn refund_without_details_counts_with_its_own_amount() {
        let text = r#"{"status":"COMPLETED","amount":{"currency_code":"USD","value":"1.00"}}"#;
        let refund: MadeRefund = serde_json::from_str(text).expect("a refund");
        assert_eq!(refund.amounts("C", Currency::Usd).ok(), Some((100, 100)));
        assert!(refund.amounts("C", Currency::Krw).is_err());
    }
}
