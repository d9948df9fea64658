-- The flag of installations that have orders already: an upgrade does not offer payouts until an admin turns the flag on.
-- A new installation starts with it on.
INSERT INTO public.settings (key, value)
SELECT 'flag.payouts', 'false'::jsonb
WHERE (SELECT is_called FROM public.orders_id_seq)
ON CONFLICT (key) DO NOTHING;
--> statement-breakpoint

-- The details, owner and kind of a payout method never change: a payout goes where it was requested to go. Only its
-- replacement and the key that encrypts it are written later.
CREATE FUNCTION public.refuse_payout_method_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'UPDATE'
		AND (NEW.id, NEW.seller_id, NEW.kind, NEW.last_four, NEW.usable_at, NEW.created_at)
			= (OLD.id, OLD.seller_id, OLD.kind, OLD.last_four, OLD.usable_at, OLD.created_at)
		AND (OLD.replaced_at IS NULL OR NEW.replaced_at = OLD.replaced_at) THEN
		RETURN NEW;
	END IF;
	RAISE EXCEPTION 'A row of payout_methods is immutable, except for its replacement.' USING ERRCODE = 'LM004';
END $$;
--> statement-breakpoint
CREATE TRIGGER payout_methods_immutable BEFORE UPDATE OR DELETE ON public.payout_methods FOR EACH ROW EXECUTE FUNCTION public.refuse_payout_method_change();
--> statement-breakpoint

-- The amount, fee and recipient of a payout never change after its request.
CREATE FUNCTION public.refuse_payout_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'UPDATE'
		AND (NEW.id, NEW.seller_id, NEW.method_id, NEW.method_kind, NEW.amount_cents, NEW.fee_cents, NEW.created_at)
			= (OLD.id, OLD.seller_id, OLD.method_id, OLD.method_kind, OLD.amount_cents, OLD.fee_cents, OLD.created_at)
		AND (OLD.batch_id IS NULL OR NEW.batch_id = OLD.batch_id) THEN
		RETURN NEW;
	END IF;
	RAISE EXCEPTION 'The recipient, amount, fee and batch of a payout are immutable.' USING ERRCODE = 'LM004';
END $$;
--> statement-breakpoint
CREATE TRIGGER payouts_immutable BEFORE UPDATE OR DELETE ON public.payouts FOR EACH ROW EXECUTE FUNCTION public.refuse_payout_change();
--> statement-breakpoint
DO $$
BEGIN
	IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'linkmarket_app') THEN
		REVOKE DELETE ON public.payouts, public.payout_methods, public.payout_batches FROM linkmarket_app;
	END IF;
END $$;
