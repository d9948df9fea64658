import { orders } from '@paypal/checkout-server-sdk';
import { z } from 'zod';
import { newId } from '@/lib/ids';
import { getSandboxUrl, type PaymentConfig } from '@/lib/payments/config/config';
import {
  type CheckoutRequest,
  type PaymentEvidence,
  type PaymentProvider,
  ProviderError,
} from '@/lib/payments/providers/provider';
import { parseNotification, unlessRefused } from '@/lib/payments/providers/provider-calls';
import { classifyCaptureIssue } from './capture-issues';
import { createPayPalCall, PayPalRefusal, payPalLink, toPayPalMoney } from './client';
import { findReturnedAmount } from './disputes';
import { findOrderRefund, parsePayPalEvent, payPalEventLog, refundCapture, retrievePayPalEvidence } from './events';
import { type PayPalOrder, parseOrder, payerActionUrl, toOrderEvidence } from './evidence';
import { payPalPayouts } from './payouts';
import { payPalSettlement } from './settlement';
import { isSignedByPayPal } from './signature';

const fieldsSchema = z.object({ client_id: z.string().min(1), webhook_id: z.string().min(1) });
const secretsSchema = z.object({ client_secret: z.string().min(1) });
const hosts = { live: 'https://api-m.paypal.com', sandbox: 'https://api-m.sandbox.paypal.com' };

/** Statuses of an order that the buyer has not approved. */
const unapproved = new Set(['CREATED', 'SAVED', 'PAYER_ACTION_REQUIRED']);

export function isPayPalConfigured({ mode, fields, secrets }: PaymentConfig): boolean {
  return mode !== 'test' && fieldsSchema.safeParse(fields).success && secretsSchema.safeParse(secrets).success;
}

/** Opens PayPal orders through PayPal's SDK: the buyer approves at PayPal, then the server captures. */
export function payPalProvider(config: PaymentConfig): PaymentProvider {
  const { mode } = config;
  const { client_id: clientId, webhook_id: webhookId } = fieldsSchema.parse(config.fields);
  const { client_secret: clientSecret } = secretsSchema.parse(config.secrets);
  const gateway = getSandboxUrl('paypal', mode);
  const call = createPayPalCall({ baseUrl: getPayPalHost(mode), clientId, clientSecret });
  const getOrder = async (reference: string) =>
    parseOrder(await call(new orders.OrdersGetRequest(reference)), reference);

  /** Captures an approved order. A concurrent or later second capture returns the existing capture. */
  async function captureOrder(order: PayPalOrder): Promise<PaymentEvidence> {
    const request = new orders.OrdersCaptureRequest(order.id).prefer('return=representation');
    // A new request id for each attempt: PayPal would repeat the decline of an id even after the buyer chose another
    // card.
    request.payPalRequestId(newId());
    try {
      return toOrderEvidence(parseOrder(await call(request), order.id), mode);
    } catch (thrown) {
      if (!(thrown instanceof PayPalRefusal)) throw thrown;
      if (thrown.issue === 'ORDER_ALREADY_CAPTURED') return toOrderEvidence(await getOrder(order.id), mode);
      return toRefusalEvidence(order, thrown);
    }
  }

  /** @throws PayPalRefusal when the refusal does not concern the order */
  function toRefusalEvidence(order: PayPalOrder, refused: PayPalRefusal): PaymentEvidence {
    const evidence = toOrderEvidence(order, mode);
    const url = payerActionUrl(refused.links) ?? payerActionUrl(order.links ?? []);
    const payerAction = url === null ? {} : { payerActionUrl: url };
    if (refused.issue === 'ORDER_EXPIRED') return { ...evidence, outcome: 'expired' };
    if (refused.issue === 'ORDER_NOT_APPROVED') return { ...evidence, outcome: 'pending', ...payerAction };
    const kind = classifyCaptureIssue(refused.issue, refused.httpStatus);
    if (kind === null) throw refused;
    return {
      ...evidence,
      outcome: kind === 'final' || kind === 'merchant_action' ? 'failed' : 'pending',
      refusal: { kind, code: refused.issue, ...(refused.debugId && { debugId: refused.debugId }) },
      ...(kind === 'payer_action' && payerAction),
    };
  }

  /** Returns null for an order that PayPal deleted, some hours after it expired without approval. */
  const findOrder = (reference: string) => unlessRefused(getOrder(reference), 404);

  /**
   * Retrieves an order, and captures it when it is approved. `ifUnapproved` is the outcome of an order that waits for
   * the buyer.
   */
  async function retrieveOrder(reference: string, ifUnapproved: 'pending' | 'cancelled'): Promise<PaymentEvidence> {
    const order = await findOrder(reference);
    if (order === null) return createExpiredEvidence(reference, config);
    if (order.status === 'APPROVED') {
      const captured = await captureOrder(order);
      const needsPayer = captured.outcome === 'pending' && captured.refusal?.kind === 'payer_action';
      return needsPayer ? { ...captured, outcome: ifUnapproved } : captured;
    }
    const evidence = toOrderEvidence(order, mode);
    if (!unapproved.has(order.status) || evidence.outcome !== 'pending') return evidence;
    const url = payerActionUrl(order.links ?? []);
    return { ...evidence, outcome: ifUnapproved, ...(url !== null && { payerActionUrl: url }) };
  }

  async function findCheckout(reference: string): Promise<PaymentEvidence> {
    const order = await findOrder(reference);
    if (order === null) return createExpiredEvidence(reference, config);
    const evidence = toOrderEvidence(order, mode);
    return order.status === 'APPROVED' && evidence.outcome === 'pending'
      ? { ...evidence, isCollectable: true }
      : evidence;
  }

  return {
    name: 'paypal',
    mode,
    currency: 'USD',
    async createCheckout(checkout) {
      const request = new orders.OrdersCreateRequest().prefer('return=minimal').requestBody(createOrderBody(checkout));
      Object.assign(request.headers, { 'PayPal-Request-Id': checkout.topupId });
      const created = createdSchema.safeParse(await call(request));
      const url = created.success ? payerActionUrl(created.data.links) : null;
      if (!created.success || url === null) throw new ProviderError('No checkout URL returned');
      return { reference: created.data.id, url };
    },
    findCheckout,
    retrieveCheckout: (reference) => retrieveOrder(reference, 'pending'),
    // PayPal cannot close an order. It is not captured, unless the buyer returns and approves it.
    cancelCheckout: (reference) => retrieveOrder(reference, 'cancelled'),
    refundPayment: (request) => refundCapture(request, mode, call),
    findRefund: (request) => findOrderRefund(request, mode, call),
    findReturnedAmount: (dispute) => findReturnedAmount(dispute, call),
    async parseWebhook(raw, headers) {
      const isSigned = await isSignedByPayPal(raw, headers, { webhookId, mode, gateway });
      return isSigned ? parsePayPalEvent(parseNotification(raw.toString('utf8')), mode) : null;
    },
    retrieveEvidence: async (subject) =>
      subject.object === 'checkout' ? [await findCheckout(subject.id)] : retrievePayPalEvidence(subject, mode, call),
    parseStored: (payload) => parsePayPalEvent(payload, mode),
    eventLog: payPalEventLog(mode, call),
    settlement: payPalSettlement(call),
    payouts: payPalPayouts({ mode, clientId, call }),
  };
}

/** Returns the URL of PayPal's API for a mode. In demo and tests the sandbox server replaces PayPal's sandbox. */
export function getPayPalHost(mode: PaymentConfig['mode']): string {
  return getSandboxUrl('paypal', mode) ?? (mode === 'live' ? hosts.live : hosts.sandbox);
}

const createdSchema = z.object({ id: z.string().min(1), links: z.array(payPalLink) });

function createOrderBody(request: CheckoutRequest) {
  return {
    intent: 'CAPTURE' as const,
    purchase_units: [
      {
        custom_id: request.topupId,
        description: request.description,
        amount: toPayPalMoney(request.amountMinor, request.currency),
      },
    ],
    payment_source: {
      paypal: {
        experience_context: {
          return_url: request.successUrl,
          cancel_url: request.cancelUrl,
          user_action: 'PAY_NOW',
          shipping_preference: 'NO_SHIPPING',
        },
      },
    },
  };
}

function createExpiredEvidence(reference: string, { mode }: PaymentConfig): PaymentEvidence {
  const base = { about: 'payment' as const, providerReference: reference, topupId: null, mode };
  return { ...base, amountMinor: 0, currency: 'USD', outcome: 'expired' };
}
