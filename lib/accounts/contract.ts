import { z } from 'zod';
import { accountRoles } from '@/db/enums';
import { emailField } from '@/lib/auth/contract';
import { nameField, versionField } from '@/lib/platform/http/fields';
import { walletBalanceResponse, walletBalanceView } from '@/lib/wallet/contract';
import type { ListedAccount, ListedInvitation, ListedMember } from './queries';

const idField = z.string().min(1).max(64);

export const accountParams = z.object({ id: idField.describe('An account of GET /api/user/accounts.') });
export const memberParams = accountParams.extend({ userId: idField.describe('The user id of a member.') });
export const invitationParams = accountParams.extend({
  invitationId: idField.describe('An open invitation of the account.'),
});
export const invitationTokenParams = z.object({
  token: z.string().min(1).max(200).describe('The last part of the address in the mail.'),
});

/** POST /api/user/accounts. */
export const createAccountBody = z.object({ name: nameField('Enter a name.', 100) });

/** PATCH /api/user/accounts/{id}. */
export const renameAccountBody = createAccountBody.extend({
  version: versionField.optional().describe('The version the request is based on; a stale one is refused.'),
});
export type RenameAccountInput = z.output<typeof renameAccountBody>;

const roleField = z.enum(accountRoles, `Choose a role: ${accountRoles.join(', ')}.`);

/** The most projects that a member can be limited to. */
const maxNamedProjects = 500;

const projectIdsField = z
  .union(
    [
      z.literal('all'),
      z
        .array(idField)
        .max(maxNamedProjects)
        .transform((ids) => [...new Set(ids)]),
    ],
    `Choose all projects, or up to ${maxNamedProjects} of them.`,
  )
  .describe('`all`, or the ids of the projects that the member sees.');

/** 10 million dollars. */
const maxMonthlyLimitCents = 1_000_000_000;

const limitField = z
  .int('Enter an amount, or no limit.')
  .min(0, 'Enter an amount of at least 0.')
  .max(maxMonthlyLimitCents, 'Enter at most 10 million dollars, or no limit.')
  .nullable()
  .describe(
    'The most that the orders of the member may cost in a calendar month (UTC) without an approval, in USD cents with tax; null for no limit.',
  );

/** POST /api/user/accounts/{id}/members. */
export const inviteMemberBody = z.object({
  email: emailField,
  role: roleField,
  projectIds: projectIdsField,
  monthlyLimitCents: limitField,
});
export type InviteMemberInput = z.output<typeof inviteMemberBody>;

/** PATCH /api/user/accounts/{id}/members/{userId}; omitted fields stay. */
export const updateMemberBody = z.object({
  role: roleField.optional(),
  projectIds: projectIdsField.optional(),
  monthlyLimitCents: limitField.optional(),
  version: versionField.optional().describe('The version the request is based on; a stale one is refused.'),
});
export type UpdateMemberInput = z.output<typeof updateMemberBody>;

/** The input of the account switcher. */
export const switchAccountInput = z.object({ accountId: idField });

const balanceFields = walletBalanceResponse.shape;

/** An account of the caller, with what the caller may do there. */
export const accountResponse = z
  .object({
    id: z.string(),
    name: z.string(),
    kind: z.enum(['personal', 'team']),
    role: z.enum(accountRoles).describe('Of the caller.'),
    projectIds: z.union([z.literal('all'), z.array(z.string())]).describe('The projects that the caller sees.'),
    monthlyLimitCents: z.int().nullable().describe('Of the caller, in USD cents; null for no limit.'),
    isActive: z.boolean().describe('Whether this request was made for the account.'),
    version: z.int().describe('Of the name and the policy.'),
    createdAt: z.iso.datetime(),
    balance_cents: balanceFields.balance_cents.nullable().describe('Null for a role that does not see the balance.'),
    balance_dollars: balanceFields.balance_dollars.nullable(),
    balance: balanceFields.balance.nullable(),
    balanceUsd: balanceFields.balanceUsd.nullable(),
    currency: balanceFields.currency,
  })
  .meta({ title: 'Account' });
type AccountView = z.output<typeof accountResponse>;

/** @param activeId the account of the request */
export function accountView(row: ListedAccount, activeId: string): AccountView {
  const { balanceCents, projectIds, createdAt, ...account } = row;
  const { currency, ...balance } = walletBalanceView(balanceCents ?? 0);
  return {
    ...account,
    projectIds: projectIds ?? 'all',
    isActive: account.id === activeId,
    createdAt: createdAt.toISOString(),
    ...(balanceCents === null
      ? { balance_cents: null, balance_dollars: null, balance: null, balanceUsd: null }
      : balance),
    currency,
  };
}

const membership = {
  role: z.enum(accountRoles),
  projectIds: z.union([z.literal('all'), z.array(z.string())]),
  monthlyLimitCents: z.int().nullable().describe('In USD cents; null for no limit.'),
  isManageable: z.boolean().describe('Whether the caller may change and remove it.'),
};

export const memberResponse = z
  .object({
    userId: z.string(),
    name: z.string(),
    email: z.string(),
    ...membership,
    version: z.int(),
    createdAt: z.iso.datetime().describe('When the person joined.'),
  })
  .meta({ title: 'Member' });
type MemberView = z.output<typeof memberResponse>;

export function memberView({ projectIds, createdAt, ...row }: ListedMember): MemberView {
  return { ...row, projectIds: projectIds ?? 'all', createdAt: createdAt.toISOString() };
}

export const invitationResponse = z
  .object({
    id: z.string(),
    email: z.string(),
    ...membership,
    invitedBy: z.string().describe('The address of the member who sent it.'),
    createdAt: z.iso.datetime(),
    expiresAt: z.iso.datetime(),
  })
  .meta({ title: 'MemberInvitation' });
type InvitationView = z.output<typeof invitationResponse>;

export function invitationView({ projectIds, createdAt, expiresAt, ...row }: ListedInvitation): InvitationView {
  return {
    ...row,
    projectIds: projectIds ?? 'all',
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  };
}

/** GET /api/user/accounts/{id}/members. */
export const membersResponse = z.object({
  members: z.array(memberResponse).describe('Owners first.'),
  invitations: z.array(invitationResponse).describe('Those that were not accepted yet, newest first.'),
});

/** POST /api/user/invitations/{token}/accept. */
export const acceptedResponse = z.object({
  account: accountResponse.pick({ id: true, name: true, kind: true, role: true }),
});
