import { z } from 'zod';
import { type PaymentEvidence, ProviderError } from './provider';
import { understood } from './understood';

/** As much of a Checkout Session as decides about money. */
const sessionSchema = z.object({
  id: z.string().min(1),
  livemode: z.boolean(),
  amount_total: z.number().int(),
  currency: z.string().min(1),
  status: z.enum(['open', 'complete', 'expired']),
  payment_status: z.string(),
  payment_intent: z.union([z.string(), z.object({ id: z.string(), status: z.string() })]).nullable(),
  client_reference_id: z.string().nullish(),
  metadata: z.record(z.string(), z.string()).nullish(),
});

/** What a session that Stripe answered says about its payment. @throws ProviderError for anything else */
export function evidenceOf(json: unknown): PaymentEvidence {
  const session = understood('Stripe', sessionSchema, json);
  const base = {
    about: 'payment' as const,
    providerReference: session.id,
    topupId: session.metadata?.topup_id ?? session.client_reference_id ?? null,
    mode: session.livemode ? ('live' as const) : ('test' as const),
    amountMinor: session.amount_total,
    currency: session.currency.toUpperCase(),
  };
  const intent = session.payment_intent;
  if (session.payment_status === 'paid') {
    const paymentReference = typeof intent === 'string' ? intent : intent?.id;
    if (!paymentReference) throw new ProviderError(`Stripe's session ${session.id} is paid but names no payment`);
    return { ...base, outcome: 'paid', paymentReference };
  }
  if (session.status === 'expired') return { ...base, outcome: 'expired' };
  const intentStatus = typeof intent === 'string' ? undefined : intent?.status;
  const hasFailed = intentStatus === 'requires_payment_method' || intentStatus === 'canceled';
  return { ...base, outcome: session.status === 'complete' && hasFailed ? 'failed' : 'pending' };
}
