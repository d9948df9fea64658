import { z } from 'zod';
import { agreedVersions } from '@/lib/settings/legal/schemas';
import { maxPasswordLength, minPasswordLength } from './portals';

/** Trimmed, with the maximum length of RFC 5321. */
export const emailField = z
  .string({ error: 'Email format looks invalid.' })
  .trim()
  .max(254, 'Email format looks invalid.')
  .pipe(z.email({ error: 'Email format looks invalid.' }));

/** Checks the length of a new password; `hashChosenPassword` checks whether it is hard to guess. */
export const newPasswordField = z
  .string({ error: 'Password must be at least 8 characters.' })
  .min(minPasswordLength, 'Password must be at least 8 characters.')
  .max(maxPasswordLength, `Password must be at most ${maxPasswordLength} characters.`);

export const signInBody = z.object({
  email: z.string({ error: 'Enter your email.' }).trim().min(1, 'Enter your email.').max(254),
  password: z.string({ error: 'Enter your password.' }).min(1, 'Enter your password.').max(256),
  remember: z.boolean().default(false),
  /** The authenticator's code or a recovery code, when the account requires one. */
  code: z.string().trim().max(40).default(''),
  agreedTo: agreedVersions.default({}),
});

/** POST …/auth/register. The status and role that the legacy path sends are ignored. */
export const registerBody = z.object({
  name: z.string().trim().max(120, 'Name must be at most 120 characters.').default(''),
  email: emailField,
  password: newPasswordField,
  agreedTo: agreedVersions.default({}),
});

/** POST …/forgot and …/verify/resend answer alike for any input; an invalid address matches no account. */
export const emailBody = z.object({ email: z.string().trim().max(254).catch('') });
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
