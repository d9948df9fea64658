import { effectivePermissions } from '../acl/effective-permissions';
import type { Actor } from './actor';

/** The signed-in person as plain data for a portal's frame; nothing in it that their own browser must not see. */
export function shellUser(actor: Pick<Actor, 'name' | 'email' | 'role' | 'permissions'>) {
  return { name: actor.name, email: actor.email, role: actor.role, permissions: effectivePermissions(actor) };
}
