import { z } from 'zod';
import { userStatuses } from '@/db/schema/users';
import type { Actor } from '@/lib/access/actor';
import { getEffectivePermissions } from '@/lib/access/authorize';
import { permissions } from '@/lib/access/permissions';
import { normalizeLine } from '@/lib/network/visible-text';
import { lineField, nameField, optionalNameField } from '@/lib/platform/http/fields';
import { agreedVersions } from '@/lib/settings/legal/schemas';
import { maxPasswordLength, minPasswordLength, type Portal, portalNames } from './portals';

export const permissionNames = z.array(z.enum(permissions));

/** Trimmed, with the maximum length of RFC 5321. */
export const emailField = z
  .string({ error: 'Email format looks invalid.' })
  .overwrite(normalizeLine)
  .max(254, 'Email format looks invalid.')
  .pipe(z.email({ error: 'Email format looks invalid.' }));

/** Checks the length of a new password; `hashChosenPassword` checks whether it is hard to guess. */
export const newPasswordField = z
  .string({ error: 'Password must be at least 8 characters.' })
  .min(minPasswordLength, 'Password must be at least 8 characters.')
  .max(maxPasswordLength, `Password must be at most ${maxPasswordLength} characters.`);

const agreedToField = agreedVersions
  .optional()
  .describe(
    'The versions of the legal documents that the user agrees to. With this field, even empty, a user who has not agreed to the published versions is refused with `fields.agreement`.',
  );

export const signInBody = z.object({
  email: nameField('Enter your email.', 254),
  password: z.string({ error: 'Enter your password.' }).min(1, 'Enter your password.').max(256),
  remember: z.boolean().default(false),
  /** The authenticator's code or a recovery code, when the account requires one. */
  code: z.string().trim().max(40).default(''),
  agreedTo: agreedToField,
});

/** POST …/auth/register. The status and role that the legacy path sends are ignored. */
export const registerBody = z.object({
  name: optionalNameField(120, 'Name must be at most 120 characters.', 'Enter your name.').default(''),
  email: emailField,
  password: newPasswordField,
  agreedTo: agreedVersions.default({}),
});

/** POST …/forgot and …/verify/resend answer alike for any input; an invalid address matches no account. */
export const emailBody = z.object({ email: lineField(254).catch('') });
export const resetBody = z.object({
  token: z.string({ error: 'Missing token.' }).min(1, 'Missing token.').max(200),
  password: newPasswordField,
});
export const verifyQuery = z.object({
  token: z.string({ error: 'Missing verification token.' }).min(1, 'Missing verification token.').max(200),
});

const oldPasswordField = (message: string) => z.string({ error: message }).min(1, message).max(256);

export const changePasswordInput = z
  .object({
    current: oldPasswordField('Enter your current password.'),
    password: newPasswordField,
    confirm: z.string().max(256),
  })
  .refine(({ password, confirm }) => password === confirm, { path: ['confirm'], error: 'Passwords do not match.' });

export const ownPasswordInput = z.object({ password: oldPasswordField('Enter your password.') });

/** Whitespace is removed: apps show the code in two groups. */
export const totpCodeInput = z.object({
  code: z
    .string({ error: 'Enter the code.' })
    .transform((code) => code.replace(/\s/g, ''))
    .pipe(z.string().regex(/^\d{6}$/, 'Enter the 6-digit code shown in the app.')),
});

export const sessionInput = z.object({ sessionId: z.string().min(1).max(40) });

export const userSessionsInput = z.object({ email: emailField });

const portal = z.enum(portalNames);

const base64url = (maxLength: number) =>
  z
    .string()
    .min(1)
    .max(maxLength)
    .regex(/^[\w-]+$/, 'This is not base64url.');

const credential = {
  id: base64url(1_400),
  rawId: base64url(1_400),
  type: z.literal('public-key'),
  authenticatorAttachment: z.enum(['platform', 'cross-platform']).optional().catch(undefined),
  /** Extension results are not used. */
  clientExtensionResults: z.unknown().transform(() => ({})),
};

/** RegistrationResponseJSON of WebAuthn, without fields that the server derives. */
const passkeyRegistration = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url(4_000),
    attestationObject: base64url(20_000),
    transports: z.array(z.string().max(20)).max(10).default([]),
  }),
});
export type PasskeyRegistration = z.output<typeof passkeyRegistration>;

/** AuthenticationResponseJSON of WebAuthn. */
export const passkeyAssertion = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url(4_000),
    authenticatorData: base64url(4_000),
    signature: base64url(4_000),
    userHandle: base64url(100).optional().catch(undefined),
  }),
});
export type PasskeyAssertion = z.output<typeof passkeyAssertion>;

export const addPasskeyInput = z.object({
  name: nameField('Enter a name.', 60, 'The name must be at most 60 characters.'),
  response: passkeyRegistration,
});

export const removePasskeyInput = z.object({
  passkeyId: z.string().min(1).max(40),
  password: z.string({ error: 'Enter your password.' }).min(1, 'Enter your password.').max(256),
});

export const passkeySignInInput = z.object({
  portal,
  remember: z.boolean().default(false),
  agreedTo: agreedToField,
  response: passkeyAssertion,
});
export const beginSecondFactorInput = signInBody.pick({ email: true, password: true }).extend({ portal });
export const secondFactorInput = beginSecondFactorInput.extend({
  remember: z.boolean().default(false),
  agreedTo: agreedToField,
  response: passkeyAssertion,
});

type Person = Pick<Actor, 'userId' | 'name' | 'email' | 'role' | 'status' | 'permissions'>;

/** Returns the response of GET /api/user/auth/me and of the three sign-ins. */
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
export const verifyResponse = z.object({
  ok: z.literal(true),
  email: z.string(),
  home: homeField,
  isSignedIn: z
    .boolean()
    .meta({ description: 'Whether the call set the session cookie, as from the page of the link.' }),
});

/** The schemas of GET …/auth/me of each portal. */
export const meResponses = {
  user: sessionResponse,
  admin: sessionResponse.pick({ email: true, role: true, permissions: true }).meta({ title: 'StaffSession' }),
  seller: sessionResponse.pick({ email: true, role: true }).meta({ title: 'SellerSession' }),
} satisfies Record<Portal, z.ZodType>;

export const reauthenticationResponse = z.object({ email: z.string(), isRecent: z.boolean() });
