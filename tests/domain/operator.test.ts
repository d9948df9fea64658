import { eq, inArray } from 'drizzle-orm';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { PUT as put } from '@/app/api/admin/[operation]/route';
import { db } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { settings } from '@/db/schema/settings';
import { sessions } from '@/db/schema/users';
import type { Actor } from '@/lib/access/actor';
import { needsReferenceRates, operatorKey, taxKey } from '@/lib/tax/operator';
import { type SaveOperator, saveOperatorBody } from '@/lib/tax/operator-contract';
import { getOperator } from '@/lib/tax/queries';
import { saveOperator, saveTax } from '@/lib/tax/save-operator';
import { makeAccount } from '@/tests/factories/make-account';
import { suspendStaff } from '@/tests/factories/make-user';
import { bearerOf } from '@/tests/setup/bearer-of';
import { outboxOf } from '@/tests/setup/outbox';
import { callHandler } from '@/tests/setup/request-scope';

vi.mock('next/headers', async () => (await import('@/tests/setup/request-scope')).nextHeaders);

const euro = { currency: 'EUR', holder: 'Example GmbH', iban: 'DE89370400440532013000' } as const;
const identity = { name: 'Example GmbH', street: 'Main Street 1', city: 'Berlin', country: 'DE' };
const german = { ...identity, vatIds: [{ country: 'DE', number: 'DE136695976' }] };

let admin: Actor;
beforeEach(async () => {
  await suspendStaff();
  admin = await makeAccount({ role: 'Admin' });
  await db()
    .delete(settings)
    .where(inArray(settings.key, [operatorKey, taxKey]));
});

const save = (edit: object, version: number) => saveOperator(admin, saveOperatorBody.parse({ ...edit, version }));
const linesOf = async ({ userId }: Actor) =>
  (await db().select().from(auditLogs).where(eq(auditLogs.userId, userId)).orderBy(auditLogs.id)).map(
    ({ action, details, before, after }) => ({ action, details, before, after }),
  );

describe('the identity of the operator', () => {
  it('keeps what an edit leaves out, and the log has what changed', async () => {
    await save({ ...german, rates: [{ country: 'GB', from: '2026-01-01', rate: 2_000 }] }, 0);
    await save(
      { postcode: '10115', served: { domestic: true, euBusinesses: true, euPersons: 'oss', outsideEu: false } },
      1,
    );
    expect(await getOperator()).toMatchObject({
      ...{ ...german, postcode: '10115', version: 2, served: { euPersons: 'oss', outsideEu: false } },
      tax: { enabled: false, country: '', version: 0, missing: {} },
      ratesInForce: expect.arrayContaining([{ country: 'GB', from: '2026-01-01', rate: 2_000, isOwn: true }]),
    });
    expect(await linesOf(admin)).toMatchObject([
      {
        action: 'operator.saved',
        details: expect.stringContaining('changed: name, street, city, country, vatIds, rates.'),
      },
      {
        details: expect.stringContaining('changed: postcode, served.'),
        before: { postcode: '' },
        after: { postcode: '10115' },
      },
    ]);
  });

  it('is saved once of two edits of the same version', async () => {
    const results = await Promise.allSettled([save({ name: 'One' }, 0), save({ name: 'Two' }, 0)]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const saved = await getOperator();
    const later = await Promise.allSettled(['Three', 'Four'].map((name) => save({ name }, saved.version)));
    expect(later.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'conflict' } });
    expect((await getOperator()).version).toBe(2);
  });

  it('of a small business needs the text of its documents', async () => {
    await expect(save({ isSmallBusiness: true }, 0)).rejects.toMatchObject({
      code: 'invalid_input',
      details: { fields: { smallBusinessText: expect.any(String) } },
    });
    await save({ isSmallBusiness: true, smallBusinessText: '§ 19 UStG' }, 0);
  });

  it('mails all admins about other bank accounts, with the numbers masked, also where only hidden digits change', async () => {
    const colleague = await makeAccount({ role: 'Admin' });
    await save({ bankAccounts: [euro], name: 'Example' }, 0);
    await save({ name: 'Example GmbH' }, 1);
    const accounts = (accountNumber: string) => [
      { currency: 'USD' as const, holder: 'Example', routingNumber: '021000021', accountNumber },
    ];
    await save({ bankAccounts: accounts('100000001234') }, 2);
    await save({ bankAccounts: accounts('100099991234') }, 3);
    for (const { email } of [admin, colleague]) {
      const mails = await outboxOf(email);
      expect(mails.map(({ subject }) => subject)).toEqual(Array(3).fill('Your bank accounts were changed'));
      expect(mails[0]?.text).toContain('from none to EUR Example GmbH, DE89 •••• 3000.');
      expect(mails[0]?.text).toContain(admin.email);
    }
    const lines = await linesOf(admin);
    expect(lines.filter(({ action }) => action === 'operator.bank_accounts_changed')).toHaveLength(3);
    expect(JSON.stringify(lines)).not.toContain(euro.iban);
    expect(JSON.stringify(lines)).not.toContain('100000001234');
  });
});

describe('the switch of tax', () => {
  const turn = (enabled: boolean, version: number, country?: string) =>
    saveTax(admin, { enabled, version, ...(country && { country }) });

  it('is refused while something is missing, and names it', async () => {
    const refused = (fields: string[]) => ({
      code: 'billing_incomplete',
      status: 409,
      details: { fields: Object.fromEntries(fields.map((field) => [field, expect.any(String)])) },
    });
    await expect(turn(true, 0, 'DE')).rejects.toMatchObject(refused(['name', 'street', 'city', 'country']));
    await save(identity, 0);
    await expect(turn(true, 0, 'DE')).rejects.toMatchObject(refused(['vatIds']));
    await save({ country: 'GB', vatIds: [{ country: 'GB', number: 'GB980780684' }] }, 1);
    await expect(turn(true, 0, 'GB')).rejects.toMatchObject(refused(['rates']));
    await expect(turn(true, 0, 'FR')).rejects.toMatchObject(refused(['vatIds']));
    await save({ rates: [{ country: 'GB', from: '2026-01-01', rate: 2_000 }] }, 2);
    await turn(true, 0, 'GB');
    expect((await getOperator()).tax).toEqual({ enabled: true, country: 'GB', version: 1, missing: {} });
  });

  it('lacks nothing where one of the countries of the operator is complete', async () => {
    await save({ ...german, country: 'US' }, 0);
    expect((await getOperator()).tax.missing).toEqual({});
    await turn(true, 0, 'DE');
  });

  it('keeps its country and its version, is audited, and needs reference rates while it is on', async () => {
    await save(german, 0);
    expect(await needsReferenceRates()).toBe(false);
    await turn(true, 0, 'DE');
    expect(await needsReferenceRates()).toBe(true);
    await expect(turn(false, 0)).rejects.toMatchObject({ code: 'conflict' });
    await turn(false, 1);
    await turn(true, 2);
    await turn(false, 3);
    expect((await getOperator()).tax).toMatchObject({ enabled: false, country: 'DE', version: 4 });
    expect((await linesOf(admin)).flatMap(({ action, after }) => (action === 'tax.set' ? [after] : []))).toEqual(
      [true, false, true, false].map((enabled) => ({ enabled, country: 'DE' })),
    );
    await save({ bankAccounts: [euro] }, 1);
    expect(await needsReferenceRates()).toBe(true);
  });

  it('keeps what it needs: nothing of it can be removed while tax is on', async () => {
    await save(german, 0);
    await turn(true, 0, 'DE');
    await expect(save({ vatIds: [] }, 1)).rejects.toMatchObject({ code: 'billing_incomplete' });
    await expect(save({ name: '' }, 1)).rejects.toMatchObject({ code: 'billing_incomplete' });
    await save({ taxNumber: '30/123/45678' }, 1);
  });

  it('is never on without a VAT id, whichever of two changes comes first', async () => {
    for (let round = 0; round < 6; round += 1) {
      await db()
        .delete(settings)
        .where(inArray(settings.key, [operatorKey, taxKey]));
      await save(german, 0);
      const both = [() => turn(true, 0, 'DE'), () => save({ vatIds: [] }, 1)];
      await Promise.allSettled((round % 2 === 0 ? both : both.reverse()).map((run) => run()));
      const { tax, vatIds } = await getOperator();
      expect(!tax.enabled || vatIds.length > 0).toBe(true);
    }
  });
});

it.each([
  ['operator', { name: 'Taken over' } satisfies Partial<SaveOperator>],
  ['tax', { enabled: false }],
])('PUT /api/admin/%s needs a recent password', async (word, body) => {
  const headers = await bearerOf(admin.userId);
  const call = { method: 'PUT', headers, params: { operation: word }, body: { ...body, version: 0 } };
  const url = `http://localhost:3000/api/admin/${word}`;
  await db()
    .update(sessions)
    .set({ authenticatedAt: new Date(Date.now() - 301_000) })
    .where(eq(sessions.userId, admin.userId));
  expect(await callHandler(put, url, call)).toMatchObject({ status: 403, body: { code: 'reauthentication_required' } });
  expect((await getOperator()).name).toBe('');
  await db().update(sessions).set({ authenticatedAt: new Date() }).where(eq(sessions.userId, admin.userId));
  expect((await callHandler(put, url, call)).status).toBe(200);
});
