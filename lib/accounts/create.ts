import { and, count, eq, isNull } from 'drizzle-orm';
import { db } from '@/db/client';
import { accountMembers, accounts } from '@/db/schema/accounts';
import { recordController } from '@/lib/access/account-controllers';
import { lockAccount } from '@/lib/access/accounts';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { newId } from '@/lib/ids';
import { recordAudit } from '@/lib/platform/audit/record';
import { consumeLimit } from '@/lib/platform/rate-limits/consume';
import type { ListedAccount } from './queries';
import { requireMember } from './require-member';

/** The most teams of which a person can be an owner when creating another. */
const maxTeams = 20;

/** Creates a team of which the actor is the owner. @throws AppError conflict above the number of teams, rate_limited */
export async function createAccount(actor: Actor, { name }: { name: string }): Promise<ListedAccount> {
  await consumeLimit('createAccount', { account: actor.userId, address: actor.ip });
  return db().transaction(async (tx) => {
    // Of concurrent requests each counts the others.
    await lockAccount(tx, actor.userId);
    await requireMember(tx, actor, actor.userId, null);
    const [owned] = await tx
      .select({ teams: count() })
      .from(accountMembers)
      .innerJoin(accounts, eq(accounts.id, accountMembers.accountId))
      .where(
        and(
          eq(accountMembers.userId, actor.userId),
          eq(accountMembers.role, 'owner'),
          eq(accounts.kind, 'team'),
          isNull(accounts.deletedAt),
        ),
      );
    if ((owned?.teams ?? 0) >= maxTeams) {
      throw new AppError(
        'conflict',
        `You own ${maxTeams} teams, which is the maximum. Delete one that you do not use.`,
      );
    }
    const id = newId();
    const [created] = await tx.insert(accounts).values({ id, kind: 'team', name, email: actor.email }).returning();
    if (!created) throw new Error('The account was not inserted.');
    const membership = { role: 'owner' as const, projectIds: null, monthlyLimitCents: null };
    await tx.insert(accountMembers).values({ ...membership, accountId: id, userId: actor.userId });
    await recordController(tx, actor, id);
    await recordAudit(
      tx,
      { ...actor, accountName: name },
      {
        action: 'account.created',
        details: `${actor.email} created the account.`,
        entityType: 'account',
        entityId: id,
        after: { name },
      },
    );
    const { kind, version, createdAt } = created;
    return { ...membership, id, name, kind, version, createdAt, balanceCents: 0 };
  });
}
