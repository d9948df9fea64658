import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Executor } from '@/db/client';
import { prepared } from '@/db/prepared';
import type { AccountKind, TransferKind } from '@/db/schema/ledger';
import { AppError } from '@/lib/errors';
import { newId } from '@/lib/ids';

/** One side of a transfer; `owner` is a user id, a provider name, a country, or empty for the platform's own account. */
export type LedgerAccount = { kind: AccountKind; owner: string };

export type Transfer = {
  /**
   * Idempotency key that names the cause (`stripe:pi_…`, `order:12`). Posting the same key again returns the first
   * transfer.
   */
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
  /** True when the key was posted before: no money moved now. */
  replayed: boolean;
  /** Stored balances right after the transfer, in cents; null on a side that stores none. */
  fromBalanceCents: number | null;
  toBalanceCents: number | null;
};

export const walletAccount = (userId: string): LedgerAccount => ({ kind: 'wallet', owner: userId });
export const clearingAccount = (provider: string): LedgerAccount => ({ kind: 'clearing', owner: provider });
export const revenueAccount: LedgerAccount = { kind: 'revenue', owner: '' };
/** Holds what buyers paid for placements until the delivery is approved or the money returns. */
export const reservedAccount: LedgerAccount = { kind: 'reserved', owner: '' };
/** Returns what a seller earned with approved placements, and is not payable yet. */
export const sellerPendingAccount = (sellerId: string): LedgerAccount => ({ kind: 'seller_pending', owner: sellerId });
/** Returns the part of a seller's earnings that is payable. */
export const sellerPayableAccount = (sellerId: string): LedgerAccount => ({ kind: 'seller_payable', owner: sellerId });
/** Returns what sellers requested and was neither paid nor returned, by the kind of the payout method. */
export const payoutTransitAccount = (methodKind: string): LedgerAccount => ({
  kind: 'payout_transit',
  owner: methodKind,
});
/** Holds what left wallets for refunds to the payment method until the provider refunds it, by provider. */
export const refundTransitAccount = (provider: string): LedgerAccount => ({ kind: 'refund_transit', owner: provider });
/** Returns what buyers paid as tax of a country, which the operator owes to it. */
export const taxAccount = (country: string): LedgerAccount => ({ kind: 'tax', owner: country });
export const suspenseAccount: LedgerAccount = { kind: 'suspense', owner: '' };
export const adjustmentsAccount: LedgerAccount = { kind: 'adjustments', owner: '' };

const posted = z.object({
  transferId: z.string(),
  replayed: z.boolean(),
  fromBalanceCents: z.coerce.number().nullable(),
  toBalanceCents: z.coerce.number().nullable(),
});

/**
 * Posts transfers. One call of the database function
 * `ledger.post_transfers` posts all transfers in order. It locks each wallet, checks the balance and writes the
 * transfer, all or nothing. Call it last in a transaction, so that wallets are locked for the shortest time.
 * @throws AppError insufficient_funds when a debited wallet holds less than the amount
 * @throws AppError conflict when a key was used for another transfer
 */
export async function postTransfers(tx: Executor, transfers: readonly Transfer[]): Promise<PostedTransfer[]> {
  if (transfers.length === 0) return [];
  const rows = await postStatement(tx)
    .execute({ transfers: serializeTransfers(transfers) })
    .catch((thrown: unknown) => {
      throw toLedgerError(thrown);
    });
  return z.array(posted).parse(rows);
}

/** Posts one transfer; see `postTransfers`. */
export async function postTransfer(tx: Executor, transfer: Transfer): Promise<PostedTransfer> {
  const [result] = await postTransfers(tx, [transfer]);
  if (!result) throw new Error('The ledger returned no row.');
  return result;
}

const postStatement = prepared((on) =>
  on
    .select({
      transferId: sql`posted.transfer_id`,
      replayed: sql`posted.replayed`,
      fromBalanceCents: sql`posted.from_balance`,
      toBalanceCents: sql`posted.to_balance`,
    })
    .from(sql`ledger.post_transfers(${sql.placeholder('transfers')}::text::jsonb) as posted`)
    .prepare('post_transfers'),
);

/**
 * Serializes transfers as the JSON that `ledger.post_transfers` reads.
 * @throws RangeError for an amount that is not a positive integer
 */
export const serializeTransfers = (transfers: readonly Transfer[]): string =>
  JSON.stringify(transfers.map(toTransferRecord));

/** @throws RangeError for an amount that is not a positive integer of minor units, which is a programming error */
function toTransferRecord(transfer: Transfer) {
  const { amountCents, from, to } = transfer;
  if (!Number.isSafeInteger(amountCents) || amountCents <= 0) {
    throw new RangeError(`A transfer must move a positive integer of minor units, not ${amountCents}.`);
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

/**
 * Maps the SQLSTATEs of the ledger functions (db/migrations/0001_ledger.sql) to typed errors. Returns any other error
 * unchanged.
 */
function toLedgerError(thrown: unknown): unknown {
  const cause = thrown instanceof Error ? (thrown.cause ?? thrown) : thrown;
  const { code, constraint_name: constraint } = sqlError.catch({}).parse(cause);
  if (code === 'LM001') return new AppError('insufficient_funds', 'Your wallet balance is too low for this.');
  if (code === 'LM002' || constraint === 'transfers_key_key') {
    return new AppError('conflict', 'The ledger already has another transfer for this payment.');
  }
  if (constraint === 'transfers_reverses_key')
    return new AppError('conflict', 'This transaction was already reversed.');
  return thrown;
}

const sqlError = z.object({ code: z.string().optional(), constraint_name: z.string().optional() });
