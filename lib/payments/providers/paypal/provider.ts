import { orders } from '@paypal/checkout-server-sdk';
import { z } from 'zod';
import { newId } from '@/lib/ids';
import { type PaymentConfig, sandboxOf } from '../../config/config';
import { type CheckoutRequest, type PaymentEvidence, type PaymentProvider, ProviderError } from '../provider';
import { captureIssueKind } from './capture-issues';
import { PayPalRefusal, payPalCalls, payPalLink } from './client';
import { findGivenBack } from './disputes';
import { payPalEvent, payPalEventLog, payPalJson, retrievePayPal } from './events';
import { orderEvidence, type PayPalOrder, payerActionUrl, readOrder } from './evidence';
import { toPayPalMoney } from './money';
import { payPalSettlement } from './settlement';
import { isSignedByPayPal } from './signature';

const fieldsSchema = z.object({ client_id: z.string().min(1), webhook_id: z.string().min(1) });
const secretsSchema = z.object({ client_secret: z.string().min(1) });
const hosts = { live: 'https://api-m.paypal.com', sandbox: 'https://api-m.sandbox.paypal.com' };

/** Of an order that the buyer has not approved. */
const unapproved = new Set(['CREATED', 'SAVED', 'PAYER_ACTION_REQUIRED']);

export function isPayPalConfigured({ mode, fields, secrets }: PaymentConfig): boolean {
  return mode !== 'test' && fieldsSchema.safeParse(fields).success && secretsSchema.safeParse(secrets).success;
}

/** PayPal orders through PayPal's own SDK: the buyer approves at PayPal, then we capture. */
export function payPalProvider(config: PaymentConfig): PaymentProvider {
  const { mode } = config;
  const { client_id: clientId, webhook_id: webhookId } = fieldsSchema.parse(config.fields);
  const { client_secret: clientSecret } = secretsSchema.parse(config.secrets);
  const gateway = sandboxOf('paypal', mode);
  const call = payPalCalls({ baseUrl: payPalHost(mode), clientId, clientSecret });
  const find = async (reference: string) => readOrder(await call(new orders.OrdersGetRequest(reference)), reference);

  /** Collects what the buyer approved; a second collecting, at the same time or later, finds it done. */
  async function capture(order: PayPalOrder): Promise<PaymentEvidence> {
    const request = new orders.OrdersCaptureRequest(order.id).prefer('return=representation');
    // One id a try: PayPal would answer a declined card's id with that decline even after another card was chosen.
    request.payPalRequestId(newId());
    try {
      return orderEvidence(readOrder(await call(request), order.id), mode);
    } catch (thrown) {
      if (!(thrown instanceof PayPalRefusal)) throw thrown;
      if (thrown.issue === 'ORDER_ALREADY_CAPTURED') return orderEvidence(await find(order.id), mode);
      return refusedEvidence(order, thrown);
    }
  }

  /** @throws PayPalRefusal when it says nothing about the order */
  function refusedEvidence(order: PayPalOrder, refused: PayPalRefusal): PaymentEvidence {
    const evidence = orderEvidence(order, mode);
    const url = payerActionUrl(refused.links) ?? payerActionUrl(order.links ?? []);
    const payerAction = url === null ? {} : { payerActionUrl: url };
    if (refused.issue === 'ORDER_EXPIRED') return { ...evidence, outcome: 'expired' };
    if (refused.issue === 'ORDER_NOT_APPROVED') return { ...evidence, outcome: 'pending', ...payerAction };
    const kind = captureIssueKind(refused.issue, refused.httpStatus);
    if (kind === null) throw refused;
    return {
      ...evidence,
      outcome: kind === 'final' || kind === 'merchant_action' ? 'failed' : 'pending',
      refusal: { kind, code: refused.issue, ...(refused.debugId && { debugId: refused.debugId }) },
      ...(kind === 'payer_action' && payerAction),
    };
  }

  /** Null for an order that PayPal forgot, as it does some hours after nobody approved it. */
  async function findKnown(reference: string): Promise<PayPalOrder | null> {
    try {
      return await find(reference);
    } catch (thrown) {
      if (thrown instanceof PayPalRefusal && thrown.httpStatus === 404) return null;
      throw thrown;
    }
  }

  /** How it stands after collecting; `ifUnapproved` is what becomes of one that waits for the buyer. */
  async function look(reference: string, ifUnapproved: 'pending' | 'cancelled'): Promise<PaymentEvidence> {
    const order = await findKnown(reference);
    if (order === null) return forgotten(reference, config);
    if (order.status === 'APPROVED') {
      const captured = await capture(order);
      const needsPayer = captured.outcome === 'pending' && captured.refusal?.kind === 'payer_action';
      return needsPayer ? { ...captured, outcome: ifUnapproved } : captured;
    }
    const evidence = orderEvidence(order, mode);
    if (!unapproved.has(order.status) || evidence.outcome !== 'pending') return evidence;
    const url = payerActionUrl(order.links ?? []);
    return { ...evidence, outcome: ifUnapproved, ...(url !== null && { payerActionUrl: url }) };
  }

  async function findCheckout(reference: string): Promise<PaymentEvidence> {
    const order = await findKnown(reference);
    if (order === null) return forgotten(reference, config);
    const evidence = orderEvidence(order, mode);
    return order.status === 'APPROVED' && evidence.outcome === 'pending'
      ? { ...evidence, isCollectable: true }
      : evidence;
  }

  return {
    name: 'paypal',
    mode,
    currency: 'USD',
    async createCheckout(asked) {
      const request = new orders.OrdersCreateRequest().prefer('return=minimal').requestBody(orderBody(asked));
      Object.assign(request.headers, { 'PayPal-Request-Id': asked.topupId });
      const made = createdSchema.safeParse(await call(request));
      const url = made.success ? payerActionUrl(made.data.links) : null;
      if (!made.success || url === null) throw new ProviderError('No checkout URL returned');
      return { reference: made.data.id, url };
    },
    findCheckout,
    retrieveCheckout: (reference) => look(reference, 'pending'),
    // An order cannot be closed: it is only not captured, unless its buyer goes back and approves it after all.
    cancelCheckout: (reference) => look(reference, 'cancelled'),
    findGivenBack: (dispute) => findGivenBack(dispute, call),
    async parseWebhook(raw, headers) {
      const isSigned = await isSignedByPayPal(raw, headers, { webhookId, mode, gateway });
      return isSigned ? payPalEvent(payPalJson(raw), mode) : null;
    },
    retrieveEvidence: async (subject) =>
      subject.object === 'checkout' ? [await findCheckout(subject.id)] : retrievePayPal(subject, mode, call),
    readStored: (payload) => payPalEvent(payload, mode),
    eventLog: payPalEventLog(mode, call),
    settlement: payPalSettlement(call),
  };
}

/** Where PayPal's API is in a mode; the sandbox gateway stands in for its sandbox in demo and tests only. */
export function payPalHost(mode: PaymentConfig['mode']): string {
  return sandboxOf('paypal', mode) ?? (mode === 'live' ? hosts.live : hosts.sandbox);
}

const createdSchema = z.object({ id: z.string().min(1), links: z.array(payPalLink) });

function orderBody(asked: CheckoutRequest) {
  return {
    intent: 'CAPTURE' as const,
    purchase_units: [
      {
        custom_id: asked.topupId,
        description: asked.description,
        amount: toPayPalMoney(asked.amountMinor, asked.currency),
      },
    ],
    payment_source: {
      paypal: {
        experience_context: {
          return_url: asked.successUrl,
          cancel_url: asked.cancelUrl,
          user_action: 'PAY_NOW',
          shipping_preference: 'NO_SHIPPING',
        },
      },
    },
  };
}

function forgotten(reference: string, { mode }: PaymentConfig): PaymentEvidence {
  const base = { about: 'payment' as const, providerReference: reference, topupId: null, mode };
  return { ...base, amountMinor: 0, currency: 'USD', outcome: 'expired' };
}
