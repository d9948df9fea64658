import 'server-only';
import { cookies } from 'next/headers';
import { isAccountRight } from '@/lib/access/account-roles';
import type { Actor } from '@/lib/access/actor';
import { type Access, requireAccess, requireNotViewing } from '@/lib/access/authorize';
import { env } from '@/lib/env';
import { type ActionDeclaration, createAction } from '@/lib/platform/http/action';
import { requireSameOrigin } from '@/lib/platform/http/origin';
import { countChange } from '@/lib/platform/rate-limits/consume';
import { bearerToken, currentActor, findActor } from './current-actor';
import { requireRecentAuthentication } from './recent-authentication';
import { recordChange } from './record-change';
import { sessionCookieName } from './session-token';
import { requireTwoStep } from './two-step';

/** Declares a server action that checks access against the database and the origin of the request. */
export const action = createAction<Actor, Access>(authorise, recordChange);

async function authorise(
  { access, recentAuthentication, beforeTwoStep, isBackground }: ActionDeclaration<Access>,
  { headerList, requestId, accountId }: { headerList: Headers; requestId: string; accountId: string | undefined },
): Promise<Actor | null> {
  const cookieJar = await cookies();
  // As in route(): browsers do not send a bearer token automatically, so it cannot be forged cross-site.
  if (bearerToken(headerList.get('authorization')) === null) {
    const hasSessionCookie = cookieJar.has(sessionCookieName());
    requireSameOrigin({ method: 'POST', headers: headerList, hasSessionCookie, appUrl: env().APP_URL });
  }
  if (access === 'public') return null;
  const named = isAccountRight(access) ? accountId : undefined;
  const found =
    isBackground || named !== undefined
      ? (await findActor({ cookies: cookieJar, headers: headerList }, { isBackground, accountId: named })).actor
      : await currentActor();
  if (found) requireNotViewing(found);
  // What it reads after its change is newer than `seen`.
  const actor = { ...requireAccess(found, access), requestId, seen: undefined };
  if (!beforeTwoStep) requireTwoStep(actor);
  countChange(actor.userId);
  if (recentAuthentication) requireRecentAuthentication(actor);
  return actor;
}
