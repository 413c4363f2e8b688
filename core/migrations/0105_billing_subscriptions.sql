-- An item of the shop is a pack of credits or a month of a plan. Programs that run from before this migration cannot read
-- plans: create none until all are replaced.
ALTER TABLE shop_items
    ADD COLUMN plan text,
    ALTER COLUMN credits DROP NOT NULL,
    ADD CONSTRAINT shop_item_is_credits_or_a_plan CHECK ((credits IS NULL) <> (plan IS NULL));
CREATE UNIQUE INDEX shop_items_plan_idx ON shop_items (plan) WHERE is_active AND plan IS NOT NULL;

CREATE TABLE subscriptions (
    id           uuid        PRIMARY KEY,
    user_id      uuid        NOT NULL REFERENCES users,
    state        text        NOT NULL CHECK (state IN ('Pending', 'Active', 'PastDue', 'Ended')),
    -- The plan and the price of a month as they were agreed.
    item_id      uuid        NOT NULL REFERENCES shop_items,
    plan         text        NOT NULL,
    amount       bigint      NOT NULL CHECK (amount > 0),
    currency     text        NOT NULL CHECK (currency IN ('KRW', 'USD')),
    -- The number of the paid period; 0 before the first payment.
    period       integer     NOT NULL CHECK (period >= 0),
    -- Its periods begin on this day of each month, or on the last day of a shorter one.
    anchor       timestamptz NOT NULL,
    period_from  timestamptz NOT NULL,
    period_until timestamptz NOT NULL,
    -- Whether it ends with the period.
    is_canceled  boolean     NOT NULL DEFAULT false,
    -- A change of plan with the next period.
    next_item_id uuid        REFERENCES shop_items,
    next_plan    text,
    next_amount  bigint      CHECK (next_amount > 0),
    -- Charges of the next period that failed.
    tries        integer     NOT NULL DEFAULT 0,
    -- The order whose payment is under way.
    open_order   uuid,
    -- When it is renewed, charged again, or ended; NULL while a payment of a period is under way.
    due_at       timestamptz,
    created_at   timestamptz NOT NULL,
    ended_at     timestamptz,
    end_reason   text,
    CONSTRAINT subscription_period_has_a_length CHECK (period_from < period_until),
    CONSTRAINT subscription_ends_at_a_time CHECK ((state = 'Ended') = (ended_at IS NOT NULL)),
    CONSTRAINT subscription_ends_for_a_reason CHECK ((ended_at IS NULL) = (end_reason IS NULL)),
    CONSTRAINT ended_subscription_is_not_due CHECK (state <> 'Ended' OR due_at IS NULL),
    CONSTRAINT next_plan_has_a_price CHECK (
        (next_plan IS NULL) = (next_amount IS NULL) AND (next_plan IS NULL) = (next_item_id IS NULL))
);
CREATE UNIQUE INDEX subscriptions_live_idx ON subscriptions (user_id) WHERE state <> 'Ended';
CREATE INDEX subscriptions_user_idx ON subscriptions (user_id, id);
CREATE INDEX subscriptions_due_idx ON subscriptions (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX subscriptions_calendar_idx ON subscriptions (period_until) WHERE state <> 'Ended';

ALTER TABLE orders
    ADD COLUMN plan            text,
    -- The price of a month of the plan.
    ADD COLUMN plan_amount     bigint  CHECK (plan_amount > 0),
    ADD COLUMN subscription_id uuid    REFERENCES subscriptions,
    ADD COLUMN period          integer CHECK (period > 0),
    ADD COLUMN period_from     timestamptz,
    ADD COLUMN period_until    timestamptz,
    -- Whether it pays the difference to a larger plan.
    ADD COLUMN is_change       boolean NOT NULL DEFAULT false,
    DROP CONSTRAINT orders_credits_check,
    ADD CONSTRAINT orders_credits_check CHECK (credits >= 0),
    ADD CONSTRAINT order_of_a_plan_has_a_period CHECK (
        num_nulls(plan, plan_amount, subscription_id, period, period_from, period_until) IN (0, 6)),
    ADD CONSTRAINT order_of_credits_has_some CHECK (credits > 0 OR plan IS NOT NULL);
CREATE INDEX orders_subscription_idx ON orders (subscription_id, id) WHERE subscription_id IS NOT NULL;
CREATE INDEX orders_paid_idx ON orders (paid_at) WHERE paid_at IS NOT NULL AND subscription_id IS NOT NULL;
CREATE INDEX orders_subscription_created_idx ON orders (created_at) WHERE subscription_id IS NOT NULL;

-- The plan of the user's live subscription.
ALTER TABLE users ADD COLUMN subscription_plan text;
