import { eq, sql } from 'drizzle-orm';
import { createElement } from 'react';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { db } from '@/db/client';
import { emailTokenPurposes } from '@/db/schema/email-tokens';
import { users } from '@/db/schema/users';
import { type Actor, systemActor } from '@/lib/access/actor';
import { findActor } from '@/lib/auth/current-actor';
import { findEmailTokenOwner } from '@/lib/auth/email-token';
import { verifyPassword } from '@/lib/auth/password';
import { consumeRecoveryCode } from '@/lib/auth/recovery-codes';
import { register } from '@/lib/auth/register';
import { requestReset } from '@/lib/auth/reset-password';
import { sessionCookieName } from '@/lib/auth/session-token';
import { signIn } from '@/lib/auth/sign-in';
import { beginTotp, confirmTotp } from '@/lib/auth/totp';
import { newId } from '@/lib/ids';
import { queueMail } from '@/lib/mail/compose';
import { savePaymentConfig } from '@/lib/payments/config/config';
import { createApiKey } from '@/lib/settings/api-keys';
import { saveProfile } from '@/lib/users/save-profile';
import { makeAccount, testPassword } from '@/tests/factories/make-account';
import { makeOrder } from '@/tests/factories/make-order';
import { appCode } from '@/tests/setup/app-code';
import { outboxOf } from '@/tests/setup/outbox';
import { inRequest, nextHeaders } from '@/tests/setup/request-scope';

vi.mock('next/headers', async () => (await import('@/tests/setup/request-scope')).nextHeaders);

const password = 'a new and long password';
const caller = systemActor('Test', 'web');

let admin: Actor;
/** Everything that signs in, as its owner has it. */
let links: string[];
let cookie: string;
let totpSecret: string;
let recoveryCodes: string[];

beforeAll(async () => {
  admin = await makeAccount({ role: 'Admin' });
  const [fresh, next] = [`${newId()}@example.com`, `${newId()}@example.com`];
  await register(caller, 'User', { name: 'Fresh', email: fresh, password });
  ({ secret: totpSecret } = await beginTotp(admin, testPassword));
  ({ recoveryCodes } = await confirmTotp(admin, appCode(totpSecret, -1)));
  cookie = await inRequest({}, async () => {
    const code = appCode(totpSecret);
    const from = { ip: '10.1.2.3', userAgent: 'Test', requestId: '' };
    await signIn('admin', { email: admin.email, password: testPassword, remember: true, code }, from);
    return (await nextHeaders.cookies()).get(sessionCookieName())?.value ?? '';
  });
  const signedIn = await actorBy(cookie);
  if (!signedIn) throw new Error('The sign-in opened no session.');
  await saveProfile(signedIn, { name: signedIn.name, email: next, current: testPassword, confirm: '' });
  await requestReset(admin.email);
  await createApiKey(admin, { name: 'Texts', provider: 'OpenAI', key: 'sk-proj-kept-9xQz' });
  await savePaymentConfig(admin, { provider: 'stripe', mode: 'test', secrets: { secret_key: 'sk_test_kept' } });
  await makeOrder(1_000);
  const texts = await Promise.all([fresh, next, admin.email].map(outboxOf));
  links = texts.flat().flatMap(({ text }) => /token=([\w-]+)/.exec(text)?.[1] ?? []);
});

const tables = z.array(z.object({ name: z.string() }));
const rows = z.array(z.object({ text: z.string() }));

/** The text of every row of every table, as in pg_dump. */
async function dump(): Promise<string> {
  const found = await db().execute(sql`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`);
  const texts: string[] = [];
  for (const { name } of tables.parse([...found])) {
    const read = await db().execute(sql.raw(`select to_jsonb(t)::text as text from ${name} t`));
    texts.push(...rows.parse([...read]).map(({ text }) => text));
  }
  return texts.join('\n');
}

/** Every piece that could be a secret: whole values and their parts, in any combination. */
function piecesOf(text: string): string[] {
  const found = [/"((?:[^"\\]|\\.)+)"/g, /[\w.+/=-]+/g, /[\w-]+/g, /[A-Za-z0-9]+/g].flatMap((shape) =>
    [...text.matchAll(shape)].map((match) => match[1] ?? match[0]),
  );
  return [...new Set(found)].filter((piece) => piece.length >= 6);
}

const jarOf = (value: string) => ({ get: () => ({ value }) });
const actorBy = async (value: string) => {
  const headers = /^[\x21-\x7e]+$/.test(value) ? new Headers({ authorization: `Bearer ${value}` }) : new Headers();
  const [byBearer, byCookie] = await Promise.all([
    findActor({ headers, cookies: { get: () => undefined } }),
    findActor({ headers: new Headers(), cookies: jarOf(value) }),
  ]);
  return byBearer.actor ?? byCookie.actor;
};
const opensLink = async (value: string) =>
  (await Promise.all(emailTokenPurposes.map((purpose) => findEmailTokenOwner(value, purpose)))).some(
    (owner) => owner !== null,
  );

/** Those that are accepted as a recovery code; rolled back afterwards. */
async function codesAmong(values: readonly string[]): Promise<string[]> {
  const works: string[] = [];
  const trying = db().transaction(async (tx) => {
    for (const value of values) if (await consumeRecoveryCode(tx, admin.userId, value)) works.push(value);
    tx.rollback();
  });
  await expect(trying).rejects.toThrow('Rollback');
  return works;
}

const showsCode = (value: string) => {
  try {
    return appCode(value) === appCode(totpSecret);
  } catch {
    // It is not valid base32.
    return false;
  }
};

describe('an attacker with a copy of the database and without the keys', () => {
  it('finds none of the secrets that sign in', async () => {
    expect(links).toHaveLength(3);
    for (const link of links) expect(await opensLink(link)).toBe(true);
    expect(await actorBy(cookie)).toMatchObject({ userId: admin.userId });
    expect(await codesAmong(recoveryCodes)).toEqual(recoveryCodes);
    expect(showsCode(totpSecret)).toBe(true);

    const text = await dump();
    const kept = [...links, cookie, totpSecret, ...recoveryCodes, testPassword, password, 'kept-9xQz', 'sk_test_kept'];
    const forms = kept.flatMap((secret) => [
      secret,
      secret.replaceAll('-', ''),
      Buffer.from(secret).toString('base64').replace(/=+$/, ''),
      Buffer.from(secret).toString('hex'),
    ]);
    expect(forms.filter((form) => text.toLowerCase().includes(form.toLowerCase()))).toEqual([]);
    expect(text).not.toMatch(/token=/);
  });

  it('cannot sign in with any value: as link, cookie, bearer token, code or authenticator', {
    timeout: 120_000,
  }, async () => {
    const pieces = piecesOf(await dump());
    expect(pieces.length).toBeGreaterThan(500);
    const works = await Promise.all(
      pieces.map(async (piece) => {
        if (await opensLink(piece)) return [`link ${piece}`];
        if (await actorBy(piece)) return [`session ${piece}`];
        return showsCode(piece) ? [`authenticator ${piece}`] : [];
      }),
    );
    expect(works.flat()).toEqual([]);
    expect(await codesAmong(pieces)).toEqual([]);
    // The hash of a password is not a password.
    const [{ passwordHash = '' } = {}] = await db().select().from(users).where(eq(users.id, admin.userId));
    expect(await verifyPassword(passwordHash, testPassword)).toBe(true);
    expect(await verifyPassword(passwordHash, passwordHash)).toBe(false);
  });

  it('would find a link stored as plaintext', async () => {
    const link = links[0] ?? '';
    const body = () => createElement('p', null, `https://x.example/reset?token=${link}`);
    await queueMail(db(), { kind: 'test', to: admin.email, subject: `Leaks token=${link}`, body });
    const pieces = piecesOf(await dump());
    expect(pieces.filter((piece) => piece === link)).toEqual([link]);
  });
});
