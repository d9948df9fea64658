import { effectivePermissions } from '../acl/effective-permissions';
import type { Actor } from './actor';

/** What GET /api/user/auth/me answers (spec 000, section 3: session). */
export function sessionView(actor: Pick<Actor, 'userId' | 'name' | 'email' | 'role' | 'status' | 'permissions'>) {
  const { userId, name, email, role, status } = actor;
  return { id: userId, name, email, role, status, permissions: effectivePermissions(actor) };
}
