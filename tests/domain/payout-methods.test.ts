import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { notices } from '@/db/schema/notices';
import { payoutMethods } from '@/db/schema/payouts';
import { settings } from '@/db/schema/settings';
import { sessions } from '@/db/schema/users';
import type { Actor } from '@/lib/access/actor';
import { requestConfirmation } from '@/lib/auth/passkey-requests';
import { addPasskey, beginPasskey } from '@/lib/auth/passkeys';
import { beginTotp, confirmTotp } from '@/lib/auth/totp';
import { getTwoStep } from '@/lib/auth/two-step';
import { newId } from '@/lib/ids';
import { approvePayout } from '@/lib/payouts/approve';
import type { MethodDetails } from '@/lib/payouts/methods/contract';
import { removePayoutMethod, restHours, savePayoutMethod } from '@/lib/payouts/methods/save';
import { findPayoutMethod, openMethodDetails, payoutMethodView } from '@/lib/payouts/methods/show';
import { requestPayout } from '@/lib/payouts/request';
import { recordAudit } from '@/lib/platform/audit/record';
import { limits } from '@/lib/platform/rate-limits/limits';
import { UnreadableSecret } from '@/lib/platform/secrets';
import { makeAccount, testPassword } from '@/tests/factories/make-account';
import { makePlacement } from '@/tests/factories/make-placement';
import { makeUser } from '@/tests/factories/make-user';
import { makeSoftwarePasskey } from '@/tests/factories/software-passkey';
import { appCode } from '@/tests/setup/app-code';
import { outboxOf } from '@/tests/setup/outbox';
import { settle } from '@/tests/setup/settle';

const iban = 'DE89370400440532013000';
const bank: MethodDetails = {
  ...{ kind: 'bank', format: 'iban', iban, holder: 'Jane Doe', addressLines: ['Main Street 1'] },
  ...{ town: 'Berlin', country: 'DE' },
};
const paypal: MethodDetails = { kind: 'paypal', email: 'payee.long@example.com' };
const password = { password: testPassword, code: '' };

async function openSeller(): Promise<Actor> {
  const seller = await makeAccount({ role: 'Seller' });
  await db()
    .insert(sessions)
    .values({ id: seller.sessionId, userId: seller.userId, expiresAt: new Date(Date.now() + 3_600_000) });
  return seller;
}

async function addSoftwarePasskey(actor: Actor) {
  const passkey = makeSoftwarePasskey();
  const { challenge } = await beginPasskey(actor, testPassword);
  await addPasskey(actor, { name: 'Laptop', response: passkey.register(challenge) });
  return passkey;
}

const rowsOf = ({ userId }: Actor) =>
  db().select().from(payoutMethods).where(eq(payoutMethods.sellerId, userId)).orderBy(payoutMethods.createdAt);
const auditOf = ({ userId }: Actor) =>
  db().select().from(auditLogs).where(eq(auditLogs.userId, userId)).orderBy(auditLogs.id);
const refusedAt = (field: string) => ({ code: 'invalid_input', details: { fields: { [field]: expect.any(String) } } });

beforeEach(async () => {
  await db().delete(settings);
});

describe('a payout method', () => {
  it('is stored sealed, and shown with four characters', async () => {
    const seller = await openSeller();
    const method = await savePayoutMethod(seller, bank, password);
    expect(JSON.stringify(await rowsOf(seller))).not.toMatch(/370400|Jane|Berlin/);
    expect(openMethodDetails(method)).toEqual(bank);
    const view = payoutMethodView(await findPayoutMethod(seller.userId));
    expect(view).toMatchObject({ kind: 'bank', lastFour: '3000' });
    expect(JSON.stringify([view, await auditOf(seller)])).not.toContain('3013000');
  });

  it('rests for 72 hours, in which no payout to it is approved', async () => {
    const seller = await openSeller();
    await makePlacement('closed', { seller, sellerCents: 9_000 });
    const { createdAt, usableAt } = await savePayoutMethod(seller, bank, password);
    expect(usableAt.getTime() - createdAt.getTime()).toBe(restHours * 3_600_000);
    const { id } = await requestPayout(seller, {});
    await expect(approvePayout(await makeUser('Admin'), id)).rejects.toThrow('was changed recently');
  });

  it('is replaced by a change, and kept for the payouts that were requested with it', async () => {
    const seller = await openSeller();
    await makePlacement('closed', { seller, sellerCents: 9_000 });
    const first = await savePayoutMethod(seller, bank, password);
    const payout = await requestPayout(seller, {});
    const second = await savePayoutMethod(seller, paypal, password);
    expect(payout.methodId).toBe(first.id);
    expect(await rowsOf(seller)).toMatchObject([
      { id: first.id, replacedAt: expect.any(Date) },
      { id: second.id, replacedAt: null, kind: 'paypal', lastFour: 'long' },
    ]);
    expect((await findPayoutMethod(seller.userId))?.id).toBe(second.id);
  });

  it('is one, also of concurrent changes', async () => {
    const seller = await openSeller();
    const { values } = await settle(Array.from({ length: 5 }, () => savePayoutMethod(seller, bank, password)));
    expect(values).toHaveLength(5);
    expect((await rowsOf(seller)).filter(({ replacedAt }) => replacedAt === null)).toHaveLength(1);
  });

  it('cannot be altered, and its details cannot be read in the row of another method or seller', async () => {
    const [seller, thief] = [await openSeller(), await openSeller()];
    const method = await savePayoutMethod(seller, bank, password);
    const own = await savePayoutMethod(thief, paypal, password);
    for (const change of [{ sellerId: thief.userId }, { kind: 'paypal' as const }, { usableAt: new Date(0) }])
      await expect(db().update(payoutMethods).set(change).where(eq(payoutMethods.id, method.id))).rejects.toMatchObject(
        { cause: { code: 'LM004' } },
      );
    // The app's role has no right to delete rows of this table.
    const removal = db().delete(payoutMethods).where(eq(payoutMethods.id, method.id));
    await expect(removal).rejects.toMatchObject({ cause: { code: '42501' } });
    for (const moved of [
      { ...own, sealedDetails: method.sealedDetails },
      { ...method, sellerId: thief.userId },
      { ...method, id: newId() },
    ])
      expect(() => openMethodDetails(moved)).toThrow(UnreadableSecret);
  });

  it('can be removed; open payouts keep it', async () => {
    const seller = await openSeller();
    await makePlacement('closed', { seller, sellerCents: 12_000 });
    await savePayoutMethod(seller, bank, password);
    await requestPayout(seller, { amountCents: 6_000 });
    await removePayoutMethod(seller);
    expect(payoutMethodView(await findPayoutMethod(seller.userId))).toMatchObject({ kind: null, lastFour: null });
    await expect(removePayoutMethod(seller)).rejects.toMatchObject({ code: 'conflict' });
    expect(await outboxOf(seller.email)).toMatchObject([{}, { subject: 'Your payout method was removed' }]);
  });

  it('cannot be changed while payouts are turned off, beyond the limit, or after the session has ended', async () => {
    const seller = await openSeller();
    await db().insert(settings).values({ key: 'flag.payouts', value: false });
    await expect(savePayoutMethod(seller, bank, password)).rejects.toMatchObject({ code: 'not_configured' });
    await expect(removePayoutMethod(seller)).rejects.toMatchObject({ code: 'not_configured' });
    await db().delete(settings);
    const stranger = await makeAccount({ role: 'Seller' });
    await expect(savePayoutMethod(stranger, bank, password)).rejects.toMatchObject({ code: 'unauthenticated' });
    const { max } = limits.payoutMethod.account;
    await settle(Array.from({ length: max }, () => removePayoutMethod(seller)));
    await expect(savePayoutMethod(seller, bank, password)).rejects.toMatchObject({ code: 'rate_limited' });
  });
});

describe('a change of the payout method needs', () => {
  it('the password', async () => {
    const seller = await openSeller();
    for (const wrong of ['', 'wrong'])
      await expect(savePayoutMethod(seller, bank, { password: wrong, code: '' })).rejects.toMatchObject(
        refusedAt('password'),
      );
    expect(await rowsOf(seller)).toEqual([]);
  });

  it('the code of the authenticator app too, or a recovery code', async () => {
    const seller = await openSeller();
    const { secret } = await beginTotp(seller, testPassword);
    // A setup that was not confirmed requires no code.
    await savePayoutMethod(seller, bank, password);
    const { recoveryCodes } = await confirmTotp(seller, appCode(secret, -1));
    const save = (code: string) => savePayoutMethod(seller, paypal, { password: testPassword, code });
    for (const wrong of ['', '000000', 'aaaa-bbbb']) await expect(save(wrong)).rejects.toMatchObject(refusedAt('code'));
    await expect(savePayoutMethod(seller, paypal, { password: 'wrong', code: appCode(secret) })).rejects.toMatchObject(
      refusedAt('password'),
    );
    await save(appCode(secret));
    await expect(save(appCode(secret))).rejects.toMatchObject(refusedAt('code'));
    await save(recoveryCodes[0] ?? '');
    expect((await getTwoStep(seller.userId)).recoveryCodesLeft).toBe(9);
  });

  it('or a passkey in place of both', async () => {
    const [seller, other] = [await openSeller(), await openSeller()];
    const passkey = await addSoftwarePasskey(seller);
    await addSoftwarePasskey(other);
    await expect(savePayoutMethod(seller, bank, password)).rejects.toMatchObject(refusedAt('code'));
    const { challenge } = await requestConfirmation(seller);
    await savePayoutMethod(seller, bank, { passkey: passkey.answer(challenge) });
    const again = savePayoutMethod(seller, bank, { passkey: passkey.answer(challenge) });
    await expect(again).rejects.toMatchObject({ code: 'unauthenticated' });
    const foreign = (await requestConfirmation(other)).challenge;
    const stolen = savePayoutMethod(other, bank, { passkey: passkey.answer(foreign) });
    await expect(stolen).rejects.toMatchObject({ code: 'unauthenticated' });
  });
});

describe('the owner of the account', () => {
  it('is told by mail and bell, also of the own change', async () => {
    const seller = await openSeller();
    await savePayoutMethod(seller, bank, password);
    await savePayoutMethod(seller, paypal, password);
    const sent = await outboxOf(seller.email);
    expect(sent).toMatchObject([
      { kind: 'security-notice', subject: 'A payout method was added' },
      { kind: 'security-notice', subject: 'Your payout method was changed' },
    ]);
    expect(JSON.stringify(sent)).toContain('3000');
    expect(JSON.stringify(sent)).not.toMatch(/3013000|payee/);
    const bell = await db().select().from(notices).where(eq(notices.userId, seller.userId)).orderBy(notices.id);
    expect(bell).toMatchObject([
      { kind: 'payout.method_set', subject: 'Bank account •••• 3000' },
      { kind: 'payout.method_set', subject: 'PayPal •••• long' },
    ]);
    expect((await auditOf(seller)).map(({ action, details }) => [action, details])).toEqual([
      ['payout_method.set', `${seller.email} set the payout method Bank account •••• 3000.`],
      ['payout_method.set', `${seller.email} changed the payout method Bank account •••• 3000 → PayPal •••• long.`],
    ]);
  });

  it('is told at an address that the account had in the last 30 days, too', async () => {
    const seller = await openSeller();
    const [former, ancient] = [`former-${seller.email}`, `ancient-${seller.email}`];
    const change = (before: object, after: object) =>
      db().transaction((tx) =>
        recordAudit(tx, seller, {
          ...{ action: 'user.email_changed', details: 'Changed.', entityType: 'user', entityId: seller.userId },
          ...{ before: { ...before }, after: { ...after } },
        }),
      );
    await change({ email: former }, { email: seller.email });
    await change({ name: 'Jane' }, { name: 'Jane Doe' });
    await db()
      .insert(auditLogs)
      .values({
        ...{
          action: 'user.email_changed',
          details: 'Changed.',
          user: 'x',
          role: 'x',
          source: 'web',
          entityType: 'user',
        },
        ...{
          entityId: seller.userId,
          before: { email: ancient },
          after: { email: former },
          mac: '',
          timestamp: new Date(0),
        },
      });
    await savePayoutMethod(seller, bank, password);
    for (const [to, count] of [
      [seller.email, 1],
      [former, 1],
      [ancient, 0],
    ] as const)
      expect(await outboxOf(to), to).toHaveLength(count);
  });
});
