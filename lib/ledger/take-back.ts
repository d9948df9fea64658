import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Executor } from '../../db/client';
import type { TransferKind } from '../../db/schema/ledger';
import { newId } from '../ids';
import type { LedgerAccount } from './post-transfer';

type TakeBack = {
  /** Names the provider's refund or dispute; a second call with it answers the first. */
  key: string;
  kind: TransferKind;
  userId: string;
  /** Where the money goes: the clearing account of the provider that reclaimed it. */
  to: LedgerAccount;
  /** Positive integer minor units of `currency`. */
  amountCents: number;
  currency: string;
  actorId?: string | null;
  method: string;
  note: string;
  meta: Record<string, unknown>;
};

const answer = z.object({ from_wallet: z.coerce.number(), owed: z.coerce.number() });

/**
 * Takes money out of a wallet that a provider reclaimed, at most what the wallet holds; for the rest its owner owes the
 * platform (docs/ledger.md). Post last in a transaction, as with `postTransfer`.
 * @returns both parts in cents; they add up to the amount
 */
export async function takeBack(tx: Executor, asked: TakeBack): Promise<{ fromWalletCents: number; owedCents: number }> {
  const rows = await tx.execute(sql`
    select * from ledger.take_back(
      array[${newId()}, ${newId()}]::text[], ${asked.key}, ${asked.kind}, ${asked.userId}, ${asked.to.kind},
      ${asked.to.owner}, ${asked.amountCents}::bigint, ${asked.currency}, ${asked.actorId ?? null}::text,
      ${asked.method}, ${asked.note}, ${JSON.stringify(asked.meta)}::text::jsonb)`);
  const { from_wallet, owed } = answer.parse(rows[0]);
  return { fromWalletCents: from_wallet, owedCents: owed };
}
