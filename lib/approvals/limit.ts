import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db, type Executor } from '@/db/client';
import { isLimitedTransfer, type TransferKind, transfers } from '@/db/schema/ledger';
import { sourceRefunds } from '@/db/schema/source-refunds';
import { users } from '@/db/schema/users';
import type { Actor } from '@/lib/access/actor';
import { formatUsd, parseMoney, walletCurrency } from '@/lib/money';
import { recordAudit } from '@/lib/platform/audit/record';
import { versionField } from '@/lib/platform/http/fields';
import { parseSetting, saveSetting, selectSettings } from '@/lib/settings/settings';
import { ApprovalRequired, changeOrRequest, listDeciders } from './request';

const settingKey = 'approvals';
const stored = z.object({ limitCents: z.int().nonnegative() });

/** The default limit for credits and refunds by one person in 24 hours, in USD cents. */
const defaultLimitCents = 1_000_000;

/** Reads the limit in USD cents, and the version for an edit. */
export async function getApprovalLimit(tx: Executor = db()): Promise<{ limitCents: number; version: number }> {
  const { value, version } = parseSetting(await selectSettings(tx), settingKey, stored, {
    limitCents: defaultLimitCents,
  });
  return { limitCents: value.limitCents, version };
}

/**
 * Checks whether an amount exceeds the limit, together with the actor's unapproved credits or refunds of the last 24
 * hours. Locks the actor's row, so that concurrent calls are counted.
 * @param walletOwner counts only transfers to this user's wallet; without it, to all wallets
 */
export async function exceedsApprovalLimit(
  tx: Executor,
  actor: Actor,
  kind: Extract<TransferKind, 'manual_topup' | 'order_refund'>,
  amountCents: number,
  walletOwner?: string,
): Promise<boolean> {
  const sumSoFar = tx
    .select({ cents: sql<number>`coalesce(sum(${transfers.amountCents}), 0)`.mapWith(Number) })
    .from(transfers)
    .where(
      and(
        sql`${transfers.createdAt} > now() - interval '24 hours'`,
        isAloneBy(actor, kind),
        walletOwner === undefined ? undefined : isToWalletOf(walletOwner),
      ),
    );
  return exceedsLimit(tx, actor, amountCents, sumSoFar);
}

/** Returns the condition for transfers that the actor made without the approval of a second person. */
const isAloneBy = (actor: Actor, kind: TransferKind) =>
  and(
    eq(transfers.kind, kind),
    eq(transfers.actorId, actor.userId),
    isLimitedTransfer,
    sql`not ${transfers.meta} ? 'approvalId'`,
  );

const isToWalletOf = (owner: string) => sql`${transfers.toAccount} = (select id from ledger.accounts
  where kind = 'wallet' and owner = ${owner} and currency = ${walletCurrency})`;

async function exceedsLimit(
  tx: Executor,
  actor: Actor,
  amountCents: number,
  sumSoFar: PromiseLike<{ cents: number }[]>,
) {
  const { limitCents } = await getApprovalLimit(tx);
  if (amountCents > limitCents) return true;
  await tx.select({ id: users.id }).from(users).where(eq(users.id, actor.userId)).for('no key update');
  // A query runs when it is awaited, which is under the lock.
  const [row] = await sumSoFar;
  return amountCents + (row?.cents ?? 0) > limitCents;
}

/**
 * Checks whether a refund to the payment method exceeds the limit, together with the refunds of the last 24 hours that
 * the actor approved alone. Locks the actor's row, so that concurrent calls are counted.
 */
export async function exceedsRefundLimit(tx: Executor, actor: Actor, amountCents: number): Promise<boolean> {
  const sumSoFar = tx
    .select({ cents: sql<number>`coalesce(sum(${sourceRefunds.amountCents}), 0)`.mapWith(Number) })
    .from(sourceRefunds)
    .where(
      and(
        eq(sourceRefunds.approvedBy, actor.userId),
        sql`${sourceRefunds.approvedAt} > now() - interval '24 hours'`,
        isNull(sourceRefunds.secondApprovedBy),
        inArray(sourceRefunds.money, ['held', 'sent']),
      ),
    );
  return exceedsLimit(tx, actor, amountCents, sumSoFar);
}

/**
 * Checks whether the actor alone credited this wallet manually in the last 30 days: a refund of it to the payment
 * method would be cash by one person. Deleted credits do not count. False while no other person could decide.
 */
export async function isRefundOfOwnCredit(tx: Executor, actor: Actor, walletOwner: string): Promise<boolean> {
  const credits = await tx
    .select({ id: transfers.id })
    .from(transfers)
    .where(
      and(
        sql`${transfers.createdAt} > now() - interval '30 days'`,
        isAloneBy(actor, 'manual_topup'),
        isToWalletOf(walletOwner),
        sql`not exists (select from ledger.transfers undone where undone.reverses_id = ${transfers.id})`,
      ),
    )
    .limit(1);
  if (credits.length === 0) return false;
  const deciders = await listDeciders(tx, actor.userId, { kind: 'source_refund', beneficiaryId: walletOwner });
  return deciders.length > 0;
}

export const setLimitInput = z.object({
  /** The limit in major units of USD, as entered. */
  limit: z
    .string()
    .trim()
    .max(20)
    .transform((text) => parseMoney(text))
    .pipe(z.int('Enter an amount in USD, e.g. 500.').min(0).max(100_000_000, 'Enter at most $1,000,000.00.')),
  version: versionField,
});

/**
 * Sets the limit. Lowering it takes effect immediately; raising it needs the approval of a second person, if there is
 * one.
 * @returns the pending request, or null when the limit was set
 * @throws AppError conflict for a stale `version`
 */
export async function setApprovalLimit(actor: Actor, { limit: limitCents, version }: z.output<typeof setLimitInput>) {
  return changeOrRequest(actor, async (tx) => {
    const before = await getApprovalLimit(tx);
    if (
      limitCents > before.limitCents &&
      (await listDeciders(tx, actor.userId, { kind: 'approval_limit' })).length > 0
    ) {
      throw new ApprovalRequired({
        kind: 'approval_limit',
        subject: 'approval-limit',
        payload: { limitCents, version },
        summary: `Raise the limit for credits and refunds by one person from ${formatUsd(before.limitCents)} to ${formatUsd(limitCents)}.`,
      });
    }
    await saveApprovalLimit(tx, actor, { limitCents, version });
  });
}

/** Stores the limit, in the transaction of its approval. @throws AppError conflict for a stale `version` */
export async function saveApprovalLimit(
  tx: Executor,
  actor: Actor,
  { limitCents, version }: { limitCents: number; version: number },
): Promise<void> {
  const before = await getApprovalLimit(tx);
  await saveSetting(tx, actor, { key: settingKey, value: { limitCents }, version, name: 'The approval limit' });
  await recordAudit(tx, actor, {
    action: 'approval.limit_set',
    details: `Credits and refunds above ${formatUsd(limitCents)} in 24 hours require a second person; previously ${formatUsd(before.limitCents)}.`,
    entityType: 'setting',
    entityId: settingKey,
    before: { limitCents: before.limitCents },
    after: { limitCents },
  });
}
