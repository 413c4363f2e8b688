-- Who does not want to hear of whom.

CREATE TABLE user_blocks (
    user_id    uuid        NOT NULL REFERENCES users ON DELETE CASCADE,
    blocked_id uuid        NOT NULL REFERENCES users ON DELETE CASCADE,
    created_at timestamptz NOT NULL,
    CONSTRAINT user_blocks_pkey PRIMARY KEY (user_id, blocked_id),
    CONSTRAINT user_blocks_of_others CHECK (user_id <> blocked_id)
);
CREATE INDEX user_blocks_blocked_idx ON user_blocks (blocked_id);
