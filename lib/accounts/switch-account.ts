import { cookies } from 'next/headers';
import { db } from '@/db/client';
import { accountCookie } from '@/lib/access/account-choice';
import type { Actor } from '@/lib/access/actor';
import { isSecure, sessionSeconds } from '@/lib/auth/session-token';
import { requireMember } from './require-member';

/**
 * Chooses the account of this browser's next requests. The cookie gives no rights: each request reads the membership, and
 * without one acts for the personal account.
 * @throws AppError not_found for an account of which the actor is no member
 */
export async function switchAccount(actor: Actor, { accountId }: { accountId: string }): Promise<void> {
  await requireMember(db(), actor, accountId, null);
  const isPersonal = accountId === actor.userId;
  (await cookies()).set(accountCookie, isPersonal ? '' : accountId, {
    // Scripts of a page read it, to notice that another tab has switched.
    ...{ sameSite: 'lax', secure: isSecure(), path: '/' },
    maxAge: isPersonal ? 0 : sessionSeconds.remembered,
  });
}
