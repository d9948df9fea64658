import { z } from 'zod';
import type { ProviderMode } from '../../db/schema/topups';
import { AppError } from '../errors';
import { topupOfCapture } from './paypal-capture';
import type { PayPalCall } from './paypal-client';
import { disputeEvidence } from './paypal-dispute';
import { orderEvidence, payPalLink, payPalMoney, payPalTime, readCaptureEvidence, readOrder } from './paypal-evidence';
import {
  type Evidence,
  type PaymentEvidence,
  ProviderError,
  type ProviderEvent,
  type ReversalEvidence,
} from './provider';
import { understood } from './understood';

const eventSchema = z.object({ id: z.string().min(1), event_type: z.string().min(1), resource: z.unknown() });

const refundSchema = z.object({
  id: z.string().min(1),
  amount: payPalMoney,
  custom_id: z.string().nullish(),
  create_time: payPalTime,
  links: z.array(payPalLink),
});
const withdrawnSchema = z.object({
  order_id: z.string().min(1),
  purchase_units: z.array(z.object({ custom_id: z.string().nullish() })).optional(),
});
/**
 * Reads a verified notification.
 * @param mode the one whose webhook it was signed for: the notification does not say
 * @throws ProviderError when it is no event
 */
export function payPalEvent(payload: unknown, mode: ProviderMode, call: PayPalCall): ProviderEvent {
  const { id, event_type: type, resource } = understood('PayPal', eventSchema, payload);
  return { eventId: id, type, mode, payload, read: () => read(type, resource, mode, call) };
}

async function read(type: string, resource: unknown, mode: ProviderMode, call: PayPalCall): Promise<Evidence[]> {
  switch (type) {
    case 'CHECKOUT.ORDER.APPROVED':
      // Not collected here: whether the order is ours, only the books can tell.
      return [collectable(orderEvidence(readOrder(resource), mode))];
    case 'PAYMENT.CAPTURE.COMPLETED':
    case 'PAYMENT.CAPTURE.PENDING':
    case 'PAYMENT.CAPTURE.DENIED':
    case 'PAYMENT.CAPTURE.DECLINED':
      return [readCaptureEvidence(resource, mode)];
    case 'CHECKOUT.PAYMENT-APPROVAL.REVERSED':
      return [withdrawn(resource, mode)];
    case 'PAYMENT.CAPTURE.REFUNDED':
      return [await refund(resource, mode, 'refund', call)];
    case 'PAYMENT.CAPTURE.REVERSED':
      return [await refund(resource, mode, 'dispute', call)];
    default:
      return type.startsWith('CUSTOMER.DISPUTE.') ? [await disputeEvidence(resource, mode, call)] : [];
  }
}

const collectable = (evidence: PaymentEvidence): PaymentEvidence =>
  evidence.outcome === 'pending' ? { ...evidence, isCollectable: true } : evidence;

/** The buyer's approval ran out before it was collected. */
function withdrawn(resource: unknown, mode: ProviderMode): PaymentEvidence {
  const { order_id: providerReference, purchase_units: units = [] } = understood('PayPal', withdrawnSchema, resource);
  const topupId = units[0]?.custom_id ?? null;
  return { about: 'payment', providerReference, topupId, mode, amountMinor: 0, currency: 'USD', outcome: 'cancelled' };
}

/** Money that went back: by our refund, or pulled back for a dispute that was lost. */
async function refund(
  resource: unknown,
  mode: ProviderMode,
  kind: ReversalEvidence['kind'],
  call: PayPalCall,
): Promise<ReversalEvidence> {
  const told = understood('PayPal', refundSchema, resource);
  const paymentReference = told.links
    .find(({ rel }) => rel === 'up')
    ?.href.split('/')
    .pop();
  if (!paymentReference) throw new ProviderError(`PayPal's refund ${told.id} names no capture`);
  return {
    about: 'reversal',
    kind,
    reference: told.id,
    paymentReference,
    // Told before its payment, only the top-up's id ties it to us: where it is left out, the capture is asked for it.
    topupId: told.custom_id ?? (await topupOfCapture(paymentReference, call)),
    mode,
    ...told.amount,
    money: 'taken',
    outcome: kind === 'dispute' ? 'lost' : null,
    ...(told.create_time && { happenedAt: told.create_time }),
  };
}

/** @throws AppError invalid_input when it is no JSON */
export function payPalJson(raw: Buffer): unknown {
  try {
    return JSON.parse(raw.toString('utf8'));
  } catch {
    throw new AppError('invalid_input', 'The notification cannot be read.');
  }
}
