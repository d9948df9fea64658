import { eq } from 'drizzle-orm';
import type { Executor } from '../../db/client';
import type { ProviderMode } from '../../db/schema/topups';
import { users } from '../../db/schema/users';
import { grantedPermissions } from '../acl/granted-permissions';
import { isPermission } from '../acl/permissions';
import { hasPermission } from '../acl/require';
import type { Actor } from '../auth/actor';
import { env } from '../env';

/**
 * Whether a person may top up in this mode. Test cards cost nothing, so in production only staff who set up payment
 * providers may use them; demo and test installations hold no real money.
 */
export function mayTopUpIn(mode: ProviderMode, person: Pick<Actor, 'role' | 'permissions'>): boolean {
  return mode === 'live' || env().APP_ENV !== 'production' || hasPermission(person, 'ManagePayments');
}

/** `mayTopUpIn` for the owner of a top-up, with the permissions of this moment. False for an unknown user. */
export async function mayOwnerTopUpIn(tx: Executor, mode: ProviderMode, userId: string): Promise<boolean> {
  if (mode === 'live' || env().APP_ENV !== 'production') return true;
  const [owner] = await tx
    .select({ role: users.role, permissions: grantedPermissions })
    .from(users)
    .where(eq(users.id, userId));
  return owner ? mayTopUpIn(mode, { role: owner.role, permissions: owner.permissions.filter(isPermission) }) : false;
}
