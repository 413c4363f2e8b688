//! What a run may cost, and by when it must have ended, as requests say it.

use serde::Deserialize;
use verdigraph_core::Error;
use verdigraph_core::jobs::RunTerms;
use verdigraph_core::ledger::MAX_GRANT;

use crate::moment::Moment;
use crate::openapi::IntoParams;
use crate::views::words::PriceClassWord;

/// The terms of a run.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub struct TermsQuery {
    /// The job ends as `ExecutionTimeout` when it has cost this much. At least the price of a second in its pool;
    /// without it, the longest run of the plan.
    #[param(minimum = 1, maximum = 1_000_000_000_000_i64)]
    pub max_credits: Option<i64>,
    /// `flex` costs less, as the quote says, and runs when no other job of its pool waits; or in time for `deadline`, or
    /// after the longest wait of the installation. `standard` by default.
    #[param(inline, value_type = Option<PriceClassWord>)]
    pub price_class: Option<String>,
    /// When the job must have ended, at most 30 days from now. It is refused with `DEADLINE_NOT_POSSIBLE` where that is
    /// sooner than the expected wait and run.
    #[param(value_type = Option<chrono::DateTime<chrono::Utc>>)]
    pub deadline: Option<Moment>,
}

impl TermsQuery {
    /// The terms, with `defaults` for what they leave open. The fields have the same names in a query and in an item of a
    /// batch.
    ///
    /// # Errors
    /// [`Error::Invalid`] with the field.
    pub fn read(&self, defaults: &RunTerms) -> Result<RunTerms, Error> {
        if self.max_credits.is_some_and(|most| !(1..=MAX_GRANT).contains(&most)) {
            return Err(Error::invalid("maxCredits", format!("must be between 1 and {MAX_GRANT}")));
        }
        Ok(RunTerms {
            max_credits: self.max_credits.or(defaults.max_credits),
            must_fit: defaults.must_fit,
            class: self.price_class.as_deref().map_or(Ok(defaults.class), str::parse)?,
            deadline: self.deadline.map(Into::into).or(defaults.deadline),
        })
    }
}

#[cfg(test)]
mod tests {
    use verdigraph_core::jobs::PriceClass;

    use super::*;

    #[test]
    fn terms_of_an_item_replace_the_defaults_one_by_one() {
        let deadline = Moment::read("2026-11-28T07:00:00+09:00").map(Into::into);
        let defaults = RunTerms { max_credits: Some(9), must_fit: true, class: PriceClass::Flex, deadline };
        let read = |query: &TermsQuery| query.read(&defaults).expect("terms");
        assert_eq!(read(&TermsQuery::default()), defaults);
        let own = TermsQuery { max_credits: Some(5), price_class: Some("standard".to_owned()), deadline: None };
        assert_eq!(read(&own), RunTerms { max_credits: Some(5), class: PriceClass::Standard, ..defaults });
    }

    #[test]
    fn term_out_of_range_is_refused_with_its_field() {
        let refused = |query: TermsQuery| match query.read(&RunTerms::default()) {
            Err(Error::Invalid { field, .. }) => field,
            other => panic!("{other:?}"),
        };
        assert_eq!(refused(TermsQuery { max_credits: Some(0), ..TermsQuery::default() }), "maxCredits");
        assert_eq!(refused(TermsQuery { price_class: Some("Flex".to_owned()), ..TermsQuery::default() }), "priceClass");
    }
}
