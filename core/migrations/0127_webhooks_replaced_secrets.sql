-- Each secret that was replaced signs for a day, also where its successor was replaced within that day. The newest one stays
-- in old_secret and old_until, which programs from before this migration read and write; these are the ones before it.
ALTER TABLE webhook_configs
    ADD COLUMN older_secrets text[]        NOT NULL DEFAULT '{}',
    ADD COLUMN older_until   timestamptz[] NOT NULL DEFAULT '{}',
    ADD CHECK (cardinality(older_secrets) = cardinality(older_until));
