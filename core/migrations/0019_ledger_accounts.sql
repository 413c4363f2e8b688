-- How often an account was changed. Whoever changes one says which version it knew: so nodes that decide from memory
-- notice each other, also where they touch different lots. An account without a row was not changed since this was
-- there, and has version 0.
CREATE TABLE credit_accounts (
    account_id  uuid    PRIMARY KEY,
    version     bigint  NOT NULL CHECK (version > 0)
) WITH (fillfactor = 60);

-- The version of its account that a movement made. The ids of entries follow the clocks of nodes, of which one may be
-- wrong: what came after what, only this tells.
ALTER TABLE credit_entries ADD COLUMN version bigint NOT NULL DEFAULT 0;
