import { effectivePermissions } from '../acl/effective-permissions';
import type { Actor } from './actor';
import { isTwoStepOverdue } from './two-step-rule';

type ShellActor = Pick<Actor, 'name' | 'email' | 'role' | 'permissions' | 'twoStepDueAt'>;

/** The signed-in person as plain data for a portal's frame; nothing in it that their own browser must not see. */
export function shellUser(actor: ShellActor) {
  // Until two-step sign-in is set up every other page leads back to the Security page.
  const permissions = isTwoStepOverdue(actor) ? [] : effectivePermissions(actor);
  return { name: actor.name, email: actor.email, role: actor.role, permissions };
}
