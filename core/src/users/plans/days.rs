//! What more days of a plan do to a user's plans.

use chrono::{DateTime, TimeDelta, Utc};

use crate::settings::Plan;
use crate::users::user::GivenPlan;

/// A user's plans: their own, that of a subscription, and the last one that was given for a time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct UserPlans {
    pub own: String,
    pub subscribed: Option<String>,
    pub given: Option<GivenPlan>,
}

/// The outcome of more days of a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlanDays {
    /// The plan is given until then.
    Until(DateTime<Utc>),
    /// The user's own plan, or that of their subscription, is as good, or another given plan holds until then. Nothing changes.
    NotNow { plan: String, until: Option<DateTime<Utc>> },
}

/// Adds days of a plan; `None` if it is not configured. `plans` are ordered from the smallest to the largest. An own
/// plan that is not configured counts as the first one.
pub(super) fn add(plans: &[Plan], user: &UserPlans, plan: &str, days: i32, now: DateTime<Utc>) -> Option<PlanDays> {
    let rank = |name: &str| Plan::rank(plans, name);
    let wanted = rank(plan)?;
    if rank(&user.own).unwrap_or(0) >= wanted {
        return Some(PlanDays::NotNow { plan: user.own.clone(), until: None });
    }
    if let Some(subscribed) = user.subscribed.as_ref().filter(|subscribed| rank(subscribed) >= Some(wanted)) {
        return Some(PlanDays::NotNow { plan: subscribed.clone(), until: None });
    }
    let begin = match user.given.as_ref().filter(|given| given.until > now) {
        Some(given) if given.plan == plan => given.until,
        Some(given) => return Some(PlanDays::NotNow { plan: given.plan.clone(), until: Some(given.until) }),
        None => now,
    };
    let until = begin.checked_add_signed(TimeDelta::days(i64::from(days)));
    Some(PlanDays::Until(until.unwrap_or(begin)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Settings;

    #[test]
    fn days_extend_the_same_plan_and_replace_no_better_one() {
        let plans = Settings::defaults("unused").expect("built-in settings").plans;
        let [free, basic, standard, pro] = ["Free", "Basic", "Standard", "Pro"];
        let names: Vec<&str> = plans.iter().map(|plan| plan.name.as_str()).collect();
        assert_eq!(names, [free, basic, standard, "Advanced", pro], "the plans of this table");
        let now: DateTime<Utc> = "2026-01-01T00:00:00Z".parse().expect("a time");
        let on = |day: i64| now + TimeDelta::days(day);
        let until = |day| Some(PlanDays::Until(on(day)));
        let not_now = |plan: &str, day: Option<i64>| Some(PlanDays::NotNow { plan: plan.into(), until: day.map(on) });
        let table = [
            // Own plan, given plan with its last day, wanted plan, outcome of 30 days.
            (free, None, standard, until(30)),
            (basic, None, standard, until(30)),
            (standard, None, standard, not_now(standard, None)),
            (pro, None, standard, not_now(pro, None)),
            (free, None, free, not_now(free, None)),
            ("Gone", None, basic, until(30)),
            (free, Some((standard, 10)), standard, until(40)),
            (free, Some((standard, 0)), standard, until(30)),
            (free, Some((standard, -10)), standard, until(30)),
            (free, Some((basic, 10)), standard, not_now(basic, Some(10))),
            (free, Some((pro, 10)), standard, not_now(pro, Some(10))),
            (free, Some((pro, -10)), standard, until(30)),
            (free, Some(("Gone", 10)), standard, not_now("Gone", Some(10))),
            (pro, Some((standard, 10)), standard, not_now(pro, None)),
            (free, None, "Gone", None),
        ];
        for (own, given, plan, expected) in table {
            let given = given.map(|(plan, day)| GivenPlan { plan: plan.into(), until: on(day) });
            let user = UserPlans { own: own.into(), subscribed: None, given };
            assert_eq!(add(&plans, &user, plan, 30, now), expected, "{user:?} and {plan}");
        }
        for (subscribed, expected) in
            [(basic, until(30)), (standard, not_now(standard, None)), (pro, not_now(pro, None))]
        {
            let user = UserPlans { own: free.into(), subscribed: Some(subscribed.into()), given: None };
            assert_eq!(add(&plans, &user, standard, 30, now), expected, "{user:?}");
        }
    }
}
