-- Link checks: append-only tables, and the flag of installations that have orders already.

CREATE TRIGGER link_checks_immutable BEFORE UPDATE OR DELETE ON public.link_checks FOR EACH ROW EXECUTE FUNCTION ledger.refuse_change();
--> statement-breakpoint
-- Of a passport, only the revocation is written later, and it is final.
CREATE FUNCTION public.refuse_proof_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'UPDATE' AND OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL
		AND (NEW.id, NEW.order_id, NEW.check_id, NEW.statement, NEW.signature, NEW.key_id, NEW.issued_at)
			= (OLD.id, OLD.order_id, OLD.check_id, OLD.statement, OLD.signature, OLD.key_id, OLD.issued_at) THEN
		RETURN NEW;
	END IF;
	RAISE EXCEPTION 'A row of link_proofs is immutable, except for its revocation.' USING ERRCODE = 'LM004';
END $$;
--> statement-breakpoint
CREATE TRIGGER link_proofs_immutable BEFORE UPDATE OR DELETE ON public.link_proofs FOR EACH ROW EXECUTE FUNCTION public.refuse_proof_change();
--> statement-breakpoint
DO $$
BEGIN
	IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'linkmarket_app') THEN
		REVOKE UPDATE, DELETE ON public.link_checks FROM linkmarket_app;
		REVOKE DELETE ON public.link_proofs FROM linkmarket_app;
	END IF;
END $$;
--> statement-breakpoint

-- An upgrade opens no connections to other servers: an admin turns the flag on. A new installation starts with it on.
INSERT INTO public.settings (key, value)
SELECT 'flag.link-checks', 'false'::jsonb
WHERE (SELECT is_called FROM public.orders_id_seq)
ON CONFLICT (key) DO NOTHING;
