//! Plans that PayPal charges by its own calendar. A product and a plan stand for a price of a month; the buyer approves an
//! agreement (PayPal's word is subscription), and each payment of it is a sale.

use chrono::{DateTime, SecondsFormat, Utc};
use reqwest::Method;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::json;
use uuid::Uuid;

use super::answers::{Amount, Denial, Link, PayPalFailure, approval_page, value_of};
use super::{PayPal, at};
use crate::Core;
use crate::billing::money::Money;
use crate::billing::providers::call::{
    AgreementReport, AgreementStatus, CallError, NewAgreement, OpenedPayment, ProviderSale, RefundExtent,
};

/// Characters of a name of a product or a plan.
const MAX_NAME_CHARS: usize = 127;
/// After so many failed charges PayPal suspends an agreement.
const FAILED_CHARGES: i32 = 3;

#[derive(Deserialize)]
struct Made {
    id: String,
}

#[derive(Deserialize)]
struct Agreement {
    id: String,
    status: String,
    #[serde(default)]
    custom_id: Option<String>,
    #[serde(default)]
    billing_info: BillingInfo,
    #[serde(default)]
    links: Vec<Link>,
}

#[derive(Default, Deserialize)]
struct BillingInfo {
    #[serde(default)]
    failed_payments_count: i32,
}

#[derive(Deserialize)]
struct Transactions {
    #[serde(default)]
    transactions: Vec<Transaction>,
}

#[derive(Deserialize)]
struct Transaction {
    id: String,
    status: String,
    amount_with_breakdown: Breakdown,
    time: DateTime<Utc>,
}

#[derive(Deserialize)]
struct Breakdown {
    gross_amount: Amount,
}

impl PayPal {
    /// Makes a product, and returns its id. A repetition with the key returns the first one.
    pub(in crate::billing) async fn create_product(&self, key: Uuid, name: &str) -> Result<String, CallError> {
        let body = json!({ "name": shortened(name), "type": "SERVICE" });
        let key = key.simple().to_string();
        let made: Made =
            self.create(&["v1", "catalogs", "products"], &key, &body).await.map_err(PayPalFailure::not_made)?;
        Ok(made.id)
    }

    /// Makes a plan that costs this much each month, and returns its id. A repetition with the key returns the first one.
    pub(in crate::billing) async fn create_plan(
        &self,
        key: Uuid,
        product: &str,
        name: &str,
        price: Money,
    ) -> Result<String, CallError> {
        let amount = json!({ "currency_code": price.currency.name(), "value": value_of(price)? });
        let body = json!({
            "product_id": product, "name": shortened(name), "status": "ACTIVE",
            "billing_cycles": [{
                "frequency": { "interval_unit": "MONTH", "interval_count": 1 },
                "tenure_type": "REGULAR", "sequence": 1, "total_cycles": 0,
                "pricing_scheme": { "fixed_price": amount },
            }],
            // A month without a payment is not made up for, so that each sale is the price of one month.
            "payment_preferences": { "auto_bill_outstanding": false, "payment_failure_threshold": FAILED_CHARGES },
        });
        let made: Made =
            self.create(&["v1", "billing", "plans"], &key.to_string(), &body).await.map_err(PayPalFailure::not_made)?;
        Ok(made.id)
    }

    /// Opens an agreement; `None` if PayPal does not know the plan. After a lost answer it is opened again with the same
    /// request id, which returns the first one.
    pub(in crate::billing) async fn open_agreement(
        &self,
        core: &Core,
        new: &NewAgreement<'_>,
    ) -> Result<Option<OpenedPayment>, CallError> {
        let here = |path: &str| format!("{}{path}", core.settings.public_url());
        let body = json!({
            "plan_id": new.plan, "custom_id": new.key,
            "application_context": {
                "return_url": here(new.return_path), "cancel_url": here(new.cancel_path), "user_action": "SUBSCRIBE_NOW",
                "shipping_preference": "NO_SHIPPING",
            },
        });
        match self.create::<Agreement>(&["v1", "billing", "subscriptions"], &new.key.to_string(), &body).await {
            Ok(made) if !made.is_of(new.key) => Err(CallError::Refused("an agreement of another subscription".into())),
            Ok(made) => {
                let pay_at = approval_page(made.links)?;
                Ok(Some(OpenedPayment { reference: made.id, pay_at: Some(pay_at) }))
            }
            Err(failure) if failure.denial() == Denial::Gone => Ok(None),
            Err(failure) => Err(failure.not_made()),
        }
    }

    /// What PayPal says of our agreement.
    pub(in crate::billing) async fn agreement(&self, key: Uuid, reference: &str) -> Result<AgreementReport, CallError> {
        let request = self.request(Method::GET, &["v1", "billing", "subscriptions", reference]);
        let agreement = match self.send::<Agreement>(request).await {
            Ok(agreement) => agreement,
            // PayPal forgets agreements that are not approved.
            Err(failure) if failure.denial() == Denial::Gone => {
                return Ok(AgreementReport { status: AgreementStatus::Ended, failed: 0 });
            }
            Err(failure) => return Err(failure.unknown()),
        };
        if agreement.id != reference || !agreement.is_of(key) {
            tracing::error!(subscription.id = %key, "PayPal answers with an agreement that is not of subscription {key}");
            return Err(CallError::Unknown("an agreement of another subscription".into()));
        }
        let status = match agreement.status.as_str() {
            "APPROVAL_PENDING" | "APPROVED" => AgreementStatus::Waiting,
            "ACTIVE" => AgreementStatus::Active,
            "SUSPENDED" => AgreementStatus::Suspended,
            "CANCELLED" | "EXPIRED" => AgreementStatus::Ended,
            other => return Err(CallError::Unknown(format!("the agreement is {other}"))),
        };
        Ok(AgreementReport { status, failed: agreement.billing_info.failed_payments_count })
    }

    /// The payments of an agreement that PayPal has taken since a time, oldest first, also those that were given back. One
    /// of another amount is never taken.
    pub(in crate::billing) async fn sales(
        &self,
        reference: &str,
        (from, until): (DateTime<Utc>, DateTime<Utc>),
        price: Money,
    ) -> Result<Vec<ProviderSale>, CallError> {
        let mut url = at(&self.base, &["v1", "billing", "subscriptions", reference, "transactions"]);
        for (name, time) in [("start_time", from), ("end_time", until)] {
            url.query_pairs_mut().append_pair(name, &time.to_rfc3339_opts(SecondsFormat::Secs, true));
        }
        let found = match self.send::<Transactions>(self.http.get(url)).await {
            Ok(found) => found.transactions,
            Err(failure) if failure.denial() == Denial::Gone => Vec::new(),
            Err(failure) => return Err(failure.unknown()),
        };
        let mut sales = Vec::new();
        for Transaction { id, status, amount_with_breakdown, time } in found {
            let refund = match status.as_str() {
                "COMPLETED" => RefundExtent::Nothing,
                "PARTIALLY_REFUNDED" => RefundExtent::Part,
                "REFUNDED" => RefundExtent::Whole,
                _ => continue,
            };
            if amount_with_breakdown.gross_amount.is(price) {
                sales.push(ProviderSale { id, at: time, refund });
            } else if refund != RefundExtent::Whole {
                tracing::error!("PayPal has taken payment {id} of agreement {reference} with another amount");
            }
        }
        sales.sort_by_key(|sale| sale.at);
        Ok(sales)
    }

    /// Stops an agreement: PayPal charges it no more. It succeeds also if the agreement has ended.
    pub(in crate::billing) async fn cancel_agreement(&self, reference: &str) -> Result<(), CallError> {
        let path = ["v1", "billing", "subscriptions", reference, "cancel"];
        let request = self.request(Method::POST, &path).json(&json!({ "reason": "Canceled here" }));
        match self.send::<Option<IgnoredAny>>(request).await {
            Ok(_) => Ok(()),
            // It is in a state that cannot be canceled: the next question shows which.
            Err(failure) if matches!(failure.denial(), Denial::Gone | Denial::Refused) => Ok(()),
            Err(failure) => Err(failure.unknown()),
        }
    }
}

impl Agreement {
    fn is_of(&self, key: Uuid) -> bool {
        self.custom_id.as_ref().is_none_or(|id| *id == key.to_string())
    }
}

fn shortened(name: &str) -> String {
    name.chars().take(MAX_NAME_CHARS).collect()
}
