import { payments } from '@paypal/checkout-server-sdk';
import { z } from 'zod';
import type { ProviderMode } from '@/db/schema/topups';
import { parseProviderPayload } from '../parse-provider-payload';
import { type PaymentEvidence, ProviderError } from '../provider';
import { type PayPalCall, type PayPalLink, PayPalRefusal, payPalLink } from './client';
import { payPalMoney } from './money';

/** A moment as PayPal writes it; one that cannot be read decides nothing about money. */
const time = z
  .string()
  .transform((text) => new Date(text))
  .refine((at) => !Number.isNaN(at.getTime()))
  .optional()
  .catch(undefined);

const captureSchema = z.object({
  id: z.string().min(1),
  status: z.string(),
  amount: payPalMoney,
  custom_id: z.string().nullish(),
  supplementary_data: z.object({ related_ids: z.object({ order_id: z.string().optional() }).optional() }).nullish(),
  links: z.array(payPalLink).nullish().catch(null),
});
type Capture = z.output<typeof captureSchema>;

const orderSchema = z.object({
  id: z.string().min(1),
  status: z.string(),
  purchase_units: z
    .array(
      z.object({
        custom_id: z.string().nullish(),
        amount: payPalMoney.optional(),
        payments: z.object({ captures: z.array(captureSchema).optional() }).optional(),
      }),
    )
    .min(1),
  links: z.array(payPalLink).optional(),
});
export type PayPalOrder = z.output<typeof orderSchema>;

/** @throws ProviderError when it is no order, or another than the one with this id */
export function readOrder(json: unknown, id: string): PayPalOrder {
  const order = parseProviderPayload('PayPal', orderSchema, json);
  requireSame('order', order.id, id);
  return order;
}

/** An answer about another object than the one that was requested is not evidence of anything. @throws ProviderError */
export function requireSame(what: string, answered: string, requested: string): void {
  if (answered !== requested) throw new ProviderError(`PayPal answered about another ${what} than ${requested}`);
}

/** Relations under which PayPal names the page where the payer approves an order, or chooses another funding source. */
const payerRelations = new Set(['payer-action', 'approve', 'redirect']);

/** That page; null when the answer names none. */
export const payerActionUrl = (links: readonly PayPalLink[]): string | null =>
  links.find(({ rel }) => payerRelations.has(rel))?.href ?? null;

/** A refunded capture was paid before; its refund is evidence of its own. */
const captureOutcomes: Readonly<Record<string, 'paid' | 'pending' | 'failed'>> = {
  COMPLETED: 'paid',
  PARTIALLY_REFUNDED: 'paid',
  REFUNDED: 'paid',
  PENDING: 'pending',
  DECLINED: 'failed',
  DENIED: 'failed',
  FAILED: 'failed',
};

/** What an order says about its payment: its capture decides. @throws ProviderError for an unknown state */
export function orderEvidence(order: PayPalOrder, mode: ProviderMode): PaymentEvidence {
  const [unit] = order.purchase_units;
  const captures = unit?.payments?.captures ?? [];
  const capture = captures.find(({ status }) => captureOutcomes[status] === 'paid') ?? captures[0];
  if (capture) return captureEvidence({ ...capture, custom_id: capture.custom_id ?? unit?.custom_id }, mode, order.id);
  return {
    about: 'payment',
    providerReference: order.id,
    topupId: unit?.custom_id ?? null,
    mode,
    amountMinor: unit?.amount?.amountMinor ?? 0,
    currency: unit?.amount?.currency ?? '',
    outcome: order.status === 'VOIDED' ? 'expired' : 'pending',
  };
}

/**
 * What a capture says. Its order is in the supplementary data or in the link `up`; where both are left out, `custom_id`
 * alone ties it to its top-up.
 * @throws ProviderError when it is no capture, or another than the one with this id
 */
export function readCaptureEvidence(json: unknown, id: string, mode: ProviderMode): PaymentEvidence {
  const capture = parseProviderPayload('PayPal', captureSchema, json);
  requireSame('capture', capture.id, id);
  return captureEvidence(capture, mode, orderOf(capture));
}

const orderPath = /^\/v2\/checkout\/orders\/([A-Z0-9]{1,36})$/;

function orderOf({ supplementary_data: data, links }: Capture): string | null {
  const named = data?.related_ids?.order_id;
  if (named) return named;
  // A capture of an authorization has that as its `up`.
  for (const { rel, href } of links ?? []) {
    const [, orderId] = (rel === 'up' && orderPath.exec(new URL(href).pathname)) || [];
    if (orderId) return orderId;
  }
  return null;
}

function captureEvidence(capture: Capture, mode: ProviderMode, orderId: string | null): PaymentEvidence {
  const outcome = captureOutcomes[capture.status];
  if (!outcome) throw new ProviderError(`PayPal's capture ${capture.id} is in an unknown state: ${capture.status}`);
  const base = {
    about: 'payment' as const,
    providerReference: orderId,
    topupId: capture.custom_id ?? null,
    mode,
    ...capture.amount,
  };
  return outcome === 'paid' ? { ...base, outcome, paymentReference: capture.id } : { ...base, outcome };
}

export { time as payPalTime };

const foundCapture = z.object({ id: z.string(), status: z.string(), custom_id: z.string().nullish() });

/**
 * How a capture stands, and whose it is.
 * @returns null for one that PayPal does not find: another shop's, or a payment that was never a capture
 * @throws ProviderError when PayPal does not answer
 */
export async function findCapture(captureId: string, call: PayPalCall): Promise<z.output<typeof foundCapture> | null> {
  try {
    const capture = parseProviderPayload(
      'PayPal',
      foundCapture,
      await call(new payments.CapturesGetRequest(captureId)),
    );
    requireSame('capture', capture.id, captureId);
    return capture;
  } catch (thrown) {
    if (thrown instanceof PayPalRefusal && thrown.httpStatus === 404) return null;
    throw thrown;
  }
}

/** The top-up that a capture names, or null. @throws ProviderError when PayPal does not answer */
export async function topupOfCapture(captureId: string, call: PayPalCall): Promise<string | null> {
  return (await findCapture(captureId, call))?.custom_id ?? null;
}
