import { and, eq, isNull } from 'drizzle-orm';
import { db } from '@/db/client';
import { payoutBatches, payoutMethods, payouts } from '@/db/schema/payouts';
import type { users } from '@/db/schema/users';
import { type Actor, systemActor } from '@/lib/access/actor';
import { systemActors } from '@/lib/access/system-actors';
import { newId } from '@/lib/ids';
import { walletCurrency } from '@/lib/money';
import { approvePayout } from '@/lib/payouts/approve';
import { markPayoutPaid } from '@/lib/payouts/mark';
import type { BankDetails, MethodDetails } from '@/lib/payouts/methods/contract';
import { insertMethod } from '@/lib/payouts/methods/save';
import { changePayout, movePayout } from '@/lib/payouts/move-payout';
import { applyPayoutEvidence } from '@/lib/payouts/paypal/apply-evidence';
import { getNetCents } from '@/lib/payouts/postings';
import { getAvailableCents, requestPayout } from '@/lib/payouts/request';
import { getPayoutRules, savePayoutRules } from '@/lib/payouts/rules';
import { actorOf } from './actor-of';
import { daysBefore } from './days';
import { demoEmails } from './people';
import type { Timeline } from './timeline';

type Person = typeof users.$inferSelect;

/** The account of the demo's operator; the IBAN is the example of the German banks. */
const payer: BankDetails = {
  kind: 'bank',
  format: 'iban',
  holder: 'LinkMarket Demo Ltd',
  iban: 'DE89370400440532013000',
  addressLines: ['1 Market Street'],
  town: 'Dublin',
  country: 'IE',
};

const bank = (holder: string, iban: string, town: string, country: string): BankDetails => ({
  ...payer,
  ...{ holder, iban, town, country, addressLines: ['12 Harbor Road'] },
});

type Outcome = 'requested' | 'approved' | 'paid' | 'returned' | 'paid by PayPal' | 'refused by PayPal';
type Plan = { method: MethodDetails; payouts: readonly { daysAgo: number; outcome: Outcome }[] };

/** The payout methods and payouts of the demo's sellers, by email address. The IBANs are the examples of their registries. */
const plans: Readonly<Record<string, Plan>> = {
  [demoEmails.seller]: {
    method: bank('Noor Haddad', 'NL91ABNA0417164300', 'Amsterdam', 'NL'),
    payouts: [
      { daysAgo: 24, outcome: 'paid' },
      { daysAgo: 12, outcome: 'returned' },
      { daysAgo: 5, outcome: 'paid' },
    ],
  },
  'sites@harbor-media.example.com': {
    method: bank('Harbor Media Group', 'IE29AIBK93115212345678', 'Cork', 'IE'),
    payouts: [{ daysAgo: 0.9, outcome: 'requested' }],
  },
  'katrin.vogel@example.net': {
    method: { kind: 'paypal', email: 'katrin.vogel@example.net' },
    payouts: [
      { daysAgo: 18, outcome: 'refused by PayPal' },
      { daysAgo: 16, outcome: 'paid by PayPal' },
      { daysAgo: 0.4, outcome: 'approved' },
    ],
  },
  'desk@bluefin.example.org': {
    method: { kind: 'agreement', text: 'Offset against our invoices for the newsletter.' },
    payouts: [{ daysAgo: 9, outcome: 'paid' }],
  },
  'luca.ferraro@example.org': {
    method: bank('Luca Ferraro', 'IT60X0542811101000000123456', 'Torino', 'IT'),
    payouts: [{ daysAgo: 2, outcome: 'approved' }],
  },
};

/** The days between a payout method and the first payout, so that it has rested. */
const restDays = 4;

export type PayoutEvent = { at: Date; play: (history: { timeline: Timeline }) => Promise<void> };

/** Plans the payouts of the demo's history. */
export function planPayouts(people: readonly Person[], admin: Person, now: Date): PayoutEvent[] {
  const staff = actorOf(admin);
  return people.flatMap((person) => {
    const plan = plans[person.email];
    if (!plan) return [];
    const seller = actorOf(person);
    const first = daysBefore(now, Math.max(...plan.payouts.map(({ daysAgo }) => daysAgo)) + restDays);
    return [
      { at: first, play: ({ timeline }) => timeline.play(first, () => addMethod(seller, plan.method, first)) },
      ...plan.payouts.map(({ daysAgo, outcome }): PayoutEvent => {
        const at = daysBefore(now, daysAgo);
        return { at, play: ({ timeline }) => timeline.play(at, () => playPayout(seller, staff, { outcome, at })) };
      }),
    ];
  });
}

async function addMethod({ userId: sellerId }: Actor, details: MethodDetails, at: Date): Promise<void> {
  const [known] = await db()
    .select({ id: payoutMethods.id })
    .from(payoutMethods)
    .where(and(eq(payoutMethods.sellerId, sellerId), isNull(payoutMethods.replacedAt)));
  if (known) return;
  await insertMethod(db(), sellerId, details, daysBefore(at, -3));
}

/** Requests all that a seller has at that time, and brings the payout to its outcome. Too little is left for the next one. */
async function playPayout(seller: Actor, staff: Actor, { outcome, at }: { outcome: Outcome; at: Date }): Promise<void> {
  const { rules } = await getPayoutRules();
  if ((await getAvailableCents(seller.userId)) < rules.minimumCents) return;
  const { id } = await requestPayout(seller, {});
  if (outcome === 'requested') return;
  const { state } = await approvePayout(staff, id);
  // Above the limit a second person is needed.
  if (state !== 'approved') return;
  // The steps run within seconds, and the limit for one person counts the payouts of 24 hours.
  await db().update(payouts).set({ approvedAt: at }).where(eq(payouts.id, id));
  if (outcome === 'approved') return;
  if (outcome === 'paid by PayPal' || outcome === 'refused by PayPal') {
    await playPaypal(staff, id, outcome === 'paid by PayPal');
    return;
  }
  await markPayoutPaid(staff, id, { reference: `DEMO-${id.slice(-6).toUpperCase()}` });
  const reason = 'AC04 Account closed';
  if (outcome === 'returned') {
    const bank = systemActor('Bank statement', 'script');
    await changePayout(id, (tx, paid) =>
      movePayout(tx, bank, paid, { to: 'returned', what: `was returned: ${reason}`, change: { reason } }),
    );
  }
}

/** Enters the account that bank files are paid from. */
export async function seedPayer(admin: Person): Promise<void> {
  const { rules, version } = await getPayoutRules();
  if (rules.payer) return;
  await savePayoutRules(actorOf(admin), { ...rules, minimumCents: 2_000, payer, version });
}

/** Records a payout as PayPal would have reported it. Its batch is over: the sandbox of the demo does not know it. */
async function playPaypal(staff: Actor, id: string, isPaid: boolean): Promise<void> {
  const batchId = newId();
  const reference = batchId.slice(-13).toUpperCase();
  const payout = await changePayout(id, async (tx, approved) => {
    await tx.insert(payoutBatches).values({
      id: batchId,
      kind: 'paypal',
      mode: 'sandbox',
      payoutCount: 1,
      totalCents: getNetCents(approved),
      providerReference: reference,
      createdBy: staff.userId,
    });
    const change = { batchId };
    return movePayout(tx, staff, approved, { to: 'sent', what: 'was put into a batch for PayPal', change });
  });
  const amountMinor = getNetCents(payout);
  await applyPayoutEvidence(systemActor(systemActors.paypalPayouts, 'job'), id, {
    reference: id.slice(-13).toUpperCase(),
    batchReference: reference,
    payoutId: id,
    outcome: isPaid ? 'paid' : 'failed',
    status: isPaid ? 'SUCCESS' : 'FAILED',
    amountMinor,
    currency: walletCurrency,
    feeCents: isPaid ? Math.min(100, Math.round(amountMinor * 0.02)) : 0,
    transactionId: isPaid ? id.slice(-17).toUpperCase() : null,
    reason: isPaid ? '' : 'PayPal could not execute the payout. RECEIVER_ACCOUNT_LOCKED',
  });
}
