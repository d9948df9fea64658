import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { serviceAnswers } from '@/db/schema/service-answers';
import { env } from '@/lib/env';
import { normalizeLine } from '@/lib/network/visible-text';
import { cutText } from '@/lib/platform/cut-text';

/** A service with the credentials that are in force. */
export type Service = { name: string; credentials: string };

export type ServiceAnswer = { ok: boolean; message: string; at: Date };

/** Stores what a service answered to a test or to a real call. The newest answer counts. */
export async function recordAnswer(
  { name, credentials }: Service,
  { ok, message }: { ok: boolean; message: string },
): Promise<void> {
  const values = { credentials, ok, message: cutText(normalizeLine(message), 300), answeredAt: sql`now()` };
  await db()
    .insert(serviceAnswers)
    .values({ name, ...values })
    .onConflictDoUpdate({ target: serviceAnswers.name, set: values });
}

/** Reads the last answers to the credentials in force. */
export async function readAnswers(): Promise<(service: Service) => ServiceAnswer | null> {
  const rows = await db().select().from(serviceAnswers);
  return ({ name, credentials }) => {
    const row = rows.find((one) => one.name === name && one.credentials === credentials);
    return row ? { ok: row.ok, message: row.message, at: row.answeredAt } : null;
  };
}

/** Identifies credentials of the environment without storing them. */
const digest = (...values: (string | undefined)[]) =>
  createHash('sha256')
    .update(JSON.stringify([env().SECRET_KEYS, ...values]))
    .digest('base64url');

/** The background jobs, whose last run is stored like an answer. */
export const jobRunner: Service = { name: 'jobs', credentials: '' };

/** Returns the mail provider as a service. */
export function getMailService(): Service {
  const { SMTP_URL, SMTP_CA, RESEND_API_KEY, RESEND_BASE_URL, MAIL_FROM } = env();
  return SMTP_URL
    ? { name: 'smtp', credentials: digest(JSON.stringify(SMTP_URL), SMTP_CA, MAIL_FROM) }
    : { name: 'resend', credentials: digest(RESEND_API_KEY, RESEND_BASE_URL, MAIL_FROM) };
}

/** Returns the store of files as a service. */
export function getStoreService(): Service {
  const { S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY, DATA_DIR } = env();
  const bucket = [S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY];
  return { name: 's3', credentials: S3_BUCKET ? digest(...bucket) : digest(DATA_DIR) };
}

/** Returns the virus scanner as a service. */
export const getScannerService = (): Service => ({ name: 'clamd', credentials: digest(env().CLAMD_ADDRESS) });
