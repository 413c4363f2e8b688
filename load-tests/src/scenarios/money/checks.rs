//! Checks after the drill: the books of the providers against orders, grants and refunds, and what clients were told.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use sqlx::PgPool;
use uuid::Uuid;

use super::shop::{Notes, Shop};
use crate::error::Result;
use crate::payments::BookedCharge;
use crate::platform::Platform;
use crate::report::{Bar, Report, Table};
use crate::scenarios::drill::checks::none;

/// Findings of one kind that the report shows.
const SHOWN: usize = 5;

/// A payment with its order, its grants and its refunds.
#[derive(Debug, sqlx::FromRow)]
struct PaymentRow {
    payment_id: Uuid,
    order_id: Uuid,
    payment_state: String,
    charge: Option<String>,
    order_status: String,
    provider: String,
    amount: i64,
    currency: String,
    credits: i64,
    refunded_amount: i64,
    refunded_credits: i64,
    is_renewal: bool,
    /// Grants of the order in all accounts, and the credits of the buyer's.
    grants: i64,
    granted: i64,
    debited: i64,
    /// Money of refunds that the provider has confirmed.
    given: i64,
}

const PAYMENTS: &str = "SELECT p.id AS payment_id, o.id AS order_id, p.state AS payment_state, p.charge,
       o.status AS order_status, o.provider, o.amount, o.currency, o.credits, o.refunded_amount, o.refunded_credits,
       coalesce(o.period > 1, false) AS is_renewal,
       (SELECT count(*) FROM credit_grants g WHERE g.source = 'order:' || o.id) AS grants,
       coalesce(g.amount, 0) AS granted, coalesce(g.debited, 0) AS debited,
       coalesce((SELECT sum(r.amount) FROM refunds r WHERE r.order_id = o.id AND r.state = 'Done'), 0)::bigint AS given
     FROM payments p JOIN orders o ON o.id = p.order_id
     LEFT JOIN credit_grants g ON g.account_id = o.user_id AND g.source = 'order:' || o.id";

impl PaymentRow {
    /// A month that PayPal has charged after the cancellation: it gives no credits, and is given back as a whole.
    fn is_returned(&self) -> bool {
        self.is_renewal && self.credits == 0
    }

    fn is_paid(&self) -> bool {
        self.payment_state == "Taken" && ["Paid", "Refunded"].contains(&self.order_status.as_str())
    }
}

/// Statements that must count zero.
const VIOLATIONS: [(&str, &str); 11] = [
    (
        "orders without exactly one payment",
        "SELECT count(*) FROM orders o WHERE (SELECT count(*) FROM payments p WHERE p.order_id = o.id) <> 1",
    ),
    ("payments that have not ended", "SELECT count(*) FROM payments WHERE state IN ('Opening', 'Open', 'Charging')"),
    ("refunds that are not done", "SELECT count(*) FROM refunds WHERE state <> 'Done'"),
    (
        "subscriptions whose payment has not ended",
        "SELECT count(*) FROM subscriptions WHERE open_order IS NOT NULL OR state = 'Pending'",
    ),
    (
        "charges of a provider with two payments",
        "SELECT count(*) FROM (SELECT FROM payments WHERE charge IS NOT NULL GROUP BY charge HAVING count(*) > 1) twice",
    ),
    (
        "agreements with PayPal that wait for its answer",
        "SELECT count(*) FROM paypal_agreements WHERE state IN ('Opening', 'Canceling')",
    ),
    (
        "months that were paid twice",
        "SELECT count(*) FROM (
           SELECT FROM orders
           WHERE NOT is_change AND status IN ('Paid', 'Refunded') AND subscription_id IS NOT NULL
           GROUP BY subscription_id, period HAVING count(*) > 1) twice",
    ),
    (
        "grants of an order that is not paid",
        "SELECT count(*) FROM credit_grants g WHERE g.source LIKE 'order:%' AND NOT EXISTS (
           SELECT FROM orders o
           WHERE 'order:' || o.id = g.source AND o.user_id = g.account_id AND o.status IN ('Paid', 'Refunded'))",
    ),
    (
        "codes that were used twice",
        "SELECT count(*) FROM (SELECT FROM coupon_uses GROUP BY code HAVING count(*) > 1) twice",
    ),
    (
        "uses of a code without exactly one grant",
        "SELECT count(*) FROM coupon_uses u WHERE (SELECT count(*) FROM credit_grants g
           WHERE g.account_id = u.user_id AND g.source = 'coupon:' || u.id) <> 1",
    ),
    (
        "grants of a coupon without a use",
        "SELECT count(*) FROM credit_grants g WHERE g.source LIKE 'coupon:%' AND NOT EXISTS (
           SELECT FROM coupon_uses u WHERE 'coupon:' || u.id = g.source AND u.user_id = g.account_id)",
    ),
];

/// Subscriptions of these that must not be charged any more.
const STOPPED: &str = "SELECT count(*) FROM subscriptions WHERE id = ANY($1) AND (is_canceled OR state = 'Ended')";
const CHARGED_ON: &str = "plans that are canceled or ended, and that PayPal goes on charging";

/// Compares everything, and adds tables, bars and findings to the report. Returns the number of purchases, renewals,
/// refunds and uses of coupons.
pub async fn check(platform: &Platform, shop: &Shop, report: &mut Report) -> Result<usize> {
    let pool = &platform.database.pool;
    let rows: Vec<PaymentRow> = sqlx::query_as(PAYMENTS).fetch_all(pool).await?;
    let charges = shop.providers.charges();
    let mut findings = Findings::default();
    compare_charges(&rows, &charges, &mut findings);
    compare_refunds(&rows, &charges, &mut findings);
    let notes = shop.notes().clone();
    compare_notes(&rows, &notes, pool, &mut findings).await?;
    findings.report(report);
    let running: Vec<Uuid> = shop.providers.paypal.running_plans();
    let stopped: i64 = sqlx::query_scalar(STOPPED).bind(running).fetch_one(pool).await?;
    report.bars.push(none(CHARGED_ON, usize::try_from(stopped).unwrap_or(usize::MAX)));
    for (what, sql) in VIOLATIONS {
        let found = platform.database.count(sql).await?;
        report.bars.push(none(what, usize::try_from(found).unwrap_or(usize::MAX)));
    }
    let used = platform.database.count("SELECT count(*) FROM coupon_uses").await?;
    report.bars.push(Bar::equal(
        "codes that were used, of those that were tried",
        u64::try_from(used).unwrap_or(0),
        shop.codes.len() as u64,
    ));
    let (clean, said) = platform.audit().await?;
    let last = said.lines().last().unwrap_or_default().to_owned();
    report.bars.push(Bar::holds("verdigraph audit", if clean { "no difference".to_owned() } else { last }, clean));
    Ok(tables(&rows, &notes, used, report))
}

/// What does not agree, by kind.
#[derive(Default)]
struct Findings(BTreeMap<&'static str, Vec<String>>);

impl Findings {
    /// All of these kinds are reported, also those without a finding.
    fn expect_none(&mut self, kinds: &[&'static str]) {
        for kind in kinds {
            self.0.entry(*kind).or_default();
        }
    }

    fn add(&mut self, kind: &'static str, what: String) {
        self.0.entry(kind).or_default().push(what);
    }

    fn report(self, report: &mut Report) {
        for (kind, found) in self.0 {
            report.bars.push(none(kind, found.len()));
            report.notes.extend(found.into_iter().take(SHOWN).map(|one| format!("{kind}: {one}")));
        }
    }
}

const NO_ORDER: &str = "charges of a provider without exactly one paid order";
const NO_GRANT: &str = "charges of a provider without exactly one grant of their credits";
const CHARGED_TWICE: &str = "payments that a provider has charged twice";
const OTHER_AMOUNT: &str = "charges of another amount or currency than the order's";
const NO_CHARGE: &str = "paid orders and grants without a charge of a provider";
const REFUNDED_OTHERWISE: &str = "charges that gave back another amount than the order says";
const TAKEN_BACK_OTHERWISE: &str = "orders whose credits were taken back otherwise than they say";
const UNPAID: &str = "orders that a buyer saw paid and that are not";
const OTHER_REFUND: &str = "orders refunded otherwise than they were asked to, or without being asked";
const UNUSED: &str = "uses of coupons that a user was told and that are not there";

fn compare_charges(rows: &[PaymentRow], charges: &[BookedCharge], findings: &mut Findings) {
    findings.expect_none(&[NO_ORDER, NO_GRANT, CHARGED_TWICE, OTHER_AMOUNT, NO_CHARGE]);
    let by_payment: HashMap<Uuid, &PaymentRow> = rows.iter().map(|row| (row.payment_id, row)).collect();
    let by_charge: HashMap<&str, &PaymentRow> =
        rows.iter().filter_map(|row| Some((row.charge.as_deref()?, row))).collect();
    let mut charged = BTreeSet::new();
    for charge in charges {
        // A month that the provider has charged by itself is known by its charge alone.
        let row = match charge.payment {
            Some(payment) => by_payment.get(&payment),
            None => by_charge.get(charge.charge.as_str()),
        };
        if charge.payment.or(row.map(|row| row.payment_id)).is_some_and(|payment| !charged.insert(payment)) {
            findings.add(CHARGED_TWICE, format!("{charge:?}"));
        }
        let Some(row) = row.filter(|row| row.is_paid() && row.charge.as_deref() == Some(charge.charge.as_str())) else {
            findings.add(NO_ORDER, format!("{charge:?} and {row:?}"));
            continue;
        };
        if row.grants != i64::from(!row.is_returned()) || row.granted != row.credits {
            findings.add(NO_GRANT, format!("{charge:?} and {row:?}"));
        }
        if row.amount != charge.amount || row.currency != charge.currency {
            findings.add(OTHER_AMOUNT, format!("{charge:?} and {row:?}"));
        }
    }
    for row in rows.iter().filter(|row| !charged.contains(&row.payment_id)) {
        if row.payment_state == "Taken" || row.is_paid() || row.grants > 0 {
            findings.add(NO_CHARGE, format!("{row:?}"));
        }
    }
}

fn compare_refunds(rows: &[PaymentRow], charges: &[BookedCharge], findings: &mut Findings) {
    findings.expect_none(&[REFUNDED_OTHERWISE, TAKEN_BACK_OTHERWISE]);
    let booked: HashMap<&str, i64> = charges.iter().map(|charge| (charge.charge.as_str(), charge.refunded)).collect();
    for row in rows {
        let refunded = row.charge.as_deref().and_then(|charge| booked.get(charge)).copied().unwrap_or(0);
        if refunded != row.given || refunded != row.refunded_amount {
            findings.add(REFUNDED_OTHERWISE, format!("{refunded} and {row:?}"));
        }
        if row.debited != row.refunded_credits {
            findings.add(TAKEN_BACK_OTHERWISE, format!("{row:?}"));
        }
    }
}

async fn compare_notes(rows: &[PaymentRow], notes: &Notes, pool: &PgPool, findings: &mut Findings) -> Result<()> {
    findings.expect_none(&[UNPAID, OTHER_REFUND, UNUSED]);
    let by_order: HashMap<Uuid, &PaymentRow> = rows.iter().map(|row| (row.order_id, row)).collect();
    for id in &notes.paid {
        if !by_order.get(id).is_some_and(|row| row.is_paid()) {
            findings.add(UNPAID, id.to_string());
        }
    }
    for row in rows {
        let all = if row.is_returned() && row.is_paid() { row.amount } else { 0 };
        let asked = notes.refunded.get(&row.order_id).copied().unwrap_or(all);
        if asked != row.refunded_amount {
            findings.add(OTHER_REFUND, format!("{asked} and {row:?}"));
        }
    }
    let used: Vec<Uuid> = sqlx::query_scalar("SELECT id FROM coupon_uses").fetch_all(pool).await?;
    let used: BTreeSet<Uuid> = used.into_iter().collect();
    for id in notes.coupon_uses.difference(&used) {
        findings.add(UNUSED, id.to_string());
    }
    Ok(())
}

/// Tables of what happened. Returns the number of purchases, renewals, refunds and uses of coupons.
fn tables(rows: &[PaymentRow], notes: &Notes, used: i64, report: &mut Report) -> usize {
    let mut money = Table::new(&["provider", "orders", "paid", "of them renewals", "refunded in part or whole"]);
    for provider in ["PayPal", "TossPayments"] {
        let of: Vec<&PaymentRow> = rows.iter().filter(|row| row.provider == provider).collect();
        let count = |wanted: fn(&PaymentRow) -> bool| of.iter().filter(|row| wanted(row)).count().to_string();
        money.row([
            provider.to_owned(),
            of.len().to_string(),
            count(PaymentRow::is_paid),
            count(|row| row.is_paid() && row.is_renewal),
            count(|row| row.refunded_amount > 0),
        ]);
    }
    report.tables.push(money);
    let mut seen = Table::new(&["what clients saw", "times"]);
    for (what, times) in &notes.counts {
        seen.row([what.clone(), times.to_string()]);
    }
    report.tables.push(seen);
    let paid = rows.iter().filter(|row| row.is_paid()).count();
    let refunded = rows.iter().filter(|row| row.refunded_amount > 0).count();
    paid + refunded + usize::try_from(used).unwrap_or(0)
}
