import { and, eq, isNull, or, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db, type Executor } from '../../db/client';
import { accountKinds, transferKinds } from '../../db/schema/ledger';
import { paymentReversals, topups } from '../../db/schema/topups';
import type { Actor } from '../access/actor';
import { AppError } from '../errors';
import { getWalletBalance } from '../ledger/balance';
import { postTransfer, suspenseAccount, walletOf } from '../ledger/post-transfer';
import { formatMoney, walletCurrency } from '../money';
import { recordAudit } from '../platform/audit/record';
import { refusalToDelete } from './admin-views';

const row = z.object({
  id: z.string(),
  kind: z.enum(transferKinds),
  user_id: z.string(),
  email: z.string(),
  from_kind: z.enum(accountKinds),
  from_owner: z.string(),
  amount_cents: z.coerce.number(),
  order_id: z.number().nullable(),
  topup_id: z.string().nullable(),
  method: z.string(),
  note: z.string(),
  is_undone: z.boolean(),
});
type Credit = z.output<typeof row>;

/**
 * Deletes a wallet transaction (decision 12): a counter-entry takes the credit back, and both leave every list. Money
 * given by hand goes back to where it came from. Money paid in stays with its provider, so it goes to the suspense
 * account, where an admin sees it until it is refunded there or credited again.
 * @returns whose wallet it was
 * @throws AppError not_found for none and for one deleted before, conflict with the reason where it must stand: the
 * money is spent, or an order, a refund or a dispute rests on it
 */
export async function deleteTransaction(actor: Actor, id: string): Promise<{ userId: string }> {
  let credit: Credit | undefined;
  try {
    return await db().transaction(async (tx) => {
      credit = await find(tx, id);
      return undo(tx, actor, credit);
    });
  } catch (thrown) {
    throw credit ? await spent(credit, thrown) : thrown;
  }
}

async function undo(tx: Executor, actor: Actor, credit: Credit): Promise<{ userId: string }> {
  // The lock every change of a top-up takes first: no refund or dispute comes in between.
  if (credit.topup_id !== null) await refuseReturned(tx, credit.topup_id);
  const what = credit.note || credit.method;
  await recordAudit(tx, actor, {
    action: 'wallet.transaction_deleted',
    details: `${formatMoney(credit.amount_cents, walletCurrency)} (${what}) of ${credit.email} deleted; a counter-entry took it from the wallet.`,
    entityType: 'wallet',
    entityId: credit.user_id,
    amountCents: credit.amount_cents,
    before: { transactionId: credit.id, kind: credit.kind, method: credit.method, note: credit.note },
  });
  const { replayed } = await postTransfer(tx, {
    key: `reversal:${credit.id}`,
    kind: 'reversal',
    from: walletOf(credit.user_id),
    to: credit.kind === 'topup' ? suspenseAccount : { kind: credit.from_kind, owner: credit.from_owner },
    amountCents: credit.amount_cents,
    currency: walletCurrency,
    actorId: actor.userId,
    method: credit.method,
    note: `Deleted: ${what}`,
    ...(credit.topup_id !== null && { meta: { topupId: credit.topup_id } }),
    reversesId: credit.id,
  });
  // Somebody deleted it while we waited for the wallet; ours must leave no second line in the audit log.
  if (replayed) throw notFound();
  return { userId: credit.user_id };
}

async function find(tx: Executor, id: string): Promise<Credit> {
  const rows = await tx.execute(sql`
    select t.id, t.kind, u.id as user_id, u.email, s.kind as from_kind, s.owner as from_owner,
      t.amount_cents, t.order_id, t.meta->>'topupId' as topup_id, t.method, t.note,
      exists (select from ledger.transfers undone where undone.reverses_id = t.id) as is_undone
    from ledger.transfers t
    join ledger.accounts s on s.id = t.from_account
    left join ledger.accounts g on g.id = t.to_account and g.kind = 'wallet'
    left join ledger.accounts f on f.id = t.from_account and f.kind = 'wallet'
    join public.users u on u.id = coalesce(g.owner, f.owner)
    where t.id = ${id}`);
  const found = z.array(row).parse(rows)[0];
  if (!found) {
    const [waiting] = await tx.select({ status: topups.status }).from(topups).where(eq(topups.id, id));
    if (waiting?.status === 'pending') throw new AppError('conflict', refusalToDelete(null, null) ?? '');
    throw notFound();
  }
  if (found.is_undone) throw notFound();
  const refusal = refusalToDelete(found.kind, found.order_id);
  if (refusal !== null) throw new AppError('conflict', refusal);
  return found;
}

/** What the provider took back already, or may, must not be taken a second time. */
async function refuseReturned(tx: Executor, topupId: string): Promise<void> {
  const [topup] = await tx.select().from(topups).where(eq(topups.id, topupId)).for('no key update');
  const [reclaimed] = await tx
    .select({ id: paymentReversals.id })
    .from(paymentReversals)
    .where(
      and(
        eq(paymentReversals.topupId, topupId),
        or(
          eq(paymentReversals.money, 'taken'),
          and(eq(paymentReversals.money, 'kept'), isNull(paymentReversals.outcome)),
        ),
      ),
    )
    .limit(1);
  if (topup?.status === 'disputed' || topup?.status === 'refunded' || reclaimed) {
    throw new AppError(
      'conflict',
      'This top-up is refunded or disputed at the payment provider, at least in part. The books follow the provider, so it cannot be deleted.',
    );
  }
}

/** Says how much is left, once the transaction is over. */
async function spent(credit: Credit, thrown: unknown): Promise<unknown> {
  if (!(thrown instanceof AppError) || thrown.code !== 'insufficient_funds') return thrown;
  const holds = formatMoney(await getWalletBalance(credit.user_id), walletCurrency);
  const money = formatMoney(credit.amount_cents, walletCurrency);
  return new AppError(
    'conflict',
    `The buyer has spent this money: the wallet holds ${holds} of the ${money}. Nothing was changed.`,
  );
}

const notFound = () => new AppError('not_found', 'This transaction does not exist or was deleted.');
