//! Prices and times of runs before they are submitted.

use serde::Serialize;

use super::jobs::EtaView;
use crate::openapi::ToSchema;

/// What a run costs and how long it takes.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct QuoteView {
    /// The pool in which it would run now.
    pub pool: String,
    pub pool_title: String,
    pub credits_per_second: i64,
    /// How many connected workers can run it.
    pub workers: usize,
    /// `null` until the first run has ended.
    pub expected: Option<ExpectedRunView>,
    /// The price of the longest run that the plan, `maxCredits` and the caller's own ceiling allow. A longer one is
    /// stopped, and no run costs more.
    pub most_credits: i64,
    pub most_run_ms: i64,
    /// When it would start; `null` if no connected worker can run it.
    pub eta_seconds: Option<EtaView>,
    pub flex: FlexQuoteView,
}

/// The price of the same run in the class `flex`.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FlexQuoteView {
    /// The part of the pool's price that it costs; 100 if the installation has no lower price.
    pub percent: i16,
    /// `null` until the first run has ended.
    pub expected: Option<ExpectedRunView>,
    pub most_credits: i64,
    pub most_run_ms: i64,
}

/// By earlier runs. Few runs exceed the upper values.
#[derive(Debug, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExpectedRunView {
    pub run_ms: i64,
    pub upper_run_ms: i64,
    pub credits: i64,
    pub upper_credits: i64,
}

/// What several runs cost.
#[derive(Debug, Serialize, ToSchema)]
pub struct QuotesView {
    /// Of one run of each item, in the order of the request.
    pub items: Vec<QuoteView>,
    pub total: QuoteTotalView,
}

/// All runs of all items together.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct QuoteTotalView {
    pub runs: i64,
    /// `null` if an item has not run before. Times are those of the workers, one after the other.
    pub expected: Option<ExpectedRunView>,
    pub most_credits: i64,
    pub flex: FlexTotalView,
}

/// The price of all runs in the class `flex`.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FlexTotalView {
    /// `null` if an item has not run before.
    pub expected: Option<ExpectedRunView>,
    pub most_credits: i64,
}

impl QuoteTotalView {
    /// The total of no runs.
    #[must_use]
    pub fn none() -> Self {
        let nothing = || Some(ExpectedRunView::default());
        let flex = FlexTotalView { expected: nothing(), most_credits: 0 };
        Self { runs: 0, expected: nothing(), most_credits: 0, flex }
    }

    pub fn add(&mut self, quote: &QuoteView, count: i64) {
        let more = |sum: i64, one: i64| sum.saturating_add(one.saturating_mul(count));
        let expected = |sum: &mut Option<ExpectedRunView>, one: Option<&ExpectedRunView>| {
            *sum = sum.take().zip(one).map(|(sum, one)| ExpectedRunView {
                run_ms: more(sum.run_ms, one.run_ms),
                upper_run_ms: more(sum.upper_run_ms, one.upper_run_ms),
                credits: more(sum.credits, one.credits),
                upper_credits: more(sum.upper_credits, one.upper_credits),
            });
        };
        self.runs += count;
        self.most_credits = more(self.most_credits, quote.most_credits);
        self.flex.most_credits = more(self.flex.most_credits, quote.flex.most_credits);
        expected(&mut self.expected, quote.expected.as_ref());
        expected(&mut self.flex.expected, quote.flex.expected.as_ref());
    }
}
