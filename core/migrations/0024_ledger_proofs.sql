-- How far the accounts are proved: an audit goes on from here for those that moved since. Nothing but what audits found;
-- whoever doubts it has everything proved from the beginning again, which writes it anew.

-- An account as it was proved at one of its versions. An account without a row was never proved.
CREATE TABLE credit_proofs (
    account_id   uuid        PRIMARY KEY,
    -- The version up to which its entries are proved.
    version      bigint      NOT NULL CHECK (version >= 0),
    -- In the database's time: entries that were written since have ids of since then, but for the skew of nodes' clocks.
    proved_at    timestamptz NOT NULL,
    -- Sums over all of it.
    grants       bigint      NOT NULL,
    entries      bigint      NOT NULL,
    granted      numeric     NOT NULL,
    available    numeric     NOT NULL,
    held         numeric     NOT NULL,
    spent        numeric     NOT NULL,
    expired      numeric     NOT NULL,
    -- The lots that still offer or hold credits. What became of the others changes no more.
    lot_ids      uuid[]      NOT NULL,
    lot_amounts  bigint[]    NOT NULL,
    remaining    bigint[]    NOT NULL,
    lot_held     bigint[]    NOT NULL,
    lot_spent    bigint[]    NOT NULL,
    lot_expired  bigint[]    NOT NULL,
    -- What open holds took from which lots.
    open_jobs    uuid[]      NOT NULL,
    open_lots    uuid[]      NOT NULL,
    open_amounts bigint[]    NOT NULL,
    CONSTRAINT credit_proofs_add_up_check CHECK (granted = available + held + spent + expired)
);

-- The last audit of each kind.
CREATE TABLE credit_audits (
    -- 0 from the beginning, 1 since the proofs before
    kind        smallint    PRIMARY KEY CHECK (kind BETWEEN 0 AND 1),
    ended_at    timestamptz NOT NULL,
    differences bigint      NOT NULL CHECK (differences >= 0)
);
