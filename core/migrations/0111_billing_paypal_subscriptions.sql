-- Plans that PayPal charges by its own calendar. Programs that run from before this migration leave live ones alone, because
-- these have no `due_at`; they cannot show one that ended because it was not approved.
ALTER TABLE subscriptions
    ADD COLUMN paid_with text NOT NULL DEFAULT 'Card' CHECK (paid_with IN ('Card', 'PayPal'));

-- PayPal's plans: one for each price of a month. A changed price makes a new one, and old subscribers keep theirs.
CREATE TABLE paypal_plans (
    -- Also the idempotency key at PayPal.
    id         uuid        PRIMARY KEY,
    plan       text        NOT NULL,
    amount     bigint      NOT NULL CHECK (amount > 0),
    currency   text        NOT NULL CHECK (currency IN ('KRW', 'USD')),
    -- PayPal's ids; NULL before its answers.
    product    text,
    reference  text,
    created_at timestamptz NOT NULL,
    UNIQUE (plan, amount, currency),
    CONSTRAINT paypal_plan_has_a_product CHECK (reference IS NULL OR product IS NOT NULL)
);

-- What PayPal charges each month: its side of a subscription.
CREATE TABLE paypal_agreements (
    -- Also the idempotency key at PayPal.
    subscription_id uuid        PRIMARY KEY REFERENCES subscriptions,
    -- Canceling: PayPal must stop to charge it. Over: PayPal charges it no more.
    state           text        NOT NULL CHECK (state IN ('Opening', 'Open', 'Canceling', 'Over')),
    -- PayPal's id; NULL before its answer.
    reference       text        UNIQUE,
    -- Where the buyer approves it.
    pay_at          text,
    created_at      timestamptz NOT NULL,
    -- When PayPal is asked next; NULL: after a notice.
    ask_at          timestamptz,
    asked           integer     NOT NULL DEFAULT 0,
    CONSTRAINT open_paypal_agreement_has_a_reference CHECK (state <> 'Open' OR reference IS NOT NULL)
);
CREATE INDEX paypal_agreements_due_idx ON paypal_agreements (ask_at) WHERE ask_at IS NOT NULL;
