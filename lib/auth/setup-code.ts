import { createHmac, hkdfSync } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '@/db/client';
import { users } from '@/db/schema/users';
import { env } from '@/lib/env';
import { log } from '@/lib/platform/log/log';
import { isEqualConstantTime, parseKeyRing } from '@/lib/platform/secrets';
import { setupPath } from './portals';

/** The condition for an admin, whatever its status. */
export const isAdminAccount = sql`lower(${users.role}) = 'admin' and ${users.deletedAt} is null`;

let isSetUp = false;

/** Checks whether the installation has no admin yet. An installation that has one is not asked again. */
export async function needsSetup(): Promise<boolean> {
  isSetUp ||= (await db().select({ id: users.id }).from(users).where(isAdminAccount).limit(1)).length > 0;
  return !isSetUp;
}

/** Crockford's base32: without letters that look like digits. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** 20 letters of 5 bits cannot be guessed. */
const codeLength = 20;

/**
 * Computes the code that proves access to the server's log. It is derived from SECRET_KEYS, so that all instances print
 * the same one and none is stored, and from the database's id, so that the log of an earlier database has another one.
 */
async function getSetupCode(): Promise<string> {
  const [ring] = parseKeyRing(env().SECRET_KEYS);
  if (!ring) throw new Error('SECRET_KEYS contains no key.');
  const [row] = await db().execute(sql`select oid::text from pg_database where datname = current_database()`);
  const { oid } = z.object({ oid: z.string() }).parse(row);
  const key = Buffer.from(hkdfSync('sha256', ring.key, '', 'linkmarket setup code 1', 32));
  const bytes = createHmac('sha256', key).update(oid).digest().subarray(0, codeLength);
  const letters = [...bytes].map((byte) => alphabet.charAt(byte % alphabet.length)).join('');
  return letters.replace(/(.{5})(?!$)/g, '$1-');
}

/** Compares an entered code in constant time. Case, spaces and dashes do not matter, nor do O and 0, or I, L and 1. */
export async function isSetupCode(entered: string): Promise<boolean> {
  const normalized = entered.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1');
  return isEqualConstantTime(normalized, (await getSetupCode()).replaceAll('-', ''));
}

/** Returns the line for the server's log with the code; null once there is an admin. */
export async function describeSetup(): Promise<string | null> {
  if (!(await needsSetup())) return null;
  const code = await getSetupCode();
  // After #, so that the browser does not send it before the form does.
  return `There is no admin account yet. Create it at ${env().APP_URL}${setupPath}#${code} with the setup code ${code}`;
}

/** The interval at which a process repeats the code in its log while the setup page is opened. */
const repeatMs = 60_000;
let printedAt = Number.NEGATIVE_INFINITY;

/** Prints the code when the setup page is opened: platforms without `npm start` have no other start to print it at. */
export async function printSetupCode(): Promise<void> {
  if (performance.now() - printedAt < repeatMs) return;
  const line = await describeSetup();
  if (line === null) return;
  printedAt = performance.now();
  log().warn(line);
}
