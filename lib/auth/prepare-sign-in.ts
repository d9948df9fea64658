import { redirect } from 'next/navigation';
import { mayAccess } from '@/lib/access/authorize';
import { currentActor } from './current-actor';
import { type DemoAccount, demoAccount } from './demo-account';
import { findHome } from './find-home';
import { type Portal, portals } from './portals';
import { getReturnPath } from './return-path';

const homes = Object.values(portals).map(({ home }) => home);

/**
 * Prepares a sign-in page. A signed-in user with access is redirected to the home. The redirect does not use
 * `next`, because a page without access redirects here, which would cause a loop.
 * @param next the `next` parameter of the URL, not validated
 * @returns destination: the validated path to open after sign-in, or null for the home that the sign-in returns; its own
 * portal checks access
 */
export async function prepareSignIn(
  portal: Portal,
  next: string | string[] | undefined,
): Promise<{ destination: string | null; demoAccount: DemoAccount | null }> {
  const { home, access } = portals[portal];
  const actor = await currentActor();
  if (actor && mayAccess(actor, access)) redirect(await findHome(portal, actor));
  const wanted = Array.isArray(next) ? next[0] : next;
  const destination = getReturnPath(wanted, home, homes);
  return { destination: destination === home ? null : destination, demoAccount: demoAccount(portal) };
}
