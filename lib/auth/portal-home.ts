import { and, eq, ne, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { accountMembers } from '@/db/schema/accounts';
import { ledgerAccounts } from '@/db/schema/ledger';
import { projects } from '@/db/schema/projects';
import type { Actor } from '@/lib/access/actor';
import { hasPermission } from '@/lib/access/authorize';
import { isSellerRole, type Rights } from '@/lib/access/permissions';
import { type Portal, portals } from './portals';

/** Returns the portal that a role is made for. Sellers and staff may also open the customer area. */
export function getOwnPortal(person: Rights): Portal {
  if (isSellerRole(person.role)) return 'seller';
  return hasPermission(person, 'AdminDashboard') ? 'admin' : 'user';
}

/**
 * Finds the page to open after a sign-in: the home of the portal, or that of the seller portal for a seller at the
 * customers' sign-in who has neither a project, a wallet nor a team, and for whom the customer area would be empty.
 */
export async function findHome(
  portal: Portal,
  person: Pick<Actor, 'userId' | 'role' | 'permissions'>,
): Promise<string> {
  if (portal !== 'user' || getOwnPortal(person) !== 'seller' || (await hasBought(person.userId)))
    return portals[portal].home;
  return portals.seller.home;
}

/**
 * Checks whether the user has used the customer area, or is a member of the account of others. Every order has a project and
 * was paid from a wallet.
 */
async function hasBought(userId: string): Promise<boolean> {
  const one = { one: sql`1` };
  const [found] = await db()
    .select(one)
    .from(projects)
    .where(eq(projects.accountId, userId))
    .unionAll(
      db()
        .select(one)
        .from(ledgerAccounts)
        .where(and(eq(ledgerAccounts.kind, 'wallet'), eq(ledgerAccounts.owner, userId))),
    )
    .unionAll(
      db()
        .select(one)
        .from(accountMembers)
        .where(and(eq(accountMembers.userId, userId), ne(accountMembers.accountId, userId))),
    )
    .limit(1);
  return found !== undefined;
}
