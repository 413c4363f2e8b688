//! Balance, statement, and grants and debits by admins.

use actix_web::HttpResponse;
use actix_web::web::{self, Data, Json, ServiceConfig};
use chrono::SecondsFormat;
use serde::Deserialize;
use uuid::Uuid;
use verdigraph_core::ids::{EntryId, UserId};
use verdigraph_core::ledger::{
    self, Balance, EntryFilter, GrantKind, LedgerEntry, LedgerEntryKind, NewGrant, OperatorDebit,
};
use verdigraph_core::users::Ceilings;
use verdigraph_core::{Caller as CoreCaller, Core, Error, billing, names, users};

use super::{CursorQuery, next_cursor};
use crate::caller::Caller;
use crate::csv;
use crate::error::Result;
use crate::extract::Body;
use crate::moment::{self, Moment};
use crate::openapi::{self, IntoParams, OpenApi, ToSchema};
use crate::query::Query;
use crate::views::Cursor;
use crate::views::credits::{BalanceView, CeilingsView, CreditView, EntryView, GrantView, entry_word};
use crate::views::words::{EntryWord, GrantWord};

#[derive(OpenApi)]
#[openapi(paths(balance, set_ceilings, entries, entries_file, grant, debit))]
pub struct Api;

pub fn configure(config: &mut ServiceConfig) {
    config
        .service(web::resource("/general/credit").get(balance))
        .service(web::resource("/general/credit/ceilings").put(set_ceilings))
        .service(web::resource("/general/credit/entries").get(entries))
        .service(web::resource("/general/credit/entries.csv").get(entries_file))
        .service(web::resource("/admin/credit/grant").post(grant))
        .service(web::resource("/admin/credit/debit").post(debit));
}

/// The caller's balance and grants
#[openapi::path(get, path = "/api/general/credit", tag = "credits", responses((status = 200, body = CreditView)))]
async fn balance(core: Data<Core>, caller: Caller) -> Result<Json<CreditView>> {
    let balance = allowed_balance(&core, &caller).await?;
    let grants = ledger::grants(&core, &caller).await?;
    let ceilings = users::current(&core, &caller).await?.ceilings.into();
    let spent_today = ledger::spent_today(&core, &caller).await?;
    let grants = grants.into_iter().map(GrantView::from).collect();
    Ok(Json(CreditView { balance: balance.into(), grants, ceilings, spent_today }))
}

/// Sets the most that the caller wants to spend on a run and on a day
///
/// A field that is left out or `null` removes the ceiling.
#[openapi::path(put, path = "/api/general/credit/ceilings", tag = "credits", request_body = CeilingsView,
    responses((status = 200, body = CeilingsView)))]
async fn set_ceilings(core: Data<Core>, caller: Caller, Body(body): Body<CeilingsView>) -> Result<Json<CeilingsView>> {
    let CeilingsView { per_run: run, per_day: day } = body;
    let user = users::set_ceilings(&core, &caller, Ceilings { run, day }).await?;
    Ok(Json(user.ceilings.into()))
}

/// The caller's balance, after granting the allowance of a new month.
pub async fn allowed_balance(core: &Core, caller: &CoreCaller) -> std::result::Result<Balance, Error> {
    let user = users::current(core, caller).await?;
    if let Some(plan) = users::plan_with_allowance(core, &user)? {
        ledger::grant_allowance(core, user.id, plan).await?;
    }
    ledger::balance(core, caller).await
}

/// Filter and page of a statement.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct EntriesQuery {
    /// All kinds by default.
    #[param(inline, value_type = Option<EntryWord>)]
    kind: Option<String>,
    /// The first day, in UTC.
    #[param(value_type = Option<chrono::NaiveDate>, example = "2026-01-01")]
    from: Option<String>,
    /// The last day, inclusive. Not before `from`.
    #[param(value_type = Option<chrono::NaiveDate>, example = "2026-01-31")]
    until: Option<String>,
    /// `nextCursor` of the previous page.
    #[param(max_length = 512)]
    cursor: Option<String>,
    /// Items per page, 1 to 100; 20 by default.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<i64>,
}

/// Filter of a statement.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct EntriesFilterQuery {
    /// All kinds by default.
    #[param(inline, value_type = Option<EntryWord>)]
    kind: Option<String>,
    /// The first day, in UTC.
    #[param(value_type = Option<chrono::NaiveDate>, example = "2026-01-01")]
    from: Option<String>,
    /// The last day, inclusive. Not before `from`.
    #[param(value_type = Option<chrono::NaiveDate>, example = "2026-01-31")]
    until: Option<String>,
}

impl EntriesFilterQuery {
    fn filter(&self) -> std::result::Result<EntryFilter, Error> {
        let wrong = || Error::invalid("kind", "must be Grant, Hold, Capture, Release, Expire or Debit");
        Ok(EntryFilter {
            kind: self.kind.as_deref().map(|word| entry_kind_of(word).ok_or_else(wrong)).transpose()?,
            from: moment::date_field("from", self.from.as_deref())?,
            until: moment::date_field("until", self.until.as_deref())?,
        })
    }
}

/// The caller's statement, newest first
#[openapi::path(get, path = "/api/general/credit/entries", tag = "credits", params(EntriesQuery),
    responses((status = 200, body = Cursor<EntryView>)))]
async fn entries(core: Data<Core>, caller: Caller, query: Query<EntriesQuery>) -> Result<Json<Cursor<EntryView>>> {
    let EntriesQuery { kind, from, until, cursor, limit } = query.into_inner();
    let (filter, page) = (EntriesFilterQuery { kind, from, until }.filter()?, CursorQuery { cursor, limit });
    let limit = page.limit()?;
    let mut entries = ledger::entries(&core, &caller, &filter, page.before::<EntryId>()?, limit + 1).await?;
    let next_cursor = next_cursor(&mut entries, limit, |entry| entry.id.0);
    Ok(Json(Cursor { items: entries.into_iter().map(EntryView::from).collect(), next_cursor }))
}

const HEADER: &str = "time,kind,amount,balanceAfter,job,grant,spent\r\n";

/// The caller's statement as a CSV file, newest first
///
/// The columns are `time,kind,amount,balanceAfter,job,grant,spent`. `amount` is what `balanceAfter` changes by: positive
/// for what is granted or returned, and negative for what is held, expired or taken back. A `Capture` takes what its
/// `Hold` reserved, so its `amount` is 0, and `spent` has the credits. `spent` is 0 in other lines.
#[openapi::path(get, path = "/api/general/credit/entries.csv", tag = "credits", params(EntriesFilterQuery),
    responses((status = 200, content_type = "text/csv", body = String, description = "A file with a line per entry")))]
async fn entries_file(core: Data<Core>, caller: Caller, query: Query<EntriesFilterQuery>) -> Result<HttpResponse> {
    let filter = query.filter()?;
    let name = format!("credits-{}.csv", core.clock.now().date_naive());
    let read = move |before: Option<EntryId>| {
        let (core, caller) = (core.clone(), caller.0.clone());
        async move { ledger::entries(&core, &caller, &filter, before, csv::LINES).await }
    };
    // The first lines are read before the response begins, so that a wrong filter is a 400.
    let first = read(None).await?;
    Ok(csv::file(&name, HEADER.to_owned(), first, line, move |last| read(Some(last.id))))
}

/// No cell needs quotes: all are times, words, numbers and ids.
fn line(entry: &LedgerEntry) -> String {
    let LedgerEntry { id: _, kind, amount, balance_after, grant, job, created_at } = entry;
    let time = created_at.to_rfc3339_opts(SecondsFormat::AutoSi, true);
    let (change, spent) = match kind {
        LedgerEntryKind::Grant | LedgerEntryKind::Release => (*amount, 0),
        LedgerEntryKind::Hold | LedgerEntryKind::Expire | LedgerEntryKind::Debit => (-*amount, 0),
        LedgerEntryKind::Capture => (0, *amount),
    };
    let job = job.map(|job| job.to_string()).unwrap_or_default();
    format!("{time},{},{change},{balance_after},{job},{grant},{spent}\r\n", entry_word(*kind))
}

/// An entry's kind by its name in the API.
pub fn entry_kind_of(word: &str) -> Option<LedgerEntryKind> {
    Some(match word {
        "Grant" => LedgerEntryKind::Grant,
        "Hold" => LedgerEntryKind::Hold,
        "Capture" => LedgerEntryKind::Capture,
        "Release" => LedgerEntryKind::Release,
        "Expire" => LedgerEntryKind::Expire,
        "Debit" => LedgerEntryKind::Debit,
        _ => return None,
    })
}

/// A grant's kind by its name in the API.
pub fn kind_of(word: &str) -> Option<GrantKind> {
    Some(match word {
        "Operator" => GrantKind::Operator,
        "Coupon" => GrantKind::Coupon,
        "Plan" => GrantKind::Plan,
        "Purchase" => GrantKind::Purchase,
        _ => return None,
    })
}

/// Credits to grant.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GrantBody {
    /// Who gets them.
    user: Uuid,
    /// 1 to 1,000,000,000,000.
    #[schema(minimum = 1, maximum = 1_000_000_000_000_i64)]
    amount: i64,
    /// `Operator` (the default), `Coupon`, `Plan` or `Purchase`.
    #[serde(default)]
    #[schema(value_type = Option<GrantWord>)]
    kind: Option<String>,
    /// When the unspent rest expires, in the future; never by default.
    #[serde(default)]
    #[schema(value_type = Option<chrono::DateTime<chrono::Utc>>)]
    expires_at: Option<Moment>,
    /// The reason. The same reason grants credits to a user only once.
    #[schema(min_length = 1, max_length = 200)]
    reason: String,
}

/// Grants credits to a user (admins only)
#[openapi::path(post, path = "/api/admin/credit/grant", tag = "admin", request_body = GrantBody,
    responses((status = 201, body = BalanceView, description = "The person's balance after it"), (status = 404),
    (status = 409, description = "GRANT_REASON_USED: this reason already granted the user another amount"),
    (status = 422, description = "CREDIT_LIMIT: an account has at most 1,000,000,000,000,000")))]
async fn grant(core: Data<Core>, caller: Caller, Body(body): Body<GrantBody>) -> Result<HttpResponse> {
    let kind = body.kind.as_deref().map_or(Some(GrantKind::Operator), kind_of);
    let kind = kind.ok_or_else(|| Error::invalid("kind", "must be Operator, Coupon, Plan or Purchase"))?;
    let wrong = || Error::invalid("reason", "must have 1 to 200 characters");
    let reason = names::trimmed(&body.reason, 1..=200).filter(|reason| !reason.contains('\0')).ok_or_else(wrong)?;
    let source = format!("operator:{reason}");
    let new = NewGrant { kind, source, amount: body.amount, expires_at: body.expires_at.map(Into::into) };
    let balance = ledger::grant_by_operator(&core, &caller, UserId(body.user), new).await?;
    Ok(HttpResponse::Created().json(BalanceView::from(balance)))
}

/// Credits to take back.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DebitBody {
    /// Whose credits.
    user: Uuid,
    /// The source of the grant, as the user's `money` has it; not one of an order.
    #[schema(min_length = 1, max_length = 300, example = "operator:thanks")]
    source: String,
    /// 1 to 1,000,000,000,000, and at most what is left of the grant.
    #[schema(minimum = 1, maximum = 1_000_000_000_000_i64)]
    amount: i64,
    /// For the audit log.
    #[schema(min_length = 1, max_length = 200)]
    reason: String,
}

/// Takes credits of one grant back (admins only)
///
/// All or nothing. Credits that jobs hold are not taken. The refund of an order takes its credits back.
#[openapi::path(post, path = "/api/admin/credit/debit", tag = "admin", request_body = DebitBody,
    responses((status = 200, body = BalanceView, description = "The person's balance after it"), (status = 404),
    (status = 422, description = "CREDITS_USED, with `available`: fewer are left of this grant")))]
async fn debit(core: Data<Core>, caller: Caller, Body(body): Body<DebitBody>) -> Result<Json<BalanceView>> {
    let DebitBody { user, source, amount, reason } = body;
    let debit = OperatorDebit { source, amount, reason };
    Ok(Json(billing::take_back_credits(&core, &caller, UserId(user), debit).await?.into()))
}
