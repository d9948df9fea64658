import { effectivePermissions } from '../acl/effective-permissions';
import type { Actor } from './actor';
import type { Portal } from './portals';

type Person = Pick<Actor, 'userId' | 'name' | 'email' | 'role' | 'status' | 'permissions'>;

/** What GET /api/user/auth/me and the three sign-ins answer (spec 000, section 3: session). */
export function sessionView(actor: Person) {
  const { userId, name, email, role, status } = actor;
  return { id: userId, name, email, role, status, permissions: effectivePermissions(actor) };
}

/** What GET …/auth/me of each portal answers: no more than its screens read. */
export const meViews = {
  user: sessionView,
  admin: (actor: Person) => ({ email: actor.email, role: actor.role, permissions: effectivePermissions(actor) }),
  seller: ({ email, role }: Person) => ({ email, role }),
} satisfies Record<Portal, (actor: Person) => unknown>;
