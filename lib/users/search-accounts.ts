import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { accounts, teamSearchText } from '@/db/schema/accounts';
import { userSearchText, users } from '@/db/schema/users';
import { textContains } from '@/db/search';
import type { Reader } from '@/db/snapshot';
import { matchesUser } from './queries';

/** Builds the query of the ids of the teams that match a condition. */
const teamsWhere = (condition: SQL) =>
  sql`select ${accounts.id} from ${accounts} where ${accounts.kind} = 'team' and ${condition}`;

/**
 * Matches the accounts of the users that `matchesUser` matches, and the teams whose name or address contains the text, or
 * whose id equals it; undefined without a text.
 */
export function matchesAccount(q: string | undefined): SQL | undefined {
  if (!q) return undefined;
  const isTeam = sql`(${accounts.id} = ${q.toLowerCase()} or ${textContains(teamSearchText, q)})`;
  return sql`${accounts.id} in (
    select ${users.id} from ${users} where ${matchesUser(q)} union all ${teamsWhere(isTeam)})`;
}

/** Builds the query of the ids of the users and teams whose name or address, or a user's role, contains the text. */
const selectMatching = (text: string): SQL =>
  sql`select ${users.id} from ${users} where ${textContains(userSearchText, text)}
    union all ${teamsWhere(textContains(teamSearchText, text))}`;

const maxMatched = 2_000;

/** Finds the users and teams whose name or address, or a user's role, contains the text; 'many' for more than 2,000. */
export async function findMatchingAccounts(text: string, on: Reader = db()): Promise<string[] | 'many'> {
  const found = await on
    .select({ id: sql<string>`id` })
    .from(sql`(${selectMatching(text)}) as matched`)
    .limit(maxMatched + 1);
  return found.length > maxMatched ? 'many' : found.map(({ id }) => id);
}

/** Builds the condition that `findMatchingAccounts` finds an account. `accountId` is no column of `accounts`. */
export const isMatchingAccount = (accountId: SQLWrapper | string, text: string): SQL<boolean> =>
  sql<boolean>`(exists (select from ${users} where ${users.id} = ${accountId} and ${textContains(userSearchText, text)})
    or exists (${teamsWhere(sql`${accounts.id} = ${accountId} and ${textContains(teamSearchText, text)}`)}))`;
