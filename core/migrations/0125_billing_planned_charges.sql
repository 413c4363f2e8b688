-- The calendar of subscriptions shows all charges of a month. Programs that run from before this migration show the next
-- charge of each subscription.

-- The charges of subscriptions that are planned between two times of one month of UTC: the next one of each, and later ones
-- on the day of the anchor, or on the last day of a shorter month.
CREATE FUNCTION planned_charges(since timestamptz, until timestamptz)
RETURNS TABLE (subscription_id uuid, charged_at timestamptz)
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT s.id, coalesce(s.due_at, s.period_until)
    FROM subscriptions s
    WHERE s.state IN ('Active', 'PastDue') AND NOT s.is_canceled
      AND ((s.due_at >= since AND s.due_at < until)
           OR (s.due_at IS NULL AND s.paid_with = 'PayPal' AND s.state = 'Active' AND s.period_until >= since
               AND s.period_until < until))
    UNION ALL
    SELECT s.id, l.charged_at
    FROM subscriptions s
    CROSS JOIN LATERAL (
        SELECT s.anchor AT TIME ZONE 'UTC' AS anchor, since AT TIME ZONE 'UTC' AS month
    ) u
    CROSS JOIN LATERAL (
        SELECT (u.anchor + make_interval(months => (
                   (extract(year FROM u.month) - extract(year FROM u.anchor)) * 12
                   + extract(month FROM u.month) - extract(month FROM u.anchor))::integer)) AT TIME ZONE 'UTC' AS charged_at
    ) l
    WHERE s.state IN ('Active', 'PastDue') AND NOT s.is_canceled AND s.period_until < until
      AND l.charged_at >= since AND l.charged_at < until AND l.charged_at > greatest(s.period_until, s.due_at)
$$;
