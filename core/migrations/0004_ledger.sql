-- Credits. Every balance can be derived again from credit_entries; `verdigraph audit` does so.
-- No foreign keys on these tables: they cost a fifth of the submit path, and the audit checks the same.
-- An account has the id of its person.

-- A lot of credits with one expiry. Kept narrow and without an index on its amounts, so that updates stay in the page.
CREATE TABLE credit_grants (
    id          uuid        PRIMARY KEY,
    account_id  uuid        NOT NULL,
    -- 0 plan, 1 purchase, 2 operator, 3 coupon
    kind        smallint    NOT NULL CHECK (kind BETWEEN 0 AND 3),
    -- Names what the grant is for; the same source grants once.
    source      text        NOT NULL,
    -- What the domain grants at most (ledger::MAX_GRANT), held to by the database too.
    amount      bigint      NOT NULL CHECK (amount > 0 AND amount <= 1000000000000),
    remaining   bigint      NOT NULL CHECK (remaining >= 0),
    held        bigint      NOT NULL DEFAULT 0 CHECK (held >= 0),
    spent       bigint      NOT NULL DEFAULT 0 CHECK (spent >= 0),
    expired     bigint      NOT NULL DEFAULT 0 CHECK (expired >= 0),
    issued_at   timestamptz NOT NULL,
    expires_at  timestamptz,
    UNIQUE (account_id, source),
    CONSTRAINT credit_grants_add_up_check CHECK (remaining + held + spent + expired = amount)
) WITH (fillfactor = 60);
-- Lots that a sweep must let expire. Expiry never changes, so this index does not stop in-page updates.
CREATE INDEX credit_grants_expiry_idx ON credit_grants (expires_at) WHERE expires_at IS NOT NULL;

-- What a job may spend. Exactly one per job; it is settled or released once. There is no index but the key, so that a
-- settlement stays in the page.
CREATE TABLE credit_holds (
    job_id      uuid        PRIMARY KEY,
    account_id  uuid        NOT NULL,
    -- 0 held, 1 settled
    state       smallint    NOT NULL CHECK (state BETWEEN 0 AND 1),
    held        bigint      NOT NULL,
    captured    bigint      NOT NULL DEFAULT 0,
    -- Which lots it was taken from, in the order of taking.
    grant_ids   uuid[]      NOT NULL,
    amounts     bigint[]    NOT NULL,
    created_at  timestamptz NOT NULL,
    settled_at  timestamptz,
    CONSTRAINT credit_holds_captured_within_check CHECK (captured >= 0 AND captured <= held)
) WITH (fillfactor = 80);

-- A movement of credits, with the account's available balance after it. Append-only.
CREATE TABLE credit_entries (
    id            uuid        PRIMARY KEY,
    account_id    uuid        NOT NULL,
    grant_id      uuid        NOT NULL,
    job_id        uuid,
    -- 0 grant, 1 hold, 2 capture, 3 release, 4 expire
    kind          smallint    NOT NULL CHECK (kind BETWEEN 0 AND 4),
    amount        bigint      NOT NULL CHECK (amount > 0),
    balance_after bigint      NOT NULL CHECK (balance_after >= 0),
    created_at    timestamptz NOT NULL
);
-- The statement of an account.
CREATE INDEX credit_entries_account_idx ON credit_entries (account_id, id DESC);

-- A group commit: where the outcome of a commit is unknown, its row tells.
CREATE TABLE ledger_commits (
    id           uuid        PRIMARY KEY,
    committed_at timestamptz NOT NULL
);
