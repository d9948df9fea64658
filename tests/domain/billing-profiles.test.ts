import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { db } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { settings } from '@/db/schema/settings';
import { billingProfiles, type VatCheck } from '@/db/schema/tax';
import type { Actor } from '@/lib/access/actor';
import { env } from '@/lib/env';
import { askVies } from '@/lib/tax/ask-vies';
import { saveBillingProfileBody } from '@/lib/tax/billing-contract';
import { getBillingProfile, readBillingIdentity } from '@/lib/tax/billing-profile';
import { getBuyerTax } from '@/lib/tax/buyer-tax';
import { checkVatIds } from '@/lib/tax/check-vat-ids';
import { emptyOperator, operatorKey, taxKey } from '@/lib/tax/operator';
import { saveBillingProfile } from '@/lib/tax/save-billing-profile';
import { deleteUser } from '@/lib/workflows/delete-user';
import { type RunningGateway, startGateway } from '@/sandbox/start';
import { makeUser } from '@/tests/factories/make-user';

/** The endings by which VIES of the sandbox answers, with valid checksums. */
const ids = { valid: 'DE136695976', invalid: 'DE123464000', unavailable: 'DE123463111', slow: 'DE123468222' };

let gateway: RunningGateway;
let admin: Actor;
let before: string | undefined;

beforeAll(async () => {
  gateway = await startGateway({ port: 0, appUrl: 'http://127.0.0.1:9', stripeWebhookSecret: 'whsec_unused' });
  admin = await makeUser('Admin');
  before = env().VIES_BASE_URL;
});
afterAll(async () => {
  env().VIES_BASE_URL = before;
  await gateway.close();
});
beforeEach(async () => {
  env().VIES_BASE_URL = gateway.url;
  await db().delete(settings);
  await db().delete(billingProfiles);
});

const setOperator = (vatIds: { country: string; number: string }[] = [{ country: 'PL', number: 'PL5260001246' }]) =>
  db()
    .insert(settings)
    .values([
      { key: operatorKey, value: { ...emptyOperator, name: 'Operator', country: 'PL', vatIds } },
      { key: taxKey, value: { enabled: true, country: 'PL' } },
    ]);

const german = { company: 'Müller GmbH', street: 'Hauptstraße 1', postcode: '10115', city: 'Berlin', country: 'DE' };
const save = (actor: Actor, body: object) =>
  saveBillingProfile(actor, saveBillingProfileBody.parse({ ...german, ...body }));
const store = (userId: string, vatCheck: VatCheck | null) =>
  db().update(billingProfiles).set({ vatCheck }).where(eq(billingProfiles.accountId, userId));
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

/** Serves what a test makes of VIES. */
async function withVies<T>(
  answer: (request: unknown) => Promise<string> | string,
  run: () => Promise<T>,
  status = 200,
) {
  const server: Server = createServer(async (request, response) => {
    let text = '';
    for await (const part of request) text += part;
    response.writeHead(status, { 'content-type': 'application/json' }).end(await answer(JSON.parse(text)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  env().VIES_BASE_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    return await run();
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

describe('the answer of VIES', () => {
  it('is that of the sandbox by the end of the number', async () => {
    expect(await askVies(ids.valid, 'PL5260001246')).toEqual({
      state: 'valid',
      checkedAt: expect.any(String),
      consultation: expect.stringMatching(/^WAPI/),
      requester: 'PL5260001246',
    });
    expect(await askVies(ids.valid, null)).toMatchObject({ state: 'valid', consultation: null, requester: null });
    expect(await askVies(ids.invalid, null)).toMatchObject({ state: 'invalid' });
    expect(await askVies(ids.unavailable, null)).toMatchObject({
      state: 'unavailable',
      consultation: null,
      requester: null,
    });
    // The operator's own number is wrong: the buyer's is checked without it.
    expect(await askVies(ids.valid, 'PL5123459000')).toMatchObject({
      state: 'valid',
      consultation: null,
      requester: null,
    });
  });

  it.each<[string, number, VatCheck['state']]>([
    ['{"actionSucceed":false,"errorWrappers":[{"error":"MS_MAX_CONCURRENT_REQ"}]}', 200, 'unavailable'],
    ['{"actionSucceed":false,"errorWrappers":[{"error":"SERVICE_UNAVAILABLE","message":"x"}]}', 500, 'unavailable'],
    ['{"actionSucceed":false,"errorWrappers":[{"error":"INVALID_INPUT"}]}', 400, 'invalid'],
    ['{"valid":false,"userError":"MS_UNAVAILABLE","name":"---"}', 200, 'unavailable'],
    ['{"valid":false,"requestIdentifier":""}', 200, 'invalid'],
    ['{"valid":true}', 503, 'unavailable'],
    ['{"valid":"true"}', 200, 'unavailable'],
    ['<html>maintenance</html>', 200, 'unavailable'],
    ['', 200, 'unavailable'],
    [`{"valid":true,"name":"${'x'.repeat(30_000)}"}`, 200, 'unavailable'],
  ])('counts only an answer about the number: %s with status %s is %s', async (body, status, state) => {
    expect(
      await withVies(
        () => body,
        () => askVies(ids.valid, null),
        status,
      ),
    ).toMatchObject({ state, consultation: null, requester: null });
  });

  it('is unavailable when no server answers', async () => {
    env().VIES_BASE_URL = 'http://127.0.0.1:9';
    expect(await askVies(ids.valid, null)).toMatchObject({ state: 'unavailable' });
  });

  it('is unavailable after the timeout', { tags: ['full'], timeout: 60_000 }, async () => {
    expect(await askVies(ids.slow, null)).toMatchObject({ state: 'unavailable' });
  });

  it('names the operator as the requester, with the prefixes of both', async () => {
    await setOperator([
      { country: 'US', number: '12-3456789' },
      { country: 'GR', number: 'EL094259216' },
      { country: 'PL', number: 'PL5260001246' },
    ]);
    const requests: unknown[] = [];
    const buyer = await makeUser();
    await withVies(
      (request) => {
        requests.push(request);
        return '{"valid":true,"requestIdentifier":"W1"}';
      },
      () => save(buyer, { vatId: 'el 094259216', country: 'GR' }),
    );
    expect(requests).toEqual([
      { countryCode: 'EL', vatNumber: '094259216', requesterMemberStateCode: 'PL', requesterNumber: '5260001246' },
    ]);
    expect((await readBillingIdentity(buyer.userId))?.vatCheck).toMatchObject({ state: 'valid', consultation: 'W1' });
  });
});

describe('saving billing details', () => {
  it('stores the check with its id, without personal data in the audit log', async () => {
    await setOperator();
    const buyer = await makeUser();
    expect(await getBillingProfile(buyer.userId)).toMatchObject({ country: '', version: 0, vatCheck: null });
    const saved = await save(buyer, { vatId: '136 695 976', version: 0, region: 'ignored', reference: 'CC 7' });
    expect(saved).toMatchObject({ vatId: ids.valid, region: '', version: 1, vatCheck: { state: 'valid' } });
    expect(await getBillingProfile(buyer.userId)).toEqual(saved);
    const lines = await db().select().from(auditLogs).where(eq(auditLogs.entityId, buyer.userId));
    expect(lines.map(({ action }) => action)).toEqual(['billing_profile.saved']);
    expect(JSON.stringify(lines)).not.toMatch(/Müller|Hauptstr|10115|136695976|CC 7/);
    // Nothing changed: nothing is written.
    expect((await save(buyer, { vatId: ids.valid, reference: 'CC 7' })).version).toBe(1);
    expect((await readBillingIdentity(buyer.userId))?.email).toBe(buyer.email);
  });

  it('asks again about a changed id or country and an unanswered id, and not about an answered one', async () => {
    const buyer = await makeUser();
    let asked = 0;
    await withVies(
      () => {
        asked += 1;
        return asked === 1 ? '{"errorWrappers":[{"error":"MS_UNAVAILABLE"}]}' : `{"valid":${asked !== 3}}`;
      },
      async () => {
        const states: (string | undefined)[] = [];
        for (const body of [
          { vatId: ids.valid },
          { vatId: ids.valid },
          { vatId: ids.valid, city: 'Bonn' },
          { vatId: ids.invalid },
          { vatId: 'FR40303265045', country: 'FR' },
          { vatId: 'FR40303265045', country: 'MC' },
          { vatId: '' },
          { vatId: 'GB980780684', country: 'GB' },
        ]) {
          states.push((await save(buyer, body)).vatCheck?.state);
        }
        expect(states).toEqual(['unavailable', 'valid', 'valid', 'invalid', 'valid', 'valid', undefined, undefined]);
        expect(asked).toBe(5);
      },
    );
  });

  it('keeps the version when only the answer of VIES is new, so that an open form can still be saved', async () => {
    const buyer = await makeUser();
    const answer = (body: string) =>
      withVies(
        () => body,
        () => save(buyer, { vatId: ids.valid }),
      );
    const open = await answer('{"errorWrappers":[{"error":"MS_UNAVAILABLE"}]}');
    const checked = await answer('{"valid":true}');
    expect(checked).toEqual({ ...open, vatCheck: expect.objectContaining({ state: 'valid' }) });
    expect((await save(buyer, { vatId: '', version: open.version })).version).toBe(open.version + 1);
  });

  it('decides the tax by the check, and by the rule of the operator while VIES is silent', async () => {
    await setOperator();
    const buyer = await makeUser();
    await expect(getBuyerTax(buyer.userId)).rejects.toMatchObject({ code: 'billing_incomplete' });
    await save(buyer, { vatId: ids.valid });
    expect((await getBuyerTax(buyer.userId))?.decision).toMatchObject({ category: 'AE', rate: 0 });
    await save(buyer, { vatId: ids.invalid });
    await expect(getBuyerTax(buyer.userId)).rejects.toMatchObject({ code: 'conflict' });
    await save(buyer, { vatId: ids.unavailable });
    expect((await getBuyerTax(buyer.userId))?.decision).toMatchObject({ category: 'AE' });
  });

  it('refuses the second of two edits of one version, and keeps the check with its id without versions', async () => {
    const buyer = await makeUser();
    const edits = await Promise.allSettled(
      ['Berlin', 'Bonn'].map((city) => save(buyer, { city, vatId: ids.valid, version: 0 })),
    );
    expect(edits.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(edits.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'conflict' } });
    const others = await Promise.allSettled([
      save(buyer, { vatId: ids.valid, city: 'A' }),
      save(buyer, { vatId: ids.invalid, city: 'B' }),
      save(buyer, { vatId: '', city: 'C' }),
    ]);
    const { city, vatId, vatCheck, version } = await getBillingProfile(buyer.userId);
    expect([city, vatId, vatCheck?.state]).toEqual(
      { A: ['A', ids.valid, 'valid'], B: ['B', ids.invalid, 'invalid'], C: ['C', '', undefined] }[city],
    );
    // The answer that A keeps is refused once the id is another one.
    expect(version).toBe(1 + others.filter(({ status }) => status === 'fulfilled').length);
    expect(version).toBeGreaterThanOrEqual(3);
  });

  it('limits how often a user has VIES asked', async () => {
    const buyer = await makeUser();
    await withVies(
      () => '{"errorWrappers":[{"error":"MS_UNAVAILABLE"}]}',
      async () => {
        for (let at = 0; at < 20; at += 1) await save(buyer, { vatId: ids.valid });
        await expect(save(buyer, { vatId: ids.invalid })).rejects.toMatchObject({ code: 'rate_limited' });
        // The rest of the details is saved, with the answer about the id that stays.
        expect(await save(buyer, { vatId: ids.valid, city: 'Bonn' })).toMatchObject({
          ...{ city: 'Bonn', vatCheck: { state: 'unavailable' } },
        });
        await expect(save(buyer, { vatId: '' })).resolves.toMatchObject({ vatId: '' });
      },
    );
  });

  it('asks again about an id that was not registered, and keeps the answer while VIES is silent', async () => {
    const buyer = await makeUser();
    const answers = ['{"valid":false}', '{"errorWrappers":[{"error":"MS_UNAVAILABLE"}]}', '{"valid":true}'];
    const states: (string | undefined)[] = [];
    await withVies(
      () => answers[states.length] ?? '',
      async () => {
        for (const _ of answers) states.push((await save(buyer, { vatId: ids.valid })).vatCheck?.state);
      },
    );
    expect(states).toEqual(['invalid', 'invalid', 'valid']);
  });

  it('is forgotten with the account, also if the account is deleted during the check', async () => {
    const [buyer, late] = await Promise.all([makeUser(), makeUser()]);
    await save(buyer, { vatId: '' });
    await deleteUser(admin, buyer.userId);
    await withVies(
      async () => {
        await deleteUser(admin, late.userId);
        return '{"valid":true}';
      },
      () => expect(save(late, { vatId: ids.valid })).rejects.toMatchObject({ code: 'not_found' }),
    );
    expect(await db().$count(billingProfiles)).toBe(0);
  });
});

describe('the job that asks VIES again', () => {
  it('asks about unanswered ids and old checks, longer than a person waits, and keeps an answer over silence', async () => {
    const buyers = await Promise.all(Array.from({ length: 5 }, () => makeUser()));
    const [waiting, lately, ended, fresh, silent] = buyers.map(({ userId }) => userId);
    if (!waiting || !lately || !ended || !fresh || !silent) throw new Error('There are five buyers.');
    for (const buyer of buyers) await save(buyer, { vatId: ids.valid });
    const setId = (userId: string, vatId: string) =>
      db().update(billingProfiles).set({ vatId }).where(eq(billingProfiles.accountId, userId));
    const check = (state: VatCheck['state'], days: number): VatCheck => ({
      ...{ state, checkedAt: daysAgo(days), consultation: 'OLD', requester: null },
    });
    await store(waiting, check('unavailable', 1));
    await store(lately, check('unavailable', 0));
    for (const userId of [ended, silent]) await store(userId, check('valid', 31));
    await store(fresh, check('valid', 29));
    await setId(ended, ids.invalid);
    await setId(silent, ids.unavailable);
    const waits = vi.spyOn(AbortSignal, 'timeout');
    expect(await checkVatIds()).toEqual({ checked: 3, changed: 2, silent: 1 });
    // The sandbox has a member state that takes 20 seconds.
    expect(Math.min(...waits.mock.calls.map(([ms]) => ms))).toBeGreaterThan(20_000);
    waits.mockRestore();
    const states = await Promise.all(
      [waiting, lately, ended, fresh, silent].map(async (userId) => {
        const { vatCheck } = await getBillingProfile(userId);
        return `${vatCheck?.state} ${vatCheck?.consultation}`;
      }),
    );
    expect(states).toEqual(['valid null', 'unavailable OLD', 'invalid null', 'valid OLD', 'valid OLD']);
    expect(await db().$count(auditLogs, eq(auditLogs.action, 'billing_profile.vat_id_checked'))).toBe(2);
  });

  it('asks for the consultation number of a check from before the operator had its VAT id of today', async () => {
    const buyer = await makeUser();
    await save(buyer, { vatId: ids.valid });
    await store(buyer.userId, { state: 'valid', checkedAt: daysAgo(2), consultation: null, requester: null });
    expect(await checkVatIds()).toMatchObject({ checked: 0 });
    await setOperator();
    expect(await checkVatIds()).toMatchObject({ checked: 1, changed: 0 });
    const { vatCheck } = await getBillingProfile(buyer.userId);
    expect(vatCheck).toMatchObject({ consultation: expect.stringMatching(/^WAPI/), requester: 'PL5260001246' });
    expect(await checkVatIds()).toMatchObject({ checked: 0 });
    // The number was given to another VAT id, which the operator had before.
    await store(buyer.userId, vatCheck && { ...vatCheck, checkedAt: daysAgo(2), requester: 'DE136695976' });
    expect(await checkVatIds()).toMatchObject({ checked: 1 });
    expect((await getBillingProfile(buyer.userId)).vatCheck?.requester).toBe('PL5260001246');
  });

  it('stops in time, so that a silent VIES does not keep other jobs waiting', async () => {
    for (const buyer of [await makeUser(), await makeUser()]) {
      await save(buyer, { vatId: ids.valid });
      await store(buyer.userId, null);
    }
    expect(await checkVatIds(Date.now())).toMatchObject({ checked: 1 });
    expect(await checkVatIds()).toMatchObject({ checked: 1 });
  });

  it('stores no answer about an id that was changed in the meantime', async () => {
    const buyer = await makeUser();
    await save(buyer, { vatId: ids.valid });
    await store(buyer.userId, { state: 'unavailable', checkedAt: daysAgo(1), consultation: null, requester: null });
    const run = withVies(
      async () => {
        await db()
          .update(billingProfiles)
          .set({ vatId: ids.invalid, vatCheck: null })
          .where(eq(billingProfiles.accountId, buyer.userId));
        return '{"valid":true}';
      },
      () => checkVatIds(),
    );
    expect(await run).toEqual({ checked: 1, changed: 0, silent: 0 });
    expect(await getBillingProfile(buyer.userId)).toMatchObject({ vatId: ids.invalid, vatCheck: null });
  });
});
