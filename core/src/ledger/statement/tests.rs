use chrono::{DateTime, NaiveDate, TimeDelta, Utc};

use super::{EntryFilter, entries};
use crate::ids::{UserId, min_id};
use crate::ledger::{GrantKind, NewGrant, grant};
use crate::testing::TestCore;
use crate::{Caller, Error};

async fn grant_of(core: &TestCore, account: UserId, amount: i64) {
    let new = NewGrant { kind: GrantKind::Operator, source: amount.to_string(), amount, expires_at: None };
    grant(core, account, new).await.expect("a grant");
}

/// The amounts of a statement, newest first.
async fn amounts(core: &TestCore, account: UserId, filter: EntryFilter) -> Vec<i64> {
    let found = entries(core, &Caller::customer(account), &filter, None, 10).await.expect("a statement");
    found.iter().map(|entry| entry.amount).collect()
}

#[actix::test]
async fn statement_of_days_has_the_first_and_the_last_moment_of_them_and_no_other() {
    let core = TestCore::new().await;
    let (account, other) = (UserId::new(), UserId::new());
    let moments = [
        (1, "2026-01-30T23:59:59.999999Z"),
        (2, "2026-01-31T00:00:00Z"),
        (3, "2026-02-01T23:59:59.999999Z"),
        (4, "2026-02-02T00:00:00Z"),
    ];
    for (amount, at) in moments {
        let at: DateTime<Utc> = at.parse().expect("a time");
        for (account, index) in [(account, 0), (other, 1)] {
            grant_of(&core, account, amount).await;
            // An id is made after its entry's time, here on the next day.
            let id = uuid::Uuid::from_u128(min_id(at + TimeDelta::milliseconds(5)).as_u128() + index);
            sqlx::query("UPDATE credit_entries SET id = $1, created_at = $2 WHERE account_id = $3 AND amount = $4")
                .bind(id)
                .bind(at)
                .bind(account.0)
                .bind(amount)
                .execute(&core.db)
                .await
                .expect("an older entry");
        }
    }
    let day = |text: &str| Some(text.parse::<NaiveDate>().expect("a day"));
    let both = EntryFilter { kind: None, from: day("2026-01-31"), until: day("2026-02-01") };
    assert_eq!(amounts(&core, account, both).await, [3, 2]);
    assert_eq!(amounts(&core, account, EntryFilter { until: None, ..both }).await, [4, 3, 2]);
    assert_eq!(amounts(&core, account, EntryFilter { from: None, ..both }).await, [3, 2, 1]);
    assert_eq!(amounts(&core, account, EntryFilter { until: both.from, ..both }).await, [2], "one day");
    let ancient = EntryFilter { kind: None, from: day("0001-01-01"), until: day("0001-01-01") };
    assert_eq!(amounts(&core, account, ancient).await, [0; 0]);
    assert_eq!(amounts(&core, account, EntryFilter { until: day("9999-12-31"), ..ancient }).await, [4, 3, 2, 1]);
    let reversed = EntryFilter { kind: None, from: both.until, until: both.from };
    let refused = entries(&core, &Caller::customer(account), &reversed, None, 10).await;
    assert!(matches!(refused, Err(Error::Invalid { .. })), "{refused:?}");
}
