-- Cards that users have saved at a provider. Numbers of cards are never here.
CREATE TABLE payment_methods (
    id         uuid        PRIMARY KEY,
    user_id    uuid        NOT NULL REFERENCES users,
    provider   text        NOT NULL CHECK (provider IN ('Test', 'PayPal', 'TossPayments')),
    state      text        NOT NULL CHECK (state IN ('Opening', 'Usable', 'Removed')),
    -- The test provider's id of the card, or the customer key at Toss.
    reference  text        NOT NULL,
    -- The sealed billing key; NULL for test cards.
    secret     bytea,
    -- The masked number and the bank, for display.
    label      text        NOT NULL DEFAULT '',
    issuer     text        NOT NULL DEFAULT '',
    currency   text        NOT NULL CHECK (currency IN ('KRW', 'USD')),
    is_default boolean     NOT NULL DEFAULT false,
    created_at timestamptz NOT NULL,
    CONSTRAINT only_usable_payment_method_has_a_secret CHECK (state = 'Usable' OR secret IS NULL),
    CONSTRAINT default_payment_method_is_usable CHECK (state = 'Usable' OR NOT is_default)
);
CREATE UNIQUE INDEX payment_methods_default_idx ON payment_methods (user_id) WHERE is_default;
CREATE INDEX payment_methods_user_idx ON payment_methods (user_id, id);
CREATE INDEX payment_methods_opening_idx ON payment_methods (created_at) WHERE state = 'Opening';

-- The method that is charged; NULL: the buyer approves the payment at the provider.
ALTER TABLE payments ADD COLUMN method_id uuid REFERENCES payment_methods;

-- Cards in the books of the test provider.
CREATE TABLE test_cards (
    id         uuid        PRIMARY KEY,
    -- Idempotency key.
    key        uuid        NOT NULL UNIQUE,
    return_url text        NOT NULL,
    cancel_url text        NOT NULL,
    -- What was pressed on its page; NULL: nothing yet.
    answer     text,
    created_at timestamptz NOT NULL
);
ALTER TABLE test_payments ADD COLUMN card_id uuid REFERENCES test_cards;
CREATE INDEX test_payments_card_idx ON test_payments (card_id) WHERE card_id IS NOT NULL;
