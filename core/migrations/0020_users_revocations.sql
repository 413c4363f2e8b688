-- What nodes tell each other of people, for those that do not hear it at once.

-- Somebody of whom every node is to forget what it remembers: written in the transaction that revokes a key, ends a
-- session, or changes the person, read by every node every two seconds, and deleted within the hour. No foreign key: it
-- says nothing of a person but their id.
CREATE TABLE user_revocations (
    id      bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    user_id uuid        NOT NULL,
    -- The transaction that wrote it. Ids are not committed in their order; what was committed since a look is known by
    -- the transactions that were under way then.
    tx      bigint      NOT NULL DEFAULT pg_current_xact_id()::text::bigint,
    at      timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX user_revocations_tx_idx ON user_revocations (tx);
