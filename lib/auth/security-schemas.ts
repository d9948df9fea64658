import { z } from 'zod';
import { emailField, newPasswordField } from './schemas';

const oldPasswordField = (message: string) => z.string({ error: message }).min(1, message).max(256);

export const changePasswordInput = z
  .object({
    current: oldPasswordField('Enter your current password.'),
    password: newPasswordField,
    confirm: z.string().max(256),
  })
  .refine(({ password, confirm }) => password === confirm, { path: ['confirm'], error: 'Passwords do not match.' });

export const ownPasswordInput = z.object({ password: oldPasswordField('Enter your password.') });

/** Spaces are taken out: apps show the code in two groups. */
export const totpCodeInput = z.object({
  code: z
    .string({ error: 'Enter the code.' })
    .transform((code) => code.replace(/\s/g, ''))
    .pipe(z.string().regex(/^\d{6}$/, 'Enter the six digits the app shows.')),
});

export const sessionInput = z.object({ sessionId: z.string().min(1).max(40) });

export const userSessionsInput = z.object({ email: emailField });
