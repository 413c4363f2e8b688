-- People are found by any part of their names, with typing errors too.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE INDEX users_name_trigrams ON users USING gin (lower(name) gin_trgm_ops) WHERE deleted_at IS NULL;
CREATE INDEX users_email_trigrams ON users USING gin (email gin_trgm_ops) WHERE deleted_at IS NULL;
