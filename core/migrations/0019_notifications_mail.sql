-- Letters about notifications: at most one an hour to each person, about each notification once.

ALTER TABLE notification_settings
    -- When the last letter was made, or it was seen that none can be.
    ADD COLUMN digested_at       timestamptz,
    -- What the code of a letter's "unsubscribe" link stands for.
    ADD COLUMN unsubscribe_proof uuid CONSTRAINT notification_settings_unsubscribe_proof_key UNIQUE;

CREATE INDEX notification_settings_mailed_idx ON notification_settings (digested_at) WHERE mailed_kinds <> '{}';

-- notifications.mailed_at: when a letter was made of it, or when it was passed over because nobody had asked for it by then.
CREATE INDEX notifications_unmailed_idx ON notifications (user_id, kind) WHERE checked_at IS NULL AND mailed_at IS NULL;
