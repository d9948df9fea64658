import { z } from 'zod';
import { maxPasswordLength, minPasswordLength } from './password-rule';

/** Trimmed; at most what an address may be (RFC 5321). */
export const emailField = z
  .string({ error: 'Email format looks invalid.' })
  .trim()
  .max(254, 'Email format looks invalid.')
  .pipe(z.email({ error: 'Email format looks invalid.' }));

/** The length of a password that a person chooses; `hashChosenPassword` decides whether it is hard enough to guess. */
export const newPasswordField = z
  .string({ error: 'Password must be at least 8 characters.' })
  .min(minPasswordLength, 'Password must be at least 8 characters.')
  .max(maxPasswordLength, `Password must be at most ${maxPasswordLength} characters.`);

export const signInBody = z.object({
  email: z.string({ error: 'Enter your email.' }).trim().min(1, 'Enter your email.').max(254),
  password: z.string({ error: 'Enter your password.' }).min(1, 'Enter your password.').max(256),
  remember: z.boolean().default(false),
  /** The authenticator's code or a recovery code, once the account asks for one. */
  code: z.string().trim().max(40).default(''),
});

/** POST …/auth/register. The older one also sends status and role, which nobody may choose (decision 4). */
export const registerBody = z.object({
  name: z.string().trim().max(120, 'Name must be at most 120 characters.').default(''),
  email: emailField,
  password: newPasswordField,
});

/** POST …/forgot and …/verify/resend answer alike whatever they are sent: what is no address finds nobody. */
export const emailBody = z.object({ email: z.string().trim().max(254).catch('') });
export const resetBody = z.object({
  token: z.string({ error: 'Missing token.' }).min(1, 'Missing token.').max(200),
  password: newPasswordField,
});
export const verifyQuery = z.object({
  token: z.string({ error: 'Missing verification token.' }).min(1, 'Missing verification token.').max(200),
});
