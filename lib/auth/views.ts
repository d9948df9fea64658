import { z } from 'zod';
import { userStatuses } from '@/db/schema/users';
import type { Actor } from '@/lib/access/actor';
import { getEffectivePermissions } from '@/lib/access/authorize';
import { permissionNames } from '@/lib/roles/schemas';
import type { Portal } from './portals';

type Person = Pick<Actor, 'userId' | 'name' | 'email' | 'role' | 'status' | 'permissions'>;

/** The response of GET /api/user/auth/me and of the three sign-ins. */
export function sessionView(actor: Person) {
  const { userId, name, email, role, status } = actor;
  return { id: userId, name, email, role, status, permissions: getEffectivePermissions(actor) };
}

/** The responses of GET …/auth/me of each portal, limited to the fields that its screens use. */
export const meViews = {
  user: sessionView,
  admin: (actor: Person) => ({ email: actor.email, role: actor.role, permissions: getEffectivePermissions(actor) }),
  seller: ({ email, role }: Person) => ({ email, role }),
} satisfies Record<Portal, (actor: Person) => unknown>;

/** The schema of the signed-in user. */
const sessionResponse = z
  .object({
    id: z.string(),
    name: z.string(),
    email: z.string(),
    role: z.string(),
    status: z.enum(userStatuses),
    permissions: permissionNames.readonly(),
  })
  .meta({ title: 'Session' });

/** A path of this app. */
const homeField = z.string().meta({ description: 'The path of the page to open next.' });

/** POST …/auth/login. */
export const signInResponse = z.object({ user: sessionResponse, home: homeField });

/** GET /api/user/auth/verify. */
export const verifyResponse = z.object({ ok: z.literal(true), email: z.string(), home: homeField });

/** The schemas of GET …/auth/me of each portal. */
export const meResponses = {
  user: sessionResponse,
  admin: sessionResponse.pick({ email: true, role: true, permissions: true }).meta({ title: 'StaffSession' }),
  seller: sessionResponse.pick({ email: true, role: true }).meta({ title: 'SellerSession' }),
} satisfies Record<Portal, z.ZodType>;

export const reauthenticationResponse = z.object({ email: z.string(), isRecent: z.boolean() });
