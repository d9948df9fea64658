import { and, eq, type Placeholder, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import { db, type Executor } from '@/db/client';
import { prepared } from '@/db/prepared';
import { ledgerAccounts } from '@/db/schema/ledger';
import type { AnyActor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { formatUsd, walletCurrency } from '@/lib/money';
import { recordAudit } from '@/lib/platform/audit/record';

/**
 * Returns the balance of a user's wallet in integer USD cents, or 0 when the wallet never moved money. Pages of the
 * customer area read it from their layout data (lib/dashboard/buyer.ts).
 * @param tx the transaction to read in
 */
export async function getWalletBalance(userId: string, tx?: Executor): Promise<number> {
  const [row] = await (tx ? selectBalance(tx, userId) : statement().execute({ userId }));
  return row?.balanceCents ?? 0;
}

const statement = prepared((on) => selectBalance(on, sql.placeholder('userId')).prepare('wallet_balance'));

/** Builds the balance query, for statements that combine it with others. */
export const selectBalance = (on: Executor, userId: string | Placeholder) =>
  on.select({ balanceCents: ledgerAccounts.balanceCents }).from(ledgerAccounts).where(isWalletOf(userId));

/** Returns the condition that selects a user's wallet account. */
export const isWalletOf = (userId: string | Placeholder | PgColumn) =>
  and(eq(ledgerAccounts.kind, 'wallet'), eq(ledgerAccounts.owner, userId), eq(ledgerAccounts.currency, walletCurrency));

const resultRow = z.object({ cents: z.coerce.number() });

/**
 * Returns the amount a user owes the platform: payments that were refunded or disputed after the money was spent, less
 * repayments from later top-ups.
 * @returns integer USD cents, 0 or above
 */
export async function getOwedCents(userId: string, executor: Executor = db()): Promise<number> {
  return sumOutflow('receivable', userId, executor);
}

/** Sums what left an account of a user, less what it received, in USD cents. */
async function sumOutflow(kind: 'receivable' | 'wallet', userId: string, executor: Executor): Promise<number> {
  const rows = await executor.execute(sql`
    select coalesce(sum(case when t.from_account = a.id then t.amount_cents else -t.amount_cents end), 0) as cents
    from ledger.accounts a join ledger.transfers t on a.id in (t.from_account, t.to_account)
    where a.kind = ${kind} and a.owner = ${userId} and a.currency = ${walletCurrency}`);
  return resultRow.parse(rows[0]).cents;
}

const recalculatedRow = z.object({ stored: z.coerce.number(), derived: z.coerce.number() });

/**
 * Recomputes a wallet's stored balance from its transfers under its row lock, and repairs it when it differs. The check
 * in proof/checks.ts uses the audit log entry to explain the gap in the wallet's balances.
 * @returns the stored and the derived balance in USD cents; they differ only if the stored one was damaged
 * @throws AppError conflict when more was spent than received: a wallet cannot be negative, so a manual top-up is
 * needed first
 */
export async function recalculateWallet(actor: AnyActor, userId: string) {
  const repair = db().transaction(async (tx) => {
    const rows = await tx.execute(sql`select * from ledger.recalculate_wallet(${userId})`);
    const { stored, derived } = recalculatedRow.parse(rows[0]);
    if (stored !== derived) {
      // The row lock is held until the end of the transaction, so this is the version of the repaired balance.
      const [wallet] = await tx
        .select({ version: ledgerAccounts.version })
        .from(ledgerAccounts)
        .where(isWalletOf(userId));
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
  return repair.catch(async (thrown: unknown) => {
    throw isBelowZero(thrown) ? await createOverspentError(userId) : thrown;
  });
}

const checkViolation = z.object({ cause: z.object({ constraint_name: z.literal('accounts_not_negative') }) });
const isBelowZero = (thrown: unknown): boolean => checkViolation.safeParse(thrown).success;

/** Creates the error of a damaged balance that was too high, and of which the excess was spent. */
async function createOverspentError(userId: string): Promise<AppError> {
  const missing = formatUsd(await sumOutflow('wallet', userId, db()));
  return new AppError(
    'conflict',
    `This wallet's balance was too high, and ${missing} more was spent than was credited. Nothing was changed: add ${missing} with a manual top-up, then recalculate again.`,
  );
}
