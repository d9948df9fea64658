ALTER TABLE "audit_logs" ADD COLUMN "mac" text;--> statement-breakpoint
ALTER TABLE "audit_seals" ADD COLUMN "key_id" text;--> statement-breakpoint

-- While an update is rolled out, an instance of the version before must not append seals without a key to a chain that
-- has them already: its sealing fails, and an instance of the new version seals its entries.
CREATE FUNCTION public.require_keyed_seal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF (SELECT key_id FROM public.audit_seals WHERE position = NEW.position - 1) IS NOT NULL THEN
		RAISE EXCEPTION 'The audit log is sealed with keys: an instance of an older version cannot append to it' USING ERRCODE = 'LM008';
	END IF;
	RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER audit_seals_keyed BEFORE INSERT ON public.audit_seals FOR EACH ROW
WHEN (NEW.key_id IS NULL) EXECUTE FUNCTION public.require_keyed_seal();
--> statement-breakpoint

-- As 0030 has it, with the authentication of audit lines, which the version before does not pass.
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
		action, details, user_id, "user", role, amount_cents, source, entity_type, entity_id, before, after, ip, request_id,
		mac
	)
	SELECT action, details, user_id, "user", role, amount_cents, source, entity_type, entity_id, before, after, ip, request_id,
		mac
	FROM jsonb_populate_recordset(null::public.audit_logs, p_audit);
	IF jsonb_array_length(p_mails) > 0 THEN
		INSERT INTO public.mails (id, kind, recipient, subject, sealed_body, html, text)
		SELECT id, kind, recipient, subject, sealed_body, coalesce(html, ''), coalesce(text, '')
		FROM jsonb_populate_recordset(null::public.mails, p_mails);
	END IF;
	PERFORM ledger.post_transfers(p_transfers);
	RETURN true;
END $$;
