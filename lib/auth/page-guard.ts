import 'server-only';
import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { isAccountRight } from '@/lib/access/account-roles';
import type { Actor, Viewing } from '@/lib/access/actor';
import { type Access, getEffectivePermissions, inAccountOf, mayAccess } from '@/lib/access/authorize';
import { currentActor } from './current-actor';
import { type DemoAccount, demoAccount } from './password';
import { findHome } from './portal-home';
import { getReturnPath, limitReturnPath, type Portal, portals, setupPath } from './portals';
import { needsSetup } from './setup-code';
import { isTwoStepOverdue } from './two-step';
import { isViewedPage, viewedUserPage, viewingPage } from './viewing';

/** Where a sign-in may return to: the portals, and the invitations to accounts. */
const returnFolders = [...Object.values(portals).map(({ home }) => home), '/invitations'];

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
  await redirectToSetup();
  const { home, access } = portals[portal];
  const actor = await currentActor();
  if (actor && mayAccess(actor, access)) redirect(await findHome(portal, actor));
  const requested = Array.isArray(next) ? next[0] : next;
  const destination = getReturnPath(requested, home, returnFolders);
  return { destination: destination === home ? null : destination, demoAccount: demoAccount(portal) };
}

/** Redirects to the setup page while the installation has no admin. */
export async function redirectToSetup(): Promise<void> {
  if (await needsSetup()) redirect(setupPath);
}

/**
 * Checks access to a page or layout of a portal against the database. Without access the user is redirected to the
 * portal's sign-in page, which returns to this page; a member without the right of the account to the portal's home.
 * @param beforeTwoStep shows the page also to a user who must set up two-step sign-in first; other pages redirect such
 * a user to the portal's Security page
 */
export async function requirePage(
  portal: Portal,
  access: Exclude<Access, 'public'>,
  { beforeTwoStep = false }: { beforeTwoStep?: boolean } = {},
): Promise<Actor> {
  const actor = await currentActor();
  if (actor?.viewing) await requireViewedPage(actor.viewing, portal);
  if (actor && mayAccess(actor, access)) {
    if (!beforeTwoStep && isTwoStepOverdue(actor)) redirect(portals[portal].security);
    return inAccountOf(actor, access);
  }
  // The home shows each member what the role may do.
  if (actor && isAccountRight(access)) redirect(portals[portal].home);
  const path = limitReturnPath((await headers()).get('x-path') ?? '');
  const back = path ? `?next=${encodeURIComponent(path)}` : '';
  redirect(`${portals[portal].signIn}${back}`);
}

/** Redirects from the pages that a view of another user's portal does not show, and after its end to the user's page. */
async function requireViewedPage({ isOver, userId }: Viewing, portal: Portal): Promise<void> {
  if (isOver) redirect(viewedUserPage(userId));
  if (portal === 'admin' || !isViewedPage((await headers()).get('x-path') ?? '')) redirect(viewingPage);
}

type ShellActor = Pick<Actor, 'name' | 'email' | 'role' | 'permissions' | 'twoStepDueAt'>;

/** Returns the user's data for a portal's shell, which is sent to the browser. */
export function shellUser(actor: ShellActor) {
  // Until two-step sign-in is set up, all other pages redirect to the Security page.
  const permissions = isTwoStepOverdue(actor) ? [] : getEffectivePermissions(actor);
  return { name: actor.name, email: actor.email, role: actor.role, permissions };
}
