import { sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { type PayoutMethodKind, type PayoutState, payoutMethods } from '@/db/schema/payouts';
import type { Actor } from '@/lib/access/actor';
import { newId } from '@/lib/ids';
import { approvePayout } from '@/lib/payouts/approve';
import { markPayoutFailed, markPayoutPaid } from '@/lib/payouts/mark';
import type { MethodDetails } from '@/lib/payouts/methods/contract';
import { payoutMethodSlot } from '@/lib/payouts/methods/show';
import { changePayout, movePayout } from '@/lib/payouts/move-payout';
import type { Payout } from '@/lib/payouts/postings';
import { requestPayout, withdrawPayout } from '@/lib/payouts/request';
import { sealSecret } from '@/lib/platform/secrets';
import { makePlacement } from './make-placement';
import { makeUser } from './make-user';

/** A bank account, of a seller or of the payer. */
export const bankAccount = {
  kind: 'bank' as const,
  format: 'iban' as const,
  holder: 'Sólveig Jónsdóttir',
  iban: 'DE89370400440532013000',
  addressLines: ['Lindenstraße 5'],
  postalCode: '10115',
  town: 'Berlin',
  country: 'DE',
};
const details = {
  bank: bankAccount,
  paypal: { kind: 'paypal', email: 'seller@example.com' },
  agreement: { kind: 'agreement', text: 'In cash' },
} as const satisfies Record<PayoutMethodKind, MethodDetails>;

/** Inserts a payout method in place of the current one. Money can be sent to it now unless `usableAt` is given. @returns its id */
export async function makePayoutMethod(
  sellerId: string,
  kind: PayoutMethodKind = 'bank',
  { usableAt = new Date(0), ...own }: { usableAt?: Date; holder?: string; email?: string } = {},
): Promise<string> {
  const id = newId();
  const sealedDetails = sealSecret(payoutMethodSlot({ id, sellerId }), JSON.stringify({ ...details[kind], ...own }));
  await db()
    .update(payoutMethods)
    .set({ replacedAt: sql`now()` })
    .where(sql`seller_id = ${sellerId} and replaced_at is null`);
  await db()
    .insert(payoutMethods)
    .values({ id, sellerId, kind, sealedDetails, lastFour: '1234', usableAt, createdAt: new Date(0) });
  return id;
}

/** Creates a seller with a payout method and an available balance. */
export async function makePayableSeller(
  availableCents = 10_000,
  { kind = 'bank', seller, ...own }: { kind?: PayoutMethodKind; seller?: Actor; holder?: string; email?: string } = {},
): Promise<Actor> {
  const actor = seller ?? (await makeUser('Seller'));
  await makePayoutMethod(actor.userId, kind, own);
  await makePlacement('closed', { seller: actor, sellerCents: availableCents, marginCents: 1_000 });
  return actor;
}

/** Creates a payout of all that a new seller has, in a state. */
export async function makePayout(
  state: PayoutState,
  {
    amountCents = 10_000,
    kind = 'bank',
    ...own
  }: { amountCents?: number; kind?: PayoutMethodKind; holder?: string; email?: string } = {},
): Promise<{ payout: Payout; seller: Actor; staff: Actor }> {
  const seller = await makePayableSeller(amountCents, { kind, ...own });
  const staff = await makeUser('Admin');
  const requested = await requestPayout(seller, {});
  const { id } = requested;
  const approve = () => approvePayout(staff, id);
  const send = () => changePayout(id, (tx, payout) => movePayout(tx, staff, payout, { to: 'sent', what: 'was sent' }));
  const reason = 'The account is closed.';
  const fail = () => markPayoutFailed(staff, id, { reason });
  const back = () =>
    changePayout(id, (tx, payout) =>
      movePayout(tx, staff, payout, { to: 'returned', what: 'was returned', change: { reason } }),
    );
  const steps: Record<PayoutState, readonly (() => Promise<Payout>)[]> = {
    requested: [],
    approved: [approve],
    sent: [approve, send],
    paid: [approve, () => markPayoutPaid(staff, id, { reference: 'REF-1' })],
    failed: [approve, fail],
    returned: [approve, () => markPayoutPaid(staff, id, { reference: 'REF-1' }), back],
    withdrawn: [() => withdrawPayout(seller, id)],
  };
  let payout = requested;
  for (const step of steps[state]) payout = await step();
  return { payout, seller, staff };
}
