import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { topups } from '@/db/schema/topups';
import type { Actor } from '@/lib/access/actor';
import { parseIdCursor } from '@/lib/id-cursor';
import type { AdminTransactionRow } from '@/lib/wallet/contract';
import { createManualTopup } from '@/lib/wallet/manual-topup';
import { listAllTransactions, listWalletTransactions } from '@/lib/wallet/queries';
import { makeOrder } from '@/tests/factories/make-order';
import { makeTopup } from '@/tests/factories/make-topup';
import { makeUser } from '@/tests/factories/make-user';
import { keepSoundBooks } from '@/tests/setup/expect-sound-books';

let admin: Actor;
beforeAll(async () => {
  admin = await makeUser('Admin');
});
keepSoundBooks();

const give = (userId: string, amountCents: number) =>
  createManualTopup(admin, { userId, amountCents, note: '', currency: 'USD' }, null);

describe('the transactions of all users', () => {
  it('are found by the number and website of the order, the amount, the day and the end of the id', async () => {
    const { id, buyer } = await makeOrder(4_321, 0);
    const list = async (q: string) => (await listAllTransactions({ q, limit: 100 })).rows;
    const [debit] = (await listWalletTransactions(buyer.userId, { limit: 50 })).rows.filter(
      (line) => line.type === 'debit',
    );
    const website = debit?.note.split(': ')[1] ?? '';
    const finds = [`#${id}`, `order #${id}`, debit?.note ?? '', website, '43.21', '$43.21', debit?.id.slice(-8) ?? ''];
    for (const q of [...finds, debit?.createdAt.slice(0, 10) ?? ''])
      expect((await list(q)).map((line) => line.id)).toContain(debit?.id);
    expect((await list(`order #${id}9`)).map((line) => line.id)).not.toContain(debit?.id);
    const ofBuyer = await listAllTransactions({ q: `#${id}`, userId: buyer.userId, limit: 100 });
    expect(ofBuyer.rows.map((line) => line.id)).toEqual([debit?.id]);
  });

  it('are the same rows by cursor in both directions', async () => {
    const buyer = await makeUser();
    for (let cents = 1; cents <= 5; cents += 1) await give(buyer.userId, cents);
    await makeTopup(buyer, { status: 'pending' });
    for (const filter of [{ q: '' }, { q: 'manual' }, { q: '', userId: buyer.userId }]) {
      const whole = (await listAllTransactions({ ...filter, limit: 5_000 })).rows;
      const read = (cursor: string | null) =>
        listAllTransactions({ ...filter, limit: 4, cursor: parseIdCursor(cursor ?? '') ?? undefined });
      const onward: AdminTransactionRow[] = [];
      for (let page = await read(null); ; page = await read(page.next)) {
        onward.push(...page.rows);
        if (page.next === null) break;
      }
      expect(onward).toEqual(whole);
      const back: AdminTransactionRow[] = [];
      for (let page = await read('last'); ; page = await read(page.previous)) {
        back.unshift(...page.rows);
        if (page.previous === null) break;
      }
      expect(back).toEqual(whole);
    }
    await db().update(topups).set({ status: 'expired' }).where(eq(topups.accountId, buyer.userId));
  });
});
