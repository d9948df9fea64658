import { eq } from 'drizzle-orm';
import Stripe from 'stripe';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { z } from 'zod';
import { db } from '@/db/client';
import { topups, webhookEvents } from '@/db/schema/topups';
import { type Actor, systemActor } from '@/lib/access/actor';
import { newId } from '@/lib/ids';
import { savePaymentConfig } from '@/lib/payments/config/config';
import { parseSessionEvidence } from '@/lib/payments/providers/stripe/provider';
import { createTopup } from '@/lib/payments/top-ups/create';
import { findTopup } from '@/lib/payments/top-ups/queries';
import { settleTopup } from '@/lib/payments/top-ups/settle';
import { handleWebhook } from '@/lib/payments/webhooks/webhook-route';
import { type RunningGateway, startGateway } from '@/sandbox/start';
import { makeUser } from '@/tests/factories/make-user';
import { recordConformance } from './conformance/recorder';
import { startWebhookReceiver } from './webhook-receiver';

const webhookSecret = 'whsec_domain_tests';
const secretKey = 'sk_test_domain_tests';

const sessionList = z.array(z.object({ id: z.string() }));

type SessionEvent = Extract<Stripe.Event.Type, `checkout.session.${string}`>;
type Signing = { secret?: string; timestamp?: number };

/**
 * Runs the sandbox gateway for a test file and points the real Stripe SDK at it. Its webhooks reach `handleWebhook`
 * over HTTP; by default they are held until the test delivers them.
 */
export function withSandbox() {
  const running: { gateway?: RunningGateway; stripe?: Stripe; close?: () => Promise<void> } = {};

  const conformance = recordConformance();

  beforeAll(async () => {
    const receiver = await startWebhookReceiver(handleWebhook);
    const gateway = await startGateway({
      ...{ port: 0, appUrl: receiver.url, stripeWebhookSecret: webhookSecret, observe: conformance.observe },
    });
    process.env.STRIPE_BASE_URL = `http://127.0.0.1:${gateway.ports.stripe}`;
    running.gateway = gateway;
    running.stripe = new Stripe(secretKey, { host: '127.0.0.1', port: gateway.ports.stripe, protocol: 'http' });
    running.close = async () => {
      await gateway.close();
      await receiver.close();
    };
    await configureStripe();
  });
  beforeEach(async () => {
    await control('/controls/reset', { wipe: true });
    await control('/controls/stripe', { mode: 'hold' });
  });
  afterAll(async () => {
    await running.close?.();
    conformance.expectNoFindings();
  });

  const gateway = () => {
    if (!running.gateway || !running.stripe) throw new Error('The sandbox is not running.');
    return { ...running.gateway, stripe: running.stripe };
  };

  async function control(path: string, body: object = {}): Promise<number> {
    const response = await fetch(`${gateway().url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return response.status;
  }

  return {
    control,
    /** Decides a session as on the hosted page: pay, pay-later, complete-async, fail-async, expire, deliver… */
    decide: (sessionId: string, what: string, body: object = {}) =>
      control(`/controls/stripe/sessions/${sessionId}/${what}`, body),
    session: (id: string) => gateway().stripe.checkout.sessions.retrieve(id),
    /** The id of the gateway's only session, for tests in which its response is lost. */
    onlySession: async () => {
      const [only, ...others] = sessionList.parse(await (await fetch(`${gateway().url}/sessions`)).json());
      if (!only || others.length > 0) throw new Error('The gateway does not have exactly one session.');
      return only.id;
    },
    /** An event about a session's current state, with some of its fields replaced. */
    event: async (sessionId: string, type: SessionEvent, changes: Partial<Stripe.Checkout.Session> = {}) => {
      const session = await gateway().stripe.checkout.sessions.retrieve(sessionId);
      const livemode = changes.livemode ?? session.livemode;
      return { id: `evt_${newId()}`, object: 'event', type, livemode, data: { object: { ...session, ...changes } } };
    },
    /** Settles a session as if Stripe returned it with some of its fields replaced. */
    settle: async (sessionId: string, changes: Partial<Stripe.Checkout.Session>): Promise<void> => {
      const evidence = parseSessionEvidence({
        ...(await gateway().stripe.checkout.sessions.retrieve(sessionId)),
        ...changes,
      });
      const topup = await findTopup('stripe', evidence);
      if (!topup) throw new Error(`No top-up for ${sessionId}`);
      await settleTopup(systemActor('Tests', 'webhook'), topup.id, evidence);
    },
    /** Creates a paid session without a top-up, as another application of the same account would. */
    foreignSession: async (): Promise<string> => {
      const price_data = { currency: 'usd', unit_amount: 10_000, product_data: { name: 'Something else' } };
      const { id } = await gateway().stripe.checkout.sessions.create({
        ...{ mode: 'payment', success_url: 'https://shop.example/', line_items: [{ quantity: 1, price_data }] },
      });
      await control(`/controls/stripe/sessions/${id}/pay`);
      return id;
    },
    /**
     * Creates a buyer with an open top-up at the gateway. Each has a different IP address, because rate limits count by
     * address.
     */
    openTopup: async (amountCents = 10_000, known?: Actor) => {
      const buyer = known ?? { ...(await makeUser()), ip: newId() };
      const { id } = await createTopup(buyer, { provider: 'stripe', amountCents, returnUrl: '/user/wallet' });
      const { providerReference } = await topupOf(id);
      return { buyer, id, sessionId: providerReference ?? '' };
    },
  };
}

export async function configureStripe(): Promise<void> {
  await savePaymentConfig(systemActor('Tests', 'script'), {
    provider: 'stripe',
    mode: 'test',
    fields: { publishable_key: 'pk_test_domain_tests' },
    secrets: { secret_key: secretKey, webhook_secret: webhookSecret },
  });
}

/** Sends an event to the webhook, signed by Stripe's own function. */
export function deliver(event: object, { secret = webhookSecret, timestamp }: Signing = {}): Promise<void> {
  const payload = JSON.stringify(event);
  const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp });
  return handleWebhook('stripe', {
    raw: Buffer.from(payload),
    headers: new Headers({ 'stripe-signature': signature }),
    ip: '',
    requestId: newId(),
  });
}

export async function topupOf(id: string): Promise<typeof topups.$inferSelect> {
  const [row] = await db().select().from(topups).where(eq(topups.id, id));
  if (!row) throw new Error(`No top-up ${id}`);
  return row;
}

export async function storedEvent(eventId: string): Promise<typeof webhookEvents.$inferSelect> {
  const rows = await db().select().from(webhookEvents).where(eq(webhookEvents.eventId, eventId));
  const [row] = rows;
  expect(rows).toHaveLength(1);
  if (!row) throw new Error(`No event ${eventId}`);
  return row;
}

export const returnOf = (topupId: string, reference: string | null = null) => ({ topupId, reference });
