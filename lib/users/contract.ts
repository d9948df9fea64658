import { z } from 'zod';
import { type UserStatus, userStatuses } from '@/db/schema/users';
import { emailField, newPasswordField } from '@/lib/auth/contract';
import { tagParam } from '@/lib/notes/schemas';
import {
  choiceParam,
  idCursorField,
  integerParam,
  nameField,
  offsetParam,
  pageQuery,
} from '@/lib/platform/http/fields';

/** GET /api/admin/users; at most 500 users. */
export const walletUsersQuery = pageQuery(500, 500).extend({
  kind: choiceParam(['personal', 'team'])
    .default('personal')
    .describe('`team` lists the accounts of teams, whose `email` is that of an owner.'),
  q: z.string().trim().max(200).optional(),
  cursor: idCursorField,
});

/** The page sizes of Users. */
export const userPageSizes = [10, 25, 50, 100] as const;
export const defaultUserPageSize = 25;

const search = {
  q: z.string().trim().max(200).optional(),
  role: z.string().trim().max(200).optional(),
  status: choiceParam(userStatuses).optional(),
  tag: tagParam.describe('An internal tag of the user.'),
};

/** The filters of the user list. */
export const userFilter = z.object(search);
export type UserFilter = z.output<typeof userFilter>;

/** GET /api/users: all users, or one page with a limit. */
export const usersQuery = z.object({
  ...search,
  limit: integerParam(1, 500).optional(),
  offset: offsetParam,
  cursor: idCursorField,
});

const userName = nameField('Enter a name.', 120, 'Name must be at most 120 characters.');
const roleField = nameField('Choose a role.', 200);
const statusField = z.enum(userStatuses, `Use one of ${userStatuses.join(', ')}.`);

/** POST /api/users. */
export const createUserBody = z.object({
  name: userName,
  email: emailField,
  status: statusField.default('Active'),
  role: roleField.default('User'),
  password: newPasswordField
    .optional()
    .describe('Without a password the user is Pending, and is mailed a link to set one, which is valid for 7 days.'),
});
export type CreateUserInput = z.output<typeof createUserBody>;

/**
 * PUT /api/users/{id}; omitted fields stay unchanged. The form sends no password, other clients may. `version` is the
 * version on which the edit is based; a stale edit is rejected.
 */
export const updateUserBody = z.object({
  name: userName.optional(),
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
    name: userName,
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

/** An account with the wallet's balance, as `wallet-users.ts` reads it. */
export type WalletUserRow = {
  id: string;
  kind: 'personal' | 'team';
  name: string;
  email: string;
  role: string;
  status: UserStatus;
  /** Integer USD cents. */
  balanceCents: number;
};

/** A user in a list of choices; with the balance for callers with ManageWallets. */
type WalletUserView = z.output<typeof walletUserResponse>;

/** Returns a user with the wallet. @param withBalance whether the caller manages wallets; others do not see balances */
export function walletUserView({ balanceCents, ...user }: WalletUserRow, withBalance: boolean): WalletUserView {
  return withBalance ? { ...user, balance_cents: balanceCents } : user;
}

/** A user of Users, as `directory-queries.ts` reads it. */
export type PersonRow = {
  id: string;
  name: string;
  email: string;
  role: string;
  status: UserStatus;
  permissions: string[];
  version: number;
  /** When staff invited the user, who has not set a password since. */
  invitedAt: Date | null;
  createdAt: Date;
  /** The last activity over all sessions; null for a user who has never signed in. */
  lastSeenAt: Date | null;
};

/** A user in the responses of /api/users. */
export type PersonView = z.output<typeof personResponse>;

export function personView({ id, name, email, role, status, version, createdAt, lastSeenAt }: PersonRow): PersonView {
  return {
    id,
    name,
    email,
    role,
    status,
    version,
    createdAt: createdAt.toISOString(),
    lastSeenAt: lastSeenAt?.toISOString() ?? null,
  };
}

const person = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  role: z.string(),
  status: z.enum(userStatuses),
});

/** The schema of a user in the responses of /api/users. */
export const personResponse = person
  .extend({
    version: z.int().describe('The version to send with an update, so that concurrent changes are detected.'),
    createdAt: z.iso.datetime(),
    lastSeenAt: z.iso.datetime().nullable().describe('Null for a user who has never signed in.'),
  })
  .meta({ title: 'User' });

/** The schema of a user in a list of choices. */
export const walletUserResponse = person
  .extend({
    kind: z.enum(['personal', 'team']).describe('Of the account with this id.'),
    balance_cents: z.int().optional().describe('USD cents; only for callers who manage wallets.'),
  })
  .meta({ title: 'WalletUser' });

/** POST /api/profile/avatar. */
export const avatarResponse = z.object({ avatar: z.string().describe("The picture's hash.") });
