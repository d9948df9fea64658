import Stripe from 'stripe';
import { z } from 'zod';
import { AppError } from '@/lib/errors';
import { getSandboxUrl, type PaymentConfig } from '@/lib/payments/config/config';
import {
  type CheckoutRequest,
  type PaymentEvidence,
  type PaymentProvider,
  ProviderError,
  ProviderRefusal,
} from '@/lib/payments/providers/provider';
import { measureCall, parseProviderPayload } from '@/lib/payments/providers/provider-calls';
import { parseStripeEvent, stripeEventLog, stripeReversals } from './events';
import { stripeSettlement } from './settlement';

/** Limits for calls during checkout: two attempts of eight seconds. */
const timeoutMs = 8_000;
const maxRetries = 1;

const secretsSchema = z.object({ secret_key: z.string().min(1), webhook_secret: z.string().min(1) });
const createdSchema = z.object({ id: z.string().min(1), url: z.url({ protocol: /^https?$/ }) });

export function isStripeConfigured(config: PaymentConfig): boolean {
  return secretsSchema.safeParse(config.secrets).success;
}

/**
 * Opens Stripe Checkout through Stripe's SDK.
 * @throws AppError not_configured when the key belongs to the other mode, or a live key would be sent to the sandbox
 */
export function stripeProvider(config: PaymentConfig): PaymentProvider {
  const { secret_key: secretKey, webhook_secret: webhookSecret } = secretsSchema.parse(config.secrets);
  const stripe = openStripe(secretKey, config.mode);
  const reversals = stripeReversals(stripe, config.mode);
  const retrieve = async (reference: string) =>
    parseSessionEvidence(
      await callStripe(() => stripe.checkout.sessions.retrieve(reference, { expand: ['payment_intent'] })),
    );
  const parseStored = (payload: unknown) => parseStripeEvent(payload, config.mode);

  return {
    name: 'stripe',
    mode: config.mode,
    currency: 'USD',
    async createCheckout(request) {
      const session = await callStripe(() =>
        stripe.checkout.sessions.create(createSessionParams(request), { idempotencyKey: request.topupId }),
      );
      const created = createdSchema.safeParse(session);
      if (!created.success) throw new ProviderError('No checkout URL returned');
      return { reference: created.data.id, url: created.data.url };
    },
    findCheckout: retrieve,
    retrieveCheckout: retrieve,
    async cancelCheckout(reference) {
      try {
        return parseSessionEvidence(await stripe.checkout.sessions.expire(reference));
      } catch (thrown) {
        // Only an open session can expire. A refusal means that it is completed or expired; retrieving it returns the
        // outcome.
        if (thrown instanceof Stripe.errors.StripeInvalidRequestError) return retrieve(reference);
        throw toProviderError(thrown);
      }
    },
    async parseWebhook(raw, headers) {
      const event = verifyWebhook(raw, headers.get('stripe-signature') ?? '', webhookSecret);
      return event === null ? null : parseStored(event);
    },
    async retrieveEvidence(subject) {
      if (subject.object === 'checkout') return [await retrieve(subject.id)];
      return callStripe(() => reversals.retrieve(subject));
    },
    refundPayment: (request) => callStripe(() => reversals.refundPayment(request)),
    findRefund: (request) => callStripe(() => reversals.findRefund(request)),
    parseStored,
    eventLog: stripeEventLog(stripe, parseStored, callStripe),
    settlement: stripeSettlement(stripe, callStripe),
  };
}

/**
 * Creates Stripe's SDK for a key, or for the sandbox in its place.
 * @throws AppError not_configured when the key belongs to the other mode, or a live key would be sent to the sandbox
 */
export function openStripe(
  secretKey: string,
  mode: PaymentConfig['mode'],
  limits: Pick<Stripe.StripeConfig, 'timeout' | 'maxNetworkRetries'> = {},
): Stripe {
  const keyMode = /^[a-z]+_(live|test)_/.exec(secretKey)?.[1];
  if (keyMode !== undefined && keyMode !== mode) {
    throw new AppError('not_configured', `Stripe is set to ${mode} mode with a ${keyMode} mode key.`);
  }
  const gateway = getSandboxUrl('stripe', mode);
  if (gateway && keyMode !== 'test') {
    throw new AppError('not_configured', 'The sandbox accepts only Stripe test keys.');
  }
  return new Stripe(secretKey, {
    maxNetworkRetries: maxRetries,
    timeout: timeoutMs,
    ...limits,
    telemetry: false,
    ...(gateway && parseHost(gateway)),
  });
}

function parseHost(baseUrl: string): { host: string; port: string; protocol: 'http' | 'https' } {
  const { hostname, port, protocol } = new URL(baseUrl);
  const isPlain = protocol === 'http:';
  return { host: hostname, port: port || (isPlain ? '80' : '443'), protocol: isPlain ? 'http' : 'https' };
}

function createSessionParams(request: CheckoutRequest): Stripe.Checkout.SessionCreateParams {
  return {
    mode: 'payment',
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: request.currency.toLowerCase(),
          unit_amount: request.amountMinor,
          product_data: { name: request.description },
        },
      },
    ],
    client_reference_id: request.topupId,
    metadata: { topup_id: request.topupId },
    // Refunds and disputes refer to the payment intent, not the session.
    payment_intent_data: { metadata: { topup_id: request.topupId } },
    customer_email: request.customerEmail,
    // Not built with URLSearchParams, which would encode the braces of Stripe's placeholder.
    success_url: `${request.successUrl}&session_id={CHECKOUT_SESSION_ID}`,
    cancel_url: request.cancelUrl,
    expires_at: Math.floor(request.expiresAt.getTime() / 1000),
    // Stripe must not convert the amount: the wallet is credited in the requested currency.
    adaptive_pricing: { enabled: false },
  };
}

/** Verifies a webhook signature. @returns the event's JSON, or null when the signature is invalid or too old */
function verifyWebhook(raw: Buffer, signature: string, secret: string): unknown {
  try {
    return Stripe.webhooks.constructEvent(raw, signature, secret);
  } catch (thrown) {
    if (thrown instanceof Stripe.errors.StripeSignatureVerificationError) return null;
    throw new AppError('invalid_input', 'The notification cannot be parsed.');
  }
}

function callStripe<T>(call: () => Promise<T>): Promise<T> {
  return measureCall('stripe', async () => {
    try {
      return await call();
    } catch (thrown) {
      throw toProviderError(thrown);
    }
  });
}

/** Converts an SDK error to ProviderError. Stripe masks keys in its messages; the reason is truncated. */
function toProviderError(thrown: unknown): ProviderError {
  if (thrown instanceof ProviderError) return thrown;
  const isKnown = thrown instanceof Stripe.errors.StripeError;
  const reason = (isKnown ? `${thrown.type}: ${thrown.message}` : String(thrown)).slice(0, 300);
  const status = isKnown ? thrown.statusCode : undefined;
  return status === undefined
    ? new ProviderError(reason, { cause: thrown })
    : new ProviderRefusal(reason, status, { cause: thrown });
}

/** The fields of a Checkout Session that determine the payment's state. */
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

/**
 * Parses a Checkout Session from Stripe's API into evidence of its payment.
 * @throws ProviderError for any other payload
 */
export function parseSessionEvidence(json: unknown): PaymentEvidence {
  const session = parseProviderPayload('Stripe', sessionSchema, json);
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
    if (!paymentReference) throw new ProviderError(`Stripe's session ${session.id} is paid but references no payment`);
    return { ...base, outcome: 'paid', paymentReference };
  }
  if (session.status === 'expired') return { ...base, outcome: 'expired' };
  const intentStatus = typeof intent === 'string' ? undefined : intent?.status;
  const hasFailed = intentStatus === 'requires_payment_method' || intentStatus === 'canceled';
  return { ...base, outcome: session.status === 'complete' && hasFailed ? 'failed' : 'pending' };
}
