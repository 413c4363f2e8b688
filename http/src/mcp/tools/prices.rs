//! What runs cost, and when they would start.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use uuid::Uuid;
use verdigraph_core::ids::{WorkflowApiId, WorkflowApiVersionId};
use verdigraph_core::jobs::{self, BatchItem, ExpectedRun, FormSubmit, JobLabels, PromptSubmit, Quote, RunTerms};
use verdigraph_core::ledger::MAX_GRANT;

use super::runs::{Form, graph_files, missing_app, of_form};
use crate::mcp::arguments::within;
use crate::mcp::failure::Failure;
use crate::mcp::outcome::{Context, ToolResult};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QuoteArguments {
    app_id: Option<Uuid>,
    version: Option<Uuid>,
    inputs: Option<Map<String, Value>>,
    workflow: Option<Box<RawValue>>,
    max_credits: Option<i64>,
}

/// The price of a run in results.
#[derive(Debug, Serialize)]
pub struct Price {
    pool: String,
    credits_per_second: i64,
    /// By earlier runs; null before the first one.
    expected: Option<ExpectedPrice>,
    /// The least `max_credits` with which a run is accepted.
    least_credits: i64,
    /// No run costs more.
    most_credits: i64,
    /// From now; null while no worker can run it.
    starts_in_seconds: Option<[i64; 2]>,
}

#[derive(Debug, Serialize)]
struct ExpectedPrice {
    credits: i64,
    /// Few runs cost more.
    upper_credits: i64,
    seconds: f64,
}

impl Price {
    /// The credits that such runs cost on average; `None` before the first one.
    pub fn usual(&self) -> Option<i64> {
        self.expected.as_ref().map(|expected| expected.credits)
    }
}

impl From<Quote> for Price {
    fn from(quote: Quote) -> Self {
        let Quote { pool, credits_per_second, expected, least_credits, most_credits, eta_seconds, .. } = quote;
        let expected = expected.map(|ExpectedRun { ms, credits, upper_credits, .. }| ExpectedPrice {
            credits,
            upper_credits,
            seconds: seconds(ms),
        });
        let starts_in_seconds = eta_seconds.map(|(low, high)| [low, high]);
        Self { pool, credits_per_second, expected, least_credits, most_credits, starts_in_seconds }
    }
}

/// Seconds with a digit behind the point.
fn seconds(ms: i64) -> f64 {
    f64::from(u32::try_from(ms / 100).unwrap_or(u32::MAX)) / 10.0
}

pub async fn quote(context: &Context, arguments: QuoteArguments) -> Result<ToolResult, Failure> {
    let QuoteArguments { app_id, version, inputs, workflow, max_credits } = arguments;
    let version = version.map(WorkflowApiVersionId);
    if let Some(most) = max_credits {
        within("max_credits", most, &(1..=MAX_GRANT))?;
    }
    let quote = match (app_id, workflow) {
        (Some(app), None) => of_app(context, (WorkflowApiId(app), version), inputs).await?,
        (None, Some(_)) if version.is_some() => {
            return Err(Failure::field("version", "belongs to an app, not to a workflow"));
        }
        (None, Some(workflow)) if inputs.is_none() => of_graph(context, workflow).await?,
        (None, Some(_)) => return Err(Failure::field("inputs", "belong to an app, not to a workflow")),
        (Some(_), Some(_)) => return Err(Failure::field("workflow", "cannot be given beside app_id")),
        (None, None) => return Err(Failure::field("app_id", "or workflow is required")),
    };
    let fits = max_credits.map(|most| quote.fits(most));
    let mut price = Price::from(quote);
    price.most_credits = max_credits.map_or(price.most_credits, |most| most.min(price.most_credits));
    Ok(ToolResult::of(json!({ "price": price, "fits_max_credits": fits })))
}

/// The quote of an app with any values, or with these.
async fn of_app(
    context: &Context,
    (app, version): (WorkflowApiId, Option<WorkflowApiVersionId>),
    inputs: Option<Map<String, Value>>,
) -> Result<Quote, Failure> {
    let Some(inputs) = inputs else {
        return jobs::quote_app(&context.core, &context.caller, app, version).await.map_err(missing_app);
    };
    let form = Form { app, version, inputs };
    let submit = FormSubmit {
        app,
        version,
        form: form.inputs.clone(),
        terms: RunTerms::default(),
        idempotency_key: None,
        batch: None,
        labels: JobLabels::default(),
    };
    match Box::pin(jobs::quote(&context.core, &context.caller, &BatchItem::Form(submit))).await {
        Ok(quote) => Ok(quote),
        Err(error) => Err(of_form(context, &form, error, RunTerms::default()).await),
    }
}

async fn of_graph(context: &Context, prompt: Box<RawValue>) -> Result<Quote, Failure> {
    let files = graph_files(context, &prompt).await?;
    let submit = PromptSubmit {
        prompt,
        files,
        extra_data: None,
        strict: true,
        terms: RunTerms::default(),
        idempotency_key: None,
        batch: None,
        labels: JobLabels::default(),
    };
    Ok(Box::pin(jobs::quote(&context.core, &context.caller, &BatchItem::Prompt(submit))).await?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_have_one_digit_behind_the_point() {
        assert_eq!([0, 99, 1234, 60_000].map(seconds), [0.0, 0.0, 1.2, 60.0]);
        assert!(seconds(i64::MAX).is_finite() && seconds(-1).is_finite());
    }
}
