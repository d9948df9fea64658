import { payments } from '@paypal/checkout-server-sdk';
import { z } from 'zod';
import type { ProviderMode } from '@/db/schema/topups';
import { type PaymentEvidence, ProviderError } from '@/lib/payments/providers/provider';
import { parseProviderPayload, unlessRefused } from '@/lib/payments/providers/provider-calls';
import { type PayPalCall, type PayPalLink, payPalLink, payPalMoney } from './client';

/** A PayPal timestamp. An invalid one is ignored: it does not affect amounts. */
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

/** Parses an order. @throws ProviderError when the payload is not the order with this id */
export function parseOrder(json: unknown, id: string): PayPalOrder {
  const order = parseProviderPayload('PayPal', orderSchema, json);
  requireSameId('order', order.id, id);
  return order;
}

/** Requires that the response is about the requested object. @throws ProviderError */
export function requireSameId(what: string, received: string, requested: string): void {
  if (received !== requested) throw new ProviderError(`PayPal returned a different ${what} than ${requested}`);
}

/** Link relations of the page where the payer approves an order or chooses another funding source. */
const payerRelations = new Set(['payer-action', 'approve', 'redirect']);

/** Returns the URL of that page, or null when the response has none. */
export const payerActionUrl = (links: readonly PayPalLink[]): string | null =>
  links.find(({ rel }) => payerRelations.has(rel))?.href ?? null;

/** A refunded capture was paid; its refund is separate evidence. */
const captureOutcomes: Readonly<Record<string, 'paid' | 'pending' | 'failed'>> = {
  COMPLETED: 'paid',
  PARTIALLY_REFUNDED: 'paid',
  REFUNDED: 'paid',
  PENDING: 'pending',
  DECLINED: 'failed',
  DENIED: 'failed',
  FAILED: 'failed',
};

/**
 * Returns the evidence of an order's payment, as determined by its capture.
 * @throws ProviderError for an unknown state
 */
export function toOrderEvidence(order: PayPalOrder, mode: ProviderMode): PaymentEvidence {
  const [unit] = order.purchase_units;
  const captures = unit?.payments?.captures ?? [];
  const capture = captures.find(({ status }) => captureOutcomes[status] === 'paid') ?? captures[0];
  if (capture)
    return toCaptureEvidence({ ...capture, custom_id: capture.custom_id ?? unit?.custom_id }, mode, order.id);
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
 * Parses the evidence of a capture. The id of its order is in the supplementary data or in the link `up`; without both,
 * only `custom_id` identifies the top-up.
 * @throws ProviderError when the payload is not the capture with this id
 */
export function parseCaptureEvidence(json: unknown, id: string, mode: ProviderMode): PaymentEvidence {
  const capture = parseProviderPayload('PayPal', captureSchema, json);
  requireSameId('capture', capture.id, id);
  return toCaptureEvidence(capture, mode, findOrderId(capture));
}

const orderPath = /^\/v2\/checkout\/orders\/([A-Z0-9]{1,36})$/;

function findOrderId({ supplementary_data: data, links }: Capture): string | null {
  const orderId = data?.related_ids?.order_id;
  if (orderId) return orderId;
  // The link `up` of a captured authorization is the authorization, not an order.
  for (const { rel, href } of links ?? []) {
    const [, linkedId] = (rel === 'up' && orderPath.exec(new URL(href).pathname)) || [];
    if (linkedId) return linkedId;
  }
  return null;
}

function toCaptureEvidence(capture: Capture, mode: ProviderMode, orderId: string | null): PaymentEvidence {
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
 * Retrieves a capture's status and top-up id.
 * @returns null when PayPal does not find it: it belongs to another account, or the payment was never captured
 * @throws ProviderError when PayPal does not respond
 */
export async function findCapture(captureId: string, call: PayPalCall): Promise<z.output<typeof foundCapture> | null> {
  const retrieve = async () => {
    const json = await call(new payments.CapturesGetRequest(captureId));
    const capture = parseProviderPayload('PayPal', foundCapture, json);
    requireSameId('capture', capture.id, captureId);
    return capture;
  };
  return unlessRefused(retrieve(), 404);
}

/** Returns the top-up id of a capture, or null. @throws ProviderError when PayPal does not respond */
export async function findTopupIdOfCapture(captureId: string, call: PayPalCall): Promise<string | null> {
  return (await findCapture(captureId, call))?.custom_id ?? null;
}
