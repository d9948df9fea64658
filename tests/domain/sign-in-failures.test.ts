import { desc, eq, inArray, sql } from 'drizzle-orm';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { db } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { rateLimits } from '@/db/schema/limits';
import { signInFailures } from '@/db/schema/sign-in-failures';
import { reauthenticate } from '@/lib/auth/recent-authentication';
import { signIn } from '@/lib/auth/sign-in';
import { recordFailureCounts, recordSignInFailure } from '@/lib/auth/sign-in-failures';
import { beginPasskeyStep } from '@/lib/auth/sign-in-with-passkey';
import { beginTotp, confirmTotp } from '@/lib/auth/totp';
import { newId } from '@/lib/ids';
import { waitForWork } from '@/lib/platform/lifecycle/process-state';
import { limits } from '@/lib/platform/rate-limits/limits';
import { makeAccount, testPassword } from '@/tests/factories/make-account';
import { appCode } from '@/tests/setup/app-code';
import { inRequest } from '@/tests/setup/request-scope';

vi.mock('next/headers', async () => (await import('@/tests/setup/request-scope')).nextHeaders);

const wrong = 'what the attacker typed';

async function attempt(
  email: string,
  { ip = '192.0.2.7', password = wrong, code = '', portal = 'user' as 'user' | 'admin' } = {},
): Promise<void> {
  const input = { email, password, code, remember: false };
  await inRequest({}, () => signIn(portal, input, { ip, userAgent: '', requestId: newId() })).catch(() => undefined);
  await waitForWork();
}

const linesOf = (entityId: string) =>
  db().select().from(auditLogs).where(eq(auditLogs.entityId, entityId)).orderBy(auditLogs.id);

/** As if the time window had ended. */
async function endWindows(): Promise<void> {
  await db().update(signInFailures).set({ firstAt: sql`now() - interval '16 minutes'` });
  await recordFailureCounts();
}

beforeEach(async () => {
  await db().delete(signInFailures);
  await db().delete(rateLimits);
});

describe('a refused sign-in', () => {
  it('is audited at once with account and IP address, and later with the count', async () => {
    const { email, userId } = await makeAccount();
    for (let tries = 0; tries < 4; tries += 1) await attempt(email.toUpperCase());
    expect(await linesOf(userId)).toMatchObject([
      { action: 'sign_in.failed', ip: '192.0.2.7', user: 'Sign-in', userId: null, entityType: 'user' },
    ]);
    await endWindows();
    const lines = await linesOf(userId);
    expect(lines.map(({ after }) => after)).toEqual([null, { count: 4, network: '192.0.2.7' }]);
    expect(lines[1]?.details).toContain('4 times within 15 minutes from 192.0.2.7');
    await endWindows();
    expect(await linesOf(userId)).toHaveLength(2);
  });

  it('distinguishes a wrong password, a wrong code, a refused account and a lock', async () => {
    const [plain, staged] = [await makeAccount(), await makeAccount()];
    const { secret } = await beginTotp(staged, testPassword);
    await confirmTotp(staged, appCode(secret, -1));
    const before = (await linesOf(staged.userId)).length;
    await attempt(staged.email, { password: testPassword });
    expect(await linesOf(staged.userId)).toHaveLength(before);
    await attempt(staged.email, { password: testPassword, code: '000000' });
    await attempt(plain.email, { password: testPassword, portal: 'admin' });
    for (let tries = 0; tries <= limits.signIn.pair.max; tries += 1) await attempt(plain.email);
    expect((await linesOf(staged.userId)).at(-1)?.details).toContain('wrong second factor');
    const lines = (await linesOf(plain.userId)).map(({ action, details }) => `${action}: ${details}`);
    expect(lines).toEqual([
      `sign_in.failed: Sign-in to ${plain.email} was refused: its status or role does not allow it.`,
      `sign_in.failed: Sign-in to ${plain.email} failed: wrong password.`,
      `sign_in.locked: Sign-in to ${plain.email} was locked: too many attempts.`,
    ]);
  });

  it('stores neither password, code nor an email without an account', async () => {
    const { email, userId } = await makeAccount();
    const typed = `${newId()}@typed.example`;
    await attempt(email, { code: '135790' });
    await attempt(typed, { ip: '198.51.100.9' });
    await endWindows();
    const rows = [
      ...(await linesOf(userId)),
      ...(await linesOf('198.51.100.9')),
      ...(await db().select().from(signInFailures)),
    ];
    expect(rows.length).toBeGreaterThan(1);
    for (const secret of [wrong, '135790', typed]) expect(JSON.stringify(rows)).not.toContain(secret);
  });

  it('of unknown accounts is one line per network for any number of attempts', async () => {
    for (let tries = 0; tries < 12; tries += 1)
      await attempt(`${newId()}@example.com`, { ip: `2001:db8:7::${tries + 1}` });
    await endWindows();
    const lines = await linesOf('2001:db8:7:0::/64');
    expect(lines.map(({ after }) => after)).toEqual([null, { count: 12, network: '2001:db8:7:0::/64' }]);
  });

  it('from many addresses is counted together, and leaves room for existing accounts', async () => {
    const newest = async () =>
      (await db().select({ id: auditLogs.id }).from(auditLogs).orderBy(desc(auditLogs.id)).limit(1))[0]?.id ?? 0;
    const before = await newest();
    const places = limits.failureLines.account.max + 20;
    for (let place = 0; place < places; place += 1) {
      recordSignInFailure('password', { email: `${newId()}@example.com`, ip: `10.77.0.${place}`, requestId: '' });
      await waitForWork();
    }
    const { email, userId } = await makeAccount();
    await attempt(email);
    expect(await linesOf(userId)).toHaveLength(1);
    await endWindows();
    const lines = await db()
      .select()
      .from(auditLogs)
      .where(sql`${auditLogs.id} > ${before} and ${inArray(auditLogs.action, ['sign_in.failed'])}`)
      .orderBy(auditLogs.id);
    expect(lines).toHaveLength(limits.failureLines.account.max + 2);
    expect(lines.at(-1)?.after).toEqual({ count: 20, networks: 20, accounts: 0 });
    expect(await db().select().from(signInFailures)).toEqual([]);
  });

  it('is counted once by concurrent jobs', async () => {
    const { email, userId } = await makeAccount();
    for (let tries = 0; tries < 3; tries += 1) await attempt(email);
    await db().update(signInFailures).set({ firstAt: sql`now() - interval '16 minutes'` });
    await Promise.all([recordFailureCounts(), recordFailureCounts(), recordFailureCounts()]);
    expect(await linesOf(userId)).toHaveLength(2);
  });
});

it('a wrong password before a passkey is audited as well', async () => {
  const { email, userId } = await makeAccount();
  const caller = { ip: '192.0.2.7', userAgent: '', requestId: '' };
  await expect(beginPasskeyStep({ portal: 'user', email, password: wrong }, caller)).rejects.toMatchObject({
    code: 'unauthenticated',
  });
  await waitForWork();
  expect((await linesOf(userId)).map(({ action }) => action)).toEqual(['sign_in.failed']);
});

it('a wrong password in a session is audited as well', async () => {
  const actor = await makeAccount();
  await expect(reauthenticate(actor, wrong)).rejects.toMatchObject({ code: 'invalid_input' });
  await waitForWork();
  expect((await linesOf(actor.userId)).map(({ action }) => action)).toEqual(['reauthentication.failed']);
});
