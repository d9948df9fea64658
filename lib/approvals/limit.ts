import { and, eq, inArray, isNull, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Executor } from '@/db/client';
import type { ApprovalKind } from '@/db/schema/approvals';
import { isLimitedTransfer, type TransferKind, transfers } from '@/db/schema/ledger';
import { sourceRefunds } from '@/db/schema/source-refunds';
import { accountsOfPerson, isSamePerson, lockControllers, wasMember } from '@/lib/access/account-controllers';
import type { Actor } from '@/lib/access/actor';
import { getSettledRights } from '@/lib/access/settled-rights';
import { formatUsd, parseMoney, walletCurrency } from '@/lib/money';
import { recordAudit } from '@/lib/platform/audit/record';
import { versionField } from '@/lib/platform/http/fields';
import { parseSetting, readSettings, saveSetting } from '@/lib/settings/settings';
import { ApprovalRequired, changeOrRequest, hasOtherDecider, hasOtherPerson } from './request';
import { mayDecide } from './schemas';

const settingKey = 'approvals';
const stored = z.object({
  limitCents: z.int().nonnegative(),
  /** Whether rights of staff need the approval of a second admin (staff-rights.ts). */
  approvesStaffRights: z.boolean().default(false),
});
type ApprovalRules = z.output<typeof stored>;

const defaultRules: ApprovalRules = { limitCents: 1_000_000, approvesStaffRights: false };

/** Reads the limit for credits and refunds without a second person in 24 hours, in USD cents, and the version for an edit. */
export async function getApprovalLimit(tx?: Executor): Promise<ApprovalRules & { version: number }> {
  const { value, version } = parseSetting(await readSettings(tx), settingKey, stored, defaultRules);
  return { ...value, version };
}

/**
 * Checks whether a credit or a refund to a wallet needs a second person, because
 * - the actor's rights have not settled (lib/access/settled-rights.ts),
 * - the amount exceeds the limit, together with the unapproved credits and refunds by all staff to this wallet in the
 *   last 24 hours, or for a credit together with the unapproved credits by the actor, through any account, to all wallets.
 *
 * Locks the rows of the actor, those who control it and the owner, so that concurrent calls are counted.
 */
export async function exceedsApprovalLimit(
  tx: Executor,
  actor: Actor,
  kind: Extract<ApprovalKind, 'manual_topup' | 'bank_transfer' | 'order_refund'>,
  amountCents: number,
  walletOwner: string,
): Promise<boolean> {
  const sums = [sumTransfers(tx, and(isToWalletOf(walletOwner), isByStaff(walletOwner)))];
  if (kind !== 'order_refund') sums.push(sumTransfers(tx, and(isCredit, isByPerson(transfers.actorId, actor))));
  return needsSecondPerson(tx, actor, { kind, amountCents, beneficiaryId: walletOwner, sums });
}

const sumTransfers = (tx: Executor, condition: SQL | undefined) =>
  tx
    .select({ cents: sql<number>`coalesce(sum(${transfers.amountCents}), 0)`.mapWith(Number) })
    .from(transfers)
    .where(and(sql`${transfers.createdAt} > now() - interval '24 hours'`, isAlone, condition));

/** The condition for transfers that one person made without the approval of a second. */
const isAlone = and(isLimitedTransfer, sql`not ${transfers.meta} ? 'approvalId'`);

/** The condition for manual credits, and for those of bank statements. */
const isCredit = inArray(transfers.kind, ['manual_topup', 'topup'] satisfies TransferKind[]);

const isToWalletOf = (owner: string) => sql`${transfers.toAccount} = (select id from ledger.accounts
  where kind = 'wallet' and owner = ${owner} and currency = ${walletCurrency})`;

/**
 * The condition for credits, which only staff make, also those who joined the team later, and for refunds that neither the
 * buyer, a person or a member of the team, nor the seller of the order made.
 */
const isByStaff = (owner: string) => sql`(${isCredit} or ${transfers.actorId} <> ${owner}
  and not ${wasMember(owner, transfers.actorId)} and not exists (
  select from placements
  where placements.order_id = ${transfers.orderId} and placements.seller_id = ${transfers.actorId}))`;

/** The condition that the actor did something, or another account through which the same person may act. */
const isByPerson = (actorId: SQLWrapper, { userId }: Actor) => sql`${actorId} = any(${accountsOfPerson(userId)})`;

type Sum = PromiseLike<{ cents: number }[]>;

async function needsSecondPerson(
  tx: Executor,
  actor: Actor,
  {
    kind,
    amountCents,
    beneficiaryId,
    sums,
  }: {
    kind: ApprovalKind;
    amountCents: number;
    beneficiaryId: string;
    /** What counts with the amount; each must stay within the limit. */
    sums: readonly Sum[];
  },
) {
  const { limitCents } = await getApprovalLimit(tx);
  if (amountCents > limitCents || !mayDecide(await getSettledRights(actor.userId, tx), kind)) return true;
  await lockControllers(tx, actor.userId, beneficiaryId);
  // A query runs when it is awaited, which is under the locks.
  for (const sum of sums) {
    const [row] = await sum;
    if (amountCents + (row?.cents ?? 0) > limitCents) return true;
  }
  return false;
}

/**
 * Checks whether a refund to the payment method needs a second person, as `exceedsApprovalLimit` does: counts the
 * refunds of the last 24 hours to all buyers that the actor approved alone, through any account, and those to this buyer by all staff.
 */
export async function exceedsRefundLimit(
  tx: Executor,
  actor: Actor,
  amountCents: number,
  walletOwner: string,
): Promise<boolean> {
  const sum = (condition: SQL) =>
    tx
      .select({ cents: sql<number>`coalesce(sum(${sourceRefunds.amountCents}), 0)`.mapWith(Number) })
      .from(sourceRefunds)
      .where(
        and(
          condition,
          sql`${sourceRefunds.approvedAt} > now() - interval '24 hours'`,
          isNull(sourceRefunds.secondApprovedBy),
          inArray(sourceRefunds.money, ['held', 'sent']),
        ),
      );
  const sums = [sum(isByPerson(sourceRefunds.approvedBy, actor)), sum(eq(sourceRefunds.accountId, walletOwner))];
  return needsSecondPerson(tx, actor, { kind: 'source_refund', amountCents, beneficiaryId: walletOwner, sums });
}

/**
 * Checks whether the actor, or an account that is not independent of the actor, alone credited this wallet manually or by
 * a bank statement in the last 30 days: a refund of it to the payment method would be cash by one person. Deleted credits
 * do not count. False while no other person could decide.
 */
export async function isRefundOfOwnCredit(tx: Executor, actor: Actor, walletOwner: string): Promise<boolean> {
  const credits = await tx
    .select({ id: transfers.id })
    .from(transfers)
    .where(
      and(
        sql`${transfers.createdAt} > now() - interval '30 days'`,
        isAlone,
        isCredit,
        isToWalletOf(walletOwner),
        isSamePerson(transfers.actorId, actor.userId),
        sql`not exists (select from ledger.transfers undone where undone.reverses_id = ${transfers.id})`,
      ),
    )
    .limit(1);
  if (credits.length === 0) return false;
  return hasOtherPerson(tx, actor.userId, { kind: 'source_refund', beneficiaryId: walletOwner });
}

export const setLimitInput = z.object({
  /** The limit in major units of USD, as entered. */
  limit: z
    .string()
    .trim()
    .max(20)
    .transform((text) => parseMoney(text))
    .pipe(z.int('Enter an amount in USD, e.g. 500.').min(0).max(100_000_000, 'Enter at most $1,000,000.00.')),
  /** Omitted, it stays unchanged. */
  approvesStaffRights: z.boolean().optional(),
  version: versionField,
});

/**
 * Sets the limit, and whether rights of staff need approval. A stricter rule takes effect immediately; a more permissive
 * one needs the approval of a second person, if there is one.
 * @returns the pending request, or null when the rules were set
 * @throws AppError conflict for a stale `version`
 */
export async function setApprovalLimit(actor: Actor, { limit, version, ...input }: z.output<typeof setLimitInput>) {
  return changeOrRequest(actor, async (tx) => {
    const before = await getApprovalLimit(tx);
    const after = { limitCents: limit, approvesStaffRights: input.approvesStaffRights ?? before.approvesStaffRights };
    const risks = [
      after.limitCents > before.limitCents
        ? `Raise the limit for credits and refunds by one person from ${formatUsd(before.limitCents)} to ${formatUsd(after.limitCents)}.`
        : '',
      before.approvesStaffRights && !after.approvesStaffRights ? 'Give rights of staff without a second admin.' : '',
    ].filter(Boolean);
    if (risks.length > 0 && (await hasOtherDecider(tx, actor.userId, { kind: 'approval_limit' }))) {
      throw new ApprovalRequired({
        kind: 'approval_limit',
        subject: 'approval-limit',
        payload: { ...after, version },
        summary: risks.join(' '),
      });
    }
    await saveApprovalLimit(tx, actor, { ...after, version });
  });
}

/** Stores the rules, in the transaction of their approval. @throws AppError conflict for a stale `version` */
export async function saveApprovalLimit(
  tx: Executor,
  actor: Actor,
  { version, ...after }: ApprovalRules & { version: number },
): Promise<void> {
  const { version: _replaced, ...before } = await getApprovalLimit(tx);
  await saveSetting(tx, actor, { key: settingKey, value: after, version, name: 'The approval limit' });
  await recordAudit(tx, actor, {
    action: 'approval.limit_set',
    details: `Credits and refunds above ${formatUsd(after.limitCents)} in 24 hours require a second person; previously ${formatUsd(before.limitCents)}. Rights of staff ${after.approvesStaffRights ? 'require' : 'do not require'} a second admin.`,
    entityType: 'setting',
    entityId: settingKey,
    before,
    after,
  });
}
