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

type TeamValues = Partial<typeof accounts.$inferInsert>;

/** Creates an account of a team with an owner. @returns it with the actor of the owner in it */
export async function makeTeamOf(user: Actor, values: TeamValues = {}): Promise<Team & { owner: Actor }> {
  const id = newId();
  const team = { accountId: id, accountName: values.name ?? `Team ${id.slice(-4)}` };
  await db()
    .insert(accounts)
    .values({ id, kind: 'team', name: team.accountName, email: user.email, ...values });
  return { ...team, owner: await joinTeam(user, team, 'owner') };
}

/** Creates an account of a team with one member of each role, each of whom sees all projects and has no limit. */
export async function makeTeam(values: TeamValues = {}): Promise<Team & { members: Record<AccountRole, Actor> }> {
  const { owner, ...team } = await makeTeamOf(await makeUser(), values);
  const join = async (role: AccountRole) => (role === 'owner' ? owner : joinTeam(await makeUser(), team, role));
  const [first, manager, buyer, finance, client] = await Promise.all(accountRoles.map(join));
  if (!first || !manager || !buyer || !finance || !client) throw new Error('A role is missing.');
  return { ...team, members: { owner: first, manager, buyer, finance, client } };
}
