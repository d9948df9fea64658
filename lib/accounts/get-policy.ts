import { eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { type AccountPolicy, accounts } from '@/db/schema/accounts';
import type { AccountScope } from '@/lib/access/actor';

/** Returns what orders of the actor's account must keep to. */
export async function getPolicy({ accountId }: Pick<AccountScope, 'accountId'>): Promise<AccountPolicy> {
  const [account] = await db().select({ policy: accounts.policy }).from(accounts).where(eq(accounts.id, accountId));
  return account?.policy ?? {};
}
