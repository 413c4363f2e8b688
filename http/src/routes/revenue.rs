//! Revenue over time, for admins.

use std::future::ready;

use actix_web::HttpResponse;
use actix_web::web::{self, Data, Json, ServiceConfig};
use chrono::{DateTime, Days, Utc};
use serde::Deserialize;
use verdigraph_core::billing::{self, RevenueRow};
use verdigraph_core::periods::{Grouping, Periods};
use verdigraph_core::{Core, Error};

use crate::caller::Caller;
use crate::csv;
use crate::error::Result;
use crate::moment;
use crate::openapi::{self, IntoParams, OpenApi};
use crate::query::Query;
use crate::views::revenue::RevenueView;
use crate::views::words::PeriodWord;

#[derive(OpenApi)]
#[openapi(paths(revenue, file))]
pub struct Api;

pub fn configure(config: &mut ServiceConfig) {
    config.service(web::resource("/admin/revenue").get(revenue)).service(web::resource("/admin/revenue.csv").get(file));
}

/// Days by default.
const DEFAULT_DAYS: u64 = 30;

/// The days of a revenue, and how to group them.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct RevenueQuery {
    /// The first day, in UTC. By default 29 days before the last one.
    #[param(value_type = Option<chrono::NaiveDate>, example = "2026-01-01")]
    from: Option<String>,
    /// The last day, inclusive. Today by default.
    #[param(value_type = Option<chrono::NaiveDate>, example = "2026-01-31")]
    until: Option<String>,
    /// `day` (the default), `week` (from Monday) or `month`. At most 400 of them.
    #[param(inline, value_type = Option<PeriodWord>)]
    group_by: Option<String>,
}

impl RevenueQuery {
    fn periods(&self, now: DateTime<Utc>) -> std::result::Result<Periods, Error> {
        let last = moment::date_field("until", self.until.as_deref())?.unwrap_or_else(|| now.date_naive());
        let first = moment::date_field("from", self.from.as_deref())?;
        let first = first.or_else(|| last.checked_sub_days(Days::new(DEFAULT_DAYS - 1))).unwrap_or(last);
        let by = self.group_by.as_deref().map(str::parse::<Grouping>).transpose()?.unwrap_or_default();
        Periods::new(first, last, by).map_err(with_own_fields)
    }
}

/// An error of periods, with the names of this query.
fn with_own_fields(error: Error) -> Error {
    let own = |text: String| text.replace("startDate", "from").replace("endDate", "until");
    match error {
        Error::Invalid { field, message } => Error::Invalid { field: own(field), message: own(message) },
        other => other,
    }
}

/// What was paid and paid back over time, by provider, currency and kind (admins only)
///
/// A payment counts when it was taken, and a refund when the provider gave the money back. Payments of the test provider
/// move no money.
#[openapi::path(get, path = "/api/admin/revenue", tag = "orders", params(RevenueQuery),
    responses((status = 200, body = RevenueView)))]
async fn revenue(core: Data<Core>, caller: Caller, query: Query<RevenueQuery>) -> Result<Json<RevenueView>> {
    let periods = query.periods(core.clock.now())?;
    Ok(Json(billing::revenue_of_periods(&core, &caller, &periods).await?.into()))
}

const HEADER: &str = "period,provider,currency,kind,orders,paid,refunded,net\r\n";

/// What was paid and paid back over time, as a CSV file (admins only)
///
/// The columns are `period,provider,currency,kind,orders,paid,refunded,net`. Amounts are in the smallest unit of the
/// currency.
#[openapi::path(get, path = "/api/admin/revenue.csv", tag = "orders", params(RevenueQuery),
    responses((status = 200, content_type = "text/csv", body = String, description = "A file with a line per row")))]
async fn file(core: Data<Core>, caller: Caller, query: Query<RevenueQuery>) -> Result<HttpResponse> {
    let now = core.clock.now();
    let found = billing::revenue_of_periods(&core, &caller, &query.periods(now)?).await?;
    let name = format!("revenue-{}.csv", now.date_naive());
    // All rows are read at once: there are few.
    Ok(csv::file(&name, HEADER.to_owned(), found.rows, line, |_: &RevenueRow| ready(Ok(Vec::new()))))
}

/// No cell needs quotes: all are days, words and numbers.
fn line(row: &RevenueRow) -> String {
    let RevenueRow { start, provider, currency, kind, orders, paid, refunded } = row;
    let words = [provider.name(), currency.name(), kind.name()].join(",");
    format!("{start},{words},{orders},{paid},{refunded},{}\r\n", row.net())
}
