import { eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { type PaymentProviderName, topups } from '@/db/schema/topups';
import type { users } from '@/db/schema/users';
import type { Actor } from '@/lib/access/actor';
import { env } from '@/lib/env';
import { getActiveModes } from '@/lib/payments/config/config';
import { approveRefund } from '@/lib/payments/reversals/source-refunds/create';
import { declineRefund, requestRefund } from '@/lib/payments/reversals/source-refunds/request';
import { settleReturn } from '@/lib/payments/top-ups/checkout';
import { createTopup } from '@/lib/payments/top-ups/create';
import { actorOf } from './actor-of';
import type { WalletChange } from './credits';
import { daysBefore } from './days';
import { demoEmails } from './people';
import type { Timeline } from './timeline';

type Person = typeof users.$inferSelect;
type Refund = {
  daysAgo: number;
  amountCents: number;
  reason: string;
  outcome: 'requested' | 'succeeded' | { declined: string };
};
type Plan = {
  provider: Extract<PaymentProviderName, 'stripe' | 'paypal'>;
  daysAgo: number;
  amountCents: number;
  refund?: Refund;
};

/** The top-ups that buyers paid at the sandbox, and the refunds of them to the payment method, by email address. */
const plans: Readonly<Record<string, readonly Plan[]>> = {
  [demoEmails.buyer]: [
    {
      ...{ provider: 'paypal', daysAgo: 27, amountCents: 24_000 },
      refund: { daysAgo: 20, amountCents: 6_000, reason: 'One campaign was canceled.', outcome: 'succeeded' },
    },
    {
      ...{ provider: 'stripe', daysAgo: 13, amountCents: 15_000 },
      refund: { daysAgo: 0.6, amountCents: 5_000, reason: 'More than this quarter needs.', outcome: 'requested' },
    },
  ],
  'priya.raman@example.net': [
    {
      ...{ provider: 'stripe', daysAgo: 11, amountCents: 9_000 },
      refund: {
        ...{ daysAgo: 8, amountCents: 9_000, reason: 'We would like to pay by invoice instead.' },
        outcome: {
          declined: 'This money is already planned for your open orders. We can talk about invoices by mail.',
        },
      },
    },
  ],
  'jonas@nordlead.example.net': [{ provider: 'paypal', daysAgo: 6, amountCents: 18_000 }],
};

export type PaidTopups = {
  events: { at: Date; play: (history: { timeline: Timeline }) => Promise<void> }[];
  /**
   * The changes of each buyer's wallet, by user id. Money that is refunded to the payment method, or requested back, is
   * not there for orders in the meantime.
   */
  changes: ReadonlyMap<string, readonly WalletChange[]>;
};

/** Plans the top-ups whose provider is configured; without the sandbox there are none. */
export async function planPaidTopups(people: readonly Person[], admin: Person, now: Date): Promise<PaidTopups> {
  const [modes, staff] = [await getActiveModes(), actorOf(admin)];
  const changes = new Map<string, WalletChange[]>();
  const events: PaidTopups['events'] = [];
  for (const person of people) {
    const planned = (plans[person.email] ?? []).filter(({ provider }) => modes.has(provider));
    for (const [index, plan] of planned.entries()) {
      const { amountCents, refund } = plan;
      const at = daysBefore(now, plan.daysAgo);
      const key = `demo-topup-${index + 1}`;
      const buyer = actorOf(person);
      events.push({ at, play: ({ timeline }) => timeline.play(at, () => pay(buyer, plan, key)) });
      const own = changes.get(person.id) ?? [];
      own.push({ at, cents: amountCents - (refund?.amountCents ?? 0) });
      if (refund && refund.outcome !== 'succeeded') own.push({ at: now, cents: refund.amountCents });
      changes.set(person.id, own);
      if (!refund) continue;
      const refundedAt = daysBefore(now, refund.daysAgo);
      const play = () => playRefund({ buyer, staff, plan, refund, key });
      events.push({ at: refundedAt, play: ({ timeline }) => timeline.play(refundedAt, play) });
    }
  }
  return { events, changes };
}

/** Starts a top-up, or returns the id of the one that an interrupted seed started. */
const start = (buyer: Actor, { provider, amountCents }: Plan, key: string): Promise<{ id: string }> =>
  createTopup(buyer, { provider, amountCents, returnUrl: '/user/wallet' }, key);

async function pay(buyer: Actor, plan: Plan, key: string): Promise<void> {
  const { id: topupId } = await start(buyer, plan, key);
  const [topup] = await db().select().from(topups).where(eq(topups.id, topupId));
  if (!topup?.providerReference)
    throw new Error(`${plan.provider} created no checkout of the demo's top-up ${topupId}.`);
  if (topup.status === 'paid') return;
  // The return of the buyer credits it. An event could arrive after its step, and would have the present time.
  await withoutEvents(plan.provider, () =>
    control(`${plan.provider}/sessions/${topup.providerReference}/${plan.provider === 'stripe' ? 'pay' : 'approve'}`),
  );
  const { status } = await settleReturn(buyer, { topupId, reference: null });
  if (status !== 'paid') throw new Error(`The demo's top-up ${topupId} is ${status} after its payment.`);
}

async function playRefund(at: { buyer: Actor; staff: Actor; plan: Plan; refund: Refund; key: string }): Promise<void> {
  const { buyer, staff, plan, refund, key } = at;
  const { outcome, amountCents, reason } = refund;
  const { id: topupId } = await start(buyer, plan, key);
  const { id, state } = await requestRefund(buyer, { topupId, amountCents, reason }, key);
  if (outcome === 'requested' || state !== 'requested') return;
  if (outcome === 'succeeded') await withoutEvents(plan.provider, () => approveRefund(staff, id));
  else await declineRefund(staff, id, { reason: outcome.declined });
}

async function withoutEvents(provider: Plan['provider'], work: () => Promise<unknown>): Promise<void> {
  await control(provider, { mode: 'hold' });
  try {
    await work();
  } finally {
    await control(provider, { mode: 'normal' });
  }
}

/** Calls a control of the sandbox gateway, whose first port also receives the mails. */
async function control(path: string, body: Record<string, string> = {}): Promise<void> {
  const response = await fetch(new URL(`/controls/${path}`, env().RESEND_BASE_URL), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`The sandbox refused ${path}: ${response.status} ${await response.text()}`);
}
