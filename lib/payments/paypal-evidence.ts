import { z } from 'zod';
import type { ProviderMode } from '../../db/schema/topups';
import { parseMoney } from '../money';
import { type PaymentEvidence, ProviderError } from './provider';
import { understood } from './understood';

const money = z
  .object({ value: z.string().regex(/^\d+(\.\d{1,2})?$/), currency_code: z.string().length(3) })
  .transform(({ value, currency_code }) => ({ amountMinor: parseMoney(value) ?? 0, currency: currency_code }));
/** A moment as PayPal writes it; one that cannot be read decides nothing about money. */
const time = z
  .string()
  .transform((text) => new Date(text))
  .refine((at) => !Number.isNaN(at.getTime()))
  .optional()
  .catch(undefined);
const link = z.object({ rel: z.string(), href: z.url({ protocol: /^https?$/ }) });

const captureSchema = z.object({
  id: z.string().min(1),
  status: z.string(),
  amount: money,
  custom_id: z.string().nullish(),
  supplementary_data: z.object({ related_ids: z.object({ order_id: z.string().optional() }).optional() }).nullish(),
});
type Capture = z.output<typeof captureSchema>;

const orderSchema = z.object({
  id: z.string().min(1),
  status: z.string(),
  purchase_units: z
    .array(
      z.object({
        custom_id: z.string().nullish(),
        amount: money.optional(),
        payments: z.object({ captures: z.array(captureSchema).optional() }).optional(),
      }),
    )
    .min(1),
  links: z.array(link).optional(),
});
export type PayPalOrder = z.output<typeof orderSchema>;

/** @throws ProviderError when it is no order */
export const readOrder = (json: unknown): PayPalOrder => understood('PayPal', orderSchema, json);

/** Where the buyer approves; null when the order names no such page. */
export const approvalUrl = ({ links = [] }: Pick<PayPalOrder, 'links'>): string | null =>
  links.find(({ rel }) => rel === 'payer-action' || rel === 'approve')?.href ?? null;

/** A refunded capture was paid before; the refund is told by itself. */
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

/** @throws ProviderError when it is no capture, or one of no order */
export function readCaptureEvidence(json: unknown, mode: ProviderMode): PaymentEvidence {
  const capture = understood('PayPal', captureSchema, json);
  const orderId = capture.supplementary_data?.related_ids?.order_id;
  if (!orderId) throw new ProviderError(`PayPal's capture ${capture.id} names no order`);
  return captureEvidence(capture, mode, orderId);
}

function captureEvidence(capture: Capture, mode: ProviderMode, orderId: string): PaymentEvidence {
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

export { link as payPalLink, money as payPalMoney, time as payPalTime };
