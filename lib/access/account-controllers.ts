import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Executor } from '@/db/client';
import { accountControllers } from '@/db/schema/accounts';
import type { AnyActor } from './actor';

/**
 * Records that the actor can act through a user's account, in the transaction that gives this ability. Scripts control
 * no account.
 */
export async function recordController(
  tx: Executor,
  { userId: controllerId }: Pick<AnyActor, 'userId'>,
  accountId: string,
) {
  if (controllerId === null || controllerId === accountId) return;
  await tx.insert(accountControllers).values({ accountId, controllerId }).onConflictDoNothing();
}

type UserId = string | SQLWrapper;

/** Builds the query of a user's id and those of all who control the account, also through other accounts. */
const controllersOf = (userId: UserId | null): SQL => sql`(
  with recursive controllers (id) as (
    select ${userId}::text
    union select account_controllers.controller_id from account_controllers join controllers
      on account_controllers.account_id = controllers.id
  ) select id from controllers)`;

/**
 * Builds the condition that one person may act through both accounts: one of them controls the other, or a third person
 * controls both. An admin is no such third person: otherwise no two of the people whom one admin added could approve each
 * other's changes.
 */
export const isSamePerson = (one: UserId, other: UserId): SQL<boolean> => sql<boolean>`exists (
  select from ${controllersOf(one)} one join ${controllersOf(other)} other on one.id = other.id
  where one.id in (${one}, ${other})
    or not exists (select from users admins where admins.id = one.id and lower(admins.role) = 'admin'))`;

/**
 * Builds the array of the accounts that `isSamePerson` connects with a user's, and the user's own, for sums that an index
 * on the account serves.
 */
export const accountsOfPerson = (userId: string): SQL => sql`array(
  with recursive controllers (id) as ${controllersOf(userId)}, accounts (id) as (
    select controllers.id from controllers
      where controllers.id = ${userId}
        or not exists (select from users admins where admins.id = controllers.id and lower(admins.role) = 'admin')
    union select account_controllers.account_id from account_controllers join accounts
      on account_controllers.controller_id = accounts.id
  ) select id from accounts union select id from controllers)`;

/**
 * Locks the users who control a user's account, and the other account, so that what one person does, and what one wallet
 * receives, is counted one by one.
 */
export async function lockControllers(tx: Executor, userId: string, otherId: string): Promise<void> {
  await tx.execute(sql`select from users where users.id = ${otherId} or users.id in ${controllersOf(userId)}
    order by users.id for no key update`);
  // A team is no user.
  await tx.execute(sql`select from accounts where id = ${otherId} and kind = 'team' for no key update`);
}

/** Builds the condition that a user owns an account or controls it. False for an account that is null. */
export const isControlledBy = (account: UserId | null, userId: UserId): SQL<boolean> =>
  sql<boolean>`coalesce(${userId}::text in ${controllersOf(account)}, false)`;

/**
 * Builds the condition that a user gains by the money of an account: who owns or controls it, its members, and the former
 * ones of a team. False for an account that is null.
 */
export const gainsBy = (account: UserId | null, userId: UserId): SQL<boolean> => sql<boolean>`(
  ${isControlledBy(account, userId)}
  or exists (select from account_members where account_id = ${account} and user_id = ${userId}))`;

/** Builds the condition that a user is or was a member of a team. False for a personal account. */
export const wasMember = (accountId: UserId, userId: UserId): SQL<boolean> => sql<boolean>`exists (
  select from account_controllers team join accounts on accounts.id = team.account_id and accounts.kind = 'team'
  where team.account_id = ${accountId} and team.controller_id = ${userId})`;

/**
 * Lists who acts or acted for an account, and since when: its members, and of a team also the former ones. The person of
 * a personal account is among them.
 */
export async function listBuyersSide(accountId: string, on: Pick<Executor, 'execute'>): Promise<Map<string, Date>> {
  const rows = await on.execute(sql`
    select user_id as id, created_at as since from account_members where account_id = ${accountId}
    union all
    select team.controller_id, team.created_at from account_controllers team
      join accounts on accounts.id = team.account_id and accounts.kind = 'team' where team.account_id = ${accountId}
    order by since desc`);
  return new Map(
    z
      .array(sinceRow)
      .parse([...rows])
      .map(({ id, since }) => [id, since]),
  );
}
const sinceRow = z.object({ id: z.string(), since: z.coerce.date() });

const row = z.object({ holds: z.boolean() });

/** Evaluates one of these conditions. */
export async function holds(tx: Pick<Executor, 'execute'>, condition: SQL<boolean>): Promise<boolean> {
  const [found] = await tx.execute(sql`select ${condition} as holds`);
  return row.parse(found).holds;
}
