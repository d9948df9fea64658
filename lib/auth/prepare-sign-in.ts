import { redirect } from 'next/navigation';
import { mayAccess } from '../access/authorize';
import { currentActor } from './current-actor';
import { type DemoAccount, demoAccount } from './demo-account';
import { type Portal, portals } from './portals';
import { getReturnPath } from './return-path';

const homes = Object.values(portals).map(({ home }) => home);

/**
 * Prepares a sign-in page. A signed-in user with access is redirected to the portal's home. The redirect does not use
 * `next`, because a page without access redirects here, which would cause a loop.
 * @param next the `next` parameter of the URL, not validated
 * @returns destination: the validated path to open after sign-in; its own portal checks access
 */
export async function prepareSignIn(
  portal: Portal,
  next: string | string[] | undefined,
): Promise<{ destination: string; demoAccount: DemoAccount | null }> {
  const { home, access } = portals[portal];
  const actor = await currentActor();
  if (actor && mayAccess(actor, access)) redirect(home);
  const wanted = Array.isArray(next) ? next[0] : next;
  return { destination: getReturnPath(wanted, home, homes), demoAccount: demoAccount(portal) };
}
