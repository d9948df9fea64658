-- As 0028 has it, but orders are written by name as well: while an older version still runs beside a newer one that has
-- given orders another column, its orders get that column's default.
CREATE OR REPLACE FUNCTION public.place_orders(p_checkout jsonb, p_orders jsonb, p_audit jsonb, p_mails jsonb, p_transfers jsonb)
RETURNS boolean LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
	INSERT INTO public.checkouts (id, user_id, idempotency_key, request_hash, total_cents, answer)
	SELECT id, user_id, idempotency_key, request_hash, total_cents, answer
	FROM jsonb_populate_record(null::public.checkouts, p_checkout)
	ON CONFLICT (user_id, idempotency_key) DO NOTHING;
	IF NOT FOUND THEN
		RETURN false;
	END IF;
	INSERT INTO public.orders (
		id, user_id, checkout_id, kind, site_id, package_id, project_id, website, post_type, package_name,
		package_desc, quantity, price_cents, currency, usd_micros_per_unit, charged_cents, status, link_url,
		admin_comments, project_domain, project_target_url, project_keywords, refund_count, version,
		created_at, updated_at, deleted_at
	)
	SELECT id, user_id, checkout_id, kind, site_id, package_id, project_id, website, post_type, package_name,
		package_desc, quantity, price_cents, currency, usd_micros_per_unit, charged_cents, status, link_url,
		admin_comments, project_domain, project_target_url, project_keywords, refund_count, version,
		created_at, updated_at, deleted_at
	FROM jsonb_populate_recordset(null::public.orders, p_orders);
	INSERT INTO public.audit_logs (
		action, details, user_id, "user", role, amount_cents, source, entity_type, entity_id, before, after, ip, request_id
	)
	SELECT action, details, user_id, "user", role, amount_cents, source, entity_type, entity_id, before, after, ip, request_id
	FROM jsonb_populate_recordset(null::public.audit_logs, p_audit);
	IF jsonb_array_length(p_mails) > 0 THEN
		INSERT INTO public.mails (id, kind, recipient, subject, html, text)
		SELECT id, kind, recipient, subject, html, text FROM jsonb_populate_recordset(null::public.mails, p_mails);
	END IF;
	PERFORM ledger.post_transfers(p_transfers);
	RETURN true;
END $$;
