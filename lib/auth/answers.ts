import { z } from 'zod';
import { userStatuses } from '../../db/schema/users';
import { permissionNames } from '../acl/answers';
import type { Portal } from './portals';

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
