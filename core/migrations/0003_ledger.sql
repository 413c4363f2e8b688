-- Credits. Every balance can be derived again from credit_entries; `verdigraph audit` does so.
-- No foreign keys on these tables: they cost a fifth of the submit path, and the audit checks the same.

-- A lot of credits with one expiry. Kept narrow and without an index on its amounts, so that updates stay in the page.
CREATE TABLE credit_grants (
    id          uuid        NOT NULL,
    account_id  uuid        NOT NULL,
    kind        smallint    NOT NULL,
    -- Names what the grant is for; the same source grants once.
    source      text        NOT NULL,
    amount      bigint      NOT NULL,
    remaining   bigint      NOT NULL,
    held        bigint      NOT NULL DEFAULT 0,
    spent       bigint      NOT NULL DEFAULT 0,
    expired     bigint      NOT NULL DEFAULT 0,
    issued_at   timestamptz NOT NULL,
    expires_at  timestamptz,
    CONSTRAINT credit_grants_pkey PRIMARY KEY (id),
    CONSTRAINT credit_grants_amount_positive CHECK (amount > 0),
    CONSTRAINT credit_grants_never_negative CHECK (remaining >= 0 AND held >= 0 AND spent >= 0 AND expired >= 0),
    CONSTRAINT credit_grants_add_up CHECK (remaining + held + spent + expired = amount)
) WITH (fillfactor = 60);
CREATE UNIQUE INDEX credit_grants_source ON credit_grants (account_id, source);
-- Lots that a sweep must let expire. Expiry never changes, so this index does not stop in-page updates.
CREATE INDEX credit_grants_expiry ON credit_grants (expires_at) WHERE expires_at IS NOT NULL;

-- What a job may spend. Exactly one per job; it is settled or released once.
CREATE TABLE credit_holds (
    job_id      uuid        NOT NULL,
    account_id  uuid        NOT NULL,
    -- 0 held, 1 settled
    state       smallint    NOT NULL,
    held        bigint      NOT NULL,
    captured    bigint      NOT NULL DEFAULT 0,
    -- Which lots it was taken from, in the order of taking.
    grant_ids   uuid[]      NOT NULL,
    amounts     bigint[]    NOT NULL,
    created_at  timestamptz NOT NULL,
    settled_at  timestamptz,
    CONSTRAINT credit_holds_pkey PRIMARY KEY (job_id),
    CONSTRAINT credit_holds_captured_within CHECK (captured >= 0 AND captured <= held)
) WITH (fillfactor = 80);
CREATE INDEX credit_holds_open ON credit_holds (account_id) WHERE state = 0;

-- Append-only: every movement, with the account's available balance after it.
CREATE TABLE credit_entries (
    id            uuid        NOT NULL,
    account_id    uuid        NOT NULL,
    grant_id      uuid        NOT NULL,
    job_id        uuid,
    -- 0 grant, 1 hold, 2 capture, 3 release, 4 expire
    kind          smallint    NOT NULL,
    amount        bigint      NOT NULL,
    balance_after bigint      NOT NULL,
    created_at    timestamptz NOT NULL,
    CONSTRAINT credit_entries_pkey PRIMARY KEY (id),
    CONSTRAINT credit_entries_amount_positive CHECK (amount > 0)
);
CREATE INDEX credit_entries_account ON credit_entries (account_id, id DESC);

-- One row per group commit: where the outcome of a commit is unknown, its row tells.
CREATE TABLE ledger_commits (
    id           uuid        NOT NULL,
    committed_at timestamptz NOT NULL,
    CONSTRAINT ledger_commits_pkey PRIMARY KEY (id)
);
