import { createHash, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { json, type Reply } from '@/sandbox/http/reply';
import { type GatewayRequest, readFields } from '@/sandbox/http/request';
import type { StateStore } from '@/sandbox/state';
import type { Mail } from './records';

const maxMails = 200;
const keyTtlMs = 24 * 60 * 60 * 1_000;

const addresses = z.union([z.string(), z.array(z.string()).max(50)]).transform((value) => [value].flat());

/** The body of Resend's `POST /emails` as its SDK sends it; unknown fields are ignored. */
const schema = z
  .object({
    from: z.string().min(1),
    to: addresses.refine((list) => list.length > 0 && list.every((one) => one.includes('@')), 'Not an email address'),
    subject: z.string(),
    html: z.string().optional(),
    text: z.string().optional(),
    cc: addresses.optional(),
    bcc: addresses.optional(),
    reply_to: addresses.optional(),
    attachments: z.array(z.object({ filename: z.string().optional() })).optional(),
  })
  .refine((mail) => mail.html !== undefined || mail.text !== undefined, {
    path: ['html'],
    message: 'Either html or text is required',
  });

/** Stores a mail like Resend and returns `{ id }`; repeated requests with the same Idempotency-Key store it once. */
export function receiveMail(store: StateStore, request: GatewayRequest): Reply {
  if (!/^Bearer re_\w+$/.test(request.headers.authorization ?? '')) {
    return refusal(401, 'missing_api_key', 'The Authorization header must contain a key of the form re_…');
  }
  const parsed = schema.safeParse(readFields(request));
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return refusal(422, 'validation_error', `${issue?.path.join('.')}: ${issue?.message}`);
  }
  const header = request.headers['idempotency-key'];
  const key = typeof header === 'string' ? header : null;
  const fingerprint = createHash('sha256').update(request.body).digest('hex');
  const { mails } = store.state;
  const since = Date.now() - keyTtlMs;
  const known =
    key === null ? undefined : mails.find((one) => one.idempotencyKey === key && Date.parse(one.date) > since);
  if (known && known.fingerprint !== fingerprint) {
    return refusal(409, 'invalid_idempotent_request', 'This idempotency key was already used with another email');
  }
  if (known) return json(200, { id: known.id });
  const mail = toMail(parsed.data, key, fingerprint);
  mails.push(mail);
  if (mails.length > maxMails) mails.splice(0, mails.length - maxMails);
  store.saveSoon();
  return json(200, { id: mail.id });
}

function toMail(body: z.infer<typeof schema>, idempotencyKey: string | null, fingerprint: string): Mail {
  return {
    id: randomUUID(),
    date: new Date().toISOString(),
    from: body.from,
    to: body.to,
    cc: body.cc ?? [],
    bcc: body.bcc ?? [],
    replyTo: body.reply_to ?? [],
    subject: body.subject,
    html: body.html ?? '',
    text: body.text ?? '',
    attachments: (body.attachments ?? []).map((one) => one.filename ?? 'attachment'),
    idempotencyKey,
    fingerprint,
  };
}

function refusal(statusCode: number, name: string, message: string): Reply {
  return json(statusCode, { statusCode, name, message });
}
