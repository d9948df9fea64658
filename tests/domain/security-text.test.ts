import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { GET } from '@/app/.well-known/security.txt/route';
import { db } from '@/db/client';
import { settings } from '@/db/schema/settings';
import { env, parseEnv } from '@/lib/env';
import { defaultBranding } from '@/lib/settings/branding/branding';
import { saveBranding } from '@/lib/settings/branding/save-branding';
import { saveBrandingInput } from '@/lib/settings/branding/schemas';
import { createSecurityTxt } from '@/lib/settings/branding/security-txt';
import { makeUser } from '@/tests/factories/make-user';
import { callHandler } from '@/tests/setup/request-scope';

vi.mock('next/headers', async () => (await import('@/tests/setup/request-scope')).nextHeaders);

const setSupport = async (supportEmail: string) => {
  const { logo: _none, ...shipped } = defaultBranding;
  await saveBranding(await makeUser('Admin'), saveBrandingInput.parse({ version: 0, ...shipped, supportEmail }));
};
const fieldsOf = (text: string) =>
  Object.fromEntries(
    text.split('\n').flatMap((line) => (/^([A-Z][\w-]*): (.+)$/.exec(line) ? [line.split(/: (.*)/s)] : [])),
  );
const call = () => callHandler(GET, 'http://localhost:3000/.well-known/security.txt');

beforeEach(() => db().delete(settings));
afterEach(() => {
  delete env().SECURITY_CONTACT;
});

describe('/.well-known/security.txt', () => {
  it('is not found without a contact', async () => {
    expect(await call()).toMatchObject({ status: 404 });
  });

  it('contains the support address of Branding, with the fields of RFC 9116', async () => {
    await setSupport('help+links@example.com');
    const answer = await call();
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(fieldsOf(String(answer.body))).toEqual({
      Contact: 'mailto:help%2Blinks@example.com',
      Expires: expect.any(String),
      'Preferred-Languages': 'en',
      Canonical: 'http://localhost:3000/.well-known/security.txt',
    });
  });

  it('prefers SECURITY_CONTACT', async () => {
    await setSupport('help@example.com');
    env().SECURITY_CONTACT = 'https://example.com/report';
    expect(fieldsOf(await createSecurityTxt()).Contact).toBe('https://example.com/report');
  });

  it('expires within a year of the day on which it is read', async () => {
    await setSupport('help@example.com');
    for (const day of ['2026-01-01T00:00:00Z', '2027-12-31T23:59:59.999Z', '2028-02-29T12:00:00Z']) {
      const { Expires = '' } = fieldsOf(await createSecurityTxt(new Date(day)));
      const days = (Date.parse(Expires) - Date.parse(day)) / 86_400_000;
      expect(days, day).toBeGreaterThan(90);
      expect(days, day).toBeLessThan(365);
    }
  });
});

it('accepts an email address or a contact URI as SECURITY_CONTACT', () => {
  const secret = { NEXTAUTH_SECRET: 'x'.repeat(32), SECRET_KEYS: `k1:${'A'.repeat(43)}` };
  const complete = { ...secret, APP_URL: 'https://links.example.com', DATABASE_URL: 'postgres://127.0.0.1/shop' };
  const parsed = (contact: string) => parseEnv({ ...complete, SECURITY_CONTACT: contact }).SECURITY_CONTACT;
  expect(parsed('security@example.com')).toBe('mailto:security@example.com');
  expect(parsed('https://example.com/report')).toBe('https://example.com/report');
  for (const contact of ['javascript:alert(1)', 'http://example.com', 'me', 'https://a.example\nContact: x']) {
    expect(() => parsed(contact), contact).toThrow(/SECURITY_CONTACT must be/);
  }
});
