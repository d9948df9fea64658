import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Executor } from '@/db/client';
import type { TransferKind } from '@/db/schema/ledger';
import { newId } from '@/lib/ids';
import type { LedgerAccount } from './post-transfer';

type ReclaimRequest = {
  /** Idempotency key of the provider's refund or dispute. A second call with the same key returns the first result. */
  key: string;
  kind: TransferKind;
  userId: string;
  /** The account to credit: the clearing account of the provider that reclaimed the money. */
  to: LedgerAccount;
  /** Positive integer minor units of `currency`. */
  amountCents: number;
  currency: string;
  actorId?: string | null;
  method: string;
  note: string;
  meta: Record<string, unknown>;
};

const resultRow = z.object({ from_wallet: z.coerce.number(), owed: z.coerce.number() });

/**
 * Debits a wallet for money that a provider reclaimed, up to the wallet's balance. The rest becomes a receivable: its
 * owner owes it to the platform (docs/ledger.md). Call it last in a transaction, as with `postTransfer`.
 * @returns both parts in cents; they add up to the amount
 */
export async function reclaimFromWallet(
  tx: Executor,
  request: ReclaimRequest,
): Promise<{ fromWalletCents: number; owedCents: number }> {
  const rows = await tx.execute(sql`
    select * from ledger.take_back(
      array[${newId()}, ${newId()}]::text[], ${request.key}, ${request.kind}, ${request.userId}, ${request.to.kind},
      ${request.to.owner}, ${request.amountCents}::bigint, ${request.currency}, ${request.actorId ?? null}::text,
      ${request.method}, ${request.note}, ${JSON.stringify(request.meta)}::text::jsonb)`);
  const { from_wallet, owed } = resultRow.parse(rows[0]);
  return { fromWalletCents: from_wallet, owedCents: owed };
}
