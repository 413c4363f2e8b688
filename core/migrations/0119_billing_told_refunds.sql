-- Refunds that are made at PayPal itself. Programs that run from before this migration do not know the ids; they leave
-- such a payment to a newer one.
ALTER TABLE payments
    -- The provider's ids of refunds of which notices have told.
    ADD COLUMN told_refunds text[] NOT NULL DEFAULT '{}';

-- Such a notice names the charge.
CREATE INDEX payments_charge_idx ON payments (charge) WHERE charge IS NOT NULL;
