import { and, eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '../../db/client';
import { accounts } from '../../db/schema/ledger';
import { recordAudit } from '../audit/record';
import type { AnyActor } from '../auth/actor';
import { walletCurrency } from '../money';

const answer = z.object({ stored: z.coerce.number(), derived: z.coerce.number() });

/**
 * Recomputes a wallet's stored balance from its transfers, under its lock, and repairs it where it differs. The line of
 * the audit log is what `proof/balance-checks.ts` explains the gap in the wallet's balances by.
 * @returns the stored and the derived balance in USD cents; they differ only if the stored one was damaged
 */
export async function recalculateWallet(
  actor: AnyActor,
  userId: string,
): Promise<{ storedCents: number; derivedCents: number }> {
  return db().transaction(async (tx) => {
    const rows = await tx.execute(sql`select * from ledger.recalculate_wallet(${userId})`);
    const { stored, derived } = answer.parse(rows[0]);
    if (stored !== derived) {
      // The lock of the recalculation holds until the end: this is the version of what was repaired.
      const [wallet] = await tx
        .select({ version: accounts.version })
        .from(accounts)
        .where(and(eq(accounts.kind, 'wallet'), eq(accounts.owner, userId), eq(accounts.currency, walletCurrency)));
      await recordAudit(tx, actor, {
        action: 'wallet.repaired',
        details: `Stored balance differed from the books by ${derived - stored} cents and was set to their sum.`,
        entityType: 'wallet',
        entityId: userId,
        before: { balanceCents: stored },
        after: { balanceCents: derived, version: wallet?.version ?? 0 },
      });
    }
    return { storedCents: stored, derivedCents: derived };
  });
}
