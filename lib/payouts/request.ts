import { createHash } from 'node:crypto';
import { and, eq, isNull, sql } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { ledgerAccounts } from '@/db/schema/ledger';
import { isOpenPayout, payoutMethods, payoutProfiles, payouts } from '@/db/schema/payouts';
import type { Actor, AnyActor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { newId } from '@/lib/ids';
import { postTransfers } from '@/lib/ledger/post-transfer';
import { formatUsd, walletCurrency } from '@/lib/money';
import { recordAudit } from '@/lib/platform/audit/record';
import { requireVersion } from '@/lib/platform/optimistic-lock';
import { requireFlag } from '@/lib/settings/feature-flags';
import { changePayout, movePayout, payoutNotFoundError } from './move-payout';
import { type Payout, requestPosting } from './postings';
import { getPayoutRules } from './rules';

type Request = {
  /** USD cents, including the fee; all that is available without it. */
  amountCents?: number | undefined;
  /** A repeat with the same key and amount returns the first payout and requests nothing. */
  idempotencyKey?: string | null;
};

/**
 * Requests a payout for a seller: the amount leaves the seller's balance and waits for the approval of staff.
 * @throws AppError not_configured while payouts are turned off, conflict without a payout method, while another request
 * is open or for a used key, invalid_input for an amount below the minimum or above the balance
 */
export const requestPayout = (actor: AnyActor & { userId: string }, request: Request): Promise<Payout> =>
  db().transaction(async (tx) => {
    await requireFlag('payouts', tx);
    return requestPayoutIn(tx, actor, actor.userId, request);
  });

/**
 * Requests a payout inside the caller's transaction.
 * @param actor the seller, or the job of automatic requests
 */
export async function requestPayoutIn(
  tx: Executor,
  actor: AnyActor,
  sellerId: string,
  { amountCents: wanted, idempotencyKey = null }: Request,
): Promise<Payout> {
  await lockProfile(tx, sellerId);
  const requestHash = createHash('sha256')
    .update(JSON.stringify([wanted ?? null]))
    .digest('hex');
  const first = idempotencyKey === null ? undefined : await findByKey(tx, sellerId, idempotencyKey);
  if (first) return requireSameRequest(first, requestHash);
  await requireNoOpenPayout(tx, sellerId);
  const [method] = await tx
    .select()
    .from(payoutMethods)
    .where(and(eq(payoutMethods.sellerId, sellerId), isNull(payoutMethods.replacedAt)));
  if (!method) throw new AppError('conflict', 'Add a payout method first.');
  const { rules } = await getPayoutRules(tx);
  const feeCents = rules.feeCents[method.kind];
  const amountCents = requireAmount(await getAvailableCents(sellerId, tx), wanted, {
    minimumCents: rules.minimumCents,
    feeCents,
  });
  const [payout] = await tx
    .insert(payouts)
    .values({
      id: newId(),
      sellerId,
      methodId: method.id,
      methodKind: method.kind,
      amountCents,
      feeCents,
      isScheduled: actor.userId !== sellerId,
      idempotencyKey,
      requestHash: idempotencyKey === null ? null : requestHash,
    })
    .returning();
  if (!payout) throw new Error('The payout was not inserted.');
  await recordAudit(tx, actor, {
    action: 'payout.requested',
    details: `A payout of ${formatUsd(amountCents)} was requested, of which ${formatUsd(feeCents)} is the fee.`,
    entityType: 'payout',
    entityId: payout.id,
    amountCents,
    after: { sellerId, methodKind: method.kind, feeCents },
  });
  await postTransfers(tx, [requestPosting(payout, actor.userId)]);
  return payout;
}

/** Locks the settings of a seller's payouts, which serializes the requests. */
export async function lockProfile(tx: Executor, sellerId: string): Promise<void> {
  await tx.insert(payoutProfiles).values({ sellerId }).onConflictDoNothing();
  await tx
    .select({ sellerId: payoutProfiles.sellerId })
    .from(payoutProfiles)
    .where(eq(payoutProfiles.sellerId, sellerId))
    .for('no key update');
}

async function findByKey(tx: Executor, sellerId: string, key: string): Promise<Payout | undefined> {
  const [found] = await tx
    .select()
    .from(payouts)
    .where(and(eq(payouts.sellerId, sellerId), eq(payouts.idempotencyKey, key)));
  return found;
}

function requireSameRequest(first: Payout, requestHash: string): Payout {
  if (first.requestHash === requestHash) return first;
  const message = 'This Idempotency-Key was already used for another payout.';
  throw new AppError('conflict', message, { fields: { idempotencyKey: message } });
}

async function requireNoOpenPayout(tx: Executor, sellerId: string): Promise<void> {
  const [open] = await tx
    .select({ amountCents: payouts.amountCents })
    .from(payouts)
    .where(and(eq(payouts.sellerId, sellerId), isOpenPayout));
  if (!open) return;
  throw new AppError(
    'conflict',
    `Your payout of ${formatUsd(open.amountCents)} is still in progress. You can request the next one when it was sent.`,
  );
}

/** Returns the balance that a seller can request, in USD cents. */
export async function getAvailableCents(sellerId: string, on: Executor = db()): Promise<number> {
  const [row] = await on
    .select({ balanceCents: ledgerAccounts.balanceCents })
    .from(ledgerAccounts)
    .where(
      and(
        eq(ledgerAccounts.kind, sql`'seller_payable'`),
        eq(ledgerAccounts.owner, sellerId),
        eq(ledgerAccounts.currency, sql`${walletCurrency}`),
      ),
    );
  return row?.balanceCents ?? 0;
}

function requireAmount(
  availableCents: number,
  requested: number | undefined,
  { minimumCents, feeCents }: { minimumCents: number; feeCents: number },
): number {
  const amountCents = requested ?? availableCents;
  const refuse = (message: string) => new AppError('invalid_input', message, { fields: { amountCents: message } });
  if (amountCents > availableCents) throw refuse(`You can request at most ${formatUsd(availableCents)}.`);
  if (amountCents < minimumCents)
    throw refuse(
      `The minimum of a payout is ${formatUsd(minimumCents)}. You have ${formatUsd(availableCents)} available.`,
    );
  if (amountCents <= feeCents) throw refuse(`The amount must be above the fee of ${formatUsd(feeCents)}.`);
  return amountCents;
}

/**
 * Withdraws a request of the seller before its approval. The amount returns to the balance.
 * @throws AppError not_found, also for a payout of another seller, conflict after the approval
 */
export const withdrawPayout = (actor: Actor, id: string, version?: number): Promise<Payout> =>
  changePayout(id, async (tx, payout) => {
    if (payout.sellerId !== actor.userId) throw payoutNotFoundError();
    requireVersion(payout, version, 'This payout');
    if (payout.state !== 'requested') {
      throw new AppError(
        'conflict',
        payout.state === 'approved'
          ? 'This payout was approved and can no longer be withdrawn.'
          : `This payout is ${payout.state} and cannot be withdrawn.`,
      );
    }
    return movePayout(tx, actor, payout, { to: 'withdrawn', what: 'was withdrawn by the seller' });
  });
