import { z } from 'zod';
import { userStatuses } from '@/db/schema/users';
import { emailField, newPasswordField } from '@/lib/auth/schemas';
import { idCursorField, pageQuery } from '@/lib/platform/http/fields';

/** GET /api/admin/users; at most 500 users. */
export const walletUsersQuery = pageQuery(500, 500).extend({
  q: z.string().trim().max(200).optional(),
  cursor: idCursorField,
});

/** The page sizes of Manage Users. */
export const userPageSizes = [10, 25, 50, 100] as const;
export const defaultUserPageSize = 25;

const search = {
  q: z.string().trim().max(200).optional().catch(undefined),
  role: z.string().trim().max(200).optional().catch(undefined),
  status: z.enum(userStatuses).optional().catch(undefined),
};

/** The filters of the user list in a URL; invalid values are ignored. */
export const userFilter = z.object(search);
export type UserFilter = z.output<typeof userFilter>;

/** GET /api/users: all users, or one page with a limit. */
export const usersQuery = z.object({
  ...search,
  limit: z.coerce.number().int().min(1).max(500).optional(),
  offset: z.coerce.number().int().min(0).max(10_000_000).default(0),
  cursor: idCursorField,
});

const nameField = z
  .string({ error: 'Enter a name.' })
  .trim()
  .min(1, 'Enter a name.')
  .max(120, 'Name must be at most 120 characters.');
const roleField = z.string({ error: 'Choose a role.' }).trim().min(1, 'Choose a role.').max(200);
const statusField = z.enum(userStatuses, `Use one of ${userStatuses.join(', ')}.`);

/** POST /api/users. */
export const createUserBody = z.object({
  name: nameField,
  email: emailField,
  status: statusField.default('Active'),
  role: roleField.default('User'),
  password: newPasswordField,
});
export type CreateUserInput = z.output<typeof createUserBody>;

/**
 * PUT /api/users/{id}; omitted fields stay unchanged. The form sends no password, other clients may. `version` is the
 * version on which the edit is based; a stale edit is rejected.
 */
export const updateUserBody = z.object({
  name: nameField.optional(),
  email: emailField.optional(),
  status: statusField.optional(),
  role: roleField.optional(),
  password: z.union([z.literal('').transform(() => undefined), newPasswordField]).optional(),
  version: z.number().int().min(1).optional(),
});
export type UpdateUserInput = z.output<typeof updateUserBody>;

/** PATCH /api/users/{id}. */
export const patchUserBody = z.object({ role: roleField });

export const userIdParams = z.object({ id: z.string().trim().min(1).max(64) });

/** The input of the profile settings. The current password is only required for some changes. */
export const profileInput = z
  .object({
    name: nameField,
    email: emailField,
    current: z.string().max(256).default(''),
    password: z.union([z.literal('').transform(() => undefined), newPasswordField]).optional(),
    confirm: z.string().max(256).default(''),
  })
  .refine(({ password, confirm }) => (password ?? '') === confirm, {
    path: ['confirm'],
    error: 'Passwords do not match.',
  });
export type ProfileInput = z.output<typeof profileInput>;
