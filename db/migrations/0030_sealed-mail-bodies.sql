ALTER TABLE "mails" ALTER COLUMN "html" SET DEFAULT '';--> statement-breakpoint
ALTER TABLE "mails" ALTER COLUMN "text" SET DEFAULT '';--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "sealed_body" text;
--> statement-breakpoint

-- The version before reads bodies in clear and would send a sealed mail empty. Its claim raises attempts without this
-- setting: the row is skipped, and a version that opens sealed bodies sends it. A later release drops the trigger.
CREATE FUNCTION public.leave_sealed_mail() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF current_setting('linkmarket.opens_sealed_mails', true) IS DISTINCT FROM 'on' THEN
		RETURN NULL;
	END IF;
	RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER mails_leave_sealed BEFORE UPDATE ON public.mails FOR EACH ROW
WHEN (OLD.sealed_body IS NOT NULL AND NEW.attempts > OLD.attempts) EXECUTE FUNCTION public.leave_sealed_mail();
--> statement-breakpoint

-- As 0029 has it, with sealed bodies beside those that the version before passes in clear.
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
		INSERT INTO public.mails (id, kind, recipient, subject, sealed_body, html, text)
		SELECT id, kind, recipient, subject, sealed_body, coalesce(html, ''), coalesce(text, '')
		FROM jsonb_populate_recordset(null::public.mails, p_mails);
	END IF;
	PERFORM ledger.post_transfers(p_transfers);
	RETURN true;
END $$;
