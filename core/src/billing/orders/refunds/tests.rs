//! Notices about orders that are paid.

use crate::billing::orders::tests::{answered, bought, completed, shop};
use crate::billing::orders::{OrderStatus, follow_due};
use crate::billing::providers::TestAnswer;

#[actix::test]
async fn late_notice_of_a_paid_order_is_answered_once() {
    let (core, item, ann) = shop().await;
    let order = bought(&core, ann, &item).await;
    answered(&core, &order, TestAnswer::Approve).await;
    assert_eq!(completed(&core, &order).await.status, OrderStatus::Paid);
    let notice = "UPDATE payments SET ask_at = $1 WHERE order_id = $2";
    sqlx::query(notice).bind(core.clock.now()).bind(order.id.0).execute(&core.db).await.expect("a notice");
    assert_eq!(follow_due(&core).await.expect("a round"), 1);
    let asked = "SELECT count(*) FROM payments WHERE ask_at IS NOT NULL";
    assert_eq!(core.database.count(asked).await, 0, "the provider is asked again");
    assert_eq!(completed(&core, &order).await.status, OrderStatus::Paid);
}
