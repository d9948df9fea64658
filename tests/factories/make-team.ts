import { db } from '@/db/client';
import { type AccountRole, accountRoles } from '@/db/enums';
import { accountMembers, accounts } from '@/db/schema/accounts';
import type { Actor } from '@/lib/access/actor';
import { newId } from '@/lib/ids';
import { makeUser } from './make-user';

type Team = { accountId: string; accountName: string };

/** Makes a user a member of an account. @returns the actor of the member in this account */
export async function joinTeam(
  user: Actor,
  { accountId, accountName }: Team,
  role: AccountRole,
  values: Partial<Pick<typeof accountMembers.$inferInsert, 'projectIds' | 'monthlyLimitCents'>> = {},
): Promise<Actor> {
  const { projectIds = null } = values;
  await db()
    .insert(accountMembers)
    .values({ accountId, userId: user.userId, role, ...values });
  return {
    ...{ ...user, accountId, accountName, accountRole: role, projectIds },
    memberOf: [...user.memberOf, accountId],
  };
}

/** Creates an account of a team with one member of each role, each of whom sees all projects and has no limit. */
export async function makeTeam(
  values: Partial<typeof accounts.$inferInsert> = {},
): Promise<Team & { members: Record<AccountRole, Actor> }> {
  const owner = await makeUser();
  const id = newId();
  const name = values.name ?? `Team ${id.slice(-4)}`;
  await db()
    .insert(accounts)
    .values({ id, kind: 'team', name, email: owner.email, ...values });
  const team = { accountId: id, accountName: name };
  const join = async (role: AccountRole) => joinTeam(role === 'owner' ? owner : await makeUser(), team, role);
  const [first, manager, buyer, finance, client] = await Promise.all(accountRoles.map(join));
  if (!first || !manager || !buyer || !finance || !client) throw new Error('A role is missing.');
  return { ...team, members: { owner: first, manager, buyer, finance, client } };
}
