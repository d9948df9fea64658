import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Executor } from '../../db/client';
import type { AccountKind, TransferKind } from '../../db/schema/ledger';
import { AppError } from '../errors';
import { newId } from '../ids';

/** One side of a transfer; `owner` is a user id, a provider name, or empty for the platform's own account. */
export type LedgerAccount = { kind: AccountKind; owner: string };

export type Transfer = {
  /** Names what the money moved for (`stripe:pi_…`, `order:12`); a second post with it answers the first. */
  key: string;
  kind: TransferKind;
  from: LedgerAccount;
  to: LedgerAccount;
  /** Positive integer minor units of `currency`. */
  amountCents: number;
  currency: string;
  orderId?: number;
  actorId?: string | null;
  method?: string;
  note?: string;
  meta?: Record<string, unknown>;
  reversesId?: string;
};

export type PostedTransfer = {
  transferId: string;
  /** True when the key was known: nothing moved now. */
  replayed: boolean;
  /** Balances of the wallets involved right after, in cents; null on a side that is no wallet. */
  fromBalanceCents: number | null;
  toBalanceCents: number | null;
};

export const walletOf = (userId: string): LedgerAccount => ({ kind: 'wallet', owner: userId });
export const receivableOf = (userId: string): LedgerAccount => ({ kind: 'receivable', owner: userId });
export const clearingOf = (provider: string): LedgerAccount => ({ kind: 'clearing', owner: provider });
export const revenueAccount: LedgerAccount = { kind: 'revenue', owner: '' };
export const suspenseAccount: LedgerAccount = { kind: 'suspense', owner: '' };
export const adjustmentsAccount: LedgerAccount = { kind: 'adjustments', owner: '' };

const posted = z.object({
  transfer_id: z.string(),
  replayed: z.boolean(),
  from_balance: z.coerce.number().nullable(),
  to_balance: z.coerce.number().nullable(),
});

/**
 * Moves money: the application's only way to write the books. One call of the database's own writer for all the
 * transfers, in their order; each locks its wallets, checks the funds and writes the transfer, all or nothing. Inside
 * a transaction post last, so that a wallet is locked for the shortest time.
 * @throws AppError insufficient_funds when a paying wallet holds less than an amount
 * @throws AppError conflict when a key was used for another transfer
 */
export async function postTransfers(tx: Executor, transfers: readonly Transfer[]): Promise<PostedTransfer[]> {
  if (transfers.length === 0) return [];
  const rows = await tx
    .execute(
      sql`select posted.* from (values ${sql.join(transfers.map(valuesOf), sql`, `)}) as t(
        id, key, kind, from_kind, from_owner, to_kind, to_owner, amount, currency, order_id, actor, method, note, meta, reverses
      ) cross join lateral ledger.post_transfer(
        t.id, t.key, t.kind, t.from_kind, t.from_owner, t.to_kind, t.to_owner, t.amount, t.currency,
        t.order_id, t.actor, t.method, t.note, t.meta, t.reverses
      ) as posted`,
    )
    .catch((thrown: unknown) => {
      throw ledgerError(thrown);
    });
  return z
    .array(posted)
    .parse(rows)
    .map((row) => ({
      transferId: row.transfer_id,
      replayed: row.replayed,
      fromBalanceCents: row.from_balance,
      toBalanceCents: row.to_balance,
    }));
}

/** One transfer by `postTransfers`. */
export async function postTransfer(tx: Executor, transfer: Transfer): Promise<PostedTransfer> {
  const [result] = await postTransfers(tx, [transfer]);
  if (!result) throw new Error('The ledger answered nothing.');
  return result;
}

function valuesOf(transfer: Transfer) {
  const { from, to } = transfer;
  return sql`(
    ${newId()}::text, ${transfer.key}::text, ${transfer.kind}::text, ${from.kind}::text, ${from.owner}::text,
    ${to.kind}::text, ${to.owner}::text, ${transfer.amountCents}::bigint, ${transfer.currency}::text,
    ${transfer.orderId ?? null}::integer, ${transfer.actorId ?? null}::text, ${transfer.method ?? ''}::text,
    ${transfer.note ?? ''}::text, ${JSON.stringify(transfer.meta ?? {})}::text::jsonb, ${transfer.reversesId ?? null}::text)`;
}

/** The writer's SQLSTATEs (db/migrations/0001_ledger.sql) as typed errors. */
function ledgerError(thrown: unknown): unknown {
  const cause = thrown instanceof Error ? (thrown.cause ?? thrown) : thrown;
  const { code, constraint_name: constraint } = sqlError.catch({}).parse(cause);
  if (code === 'LM001') return new AppError('insufficient_funds', 'Your wallet does not hold enough money for this.');
  if (code === 'LM002' || constraint === 'transfers_key_key') {
    return new AppError('conflict', 'The books already hold another transfer for this payment.');
  }
  if (constraint === 'transfers_reverses_key')
    return new AppError('conflict', 'This transaction was already reversed.');
  return thrown;
}

const sqlError = z.object({ code: z.string().optional(), constraint_name: z.string().optional() });
