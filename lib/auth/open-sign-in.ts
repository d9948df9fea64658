import { redirect } from 'next/navigation';
import { mayAccess } from '../access/authorize';
import { currentActor } from './current-actor';
import { type DemoAccount, demoAccount } from './demo-account';
import { type Portal, portals } from './portals';
import { returnPath } from './return-path';

const homes = Object.values(portals).map(({ home }) => home);

/**
 * What a sign-in page needs to know. Somebody who is signed in already and may come in goes to the portal's home (not
 * to `next`: a page they may not open sent them here, and they would go round in circles).
 * @param next the `next` parameter of the address; anything
 * @returns destination: the checked path to open after sign-in; one in another portal is for that one's guard to admit
 */
export async function openSignIn(
  portal: Portal,
  next: string | string[] | undefined,
): Promise<{ destination: string; demoAccount: DemoAccount | null }> {
  const { home, access } = portals[portal];
  const actor = await currentActor();
  if (actor && mayAccess(actor, access)) redirect(home);
  const wanted = Array.isArray(next) ? next[0] : next;
  return { destination: returnPath(wanted, home, homes), demoAccount: demoAccount(portal) };
}
