//! What Toss answers, and what it means.

use secrecy::SecretString;
use serde::Deserialize;

use crate::billing::money::{Currency, Money};
use crate::billing::providers::call::{CallError, CardReport, PaymentCall, ProviderReport, SavedCardDetails};

/// Characters of a bank's name that are kept.
const MAX_ISSUER_CHARS: usize = 40;

/// A payment; amounts are in won.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TossPayment {
    payment_key: String,
    order_id: String,
    status: String,
    total_amount: i64,
    #[serde(default)]
    balance_amount: Option<i64>,
    #[serde(default)]
    currency: Option<String>,
    /// Why it was not made.
    #[serde(default)]
    failure: Option<PaymentFailure>,
}

#[derive(Deserialize)]
struct PaymentFailure {
    #[serde(default)]
    code: String,
}

/// A card with its billing key.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Billing {
    customer_key: String,
    billing_key: SecretString,
    #[serde(default)]
    card_company: Option<String>,
    #[serde(default)]
    card: Option<Card>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Card {
    #[serde(default)]
    number: String,
    #[serde(default)]
    issuer_code: String,
}

/// Why a call has no result.
pub(super) enum TossFailure {
    /// Toss refused it, with this code.
    Said { status: u16, code: String },
    /// No answer, or one that is not understood.
    Lost(String),
}

/// What a code of Toss means for a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Denial {
    /// An earlier call had the effect: read it.
    AlreadyDone,
    /// The card or the amount is refused, and nothing was done.
    Declined,
    /// Our keys or our contract are wrong, and nothing was done.
    Misconfigured,
    /// It may have had its effect, or has it later.
    Retry,
}

/// The meaning of a refusal. Toss sends declines with 400 and 403, so that the code decides.
pub(super) fn denial(status: u16, code: &str) -> Denial {
    match code {
        "DUPLICATED_ORDER_ID" | "ALREADY_PROCESSED_PAYMENT" | "ALREADY_CANCELED_PAYMENT" => Denial::AlreadyDone,
        "IDEMPOTENT_REQUEST_PROCESSING"
        | "PROVIDER_ERROR"
        | "CARD_PROCESSING_ERROR"
        | "FAILED_INTERNAL_SYSTEM_PROCESSING"
        | "FAILED_PAYMENT_INTERNAL_SYSTEM_PROCESSING"
        | "FAILED_REFUND_PROCESS"
        | "FAILED_DB_PROCESSING"
        | "UNKNOWN_PAYMENT_ERROR" => Denial::Retry,
        "UNAUTHORIZED_KEY"
        | "INVALID_API_KEY"
        | "INCORRECT_BASIC_AUTH_FORMAT"
        | "FORBIDDEN_REQUEST"
        | "INVALID_REQUEST"
        | "NOT_FOUND_PAYMENT"
        | "NOT_FOUND"
        | "INVALID_IDEMPOTENCY_KEY"
        | "NOT_SUPPORTED_METHOD" => Denial::Misconfigured,
        _ if status >= 500 || status == 429 || status == 408 => Denial::Retry,
        // A code that we can read is Toss' own; anything else may come from a proxy.
        "" => Denial::Retry,
        _ if status == 401 => Denial::Misconfigured,
        _ => Denial::Declined,
    }
}

impl TossFailure {
    pub fn refusal(status: u16, body: &[u8]) -> Self {
        #[derive(Deserialize)]
        struct Refusal {
            code: String,
        }
        let code = serde_json::from_slice::<Refusal>(body).map(|refusal| refusal.code).unwrap_or_default();
        let is_code = code.len() <= 80 && code.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        Self::Said { status, code: if is_code { code } else { String::new() } }
    }

    pub fn unknown(self) -> CallError {
        CallError::Unknown(match self {
            Self::Said { status, code } => format!("status {status} {code}"),
            Self::Lost(why) => why,
        })
    }
}

impl TossPayment {
    /// What became of our payment. An amount that is not ours is never taken.
    pub fn report(self, call: &PaymentCall<'_>) -> Result<ProviderReport, CallError> {
        match self.status.as_str() {
            "DONE" | "PARTIAL_CANCELED" => {
                self.must_be(call)?;
                Ok(ProviderReport::Taken { charge: self.payment_key })
            }
            // It was given back before we knew that it was taken.
            "CANCELED" => Ok(ProviderReport::Ended),
            "ABORTED" | "EXPIRED" => {
                Ok(ProviderReport::Declined(self.failure.and_then(|failure| failure.code.parse().ok())))
            }
            other => Err(CallError::Unknown(format!("the payment is {other}"))),
        }
    }

    fn must_be(&self, call: &PaymentCall<'_>) -> Result<(), CallError> {
        let is_won = self.currency.as_deref().unwrap_or("KRW") == "KRW" && call.price.currency == Currency::Krw;
        if self.order_id == call.reference && is_won && self.total_amount == call.price.amount {
            return Ok(());
        }
        tracing::error!(
            payment.id = %call.key, taken = self.total_amount, asked = call.price.amount,
            "Toss has taken another amount than that of payment {}", call.key
        );
        Err(CallError::Refused("another amount, currency or order than the payment's".into()))
    }

    /// After a cancellation of this amount.
    pub fn canceled(&self, charge: &str, money: Money) -> Result<(), CallError> {
        let given = self.balance_amount.map(|left| self.total_amount - left);
        let is_given = given.is_none_or(|given| given >= money.amount);
        if self.payment_key == charge && is_given && matches!(self.status.as_str(), "CANCELED" | "PARTIAL_CANCELED") {
            return Ok(());
        }
        tracing::error!(
            status = self.status,
            ?given,
            asked = money.amount,
            "Toss answers a refund with another amount"
        );
        Err(CallError::Unknown("the refund is not seen in the payment".into()))
    }

    /// The money that was given back; `None` for a part of which the payment does not say how much it is.
    pub fn canceled_amount(&self, charge: &str) -> Result<Option<i64>, CallError> {
        if self.payment_key != charge {
            return Err(CallError::Unknown("another payment".into()));
        }
        match self.status.as_str() {
            "DONE" => Ok(Some(0)),
            "CANCELED" => Ok(Some(self.total_amount)),
            "PARTIAL_CANCELED" => Ok(self.balance_amount.map(|left| self.total_amount - left)),
            other => Err(CallError::Unknown(format!("the payment is {other}"))),
        }
    }

    /// After `ALREADY_CANCELED_PAYMENT`.
    pub fn fully_canceled(&self, charge: &str) -> Result<(), CallError> {
        if self.payment_key == charge && self.status == "CANCELED" {
            return Ok(());
        }
        Err(CallError::Refused(format!("the payment is {}", self.status)))
    }
}

impl Billing {
    pub fn report(self, customer: &str) -> Result<CardReport, CallError> {
        if self.customer_key != customer {
            tracing::error!("Toss has saved a card for another customer key");
            return Err(CallError::Refused("a card of another customer".into()));
        }
        let (number, code) = self.card.map(|card| (card.number, card.issuer_code)).unwrap_or_default();
        let issuer = self.card_company.filter(|name| !name.is_empty()).unwrap_or(code);
        Ok(CardReport::Saved(SavedCardDetails {
            label: masked(&number),
            issuer: issuer.chars().take(MAX_ISSUER_CHARS).collect(),
            secret: Some(self.billing_key),
        }))
    }
}

/// A card's number in groups of four, without the digits after the first six and before the last four, whatever the
/// provider has masked.
fn masked(number: &str) -> String {
    let digits: Vec<char> = number.chars().filter(|c| c.is_ascii_digit() || *c == '*').collect();
    let hidden = 6..digits.len().saturating_sub(4);
    let shown = |(at, c): (usize, &char)| if hidden.contains(&at) { '*' } else { *c };
    let shown: Vec<char> = digits.iter().enumerate().map(shown).collect();
    shown.chunks(4).map(|four| four.iter().collect::<String>()).collect::<Vec<_>>().join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn number_is_masked_even_if_the_provider_does_not() {
        assert_eq!(masked("43301234****123*"), "4330-12**-****-123*");
        assert_eq!(masked("4330123412341234"), "4330-12**-****-1234");
        assert_eq!(masked("4330-1234-1234-1234"), "4330-12**-****-1234");
        assert_eq!(masked(""), "");
    }

    #[test]
    fn canceled_money_is_what_the_balance_leaves() {
        let canceled = |status: &str, balance: Option<i64>| {
            let payment = serde_json::json!({
                "paymentKey": "P", "orderId": "O", "status": status, "totalAmount": 9_900, "balanceAmount": balance,
            });
            let payment: TossPayment = serde_json::from_value(payment).expect("a payment");
            payment.canceled_amount("P").ok()
        };
        assert_eq!(canceled("DONE", Some(9_900)), Some(Some(0)));
        assert_eq!(canceled("PARTIAL_CANCELED", Some(6_600)), Some(Some(3_300)));
        assert_eq!(canceled("PARTIAL_CANCELED", None), Some(None));
        assert_eq!(canceled("CANCELED", None), Some(Some(9_900)));
        assert_eq!(canceled("WAITING_FOR_DEPOSIT", None), None, "it is asked again");
    }

    #[test]
    fn each_documented_code_has_its_meaning() {
        let declined = [
            "INVALID_CARD_NUMBER",
            "INVALID_CARD_EXPIRATION",
            "INVALID_CARD_PASSWORD",
            "INVALID_CARD_IDENTITY",
            "INVALID_BIRTH_DAY_FORMAT",
            "INVALID_STOPPED_CARD",
            "INVALID_CARD_LOST_OR_STOLEN",
            "NOT_SUPPORTED_CARD_TYPE",
            "REJECT_CARD_COMPANY",
            "REJECT_CARD_PAYMENT",
            "EXCEED_MAX_AMOUNT",
            "EXCEED_MAX_DAILY_PAYMENT_COUNT",
            "BELOW_MINIMUM_AMOUNT",
            "FDS_ERROR",
            "INVALID_BILL_KEY_REQUEST",
            "NOT_MATCHES_CUSTOMER_KEY",
            "NOT_CANCELABLE_AMOUNT",
        ];
        for code in declined {
            assert_eq!(denial(400, code), Denial::Declined, "{code}");
            assert_eq!(denial(403, code), Denial::Declined, "{code}");
        }
        for code in ["PROVIDER_ERROR", "FAILED_INTERNAL_SYSTEM_PROCESSING", "IDEMPOTENT_REQUEST_PROCESSING"] {
            assert_eq!(denial(400, code), Denial::Retry, "{code}");
        }
        for code in ["DUPLICATED_ORDER_ID", "ALREADY_CANCELED_PAYMENT"] {
            assert_eq!(denial(400, code), Denial::AlreadyDone, "{code}");
        }
        assert_eq!(denial(401, "UNAUTHORIZED_KEY"), Denial::Misconfigured);
        assert_eq!(denial(503, "ANY"), Denial::Retry);
        assert_eq!(denial(429, "ANY"), Denial::Retry);
        assert_eq!(denial(403, ""), Denial::Retry, "a proxy's page is no decline");
    }
}
