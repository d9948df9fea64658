import { z } from 'zod';

/** Trimmed; at most what an address may be (RFC 5321). */
export const emailField = z.email({ error: 'Email format looks invalid.' }).trim().max(254);

export const signInBody = z.object({
  email: z.string({ error: 'Enter your email.' }).trim().min(1, 'Enter your email.').max(254),
  // A longer password would only cost hashing time.
  password: z.string({ error: 'Enter your password.' }).min(1, 'Enter your password.').max(256),
  remember: z.boolean().default(false),
});
