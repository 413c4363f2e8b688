-- As names of workflows: compared letter by letter, in Hangul too.
CREATE INDEX users_letters_trigrams ON users USING gin (normalize(lower(name), NFD) gin_trgm_ops)
    WHERE deleted_at IS NULL;
