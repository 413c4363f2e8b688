-- Where people can be reached, as they show it on their profile.
CREATE TABLE user_contact_points (
    user_id  uuid     NOT NULL REFERENCES users ON DELETE CASCADE,
    kind     text     NOT NULL,
    value    text     NOT NULL,
    -- Place on the profile, from 0.
    position smallint NOT NULL,
    CONSTRAINT user_contact_points_pkey PRIMARY KEY (user_id, kind),
    CONSTRAINT user_contact_points_kind CHECK (kind IN ('homepage', 'instagram', 'email')),
    CONSTRAINT user_contact_points_value CHECK (char_length(value) BETWEEN 1 AND 300)
);
