import { and, eq, isNull, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { type AccountPolicy, accounts } from '@/db/schema/accounts';
import { projects } from '@/db/schema/projects';
import { isInScope } from '@/lib/access/account-roles';
import { lockSpending } from '@/lib/access/accounts';
import type { Actor } from '@/lib/access/actor';
import { requireMember } from '@/lib/accounts/require-member';
import { AppError } from '@/lib/errors';
import { formatUsd } from '@/lib/money';
import { recordAudit } from '@/lib/platform/audit/record';
import type { SaveBudgetInput, SavePolicyInput } from './contract';

/** Returns the policy of an account. @throws AppError not_found for an account of which the actor is no member; forbidden */
export async function getPolicy(actor: Actor, accountId: string): Promise<AccountPolicy> {
  await requireMember(db(), actor, accountId, 'account:documents');
  const [row] = await db().select({ policy: accounts.policy }).from(accounts).where(eq(accounts.id, accountId));
  return row?.policy ?? {};
}

/**
 * Replaces the policy of an account. Open requests and the next orders meet the new one.
 * @throws AppError not_found for an account of which the actor is no member; forbidden
 */
export async function savePolicy(actor: Actor, accountId: string, input: SavePolicyInput): Promise<AccountPolicy> {
  return db().transaction(async (tx) => {
    await lockSpending(tx, accountId);
    const { name } = await requireMember(tx, actor, accountId, 'account:manage');
    const [before] = await tx.select({ policy: accounts.policy }).from(accounts).where(eq(accounts.id, accountId));
    const policy = toPolicy(input);
    await tx
      .update(accounts)
      .set({ policy, version: sql`${accounts.version} + 1`, updatedAt: sql`now()` })
      .where(eq(accounts.id, accountId));
    await recordAudit(
      tx,
      { ...actor, accountName: name },
      {
        action: 'account.policy_saved',
        details: 'The policy for orders of the account was saved.',
        entityType: 'account',
        entityId: accountId,
        before: { policy: before?.policy ?? {} },
        after: { policy },
      },
    );
    return policy;
  });
}

/** Returns a policy without the fields that demand nothing: an empty one is none. */
function toPolicy({ minDr, minTraffic, forbiddenNiches, rel, approvalAboveCents }: SavePolicyInput): AccountPolicy {
  return {
    ...(minDr !== undefined && minDr > 0 && { minDr }),
    ...(minTraffic !== undefined && minTraffic > 0 && { minTraffic }),
    ...(forbiddenNiches !== undefined && forbiddenNiches.length > 0 && { forbiddenNiches }),
    ...(rel !== undefined && rel !== 'any' && { rel }),
    ...(approvalAboveCents !== undefined && { approvalAboveCents }),
  };
}

/**
 * Sets or removes the monthly budget of a project.
 * @throws AppError not_found, also for a project of another account
 */
export async function saveBudget(actor: Actor, projectId: string, { monthlyCents }: SaveBudgetInput): Promise<void> {
  await db().transaction(async (tx) => {
    await lockSpending(tx, actor.accountId);
    const isOwn = and(
      eq(projects.id, projectId),
      isInScope(actor, { accountId: projects.accountId, projectId: projects.id }),
      isNull(projects.deletedAt),
    );
    const [before] = await tx
      .select({ domain: projects.domain, monthlyBudgetCents: projects.monthlyBudgetCents })
      .from(projects)
      .where(isOwn)
      .for('no key update');
    if (!before) throw new AppError('not_found', 'This project does not exist.');
    await tx.update(projects).set({ monthlyBudgetCents: monthlyCents }).where(isOwn);
    const budget = monthlyCents === null ? 'removed' : `set to ${formatUsd(monthlyCents)}`;
    await recordAudit(tx, actor, {
      action: 'project.budget_saved',
      details: `The monthly budget of ${before.domain} was ${budget}.`,
      entityType: 'project',
      entityId: projectId,
      before: { monthlyBudgetCents: before.monthlyBudgetCents },
      after: { monthlyBudgetCents: monthlyCents },
    });
  });
}
