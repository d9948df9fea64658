import { render, toPlainText } from '@react-email/render';
import { eq } from 'drizzle-orm';
import { createElement } from 'react';
import { beforeEach, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { legalConsents, legalDocuments } from '@/db/schema/legal';
import { settings } from '@/db/schema/settings';
import { users } from '@/db/schema/users';
import { systemActor } from '@/lib/access/actor';
import { registerBody } from '@/lib/auth/contract';
import { register } from '@/lib/auth/register';
import { newId } from '@/lib/ids';
import { VerifyEmailMail } from '@/lib/mail/templates/account';
import { getBranding } from '@/lib/settings/branding/get-branding';
import { findDocument, findNewestDocument, listConsents, publishLegalDocument } from '@/lib/settings/legal/documents';
import { makeAccount } from '@/tests/factories/make-account';
import { makeUser } from '@/tests/factories/make-user';
import { settle } from '@/tests/setup/settle';

const caller = systemActor('Registration', 'web');

beforeEach(async () => {
  await db().delete(legalConsents);
  await db().delete(legalDocuments);
  await db().delete(settings);
});

const publish = async (kind: 'terms' | 'privacy', text: string, version: number) =>
  publishLegalDocument(await makeUser('Admin'), { kind, text, version });

describe('a legal document', () => {
  it('is published in versions, which stay readable, until its publication ends', async () => {
    expect((await getBranding()).legal).toEqual({ terms: null, privacy: null });
    expect(await publish('terms', 'Be kind.', 0)).toEqual({ version: 1 });
    expect(await publish('privacy', 'We keep little.', 0)).toEqual({ version: 1 });
    expect(await publish('terms', 'Be kind, always.', 1)).toEqual({ version: 2 });
    expect((await getBranding()).legal).toEqual({ terms: 2, privacy: 1 });
    expect(await findDocument('terms', 1)).toMatchObject({ text: 'Be kind.' });
    expect(await findDocument('terms', 3)).toBeNull();
    await publish('terms', '', 2);
    expect((await getBranding()).legal).toEqual({ terms: null, privacy: 1 });
    expect(await findDocument('terms', 3)).toBeNull();
    expect(await findNewestDocument('terms')).toMatchObject({ version: 3, text: '' });
    expect(await publish('terms', 'Be kind.', 3)).toEqual({ version: 4 });
  });

  it('accepts one of several concurrent publications, and refuses an unchanged text', async () => {
    const { values, codes } = await settle(['A', 'B', 'C'].map((text) => publish('terms', text, 0)));
    expect([values.length, codes]).toEqual([1, ['conflict', 'conflict']]);
    const newest = await findNewestDocument('terms');
    await expect(publish('terms', newest?.text ?? '', 1)).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(publish('terms', 'Stale', 0)).rejects.toMatchObject({ code: 'conflict' });
  });

  it('is linked in the footer of mails while it is published', async () => {
    const mail = async () =>
      toPlainText(
        await render(
          createElement(VerifyEmailMail, {
            branding: await getBranding(),
            appUrl: 'https://links.example',
            url: 'https://links.example/verify-email',
          }),
        ),
      );
    expect(await mail()).not.toContain('links.example/terms');
    await publish('terms', 'Be kind.', 0);
    expect(await mail()).toContain('https://links.example/terms');
    expect(await mail()).not.toContain('links.example/privacy');
  });
});

describe('the consent of a registration', () => {
  const registerWith = async (agreedTo: unknown, email = `${newId()}@example.com`) => {
    await register(caller, 'User', registerBody.parse({ email, password: 'a new and long password', agreedTo }));
    const [user] = await db().select().from(users).where(eq(users.email, email));
    return user?.id ?? '';
  };

  it('is recorded with its versions and time, also in the audit log', async () => {
    await publish('terms', 'Be kind.', 0);
    await publish('privacy', 'We keep little.', 0);
    const before = new Date();
    const userId = await registerWith({ terms: 1, privacy: 1 });
    // The form was open while a new version was published: the version shown counts.
    await publish('terms', 'Be kind, always.', 1);
    const consents = await listConsents(userId);
    expect(consents).toMatchObject([
      { kind: 'privacy', version: 1 },
      { kind: 'terms', version: 1 },
    ]);
    expect(consents[0]?.agreedAt.getTime()).toBeGreaterThanOrEqual(before.getTime() - 1_000);
    const [line] = await db().select().from(auditLogs).where(eq(auditLogs.entityId, userId));
    expect(line?.details).toMatch(/Terms of service: agreed to version 1\..*|Privacy policy: agreed to version 1\./);
  });

  it('ignores versions that do not exist, and is not recorded without documents', async () => {
    expect(await listConsents(await registerWith({}))).toEqual([]);
    expect(await listConsents(await registerWith(undefined))).toEqual([]);
    await publish('terms', 'Be kind.', 0);
    expect(await listConsents(await registerWith({ terms: 2, privacy: 1 }))).toEqual([]);
  });

  it('ignores a superseded and a withdrawn version', async () => {
    for (const [version, text] of ['Be kind.', 'Be kind, always.', 'Be kind to all.', ''].entries())
      await publish('terms', text, version);
    expect(await listConsents(await registerWith({ terms: 2 }))).toEqual([]);
    expect(await listConsents(await registerWith({ terms: 4 }))).toEqual([]);
    expect(await listConsents(await registerWith({ terms: 3 }))).toMatchObject([{ kind: 'terms', version: 3 }]);
  });

  it('is not recorded for an existing account', async () => {
    await publish('terms', 'Be kind.', 0);
    const { userId, email } = await makeAccount();
    await registerWith({ terms: 1 }, email);
    expect(await listConsents(userId)).toEqual([]);
  });
});
