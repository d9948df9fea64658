import { z } from 'zod';
import { userStatuses } from '../../db/schema/users';
import type { Actor } from '../access/actor';
import { effectivePermissions } from '../access/authorize';
import { permissionNames } from '../roles/schemas';
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

/** Who is signed in (spec 000, section 3: session). */
const sessionAnswer = z
  .object({
    id: z.string(),
    name: z.string(),
    email: z.string(),
    role: z.string(),
    status: z.enum(userStatuses),
    permissions: permissionNames.readonly(),
  })
  .meta({ title: 'Session' });

/** POST …/auth/login. */
export const signInAnswer = z.object({ user: sessionAnswer });

/** GET …/auth/me of each portal: no more than its screens read. */
export const meAnswers = {
  user: sessionAnswer,
  admin: sessionAnswer.pick({ email: true, role: true, permissions: true }).meta({ title: 'StaffSession' }),
  seller: sessionAnswer.pick({ email: true, role: true }).meta({ title: 'SellerSession' }),
} satisfies Record<Portal, z.ZodType>;

export const reauthenticationAnswer = z.object({ email: z.string(), isRecent: z.boolean() });
