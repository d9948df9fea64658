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
export const clearingOf = (provider: string): LedgerAccount => ({ kind: 'clearing', owner: provider });
export const revenueAccount: LedgerAccount = { kind: 'revenue', owner: '' };
export const suspenseAccount: LedgerAccount = { kind: 'suspense', owner: '' };
export const adjustmentsAccount: LedgerAccount = { kind: 'adjustments', owner: '' };

const posted = z.object({
  transferId: z.string(),
  replayed: z.boolean(),
  fromBalanceCents: z.coerce.number().nullable(),
  toBalanceCents: z.coerce.number().nullable(),
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
  const rows = await statementOf(tx)
    .execute({ transfers: asTransferRecords(transfers) })
    .catch((thrown: unknown) => {
      throw ledgerError(thrown);
    });
  return z.array(posted).parse(rows);
}

/** One transfer by `postTransfers`. */
export async function postTransfer(tx: Executor, transfer: Transfer): Promise<PostedTransfer> {
  const [result] = await postTransfers(tx, [transfer]);
  if (!result) throw new Error('The ledger answered nothing.');
  return result;
}

const postedFrom = sql`ledger.post_transfers(${sql.placeholder('transfers')}::text::jsonb) as posted`;

const prepare = (tx: Executor) => tx.select(postedColumns).from(postedFrom).prepare('post_transfers');
const statements = new WeakMap<Executor, ReturnType<typeof prepare>>();

/**
 * A named statement is parsed and planned once for each connection, and its text built once for each pool or
 * transaction: together half of what a transfer would cost.
 */
function statementOf(tx: Executor): ReturnType<typeof prepare> {
  const known = statements.get(tx);
  if (known) return known;
  const made = prepare(tx);
  statements.set(tx, made);
  return made;
}

const postedColumns = {
  transferId: sql`posted.transfer_id`,
  replayed: sql`posted.replayed`,
  fromBalanceCents: sql`posted.from_balance`,
  toBalanceCents: sql`posted.to_balance`,
};

/**
 * Transfers as the database's `ledger.post_transfers` reads them: for it, and for a function that calls it.
 * @throws RangeError for an amount that is no positive integer
 */
export const asTransferRecords = (transfers: readonly Transfer[]): string => JSON.stringify(transfers.map(recordOf));

/** @throws RangeError for what is no positive number of minor units: a programming error, told before it travels */
function recordOf(transfer: Transfer) {
  const { amountCents, from, to } = transfer;
  if (!Number.isSafeInteger(amountCents) || amountCents <= 0) {
    throw new RangeError(`A transfer moves a positive integer of minor units, not ${amountCents}.`);
  }
  return {
    id: newId(),
    key: transfer.key,
    kind: transfer.kind,
    from_kind: from.kind,
    from_owner: from.owner,
    to_kind: to.kind,
    to_owner: to.owner,
    amount: amountCents,
    currency: transfer.currency,
    order_id: transfer.orderId ?? null,
    actor: transfer.actorId ?? null,
    method: transfer.method ?? '',
    note: transfer.note ?? '',
    meta: transfer.meta ?? {},
    reverses: transfer.reversesId ?? null,
  };
}

/** The writer's SQLSTATEs (db/migrations/0001_ledger.sql) as typed errors; anything else as it is. */
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
