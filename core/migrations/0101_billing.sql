-- Coupons: credits or days of a plan, for a code.
CREATE TABLE coupons (
    id               uuid        PRIMARY KEY,
    name             text        NOT NULL CHECK (char_length(name) BETWEEN 1 AND 80),
    -- Credits. They expire after `days`, or after `credits.days` of the settings.
    amount           bigint      CHECK (amount > 0),
    -- Or a plan of the settings, for `days`.
    plan             text,
    days             integer     CHECK (days BETWEEN 1 AND 3650),
    -- The shared code as it is shown; NULL if each code is used once.
    code             text        CHECK (char_length(code) BETWEEN 4 AND 40),
    code_count       integer     NOT NULL CHECK (code_count BETWEEN 1 AND 10000),
    uses_per_account integer     NOT NULL CHECK (uses_per_account BETWEEN 1 AND 100),
    max_uses         integer     CHECK (max_uses > 0),
    use_count        integer     NOT NULL DEFAULT 0 CHECK (use_count >= 0),
    starts_at        timestamptz,
    ends_at          timestamptz,
    is_active        boolean     NOT NULL DEFAULT true,
    created_at       timestamptz NOT NULL,
    CONSTRAINT coupon_has_one_benefit CHECK ((amount IS NULL) <> (plan IS NULL)),
    CONSTRAINT coupon_plan_has_days CHECK (plan IS NULL OR days IS NOT NULL),
    CONSTRAINT coupon_ends_after_its_start CHECK (ends_at > starts_at),
    CONSTRAINT coupon_is_not_overused CHECK (use_count <= max_uses)
);

CREATE TABLE coupon_codes (
    -- As codes are compared: upper case, without spaces and hyphens.
    code      text PRIMARY KEY CHECK (code ~ '^[A-Z0-9]{4,40}$'),
    coupon_id uuid NOT NULL REFERENCES coupons,
    -- As it is shown.
    shown     text NOT NULL
);
CREATE INDEX coupon_codes_coupon_idx ON coupon_codes (coupon_id, code);

CREATE TABLE coupon_uses (
    id        uuid        PRIMARY KEY,
    coupon_id uuid        NOT NULL REFERENCES coupons,
    code      text        NOT NULL REFERENCES coupon_codes,
    -- Whether the code is used once.
    is_single boolean     NOT NULL,
    user_id   uuid        NOT NULL REFERENCES users,
    used_at   timestamptz NOT NULL,
    -- When the credits expire or the plan ends.
    until     timestamptz NOT NULL
);
CREATE UNIQUE INDEX coupon_uses_single_idx ON coupon_uses (code) WHERE is_single;
CREATE INDEX coupon_uses_coupon_idx ON coupon_uses (coupon_id, id);
CREATE INDEX coupon_uses_user_idx ON coupon_uses (user_id, id);
