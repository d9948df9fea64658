import 'server-only';
import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import type { Actor } from '../access/actor';
import { type Access, effectivePermissions, mayAccess } from '../access/authorize';
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

type ShellActor = Pick<Actor, 'name' | 'email' | 'role' | 'permissions' | 'twoStepDueAt'>;

/** The signed-in person as plain data for a portal's frame; nothing in it that their own browser must not see. */
export function shellUser(actor: ShellActor) {
  // Until two-step sign-in is set up every other page leads back to the Security page.
  const permissions = isTwoStepOverdue(actor) ? [] : effectivePermissions(actor);
  return { name: actor.name, email: actor.email, role: actor.role, permissions };
}
