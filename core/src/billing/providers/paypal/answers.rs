//! What PayPal answers, and what it means.

use serde::Deserialize;

use crate::billing::money::{Currency, Money};
use crate::billing::providers::call::{CallError, NewPayment, OpenedPayment, PaymentCall, ProviderReport};

/// Characters of PayPal's words in errors and logs.
const MAX_WORD_CHARS: usize = 80;

#[derive(Deserialize)]
pub(super) struct PayPalOrder {
    id: String,
    status: String,
    #[serde(default)]
    purchase_units: Vec<Unit>,
    #[serde(default)]
    links: Vec<Link>,
}

#[derive(Deserialize)]
struct Unit {
    #[serde(default)]
    custom_id: Option<String>,
    #[serde(default)]
    amount: Option<Amount>,
    #[serde(default)]
    payments: Payments,
}

#[derive(Default, Deserialize)]
struct Payments {
    #[serde(default)]
    captures: Vec<Capture>,
}

#[derive(Deserialize)]
struct Capture {
    id: String,
    status: String,
    amount: Amount,
}

#[derive(Deserialize)]
pub(super) struct Amount {
    currency_code: String,
    value: String,
}

#[derive(Deserialize)]
pub(super) struct Link {
    pub rel: String,
    pub href: String,
}

/// A refund, or the capture that was refunded.
#[derive(Deserialize)]
pub(super) struct PayPalRefund {
    status: String,
    #[serde(default)]
    amount: Option<Amount>,
}

/// Why a call has no result.
#[derive(Debug)]
pub(super) enum PayPalFailure {
    /// PayPal refused it; `issue` is the first detail's.
    Said { status: u16, name: String, issue: String },
    /// No answer, or one that is not understood.
    Lost(String),
}

/// What an error of PayPal means for a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Denial {
    /// An earlier call had the effect: read it.
    AlreadyDone,
    /// The buyer's means of payment are refused, and nothing was done.
    Declined,
    /// The buyer has not approved it.
    NotApproved,
    /// PayPal does not know it (any more).
    Gone,
    /// PayPal refuses the call, and did nothing.
    Refused,
    /// Our login or its rights are wrong, and nothing was done.
    Misconfigured,
    /// It may have had its effect, or has it later.
    Retry,
}

impl PayPalFailure {
    pub fn denial(&self) -> Denial {
        let Self::Said { status, name, issue } = self else { return Denial::Retry };
        match issue.as_str() {
            "ORDER_ALREADY_CAPTURED" | "ORDER_COMPLETED_OR_VOIDED" | "DUPLICATE_INVOICE_ID" => Denial::AlreadyDone,
            "CAPTURE_FULLY_REFUNDED" => Denial::AlreadyDone,
            "INSTRUMENT_DECLINED"
            | "PAYER_CANNOT_PAY"
            | "PAYER_ACCOUNT_RESTRICTED"
            | "PAYER_ACCOUNT_LOCKED_OR_CLOSED"
            | "TRANSACTION_REFUSED"
            | "COMPLIANCE_VIOLATION"
            | "CARD_EXPIRED"
            | "MAX_NUMBER_OF_PAYMENT_ATTEMPTS_EXCEEDED" => Denial::Declined,
            "ORDER_NOT_APPROVED" | "PAYER_ACTION_REQUIRED" => Denial::NotApproved,
            _ => match (*status, name.as_str()) {
                (404, "RESOURCE_NOT_FOUND") => Denial::Gone,
                (401 | 403, _) => Denial::Misconfigured,
                (400 | 422, name) if !name.is_empty() => Denial::Refused,
                _ => Denial::Retry,
            },
        }
    }

    pub fn unknown(self) -> CallError {
        CallError::Unknown(self.text())
    }

    pub fn refused(self) -> CallError {
        CallError::Refused(self.text())
    }

    /// Of a call that creates something.
    pub fn not_made(self) -> CallError {
        match self.denial() {
            Denial::Retry => self.unknown(),
            _ => self.refused(),
        }
    }

    fn text(self) -> String {
        match self {
            Self::Said { status, name, issue } => format!("status {status} {name} {issue}"),
            Self::Lost(why) => why,
        }
    }
}

/// Parses an answer, or its error, whose `debug_id` PayPal's support asks for.
pub(super) async fn read<T: serde::de::DeserializeOwned>(
    answer: reqwest::Result<reqwest::Response>,
) -> Result<T, PayPalFailure> {
    let lost = |error: reqwest::Error| PayPalFailure::Lost(error.without_url().to_string());
    let answer = answer.map_err(lost)?;
    let status = answer.status();
    let body = answer.bytes().await.map_err(lost)?;
    if status.is_success() {
        // The text may have a token, so the error's position is all that is kept.
        let place =
            |error: serde_json::Error| PayPalFailure::Lost(format!("not understood at column {}", error.column()));
        // Some calls are answered without a body.
        let body: &[u8] = if body.is_empty() { b"null" } else { &body };
        return serde_json::from_slice(body).map_err(place);
    }
    Err(refusal(status.as_u16(), &body))
}

fn refusal(status: u16, body: &[u8]) -> PayPalFailure {
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Refusal {
        name: String,
        debug_id: String,
        details: Vec<Detail>,
    }
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Detail {
        issue: String,
    }
    let refusal: Refusal = serde_json::from_slice(body).unwrap_or_default();
    let word = |text: &str| -> String {
        text.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '_').take(MAX_WORD_CHARS).collect()
    };
    let (name, debug_id) = (word(&refusal.name), word(&refusal.debug_id));
    let issue = refusal.details.first().map(|detail| word(&detail.issue)).unwrap_or_default();
    tracing::warn!(status, name, issue, debug_id, "PayPal refused a call");
    PayPalFailure::Said { status, name, issue }
}

impl PayPalOrder {
    pub fn opened(self, new: &NewPayment<'_>) -> Result<OpenedPayment, CallError> {
        if !self.is_of(&new.key.to_string(), new.price) {
            return Err(CallError::Refused("an order with another amount".into()));
        }
        let pay_at = approval_page(self.links)?;
        Ok(OpenedPayment { reference: self.id, pay_at: Some(pay_at) })
    }

    /// What became of our payment. An amount that is not ours is never taken.
    pub fn report(self, call: &PaymentCall<'_>) -> Result<ProviderReport, CallError> {
        let wrong = || {
            let error = format!("PayPal's order has another amount than that of payment {}", call.key);
            tracing::error!(payment.id = %call.key, "{error}");
            CallError::Refused(error)
        };
        if self.id != call.reference || !self.is_of(&call.key.to_string(), call.price) {
            return Err(wrong());
        }
        match self.status.as_str() {
            "CREATED" | "SAVED" | "PAYER_ACTION_REQUIRED" => Ok(ProviderReport::Waiting),
            "APPROVED" => Ok(ProviderReport::Approved),
            "VOIDED" => Ok(ProviderReport::Ended),
            "COMPLETED" => {
                let capture = self.purchase_units.into_iter().flat_map(|unit| unit.payments.captures).next();
                let unseen = || CallError::Unknown("a completed order without its capture".into());
                let Capture { id, status, amount } = capture.ok_or_else(unseen)?;
                match status.as_str() {
                    "COMPLETED" | "PARTIALLY_REFUNDED" if amount.is(call.price) => {
                        Ok(ProviderReport::Taken { charge: id })
                    }
                    "COMPLETED" | "PARTIALLY_REFUNDED" => Err(wrong()),
                    // It was given back before we knew that it was taken.
                    "REFUNDED" => Ok(ProviderReport::Ended),
                    "DECLINED" | "FAILED" => Ok(ProviderReport::Declined(None)),
                    other => Err(CallError::Unknown(format!("the capture is {other}"))),
                }
            }
            other => Err(CallError::Unknown(format!("the order is {other}"))),
        }
    }

    /// Whether it is the order of this payment, as far as it says.
    fn is_of(&self, key: &str, price: Money) -> bool {
        let is_ours = |unit: &Unit| {
            unit.custom_id.as_deref().is_none_or(|id| id == key)
                && unit.amount.as_ref().is_none_or(|amount| amount.is(price))
        };
        self.purchase_units.len() <= 1 && self.purchase_units.iter().all(is_ours)
    }
}

impl PayPalRefund {
    pub fn given(self, money: Money) -> Result<(), CallError> {
        if self.amount.is_some_and(|amount| !amount.is(money)) {
            tracing::error!("PayPal answers a refund with another amount");
            return Err(CallError::Unknown("a refund of another amount".into()));
        }
        match self.status.as_str() {
            "COMPLETED" => Ok(()),
            "FAILED" | "CANCELLED" => Err(CallError::Refused(format!("the refund is {}", self.status))),
            other => Err(CallError::Unknown(format!("the refund is {other}"))),
        }
    }

    /// After `CAPTURE_FULLY_REFUNDED`.
    pub fn fully_refunded(self) -> Result<(), CallError> {
        match self.status.as_str() {
            "REFUNDED" => Ok(()),
            other => Err(CallError::Refused(format!("the capture is {other}"))),
        }
    }
}

/// Where the buyer approves it.
pub(super) fn approval_page(links: Vec<Link>) -> Result<String, CallError> {
    let page = links.into_iter().find(|link| matches!(link.rel.as_str(), "payer-action" | "approve"));
    let page = page.filter(|link| link.href.starts_with("http://") || link.href.starts_with("https://"));
    page.map(|link| link.href).ok_or_else(|| CallError::Refused("an answer without a page for the buyer".into()))
}

impl Amount {
    pub fn is(&self, money: Money) -> bool {
        self.in_currency(money.currency) == Some(money.amount)
    }

    /// In the smallest unit; `None` if it is in another currency.
    pub fn in_currency(&self, currency: Currency) -> Option<i64> {
        if self.currency_code == currency.name() { cents(&self.value) } else { None }
    }
}

/// An amount as PayPal writes it.
pub(super) fn value_of(money: Money) -> Result<String, CallError> {
    match money.currency {
        Currency::Usd => Ok(format!("{}.{:02}", money.amount / 100, money.amount % 100)),
        Currency::Krw => Err(CallError::Refused("PayPal takes no won".into())),
    }
}

/// `6.99` is 699 and `7` is 700; `None` for anything else.
fn cents(text: &str) -> Option<i64> {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let is_number = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !is_number(whole) || part.len() > 2 || !is_number(part) {
        return None;
    }
    format!("{whole}{part:0<2}").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_texts_with_two_decimals() {
        let usd = |amount| Money { amount, currency: Currency::Usd };
        for (amount, text) in [(699, "6.99"), (5, "0.05"), (100, "1.00"), (123_456, "1234.56")] {
            assert_eq!(value_of(usd(amount)).ok().as_deref(), Some(text));
            assert_eq!(cents(text), Some(amount));
        }
        assert_eq!((cents("7"), cents("7.5")), (Some(700), Some(750)));
        for wrong in ["", ".5", "1.234", "-1.00", "1,00", "1.0x", "1e3"] {
            assert_eq!(cents(wrong), None, "{wrong}");
        }
        assert!(value_of(Money { amount: 100, currency: Currency::Krw }).is_err());
    }

    #[test]
    fn each_documented_issue_has_its_meaning() {
        let said = |status, name: &str, issue: &str| {
            PayPalFailure::Said { status, name: name.into(), issue: issue.into() }.denial()
        };
        let of = |issue| said(422, "UNPROCESSABLE_ENTITY", issue);
        assert_eq!(of("INSTRUMENT_DECLINED"), Denial::Declined);
        assert_eq!(of("PAYER_CANNOT_PAY"), Denial::Declined);
        assert_eq!(of("ORDER_NOT_APPROVED"), Denial::NotApproved);
        assert_eq!(of("ORDER_ALREADY_CAPTURED"), Denial::AlreadyDone);
        assert_eq!(of("DUPLICATE_INVOICE_ID"), Denial::AlreadyDone);
        assert_eq!(of("DECIMAL_PRECISION"), Denial::Refused);
        assert_eq!(of("INVALID_CURRENCY_CODE"), Denial::Refused);
        assert_eq!(said(404, "RESOURCE_NOT_FOUND", ""), Denial::Gone);
        assert_eq!(said(404, "", ""), Denial::Retry, "a proxy's page");
        assert_eq!(said(403, "NOT_AUTHORIZED", "PERMISSION_DENIED"), Denial::Misconfigured);
        assert_eq!(said(429, "RATE_LIMIT_REACHED", ""), Denial::Retry);
        assert_eq!(said(500, "INTERNAL_SERVER_ERROR", ""), Denial::Retry);
        assert_eq!(said(422, "", ""), Denial::Retry);
    }
}
