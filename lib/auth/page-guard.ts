import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { type Access, mayAccess } from '../acl/require';
import type { Actor } from './actor';
import { currentActor } from './current-actor';
import { type Portal, portals } from './portals';
import { isTwoStepOverdue } from './two-step-rule';

/**
 * The guard of every page and layout of a portal, against the database. Sends whoever may not see it to the portal's
 * sign-in, which returns to this page afterwards.
 * @param beforeTwoStep shows the page also to a person who has to set up two-step sign-in first; anything else leads such
 * a person to the portal's Security page
 */
export async function requirePage(
  portal: Portal,
  access: Exclude<Access, 'public'>,
  { beforeTwoStep = false }: { beforeTwoStep?: boolean } = {},
): Promise<Actor> {
  const actor = await currentActor();
  if (actor && mayAccess(actor, access)) {
    if (!beforeTwoStep && isTwoStepOverdue(actor)) redirect(portals[portal].security);
    return actor;
  }
  const path = (await headers()).get('x-path') ?? '';
  const back = path ? `?next=${encodeURIComponent(path)}` : '';
  redirect(`${portals[portal].signIn}${back}`);
}
