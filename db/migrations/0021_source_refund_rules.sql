-- The flag of installations that have orders already: an upgrade does not offer refunds to the payment method until an
-- admin turns the flag on. A new installation starts with it on.
INSERT INTO public.settings (key, value)
SELECT 'flag.refunds-to-source', 'false'::jsonb
WHERE (SELECT is_called FROM public.orders_id_seq)
ON CONFLICT (key) DO NOTHING;
--> statement-breakpoint

-- The payment, owner and amount of a refund never change after its request. The amount at the provider and the
-- provider's id are set once.
CREATE FUNCTION public.refuse_source_refund_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'UPDATE'
		AND (NEW.id, NEW.topup_id, NEW.user_id, NEW.provider, NEW.mode, NEW.payment_reference, NEW.amount_cents,
				NEW.currency, NEW.charge_currency, NEW.requested_by, NEW.created_at)
			= (OLD.id, OLD.topup_id, OLD.user_id, OLD.provider, OLD.mode, OLD.payment_reference, OLD.amount_cents,
				OLD.currency, OLD.charge_currency, OLD.requested_by, OLD.created_at)
		AND (OLD.charge_minor IS NULL OR NEW.charge_minor = OLD.charge_minor)
		AND (OLD.provider_reference IS NULL OR NEW.provider_reference = OLD.provider_reference) THEN
		RETURN NEW;
	END IF;
	RAISE EXCEPTION 'The payment, owner and amount of a refund are immutable.' USING ERRCODE = 'LM004';
END $$;
--> statement-breakpoint
CREATE TRIGGER source_refunds_immutable BEFORE UPDATE OR DELETE ON public.source_refunds FOR EACH ROW EXECUTE FUNCTION public.refuse_source_refund_change();
--> statement-breakpoint
DO $$
BEGIN
	IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'linkmarket_app') THEN
		REVOKE DELETE ON public.source_refunds FROM linkmarket_app;
	END IF;
END $$;
