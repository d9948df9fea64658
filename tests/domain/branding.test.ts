import { render } from '@react-email/render';
import { eq } from 'drizzle-orm';
import { NextRequest } from 'next/server';
import postgres from 'postgres';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { GET as getLogo } from '@/app/api/branding/logo/[id]/route';
import { db } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { settings } from '@/db/schema/settings';
import type { Actor } from '@/lib/access/actor';
import { queueMail } from '@/lib/mail/compose';
import { mailSender } from '@/lib/mail/send';
import { VerifyEmailMail } from '@/lib/mail/templates/account';
import { parseInput } from '@/lib/platform/http/parse';
import { defaultBranding } from '@/lib/settings/branding/branding';
import { getBranding, getLayoutBranding } from '@/lib/settings/branding/get-branding';
import { resetBranding, saveBranding } from '@/lib/settings/branding/save-branding';
import { saveBrandingInput } from '@/lib/settings/branding/schemas';
import { makeUser } from '@/tests/factories/make-user';
import { pngOf } from '@/tests/factories/picture-of';
import { outboxOf } from '@/tests/setup/outbox';
import { runOnPool } from '@/tests/setup/run-on-pool';

vi.mock('next/headers', async () => (await import('@/tests/setup/request-scope')).nextHeaders);

let admin: Actor;
const { logo: _none, ...shipped } = defaultBranding;
const input = (changes: Partial<Parameters<typeof saveBrandingInput.parse>[0] & object> = {}) =>
  parseInput(saveBrandingInput, { version: 0, ...shipped, ...changes });

beforeEach(async () => {
  await db().delete(settings);
  admin = await makeUser('Admin');
});

describe('branding', () => {
  it("has defaults, an admin's values after a save, and defaults again after a reset", async () => {
    expect(await getBranding()).toEqual(defaultBranding);
    await saveBranding(admin, input({ siteName: ' Acme Links ', tagline: 'Links that last', primaryColor: '#BE185D' }));
    expect(await getBranding()).toEqual({
      ...defaultBranding,
      siteName: 'Acme Links',
      tagline: 'Links that last',
      primaryColor: '#be185d',
    });
    await resetBranding(admin, { version: 1 });
    expect(await getBranding()).toEqual(defaultBranding);
    const lines = await db().select().from(auditLogs).where(eq(auditLogs.userId, admin.userId));
    expect(lines.map(({ details }) => details)).toEqual([
      'Branding changed: site name, tagline, primary color.',
      'Branding changed: site name, tagline, primary color.',
    ]);
    expect(lines[0]?.before).toMatchObject({ siteName: 'LinkMarket' });
    expect(lines[0]?.after).toMatchObject({ siteName: 'Acme Links' });
  });

  it('accepts one of two concurrent saves, and rejects the other as stale', async () => {
    for (const version of [0, 1]) {
      const saving = ['One', 'Two', 'Three'].map((siteName) => saveBranding(admin, input({ version, siteName })));
      const outcomes = await Promise.allSettled(saving);
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'conflict' });
      }
    }
    await expect(resetBranding(admin, { version: 1 })).rejects.toMatchObject({ code: 'conflict' });
  });

  it.each([
    ['می\u200cخواهم', 'half-spaces of Persian'],
    ['ක්\u200dෂ', 'conjuncts of Sinhala'],
    ['Ana 👩🏽\u200d💻 Co', 'emoji of several'],
  ])('accepts joiner characters inside a name: %s, %s', async (siteName) => {
    expect(input({ siteName }).siteName).toBe(siteName);
  });

  it.each([
    [{ siteName: '' }, 'Enter a name.'],
    [{ siteName: 'Acme\u200c' }, 'invisible'],
    [{ siteName: 'Acme \u200d Links' }, 'invisible'],
    [{ siteName: 'می\u200c\u200cخواهم' }, 'invisible'],
    [{ siteName: 'x'.repeat(41) }, 'at most 40 characters'],
    [{ siteName: 'Acme\u202eskniL' }, 'invisible'],
    [{ tagline: 'two\nlines' }, 'invisible'],
    [{ primaryColor: 'red' }, 'as # and six digits'],
    [{ primaryColor: '#ffff00' }, '1.21:1 in the light theme; 4.5:1 is required'],
    [{ primaryColor: '#16a34a' }, '3.62:1 in the light theme'],
    [{ secondaryColor: '#ff0000' }, '4.42:1'],
    [{ supportEmail: 'not-an-email' }, 'Enter an email address'],
    [{ postalAddress: 'a\n'.repeat(9) }, 'at most 8 lines'],
    [{ signInClaims: 'a\n'.repeat(5) }, 'at most 4 lines'],
  ])('rejects %j', (changes, text) => {
    expect(() => input(changes)).toThrow(text);
  });

  it('appears in the next mail, with the logo and a readable button', async () => {
    const file = new File([new Uint8Array(pngOf(128, 32))], 'whatever.txt');
    await saveBranding(
      admin,
      input({ siteName: 'Acme Links', primaryColor: '#be185d', supportEmail: 'a@example.com', logo: file }),
    );
    const to = admin.email;
    await db().transaction((tx) =>
      queueMail(tx, {
        kind: 'test',
        to,
        subject: 'x',
        body: (context) => VerifyEmailMail({ ...context, url: 'https://x.example' }),
      }),
    );
    const [mail] = await outboxOf(to);
    const { logo } = await getBranding();
    expect(logo).toMatchObject({ width: 128, height: 32 });
    expect(mail?.html).toContain(`${logo?.path}"`);
    for (const text of ['Acme Links', '#be185d', 'a@example.com']) expect(mail?.html).toContain(text);
    expect(mail?.html).not.toContain('LinkMarket');
  });

  it.each([
    [2_000, 20, 'width="480"', 'height="5"'],
    [20, 2_000, 'width="1"', 'height="32"'],
    [64, 64, 'width="32"', 'height="32"'],
  ])('scales a logo of %i × %i pixels to fit a mail', async (width, height, ...sizes) => {
    await saveBranding(admin, input({ logo: new File([new Uint8Array(pngOf(width, height))], 'logo.png') }));
    const context = { branding: await getBranding(), appUrl: 'https://links.example' };
    const html = await render(VerifyEmailMail({ ...context, url: 'https://links.example/x' }));
    const [picture] = /<img[^>]*>/.exec(html) ?? [];
    for (const size of sizes) expect(picture).toContain(size);
  });

  it("is the sender's name of mails, at the address from the environment", async () => {
    expect(await mailSender()).toBe('LinkMarket <no-reply@example.com>');
    await saveBranding(admin, input({ siteName: 'The "Acme" <Links>, Ltd' }));
    expect(await mailSender()).toBe('"The \\"Acme\\" <Links>, Ltd" <no-reply@example.com>');
  });

  it('treats an invalid stored setting as not set, and logs it', async () => {
    await db()
      .insert(settings)
      .values({ key: 'branding', value: { siteName: 7 } });
    const log = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    expect(await getBranding()).toEqual(defaultBranding);
    expect(log.mock.calls.flat().join()).toContain('siteName');
    log.mockRestore();
  });
});

describe('a logo', () => {
  const fetchLogo = (id: string) =>
    getLogo(new NextRequest(`http://localhost:3000/api/branding/logo/${id}`), { params: Promise.resolve({ id }) });
  const idOf = async () => (await getBranding()).logo?.path.split('/').at(-1) ?? '';

  it('is served with its own type, immutable, and never as active content', async () => {
    const bytes = pngOf(200, 50, 7);
    await saveBranding(
      admin,
      input({ logo: new File([new Uint8Array(bytes)], 'logo.svg', { type: 'image/svg+xml' }) }),
    );
    const answer = await fetchLogo(await idOf());
    expect(answer.status).toBe(200);
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=31536000, immutable',
    });
  });

  it('survives other saves, is removable, and stays available for old mails', async () => {
    await saveBranding(admin, input({ logo: new File([new Uint8Array(pngOf())], 'a.png') }));
    const id = await idOf();
    await saveBranding(admin, input({ version: 1, siteName: 'Acme' }));
    expect(await idOf()).toBe(id);
    await saveBranding(admin, input({ version: 2, logo: null }));
    expect((await getBranding()).logo).toBeNull();
    expect((await fetchLogo(id)).status).toBe(200);
  });

  it.each([
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'unsupported_type'],
    ['a page named like a picture', Buffer.from('<script>alert(1)</script>'), 'unsupported_type'],
    ['too small', pngOf(8, 8), 'invalid_input'],
    ['too wide', pngOf(2001, 16), 'invalid_input'],
  ])('is rejected: %s', async (_, bytes, code) => {
    const saving = saveBranding(admin, input({ logo: new File([new Uint8Array(bytes)], 'logo.png') }));
    await expect(saving).rejects.toMatchObject({ code, details: { fields: { logo: expect.any(String) } } });
    expect(await getBranding()).toEqual(defaultBranding);
  });

  it('above 256 kB is rejected', () => {
    expect(() => input({ logo: new File([new Uint8Array(256_001)], 'logo.png') })).toThrow('larger than 256 kB');
  });

  it.each(['0'.repeat(64), 'nothing', '../../etc/passwd'])('returns not found for an unknown id: %s', async (id) => {
    expect([400, 404]).toContain((await fetchLogo(id)).status);
  });
});

it('the root layout shows the last known branding while the database is unavailable', async () => {
  await saveBranding(admin, input({ siteName: 'Acme Links' }));
  expect((await getLayoutBranding()).siteName).toBe('Acme Links');
  const log = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  // Nothing listens on port 1.
  const nowhere = postgres('postgres://unknown@127.0.0.1:1/nowhere', { max: 1 });
  expect((await runOnPool(nowhere, getLayoutBranding)).siteName).toBe('Acme Links');
  await nowhere.end();
  expect(log.mock.calls.flat().join()).toContain('ECONNREFUSED');
  log.mockRestore();
});
