import { beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { newId } from '@/lib/ids';
import { adjustmentsAccount, postTransfer, revenueAccount, walletAccount } from '@/lib/ledger/post-transfer';
import { walletTransactionView } from '@/lib/wallet/contract';
import { listWalletTransactions } from '@/lib/wallet/queries';
import { makeTopup } from '@/tests/factories/make-topup';
import { makeUser } from '@/tests/factories/make-user';
import { expectSoundBooks } from '@/tests/setup/expect-sound-books';

let owner = '';
const ids: Record<'credit' | 'debit' | 'undone' | 'pending', string> = {
  credit: '',
  debit: '',
  undone: '',
  pending: '',
};

async function post(amountCents: number, out: boolean, note: string, method: string, reversesId?: string) {
  const [wallet, other] = [walletAccount(owner), out && !reversesId ? revenueAccount : adjustmentsAccount];
  const { transferId } = await postTransfer(db(), {
    key: `test:${newId()}`,
    kind: reversesId ? 'reversal' : 'manual_topup',
    from: out ? wallet : other,
    to: out ? other : wallet,
    amountCents,
    currency: 'USD',
    method,
    note,
    meta: { internal: 'for admins', mode: 'live' },
    ...(reversesId && { reversesId }),
  });
  return transferId;
}

const addTopup = (status: 'created' | 'pending' | 'failed' | 'expired') =>
  makeTopup({ userId: owner }, { amountCents: 4_400, status });

beforeAll(async () => {
  owner = (await makeUser()).userId;
  ids.credit = await post(123_456, false, 'Gift 100% off_season', 'Bank wire');
  ids.debit = await post(8_468, true, 'Order of a link', 'Wallet');
  ids.undone = await post(500, false, 'Typed by mistake', 'Manual');
  await post(500, true, 'Undone', 'Manual', ids.undone);
  ids.pending = await addTopup('pending');
  for (const status of ['created', 'failed', 'expired'] as const) await addTopup(status);
  const other = (await makeUser()).userId;
  await postTransfer(db(), {
    key: `test:${newId()}`,
    kind: 'manual_topup',
    from: adjustmentsAccount,
    to: walletAccount(other),
    amountCents: 1,
    currency: 'USD',
    note: 'Another user',
  });
});

const found = async (q: string) => (await listWalletTransactions(owner, { q, limit: 50 })).rows.map((line) => line.id);

describe("a wallet's transactions", () => {
  it("are the user's own, newest first, without reversed and failed ones", async () => {
    const { rows, total } = await listWalletTransactions(owner, { limit: 50 });
    expect(rows.map((line) => line.id)).toEqual([ids.pending, ids.debit, ids.credit]);
    expect(total).toBe(3);
    expect(rows.map((line) => [line.type, line.status, line.amountCents])).toEqual([
      ['credit', 'Pending', 4_400],
      ['debit', 'Completed', 8_468],
      ['credit', 'Completed', 123_456],
    ]);
    await expectSoundBooks('Money moved only between accounts that its kind allows');
  });

  it('are paginated with their total, also past the last page', async () => {
    const page = (offset: number) => listWalletTransactions(owner, { limit: 2, offset });
    expect((await page(0)).rows).toHaveLength(2);
    expect(await page(2)).toMatchObject({ rows: [{ id: ids.credit }], total: 3 });
    expect(await page(10)).toMatchObject({ rows: [], total: 3 });
  });

  it('are found by each of the eight fields, in any case', async () => {
    const today = new Date().toISOString().slice(0, 10);
    const shownDay = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date());
    expect(await found(ids.debit.toUpperCase().slice(3))).toEqual([ids.debit]);
    expect(await found('DEBIT')).toEqual([ids.debit]);
    expect(await found('pend')).toEqual([ids.pending]);
    expect(await found('bank WIRE')).toEqual([ids.credit]);
    expect(await found('stripe')).toEqual([ids.pending]);
    expect(await found('gift')).toEqual([ids.credit]);
    expect(await found('1234.56')).toEqual([ids.credit]);
    expect(await found('$1,234.56')).toEqual([ids.credit]);
    expect(await found('84.68')).toEqual([ids.debit]);
    expect(await found(today)).toHaveLength(3);
    expect(await found(`${today}T`)).toHaveLength(3);
    expect(await found(shownDay)).toHaveLength(3);
  });

  it.each(['0000-01-01', '0001-01', '1899-12', '9999-12-31', '9999-12', '2024-02-30', 'Nov 3, 0000', 'Foo 3, 2026'])(
    'are not found by %s, a time that the database may not know',
    async (q) => expect(await found(q)).toEqual([]),
  );

  it('match a search as text, not as a pattern, and not across fields', async () => {
    expect(await found('100% off_')).toEqual([ids.credit]);
    expect(await found('%')).toEqual([ids.credit]);
    expect(await found("'; drop table users; --")).toEqual([]);
    expect(await found('debitcompleted')).toEqual([]);
    expect(await found('  gift  ')).toEqual([ids.credit]);
  });

  it('have the fields of the contract, and no internal notes', async () => {
    const { rows } = await listWalletTransactions(owner, { limit: 1, q: 'gift' });
    const [view] = rows.map(walletTransactionView);
    const createdAt = view?.created_at ?? '';
    expect(new Date(createdAt).toISOString()).toBe(createdAt);
    expect(view).toEqual({
      id: ids.credit,
      user_id: owner,
      type: 'credit',
      amount_cents: 123_456,
      amount_dollars: 1234.56,
      amount: 1234.56,
      amount_formatted: '$1,234.56',
      amountFormatted: '$1,234.56',
      currency: 'USD',
      status: 'Completed',
      method: 'Bank wire',
      note: 'Gift 100% off_season',
      created_at: createdAt,
      createdAt,
      date: createdAt.slice(0, 10),
      dateOnly: createdAt.slice(0, 10),
      meta: {},
    });
  });
});
