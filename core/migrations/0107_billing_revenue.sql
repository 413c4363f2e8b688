-- For sums of revenue over a time. The other index of paid times has the orders of subscriptions alone.
CREATE INDEX orders_revenue_idx ON orders (paid_at) WHERE paid_at IS NOT NULL;
CREATE INDEX refunds_revenue_idx ON refunds (ended_at) WHERE state = 'Done';
