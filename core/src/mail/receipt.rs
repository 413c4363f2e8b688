//! The texts of receipts: of a payment, and of a refund.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::text::MailText;
use crate::language::{Language, grouped};

/// What a receipt says of an order. Amounts are texts with their currency.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Receipt {
    pub order: Uuid,
    pub paid_at: DateTime<Utc>,
    /// The name of the item.
    pub item: String,
    /// The time that it pays of a plan; `None` for a pack of credits.
    pub period: Option<ReceiptPeriod>,
    pub credits: i64,
    /// Given beside them.
    #[serde(default)]
    pub bonus_credits: i64,
    /// The price of the item as the shop lists it.
    pub list_price: String,
    pub amount: String,
    /// The last characters of the card's number; `None` if the provider has another method.
    pub card: Option<String>,
    pub provider: String,
}

/// A time of a plan that an order pays.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReceiptPeriod {
    pub plan: String,
    pub from: DateTime<Utc>,
    pub until: DateTime<Utc>,
    /// Whether the order pays the difference to a larger plan.
    pub is_change: bool,
}

/// Money of an order that was given back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReceiptRefund {
    pub at: DateTime<Utc>,
    pub amount: String,
    /// Credits that were taken back.
    pub credits: i64,
}

/// The mail for a payment.
pub(super) fn of_payment(language: Language, greeting: String, receipt: &Receipt, site: &str) -> MailText {
    let amount = &receipt.amount;
    let (subject, first) = match language {
        Language::En => (format!("Receipt for {}", receipt.item), format!("You have paid {amount}. Thank you.")),
        Language::Ko => (format!("{} 영수증", receipt.item), format!("{amount} 결제가 완료되었습니다. 감사합니다.")),
    };
    let mut lines = vec![first];
    lines.extend(facts(language, receipt));
    MailText { button: Some(button(language, receipt, site)), ..MailText::plain(&subject, greeting, lines) }
}

/// The mail for a refund.
pub(super) fn of_refund(
    language: Language,
    greeting: String,
    receipt: &Receipt,
    refund: &ReceiptRefund,
    site: &str,
) -> MailText {
    let (amount, at, credits) = (&refund.amount, moment(refund.at), grouped(refund.credits));
    let (subject, first, date, taken, bank) = match language {
        Language::En => (
            format!("Refund for {}", receipt.item),
            format!("{amount} of your order were given back."),
            format!("Date of the refund: {at}"),
            format!("Credits taken back: {credits}"),
            "It may take your bank or payment provider a few days to show the amount.",
        ),
        Language::Ko => (
            format!("{} 환불 안내", receipt.item),
            format!("주문 금액 중 {amount}을(를) 환불했습니다."),
            format!("환불 일시: {at}"),
            format!("회수한 크레딧: {credits}"),
            "카드사나 결제사에 환불이 표시되기까지 며칠이 걸릴 수 있습니다.",
        ),
    };
    let mut lines = vec![first, date];
    if refund.credits > 0 {
        lines.push(taken);
    }
    lines.extend(facts(language, receipt));
    MailText {
        button: Some(button(language, receipt, site)),
        notes: vec![bank.to_owned()],
        ..MailText::plain(&subject, greeting, lines)
    }
}

/// One line for each fact of the order.
fn facts(language: Language, receipt: &Receipt) -> Vec<String> {
    let Receipt { order, item, list_price, amount, .. } = receipt;
    let (paid_at, mut credits) = (moment(receipt.paid_at), grouped(receipt.credits));
    if receipt.bonus_credits > 0 {
        let bonus = grouped(receipt.bonus_credits);
        credits += &match language {
            Language::En => format!(" + {bonus} bonus"),
            Language::Ko => format!(" + 보너스 {bonus}"),
        };
    }
    let item = match &receipt.period {
        Some(period) => format!("{item} ({})", period_words(language, period)),
        None => item.clone(),
    };
    let card = receipt.card.as_deref();
    match language {
        Language::En => vec![
            format!("Order number: {order}"),
            format!("Date of payment: {paid_at}"),
            format!("Item: {item}"),
            format!("Credits: {credits}"),
            format!("List price: {list_price}"),
            format!("Amount paid: {amount}"),
            match card {
                Some(ending) => format!("Paid with: card ending {ending} ({})", receipt.provider),
                None => format!("Paid with: {}", receipt.provider),
            },
        ],
        Language::Ko => vec![
            format!("주문 번호: {order}"),
            format!("결제 일시: {paid_at}"),
            format!("상품: {item}"),
            format!("크레딧: {credits}"),
            format!("정가: {list_price}"),
            format!("결제 금액: {amount}"),
            match card {
                Some(ending) => format!("결제 수단: {ending}로 끝나는 카드 ({})", receipt.provider),
                None => format!("결제 수단: {}", receipt.provider),
            },
        ],
    }
}

fn period_words(language: Language, period: &ReceiptPeriod) -> String {
    let ReceiptPeriod { plan, from, until, is_change } = period;
    let (from, until) = (from.format("%Y.%m.%d"), until.format("%Y.%m.%d"));
    match (language, is_change) {
        (Language::En, false) => format!("plan {plan}, {from} to {until}"),
        (Language::En, true) => format!("difference to the plan {plan}, until {until}"),
        (Language::Ko, false) => format!("{plan} 요금제, {from}~{until}"),
        (Language::Ko, true) => format!("{plan} 요금제로 변경한 차액, {until}까지"),
    }
}

/// Leads to the order in the account, which can be printed.
fn button(language: Language, receipt: &Receipt, site: &str) -> (String, String) {
    let label = match language {
        Language::En => "Open the receipt",
        Language::Ko => "영수증 보기",
    };
    (label.to_owned(), format!("{site}/account?tab=orders&order={}", receipt.order))
}

fn moment(at: DateTime<Utc>) -> String {
    format!("{} (UTC)", at.format("%Y.%m.%d %H:%M"))
}
