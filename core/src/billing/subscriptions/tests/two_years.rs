//! Two years in simulated time: month ends, a leap day, changes of plan, failed cards, a cancellation. Each month is charged
//! once, and its credits last exactly as long as it does.

use std::collections::HashMap;

use super::*;

/// The first days of all months of a subscription that begins on the last day of January.
const MONTH_ENDS: [&str; 25] = [
    "2027-01-31",
    "2027-02-28",
    "2027-03-31",
    "2027-04-30",
    "2027-05-31",
    "2027-06-30",
    "2027-07-31",
    "2027-08-31",
    "2027-09-30",
    "2027-10-31",
    "2027-11-30",
    "2027-12-31",
    "2028-01-31",
    "2028-02-29",
    "2028-03-31",
    "2028-04-30",
    "2028-05-31",
    "2028-06-30",
    "2028-07-31",
    "2028-08-31",
    "2028-09-30",
    "2028-10-31",
    "2028-11-30",
    "2028-12-31",
    "2029-01-31",
];

/// What a subscriber is expected to have paid, and to have at the moment.
struct Expected {
    paid: i64,
    credits: i64,
    plan: &'static str,
}

#[actix::test]
async fn two_years_charge_each_month_once_with_exact_credits() {
    let begin = at("2027-01-31T10:00:00Z");
    let shop = Shop::open(begin).await;
    let works = TestCardAnswer::Works;
    let [steady, changing, leaving] = [shop.person(works).await, shop.person(works).await, shop.person(works).await];
    let failing = shop.person(TestCardAnswer::DeclinesLater).await;
    let rescued = shop.person(TestCardAnswer::DeclinesLater).await;
    let hanging = shop.person(TestCardAnswer::Hangs).await;
    let mut expected: HashMap<UserId, Expected> = HashMap::new();
    let everyone = [
        (steady, "Basic"),
        (changing, "Basic"),
        (leaving, "Standard"),
        (failing, "Basic"),
        (rescued, "Basic"),
        (hanging, "Pro"),
    ];
    for (who, plan) in everyone {
        shop.try_subscribe(who, plan).await.expect("a subscription");
        expected.insert(who, Expected { paid: shop.price(plan), credits: shop.credits(plan), plan });
    }
    shop.pass(TimeDelta::minutes(1)).await;
    let ends: Vec<DateTime<Utc>> = MONTH_ENDS.iter().map(|day| at(&format!("{day}T10:00:00Z"))).collect();
    for day in 0..730 {
        // A minute after the hour of the renewals, so that a lost answer has been asked for.
        shop.pass_to(begin + TimeDelta::days(day) + TimeDelta::minutes(2)).await;
        shop.pass(TimeDelta::minutes(2)).await;
        let now = shop.core.clock.now();
        let month = ends.iter().rposition(|from| *from <= now).expect("a month");
        let is_first_day = now - ends[month] < TimeDelta::days(1) && month > 0;
        let day_of_month = (now - ends[month]).num_days();
        if is_first_day {
            for who in [steady, changing, leaving, rescued, hanging] {
                let one = expected.get_mut(&who).expect("a subscriber");
                if one.plan != "Free" && (who != rescued || month > 1) {
                    one.paid += shop.price(one.plan);
                    one.credits = shop.credits(one.plan);
                }
            }
        }
        match (month, day_of_month) {
            // The next month is the leaving one's last.
            (4, 10) => drop(cancel(&shop.core, &Caller::customer(leaving)).await.expect("a cancellation")),
            (5, 0) => expected
                .insert(leaving, Expected { paid: 5 * shop.price("Standard"), credits: 0, plan: "Free" })
                .map_or((), drop),
            (2, 7) | (13, 15) => {
                let change = shop.change(changing, "Advanced").await;
                assert_eq!(change.days_of_period, (ends[month + 1] - ends[month]).num_days());
                let one = expected.get_mut(&changing).expect("a subscriber");
                (one.paid, one.credits, one.plan) =
                    (one.paid + change.price.amount, one.credits + change.credits, "Advanced");
            }
            (6, 3) | (20, 1) => {
                shop.change(changing, "Basic").await;
            }
            (7 | 21, 0) => {
                let one = expected.get_mut(&changing).expect("a subscriber");
                (one.paid, one.credits, one.plan) =
                    (one.paid - shop.price("Advanced") + shop.price("Basic"), shop.credits("Basic"), "Basic");
            }
            // Both cards fail from the second month on; one user brings another card after four days.
            (1, 0) => {
                for who in [failing, rescued] {
                    expected.get_mut(&who).expect("a subscriber").credits = 0;
                }
            }
            (1, 4) => {
                shop.card(rescued, TestCardAnswer::Works).await;
                retry(&shop.core, &Caller::customer(rescued)).await.expect("a payment");
                let one = expected.get_mut(&rescued).expect("a subscriber");
                (one.paid, one.credits) = (one.paid + shop.price("Basic"), shop.credits("Basic"));
            }
            (1, 7) => expected.get_mut(&failing).expect("a subscriber").plan = "Free",
            _ => {}
        }
        if day % 5 == 0 || day_of_month < 2 {
            for (who, one) in &expected {
                let name = everyone.iter().position(|(known, _)| known == who).expect("a person");
                let found = (shop.taken(*who).await, shop.available(*who).await, shop.plan(*who).await);
                assert_eq!(found, (one.paid, one.credits, one.plan.to_owned()), "person {name} at {now}");
            }
        }
        if day % 100 == 0 {
            shop.is_clean().await;
        }
    }
    for who in [steady, changing, rescued, hanging] {
        let one = shop.current(who).await;
        assert_eq!((one.period, one.from, one.until), (24, ends[23], ends[24]));
    }
    shop.is_clean().await;
}
