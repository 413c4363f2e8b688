-- The shop. Money is in the smallest unit of its currency.
CREATE TABLE shop_items (
    id         uuid        PRIMARY KEY,
    name       text        NOT NULL CHECK (char_length(name) BETWEEN 1 AND 80),
    credits    bigint      NOT NULL CHECK (credits > 0),
    -- NULL: not sold in this currency.
    price_krw  bigint      CHECK (price_krw > 0),
    price_usd  bigint      CHECK (price_usd > 0),
    is_active  boolean     NOT NULL,
    created_at timestamptz NOT NULL,
    CONSTRAINT shop_item_has_a_price CHECK (price_krw IS NOT NULL OR price_usd IS NOT NULL)
);
CREATE INDEX shop_items_active_idx ON shop_items (credits, id) WHERE is_active;

CREATE TABLE orders (
    id               uuid        PRIMARY KEY,
    user_id          uuid        NOT NULL REFERENCES users,
    item_id          uuid        NOT NULL REFERENCES shop_items,
    -- The item as it was when it was ordered.
    name             text        NOT NULL,
    credits          bigint      NOT NULL CHECK (credits > 0),
    amount           bigint      NOT NULL CHECK (amount > 0),
    currency         text        NOT NULL CHECK (currency IN ('KRW', 'USD')),
    provider         text        NOT NULL CHECK (provider IN ('Test', 'PayPal', 'TossPayments')),
    status           text        NOT NULL CHECK (status IN ('Ready', 'Paid', 'Canceled', 'Failed', 'Refunded')),
    failure          text,
    -- Of refunds that the provider has not refused.
    refunded_amount  bigint      NOT NULL DEFAULT 0,
    refunded_credits bigint      NOT NULL DEFAULT 0,
    created_at       timestamptz NOT NULL,
    paid_at          timestamptz,
    -- When its credits expire.
    expires_at       timestamptz,
    CONSTRAINT order_is_not_refunded_twice CHECK (refunded_amount BETWEEN 0 AND amount),
    CONSTRAINT order_credits_are_not_taken_twice CHECK (refunded_credits BETWEEN 0 AND credits),
    CONSTRAINT order_is_paid_at_a_time CHECK ((status IN ('Paid', 'Refunded')) = (paid_at IS NOT NULL)),
    CONSTRAINT order_credits_expire CHECK ((paid_at IS NULL) = (expires_at IS NULL))
);
CREATE INDEX orders_user_idx ON orders (user_id, id);

CREATE TABLE payments (
    -- Also the idempotency key at the provider.
    id         uuid        PRIMARY KEY,
    order_id   uuid        NOT NULL UNIQUE REFERENCES orders,
    state      text        NOT NULL CHECK (state IN ('Opening', 'Open', 'Charging', 'Taken', 'Refused', 'Dropped')),
    -- The provider's id of the payment.
    reference  text,
    -- The provider's id of the charge; refunds name it.
    charge     text,
    -- Where the buyer approves it.
    pay_at     text,
    created_at timestamptz NOT NULL,
    -- When the provider is asked next; NULL: never.
    ask_at     timestamptz,
    asked      integer     NOT NULL DEFAULT 0,
    CONSTRAINT payment_has_a_reference CHECK (state IN ('Opening', 'Dropped') OR reference IS NOT NULL),
    CONSTRAINT taken_payment_has_a_charge CHECK ((state = 'Taken') = (charge IS NOT NULL))
);
CREATE UNIQUE INDEX payments_reference_idx ON payments (reference);
CREATE INDEX payments_due_idx ON payments (ask_at) WHERE ask_at IS NOT NULL;

CREATE TABLE refunds (
    -- Also the idempotency key at the provider.
    id         uuid        PRIMARY KEY,
    order_id   uuid        NOT NULL REFERENCES orders,
    amount     bigint      NOT NULL CHECK (amount > 0),
    -- Taken back.
    credits    bigint      NOT NULL CHECK (credits >= 0),
    reason     text        NOT NULL,
    state      text        NOT NULL CHECK (state IN ('Asked', 'Done', 'Refused')),
    created_at timestamptz NOT NULL,
    ended_at   timestamptz,
    ask_at     timestamptz,
    asked      integer     NOT NULL DEFAULT 0,
    CONSTRAINT refund_ends CHECK ((state = 'Asked') = (ended_at IS NULL))
);
CREATE INDEX refunds_order_idx ON refunds (order_id, id);
CREATE INDEX refunds_due_idx ON refunds (ask_at) WHERE ask_at IS NOT NULL;

-- The books of the test provider, which stands for the ones outside. The platform only reads them by asking.
CREATE TABLE test_payments (
    id          uuid        PRIMARY KEY,
    -- Idempotency key.
    key         uuid        NOT NULL UNIQUE,
    description text        NOT NULL,
    amount      bigint      NOT NULL CHECK (amount > 0),
    currency    text        NOT NULL CHECK (currency IN ('KRW', 'USD')),
    return_url  text        NOT NULL,
    cancel_url  text        NOT NULL,
    state       text        NOT NULL CHECK (state IN ('Created', 'Approved', 'Declined', 'Captured', 'Voided')),
    -- What was pressed on its page.
    answer      text,
    created_at  timestamptz NOT NULL
);

CREATE TABLE test_refunds (
    key        uuid   PRIMARY KEY,
    payment_id uuid   NOT NULL REFERENCES test_payments,
    amount     bigint NOT NULL CHECK (amount > 0)
);
CREATE INDEX test_refunds_payment_idx ON test_refunds (payment_id);
