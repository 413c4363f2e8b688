-- Agreements in the books of the test provider: it charges plans in dollars by its own calendar, as PayPal does.
CREATE TABLE test_agreements (
    id           uuid        PRIMARY KEY,
    -- Idempotency key.
    key          uuid        NOT NULL UNIQUE,
    description  text        NOT NULL,
    amount       bigint      NOT NULL CHECK (amount > 0),
    currency     text        NOT NULL CHECK (currency IN ('KRW', 'USD')),
    return_url   text        NOT NULL,
    cancel_url   text        NOT NULL,
    state        text        NOT NULL CHECK (state IN ('Created', 'Active', 'Suspended', 'Ended')),
    -- Charges in a row that failed.
    failed       integer     NOT NULL DEFAULT 0,
    -- Whether the next answer about it is lost.
    loses_answer boolean     NOT NULL DEFAULT false,
    created_at   timestamptz NOT NULL
);
ALTER TABLE test_payments ADD COLUMN agreement_id uuid REFERENCES test_agreements;
CREATE INDEX test_payments_agreement_idx ON test_payments (agreement_id) WHERE agreement_id IS NOT NULL;

-- Which provider's agreement it is. Programs that run from before this migration ask PayPal about those of the test
-- provider, where PayPal is set up.
ALTER TABLE paypal_agreements
    ADD COLUMN provider text NOT NULL DEFAULT 'PayPal' CHECK (provider IN ('PayPal', 'Test'));
