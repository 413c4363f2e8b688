-- Promotions: banners, and bonus credits for the first purchase of an account; and coupons that lower the price of a
-- purchase. Programs that run from before this migration know neither: create none until all are replaced.
CREATE TABLE promotions (
    id         uuid        PRIMARY KEY,
    name       text        NOT NULL CHECK (char_length(name) BETWEEN 1 AND 80),
    kind       text        NOT NULL CHECK (kind IN ('Banner', 'FirstPurchase')),
    is_active  boolean     NOT NULL,
    starts_at  timestamptz,
    ends_at    timestamptz,
    -- Of a banner.
    audience   text        CHECK (audience IN ('Everyone', 'WithoutPaidPlan')),
    text_en    text,
    text_ko    text,
    label_en   text,
    label_ko   text,
    -- A path of the site.
    link       text        CHECK (link LIKE '/%'),
    -- Bonus credits of a first purchase, per hundred bought ones.
    percent    integer     CHECK (percent BETWEEN 1 AND 100),
    created_at timestamptz NOT NULL,
    CONSTRAINT promotion_ends_after_its_start CHECK (ends_at > starts_at),
    CONSTRAINT banner_has_texts_and_a_link CHECK (
        num_nonnulls(audience, text_en, text_ko, label_en, label_ko, link) = CASE kind WHEN 'Banner' THEN 6 ELSE 0 END),
    CONSTRAINT first_purchase_has_a_percent CHECK ((percent IS NOT NULL) = (kind = 'FirstPurchase'))
);
CREATE INDEX promotions_active_idx ON promotions (kind, id) WHERE is_active;

-- The price before the discount of a coupon, and the coupon; and the bonus that was promised with the order. When it is
-- paid, the bonus is given, or set to 0 if the account had one.
ALTER TABLE orders
    ADD COLUMN list_amount        bigint,
    ADD COLUMN percent_off        integer CHECK (percent_off BETWEEN 1 AND 90),
    ADD COLUMN coupon_id          uuid    REFERENCES coupons,
    ADD COLUMN coupon_code        text,
    ADD COLUMN bonus_promotion_id uuid    REFERENCES promotions,
    ADD COLUMN bonus_credits      bigint  NOT NULL DEFAULT 0,
    -- Bonus credits of refunds that the provider has not refused.
    ADD COLUMN refunded_bonus     bigint  NOT NULL DEFAULT 0,
    ADD CONSTRAINT order_discount_is_whole CHECK (
        num_nulls(list_amount, percent_off, coupon_id, coupon_code) IN (0, 4)),
    ADD CONSTRAINT order_costs_at_most_its_list_price CHECK (amount <= list_amount),
    ADD CONSTRAINT order_bonus_has_a_promotion CHECK (
        bonus_credits >= 0 AND (bonus_credits > 0) = (bonus_promotion_id IS NOT NULL)),
    ADD CONSTRAINT order_bonus_is_not_taken_twice CHECK (refunded_bonus BETWEEN 0 AND bonus_credits);

-- Bonus credits that were taken back.
ALTER TABLE refunds ADD COLUMN bonus_credits bigint NOT NULL DEFAULT 0 CHECK (bonus_credits >= 0);

-- The bonus of an account. It has one row for ever, also after a refund.
CREATE TABLE purchase_bonuses (
    user_id      uuid        PRIMARY KEY REFERENCES users,
    order_id     uuid        NOT NULL UNIQUE REFERENCES orders,
    promotion_id uuid        NOT NULL REFERENCES promotions,
    credits      bigint      NOT NULL CHECK (credits > 0),
    given_at     timestamptz NOT NULL
);

-- A coupon may take a percentage off the price of a pack of credits.
ALTER TABLE coupons
    ADD COLUMN percent integer CHECK (percent BETWEEN 1 AND 90),
    DROP CONSTRAINT coupon_has_one_benefit,
    ADD CONSTRAINT coupon_has_one_benefit CHECK (num_nonnulls(amount, plan, percent) = 1),
    ADD CONSTRAINT coupon_percent_has_no_days CHECK (percent IS NULL OR days IS NULL);

-- The order whose price a use lowers. The use is deleted if the order ends without a payment. It has no `until`.
ALTER TABLE coupon_uses
    ADD COLUMN order_id uuid UNIQUE REFERENCES orders,
    ALTER COLUMN until DROP NOT NULL,
    ADD CONSTRAINT coupon_use_ends_or_has_an_order CHECK ((until IS NULL) = (order_id IS NOT NULL));
