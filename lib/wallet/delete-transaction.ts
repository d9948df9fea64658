import { and, eq, isNull, or, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db, type Executor } from '@/db/client';
import { accountKinds, transferKinds } from '@/db/schema/ledger';
import { isOpenSourceRefund, sourceRefunds } from '@/db/schema/source-refunds';
import { paymentReversals, topups } from '@/db/schema/topups';
import { getAccountContact } from '@/lib/access/accounts';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { getWalletBalance } from '@/lib/ledger/balance';
import { postTransfers, suspenseAccount, walletAccount } from '@/lib/ledger/post-transfer';
import { formatUsd, walletCurrency } from '@/lib/money';
import { reopenLine } from '@/lib/payments/bank-transfers/resolve';
import { recordAudit } from '@/lib/platform/audit/record';
import { getDeletionRefusal } from './contract';

const row = z.object({
  id: z.string(),
  kind: z.enum(transferKinds),
  user_id: z.string(),
  from_kind: z.enum(accountKinds),
  from_owner: z.string(),
  amount_cents: z.coerce.number(),
  order_id: z.number().nullable(),
  topup_id: z.string().nullable(),
  bank_line: z.string().nullable(),
  method: z.string(),
  note: z.string(),
  is_undone: z.boolean(),
});
type Credit = z.output<typeof row>;

/**
 * Deletes a wallet transaction. Ledger rows are immutable, so a counter-entry reverses the credit and every list leaves
 * out both. A manual credit returns to the adjustments account. A paid credit moves to the suspense account, because
 * the provider still holds the payment; an admin refunds it there or credits it again.
 * @returns the id of the wallet's owner
 * @throws AppError not_found for an unknown or deleted transaction; conflict with the reason when it cannot be deleted:
 * the money is spent, or an order, a refund or a dispute depends on it
 */
export async function deleteTransaction(actor: Actor, id: string): Promise<{ userId: string }> {
  let credit: Credit | undefined;
  try {
    return await db().transaction(async (tx) => {
      credit = await requireDeletable(tx, id);
      return postReversal(tx, actor, credit);
    });
  } catch (thrown) {
    throw credit ? await explainInsufficientFunds(credit, thrown) : thrown;
  }
}

async function postReversal(tx: Executor, actor: Actor, credit: Credit): Promise<{ userId: string }> {
  // Every change of a top-up takes this lock first, so no refund or dispute is booked concurrently.
  if (credit.topup_id !== null) await requireNotReversed(tx, credit.topup_id);
  const undone = credit.bank_line === null ? [] : await reopenLine(tx, actor, credit.bank_line);
  const what = credit.note || credit.method;
  const { label } = await getAccountContact(tx, credit.user_id);
  await recordAudit(tx, actor, {
    action: 'wallet.transaction_deleted',
    details: `${formatUsd(credit.amount_cents)} (${what}) of ${label} deleted; a counter-entry took it from the wallet.`,
    entityType: 'wallet',
    entityId: credit.user_id,
    amountCents: credit.amount_cents,
    before: { transactionId: credit.id, kind: credit.kind, method: credit.method, note: credit.note },
  });
  const [reversal] = await postTransfers(tx, [
    {
      key: `reversal:${credit.id}`,
      kind: 'reversal',
      from: walletAccount(credit.user_id),
      to: credit.kind === 'topup' ? suspenseAccount : { kind: credit.from_kind, owner: credit.from_owner },
      amountCents: credit.amount_cents,
      currency: walletCurrency,
      actorId: actor.userId,
      method: credit.method,
      note: `Deleted: ${what}`,
      ...(credit.topup_id !== null && { meta: { topupId: credit.topup_id } }),
      ...(credit.bank_line !== null && { meta: { bankLine: credit.bank_line } }),
      reversesId: credit.id,
    },
    ...undone,
  ]);
  // A concurrent request deleted it while this one waited for the wallet lock. Throwing rolls back the audit log entry.
  if (reversal?.replayed) throw notFound();
  return { userId: credit.user_id };
}

async function requireDeletable(tx: Executor, id: string): Promise<Credit> {
  const rows = await tx.execute(sql`
    select t.id, t.kind, coalesce(g.owner, f.owner) as user_id, s.kind as from_kind, s.owner as from_owner,
      t.amount_cents, t.order_id, t.meta->>'topupId' as topup_id, t.meta->>'bankLine' as bank_line, t.method, t.note,
      exists (select from ledger.transfers undone where undone.reverses_id = t.id) as is_undone
    from ledger.transfers t
    join ledger.accounts s on s.id = t.from_account
    left join ledger.accounts g on g.id = t.to_account and g.kind = 'wallet'
    left join ledger.accounts f on f.id = t.from_account and f.kind = 'wallet'
    where t.id = ${id} and coalesce(g.owner, f.owner) is not null`);
  const found = z.array(row).parse(rows)[0];
  if (!found) {
    const [pending] = await tx.select({ status: topups.status }).from(topups).where(eq(topups.id, id));
    if (pending?.status === 'pending')
      throw new AppError('conflict', getDeletionRefusal(null, { orderId: null, note: '' }) ?? '');
    throw notFound();
  }
  if (found.is_undone) throw notFound();
  const refusal = getDeletionRefusal(found.kind, { orderId: found.order_id, note: found.note });
  if (refusal !== null) throw new AppError('conflict', refusal);
  return found;
}

/** Rejects a top-up that the provider reclaimed or may reclaim: it must not be debited twice. */
async function requireNotReversed(tx: Executor, topupId: string): Promise<void> {
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
  const [refund] = await tx
    .select({ id: sourceRefunds.id })
    .from(sourceRefunds)
    .where(and(eq(sourceRefunds.topupId, topupId), isOpenSourceRefund))
    .limit(1);
  if (refund) {
    throw new AppError(
      'conflict',
      'A refund of this top-up to its payment method is requested or in progress. Decline it or wait for its result.',
    );
  }
  if (topup?.status === 'disputed' || topup?.status === 'refunded' || reclaimed) {
    throw new AppError(
      'conflict',
      'This top-up is fully or partly refunded or disputed at the payment provider. The books follow the provider, so it cannot be deleted.',
    );
  }
}

/** Adds the remaining balance to the error message, after the transaction has ended. */
async function explainInsufficientFunds(credit: Credit, thrown: unknown): Promise<unknown> {
  if (!(thrown instanceof AppError) || thrown.code !== 'insufficient_funds') return thrown;
  const holds = formatUsd(await getWalletBalance(credit.user_id));
  const money = formatUsd(credit.amount_cents);
  return new AppError(
    'conflict',
    `The buyer has spent this money: the wallet holds ${holds} of the ${money}. Nothing was changed.`,
  );
}

const notFound = () => new AppError('not_found', 'This transaction does not exist or was deleted.');
