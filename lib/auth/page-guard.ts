import 'server-only';
import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import type { Actor } from '@/lib/access/actor';
import { type Access, getEffectivePermissions, mayAccess } from '@/lib/access/authorize';
import { currentActor } from './current-actor';
import { type Portal, portals } from './portals';
import { isTwoStepOverdue } from './two-step';

/**
 * Checks access to a page or layout of a portal against the database. Without access the user is redirected to the
 * portal's sign-in page, which returns to this page.
 * @param beforeTwoStep shows the page also to a user who must set up two-step sign-in first; other pages redirect such
 * a user to the portal's Security page
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

/** Returns the user's data for a portal's shell, which is sent to the browser. */
export function shellUser(actor: ShellActor) {
  // Until two-step sign-in is set up, all other pages redirect to the Security page.
  const permissions = isTwoStepOverdue(actor) ? [] : getEffectivePermissions(actor);
  return { name: actor.name, email: actor.email, role: actor.role, permissions };
}
