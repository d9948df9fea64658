import { and, eq } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { accountMembers, accounts } from '@/db/schema/accounts';
import { type AccountRight, hasAccountRight } from '@/lib/access/account-roles';
import { accountNotFoundError, isUsableAccount, shownName } from '@/lib/access/accounts';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';

/**
 * Reads an account of the actor with the actor's membership. It need not be the account of the request, except with an
 * API token, which belongs to one account.
 * @param right what the actor must be allowed to do there; null for what each member may
 * @throws AppError not_found for an account that does not exist or is not usable, or has no such member; forbidden without the
 * right
 */
export async function requireMember(tx: Executor, actor: Actor, accountId: string, right: AccountRight | null) {
  if (actor.token && actor.accountId !== accountId) throw accountNotFoundError();
  const [found] = await tx
    .select({
      id: accounts.id,
      kind: accounts.kind,
      name: shownName,
      email: accounts.email,
      version: accounts.version,
      createdAt: accounts.createdAt,
      role: accountMembers.role,
      projectIds: accountMembers.projectIds,
      monthlyLimitCents: accountMembers.monthlyLimitCents,
    })
    .from(accountMembers)
    .innerJoin(accounts, eq(accounts.id, accountMembers.accountId))
    .where(and(eq(accounts.id, accountId), eq(accountMembers.userId, actor.userId), isUsableAccount));
  if (!found) throw accountNotFoundError();
  if (right !== null && !hasAccountRight(found.role, right)) {
    const message = `Your role in ${found.name} (${found.role}) does not allow this.`;
    throw new AppError('forbidden', `${message} Ask an owner of the account.`);
  }
  return found;
}
