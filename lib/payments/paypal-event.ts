import { payments } from '@paypal/checkout-server-sdk';
import { z } from 'zod';
import type { ProviderMode } from '../../db/schema/topups';
import { AppError } from '../errors';
import { topupOfCapture } from './paypal-capture';
import type { PayPalCall } from './paypal-client';
import { disputeEvidence, fetchDispute } from './paypal-dispute';
import { payPalLink, payPalMoney, payPalTime, readCaptureEvidence } from './paypal-evidence';
import { type EventSubject, type Evidence, ProviderError, type ProviderEvent, type ReversalEvidence } from './provider';
import { understood } from './understood';

const eventSchema = z.object({ id: z.string().min(1), event_type: z.string().min(1), resource: z.unknown() });

const named = z.object({ id: z.string().min(1) });
const withdrawnSchema = z.object({ order_id: z.string().min(1) });
const disputedSchema = z.object({ dispute_id: z.string().min(1) });

const refundSchema = z.object({
  id: z.string().min(1),
  amount: payPalMoney,
  custom_id: z.string().nullish(),
  create_time: payPalTime,
  links: z.array(payPalLink),
});

/**
 * Reads a verified notification.
 * @param mode the one whose webhook it was signed for: the notification does not say
 * @throws ProviderError when it is no event
 */
export function payPalEvent(payload: unknown, mode: ProviderMode): ProviderEvent {
  const { id, event_type: type, resource } = understood('PayPal', eventSchema, payload);
  return { eventId: id, type, mode, payload, subjects: () => subjectsOf(type, resource) };
}

function subjectsOf(type: string, resource: unknown): EventSubject[] {
  switch (type) {
    case 'CHECKOUT.ORDER.APPROVED':
      // Not collected here: whether the order is ours, only the books can tell.
      return [{ object: 'checkout', id: understood('PayPal', named, resource).id }];
    case 'CHECKOUT.PAYMENT-APPROVAL.REVERSED':
      return [{ object: 'checkout', id: understood('PayPal', withdrawnSchema, resource).order_id }];
    case 'PAYMENT.CAPTURE.COMPLETED':
    case 'PAYMENT.CAPTURE.PENDING':
    case 'PAYMENT.CAPTURE.DENIED':
    case 'PAYMENT.CAPTURE.DECLINED':
      return [{ object: 'payment', id: understood('PayPal', named, resource).id }];
    case 'PAYMENT.CAPTURE.REFUNDED':
      return [{ object: 'refund', id: understood('PayPal', named, resource).id }];
    case 'PAYMENT.CAPTURE.REVERSED':
      return [{ object: 'reversal', id: understood('PayPal', named, resource).id }];
    default:
      if (!type.startsWith('CUSTOMER.DISPUTE.')) return [];
      return [{ object: 'dispute', id: understood('PayPal', disputedSchema, resource).dispute_id }];
  }
}

/**
 * What PayPal answers about the object of an event, except an order.
 * @throws ProviderError when PayPal does not answer, or does not know it
 */
export async function retrievePayPal(
  { object, id }: EventSubject,
  mode: ProviderMode,
  call: PayPalCall,
): Promise<Evidence[]> {
  switch (object) {
    case 'payment':
      return [readCaptureEvidence(await call(new payments.CapturesGetRequest(id)), mode)];
    case 'refund':
      return [await refundEvidence(await call(new payments.RefundsGetRequest(id)), 'refund', mode, call)];
    case 'reversal':
      return [await refundEvidence(await call(new payments.RefundsGetRequest(id)), 'dispute', mode, call)];
    case 'dispute':
      return [await disputeEvidence(await fetchDispute(id, call), mode, call)];
    default:
      throw new ProviderError(`PayPal has no ${object} to ask about`);
  }
}

/** Money that went back: by our refund, or pulled back for a dispute that was lost. @throws ProviderError */
export async function refundEvidence(
  answer: unknown,
  kind: ReversalEvidence['kind'],
  mode: ProviderMode,
  call: PayPalCall,
): Promise<ReversalEvidence> {
  const told = understood('PayPal', refundSchema, answer);
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
