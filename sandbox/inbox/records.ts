import { z } from 'zod';

/** A mail as it was sent; addresses are unchanged ("Name <a@b.c>"). */
export const mailSchema = z.object({
  id: z.uuid(),
  /** ISO 8601, time of receipt. */
  date: z.iso.datetime(),
  from: z.string(),
  to: z.array(z.string()),
  cc: z.array(z.string()),
  bcc: z.array(z.string()),
  replyTo: z.array(z.string()),
  subject: z.string(),
  html: z.string(),
  text: z.string(),
  /** File names only, for display. */
  attachments: z.array(z.string()),
  idempotencyKey: z.string().nullable(),
  /** SHA-256 of the body, which distinguishes a repeated request from another mail with the same key. */
  fingerprint: z.string(),
});

export type Mail = z.infer<typeof mailSchema>;
