-- Agents: programs beside workers that connect these to us, so that no node needs a way to them.

-- What lets agents in. Shown once; only the hash is kept.
CREATE TABLE agent_tokens (
    id           uuid        PRIMARY KEY,
    name         text        NOT NULL,
    -- The pools that its agents may join. No closed list: operators name their pools.
    pools        text[]      NOT NULL,
    -- The first characters, by which it is recognised.
    prefix       text        NOT NULL,
    token_hash   bytea       NOT NULL CONSTRAINT agent_tokens_token_hash_key UNIQUE,
    created_at   timestamptz NOT NULL,
    last_used_at timestamptz,
    revoked_at   timestamptz
);

-- The agent of a worker. It stays when its worker is removed, so that it does not come back by itself.
CREATE TABLE agents (
    -- No foreign key: the worker may be gone.
    worker_id     uuid        PRIMARY KEY,
    name          text        NOT NULL,
    -- SHA-256 of the secret by which the agent is known again.
    identity_hash bytea       NOT NULL,
    token_id      uuid        NOT NULL REFERENCES agent_tokens (id),
    -- The process of it that connected last.
    run           text        NOT NULL,
    -- The node that it is connected to; that one alone can reach the worker.
    tunnel        uuid,
    connected_at  timestamptz NOT NULL,
    -- It is about to end: the worker gets nothing new.
    leaving       boolean     NOT NULL DEFAULT false,
    -- What is with its server, in its words.
    note          text,
    -- What its machine has, in its words.
    facts         jsonb       NOT NULL,
    -- When an operator removed the worker.
    removed_at    timestamptz
);
CREATE INDEX agents_name_idx ON agents (name);
CREATE INDEX agents_token_id_idx ON agents (token_id);
