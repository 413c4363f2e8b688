-- Billing keys of removed cards, to be deleted at their provider. A row is deleted when that is done or given up.
CREATE TABLE forgotten_billing_keys (
    id         uuid        PRIMARY KEY,
    method_id  uuid        NOT NULL REFERENCES payment_methods,
    -- Sealed as it was in `payment_methods`.
    secret     bytea       NOT NULL,
    created_at timestamptz NOT NULL,
    -- When the provider is asked next.
    ask_at     timestamptz NOT NULL,
    asked      integer     NOT NULL DEFAULT 0
);
CREATE INDEX forgotten_billing_keys_due_idx ON forgotten_billing_keys (ask_at);
