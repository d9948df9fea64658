import { z } from 'zod';

/** A mail as it was sent; addresses as given ("Name <a@b.c>" stays so). */
export const mailSchema = z.object({
  id: z.uuid(),
  /** ISO 8601, when the gateway took it. */
  date: z.iso.datetime(),
  from: z.string(),
  to: z.array(z.string()),
  cc: z.array(z.string()),
  bcc: z.array(z.string()),
  replyTo: z.array(z.string()),
  subject: z.string(),
  html: z.string(),
  text: z.string(),
  /** File names only: the inbox shows that they were there. */
  attachments: z.array(z.string()),
  idempotencyKey: z.string().nullable(),
  /** SHA-256 of the body, to tell a repeated call from another mail under the same key. */
  fingerprint: z.string(),
});

export type Mail = z.infer<typeof mailSchema>;
