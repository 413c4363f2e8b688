//! SQL that compares orders with payments, refunds and the ledger.

use sqlx::PgPool;

/// Everything that does not add up, as texts; at most `most`.
pub(in crate::billing::orders) async fn differences(db: &PgPool, most: i64) -> sqlx::Result<Vec<String>> {
    sqlx::query_scalar!(
        r#"WITH refunded AS (
             SELECT order_id, coalesce(sum(amount) FILTER (WHERE state <> 'Refused'), 0)::bigint AS amount,
                    coalesce(sum(credits) FILTER (WHERE state <> 'Refused'), 0)::bigint AS credits,
                    coalesce(sum(bonus_credits) FILTER (WHERE state <> 'Refused'), 0)::bigint AS bonus,
                    sum(credits)::bigint AS debited, sum(bonus_credits)::bigint AS bonus_debited
             FROM refunds GROUP BY order_id
           )
           SELECT text AS "text!" FROM (
             SELECT 'order ' || o.id || ' is ' || o.status || ' and its payment ' || p.state AS text
             FROM orders o JOIN payments p ON p.order_id = o.id
             WHERE (o.status IN ('Paid', 'Refunded')) <> (p.state = 'Taken')
             UNION ALL
             SELECT 'order ' || o.id || ' is ' || o.status || ' for ' || o.credits || ' credits, and the ledger gave '
                    || coalesce(g.amount, 0) || ' and took back ' || coalesce(g.debited, 0)
             FROM orders o LEFT JOIN credit_grants g ON g.account_id = o.user_id AND g.source = 'order:' || o.id
             LEFT JOIN refunded r ON r.order_id = o.id
             WHERE coalesce(g.amount, 0) <> CASE WHEN o.status IN ('Paid', 'Refunded') THEN o.credits ELSE 0 END
                OR coalesce(g.debited, 0) <> coalesce(r.debited, 0)
             UNION ALL
             SELECT 'order ' || o.id || ' says ' || o.refunded_amount || ' and ' || o.refunded_credits
                    || ' credits are refunded, and its refunds have ' || coalesce(r.amount, 0) || ' and '
                    || coalesce(r.credits, 0)
             FROM orders o LEFT JOIN refunded r ON r.order_id = o.id
             WHERE o.refunded_amount <> coalesce(r.amount, 0) OR o.refunded_credits <> coalesce(r.credits, 0)
             UNION ALL
             SELECT 'the grant ' || g.source || ' of ' || g.account_id || ' belongs to no order'
             FROM credit_grants g
             WHERE g.source LIKE 'order:%' AND NOT EXISTS (
               SELECT FROM orders o WHERE 'order:' || o.id = g.source AND o.user_id = g.account_id)
             UNION ALL
             SELECT 'refund ' || r.id || ' is ' || r.state || ' and its credits were given back '
                    || coalesce(g.amount, 0)
             FROM refunds r JOIN orders o ON o.id = r.order_id
             LEFT JOIN credit_grants g ON g.account_id = o.user_id AND g.source = 'refund:' || r.id
             WHERE coalesce(g.amount, 0) <> CASE WHEN r.state = 'Refused' THEN r.credits ELSE 0 END
             UNION ALL
             SELECT 'order ' || o.id || ' is ' || o.status || ' with a bonus of ' || o.bonus_credits
                    || ' credits, and the ledger gave ' || coalesce(g.amount, 0) || ' and took back '
                    || coalesce(g.debited, 0)
             FROM orders o LEFT JOIN credit_grants g ON g.account_id = o.user_id AND g.source = 'bonus:' || o.id
             LEFT JOIN refunded r ON r.order_id = o.id
             WHERE coalesce(g.amount, 0) <> CASE WHEN o.status IN ('Paid', 'Refunded') THEN o.bonus_credits ELSE 0 END
                OR coalesce(g.debited, 0) <> coalesce(r.bonus_debited, 0)
                OR o.refunded_bonus <> coalesce(r.bonus, 0)
             UNION ALL
             SELECT 'order ' || o.id || ' is ' || o.status || ' with a bonus of ' || o.bonus_credits
                    || ' credits, and its account was given ' || coalesce(b.credits, 0)
             FROM orders o LEFT JOIN purchase_bonuses b ON b.order_id = o.id AND b.user_id = o.user_id
             WHERE coalesce(b.credits, 0)
                   <> CASE WHEN o.status IN ('Paid', 'Refunded') THEN o.bonus_credits ELSE 0 END
             UNION ALL
             SELECT 'the grant ' || g.source || ' of ' || g.account_id || ' is the bonus of no order'
             FROM credit_grants g
             WHERE g.source LIKE 'bonus:%' AND NOT EXISTS (
               SELECT FROM orders o WHERE 'bonus:' || o.id = g.source AND o.user_id = g.account_id)
             UNION ALL
             SELECT 'refund ' || r.id || ' is ' || r.state || ' and its bonus credits were given back '
                    || coalesce(g.amount, 0)
             FROM refunds r JOIN orders o ON o.id = r.order_id
             LEFT JOIN credit_grants g ON g.account_id = o.user_id AND g.source = 'refund-bonus:' || r.id
             WHERE coalesce(g.amount, 0) <> CASE WHEN r.state = 'Refused' THEN r.bonus_credits ELSE 0 END
             UNION ALL
             SELECT 'order ' || o.id || ' is ' || o.status || ', and the use of its coupon is '
                    || CASE WHEN s.id IS NULL THEN 'free' ELSE 'kept' END
             FROM orders o LEFT JOIN coupon_uses s ON s.order_id = o.id
             WHERE (o.status IN ('Canceled', 'Failed') AND s.id IS NOT NULL)
                OR (o.status = 'Ready' AND (s.id IS NULL) <> (o.coupon_id IS NULL))
             UNION ALL
             SELECT 'coupon ' || c.id || ' counts ' || c.use_count || ' uses, and has ' || count(s.id)
             FROM coupons c LEFT JOIN coupon_uses s ON s.coupon_id = c.id
             GROUP BY c.id HAVING count(s.id) <> c.use_count
             UNION ALL
             SELECT 'subscription ' || s.id || ' is in period ' || s.period || ', and ' || count(o.id)
                    || ' of its months are paid'
             FROM subscriptions s LEFT JOIN orders o
               ON o.subscription_id = s.id AND NOT o.is_change AND o.status IN ('Paid', 'Refunded')
             GROUP BY s.id HAVING count(o.id) <> s.period OR count(DISTINCT o.period) <> s.period
             UNION ALL
             SELECT 'user ' || u.id || ' has the plan ' || coalesce(u.subscription_plan, 'of no subscription')
                    || ', and the subscription ' || coalesce(s.plan, 'none')
             FROM users u LEFT JOIN subscriptions s ON s.user_id = u.id AND s.state IN ('Active', 'PastDue')
             WHERE u.subscription_plan IS DISTINCT FROM s.plan AND u.deleted_at IS NULL
             UNION ALL
             SELECT 'subscription ' || s.id || ' is ' || s.state || CASE WHEN s.is_canceled THEN ', canceled' ELSE '' END
                    || ', paid with ' || s.paid_with || ', and its agreement with PayPal is '
                    || coalesce(a.state, 'missing')
             FROM subscriptions s LEFT JOIN paypal_agreements a ON a.subscription_id = s.id
             WHERE (s.paid_with = 'PayPal') <> (a.subscription_id IS NOT NULL)
                OR (s.state = 'Ended' OR s.is_canceled) <> (a.state IN ('Canceling', 'Over'))
           ) found LIMIT $1"#,
        most,
    )
    .fetch_all(db)
    .await
}
