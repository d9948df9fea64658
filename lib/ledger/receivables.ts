import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { db, type Executor } from '@/db/client';
import { getAccountContact } from '@/lib/access/accounts';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { newId } from '@/lib/ids';
import { formatUsd, walletCurrency } from '@/lib/money';
import { recordAudit } from '@/lib/platform/audit/record';
import type { Transfer } from './post-transfer';

const row = z.object({
  userId: z.string(),
  name: z.string(),
  email: z.string(),
  owedCents: z.coerce.number().int(),
  balanceCents: z.coerce.number().int(),
  since: z.string(),
});

/** A user whose payment was refunded or charged back after the money was spent. */
export type Receivable = z.output<typeof row>;

/** Lists users who owe the platform, largest debt first, with their wallet balances. */
export async function listReceivables(): Promise<Receivable[]> {
  const rows = await db().execute(sql`
    with parts as (
      select a.owner, -r.balance_cents as owed, r.last_transfer_at as at
      from ledger.accounts a join account_rollups r on r.account_id = a.id
      where a.kind = 'receivable' and a.currency = ${walletCurrency}
      union all
      select a.owner, case when t.from_account = a.id then t.amount_cents else -t.amount_cents end, t.created_at
      from ledger.transfers_since_rollup() t
      join ledger.accounts a on a.id in (t.from_account, t.to_account)
      where a.kind = 'receivable' and a.currency = ${walletCurrency}
    ),
    debts as (select owner, sum(owed) as owed, max(at) as since from parts group by owner having sum(owed) > 0)
    select u.id as "userId", u.name, u.email, d.owed as "owedCents", coalesce(w.balance_cents, 0) as "balanceCents",
      to_char(d.since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as since
    from debts d
    join public.accounts u on u.id = d.owner
    left join ledger.accounts w on w.kind = 'wallet' and w.owner = d.owner and w.currency = ${walletCurrency}
    order by d.owed desc, u.id limit 500`);
  return z.array(row).parse(rows);
}

const resultRow = z.object({ paid: z.coerce.number() });

/**
 * Repays, after a wallet was credited, what its owner owes for earlier refunds or disputes, up to the wallet's balance.
 * @param cause names the credit, e.g. `topup:<id>`; a second call with the same cause repays nothing more
 * @returns the amount repaid, in USD cents
 */
export async function settleReceivable(
  tx: Executor,
  userId: string,
  { cause, actorId = null, meta = {} }: { cause: string; actorId?: string | null; meta?: Record<string, unknown> },
): Promise<number> {
  const rows = await tx.execute(sql`
    select ledger.settle_receivable(
      ${newId()}, ${`receivable:${cause}`}, ${userId}, ${walletCurrency}, ${actorId}::text,
      ${'Payment of a debt from a refunded or disputed payment'}, ${JSON.stringify(meta)}::text::jsonb) as paid`);
  return resultRow.parse(rows[0]).paid;
}

/**
 * Collects what an account owes from its wallet, up to its balance.
 * @returns the amount collected, in USD cents
 * @throws AppError not_found for an unknown account, conflict when nothing is owed or the wallet is empty
 */
export async function collectReceivable(actor: Actor, userId: string): Promise<{ paidCents: number }> {
  const account = await getAccountContact(db(), userId);
  return db().transaction(async (tx) => {
    const paidCents = await settleReceivable(tx, account.id, { cause: `collect:${newId()}`, actorId: actor.userId });
    if (paidCents === 0) throw new AppError('conflict', 'Nothing is owed anymore, or the wallet is empty.');
    await recordAudit(tx, actor, {
      action: 'wallet.debt_collected',
      details: `${formatUsd(paidCents)} owed by ${account.label} was taken from the wallet.`,
      entityType: 'wallet',
      entityId: account.id,
      amountCents: paidCents,
    });
    return { paidCents };
  });
}

/** `key` names the provider's refund or dispute, and `to` is the clearing account of the provider that reclaimed the money. */
type ReclaimRequest = Omit<Transfer, 'from' | 'orderId' | 'reversesId'> &
  Required<Pick<Transfer, 'method' | 'note' | 'meta'>> & { userId: string };

const reclaimedRow = z.object({ from_wallet: z.coerce.number(), owed: z.coerce.number() });

/**
 * Debits a wallet for money that a provider reclaimed, up to the wallet's balance. The rest becomes a receivable: its
 * owner owes it to the platform (docs/internals/ledger.md). Call it last in a transaction, as with `postTransfer`. A
 * second call with the same key returns the first result.
 * @returns both parts in cents; they add up to the amount
 */
export async function reclaimFromWallet(tx: Executor, request: ReclaimRequest) {
  const rows = await tx.execute(sql`
    select * from ledger.take_back(
      array[${newId()}, ${newId()}]::text[], ${request.key}, ${request.kind}, ${request.userId}, ${request.to.kind},
      ${request.to.owner}, ${request.amountCents}::bigint, ${request.currency}, ${request.actorId ?? null}::text,
      ${request.method}, ${request.note}, ${JSON.stringify(request.meta)}::text::jsonb)`);
  const { from_wallet, owed } = reclaimedRow.parse(rows[0]);
  return { fromWalletCents: from_wallet, owedCents: owed };
}
