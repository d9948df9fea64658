import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Executor } from '@/db/client';
import { accountKinds } from '@/db/schema/ledger';
import type { PaymentProviderName } from '@/db/schema/topups';

const row = z
  .object({
    topup_id: z.string(),
    to_kind: z.enum(accountKinds),
    is_undone: z.boolean(),
  })
  .transform(({ topup_id, to_kind, is_undone }) => ({
    topupId: topup_id,
    /** The account that holds the money now: deleting a credit moves it to suspense. */
    place: to_kind === 'wallet' && !is_undone ? ('wallet' as const) : ('suspense' as const),
    /** A deleted credit is in suspense in the wallet's currency, a payment that never matched in its own currency. */
    isDeleted: is_undone,
  }));

export type BookedPayment = z.output<typeof row>;

/** Finds a booked payment, or null. A payment released from suspense by an admin counts as its credit. */
export async function findPayment(
  tx: Executor,
  provider: PaymentProviderName,
  paymentReference: string,
): Promise<BookedPayment | null> {
  const rows = await tx.execute(sql`
    select t.meta->>'topupId' as topup_id, a.kind as to_kind,
      exists (select from ledger.transfers undone where undone.reverses_id = credit.id) as is_undone
    from ledger.transfers t
    left join ledger.transfers released on released.key = 'release:' || t.id
    join ledger.transfers credit on credit.id = coalesce(released.id, t.id)
    join ledger.accounts a on a.id = credit.to_account
    where t.key = ${`${provider}:${paymentReference}`}`);
  return z.array(row).parse(rows)[0] ?? null;
}
