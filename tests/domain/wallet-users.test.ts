import { beforeAll, expect, it } from 'vitest';
import type { Actor } from '@/lib/access/actor';
import { parseIdCursor } from '@/lib/id-cursor';
import { listWalletUsers } from '@/lib/users/wallet-users';
import { createManualTopup } from '@/lib/wallet/manual-topup';
import { makeUser } from '@/tests/factories/make-user';

let admin: Actor;
beforeAll(async () => {
  admin = await makeUser('Admin', { name: 'Wallet staff' });
  for (const cents of [500, 0, 900, 500, 0, 300, 500]) {
    const { userId } = await makeUser('User', { name: 'Wallet owner' });
    if (cents > 0) await createManualTopup(admin, { userId, amountCents: cents, note: '', currency: 'USD' }, null);
  }
  const gone = await makeUser('User', { name: 'Wallet owner' });
  await createManualTopup(admin, { userId: gone.userId, amountCents: 700, note: '', currency: 'USD' }, null);
  await makeUser('User', { name: 'Wallet owner', deletedAt: new Date() });
});

it.each(['asc', 'desc'] as const)('users by balance %s are the same by offset and by cursor', async (order) => {
  const list = (page: Parameters<typeof listWalletUsers>[0]) =>
    listWalletUsers({ q: 'wallet owner', ...page }, { key: 'balance', order });
  const whole = (await list({ limit: 100 })).rows;
  const balances = [0, 0, 300, 500, 500, 500, 700, 900];
  expect(whole.map(({ balanceCents }) => balanceCents)).toEqual(order === 'asc' ? balances : balances.reverse());
  for (let offset = 0; offset < whole.length; offset += 3)
    expect((await list({ limit: 3, offset })).rows).toEqual(whole.slice(offset, offset + 3));
  const onward: typeof whole = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await list({ limit: 3, cursor: parseIdCursor(cursor) ?? undefined });
    onward.push(...page.rows);
    cursor = page.next;
  }
  expect(onward).toEqual(whole);
  const back: typeof whole = [];
  for (let cursor: string | null = 'last'; cursor !== null; ) {
    const page = await list({ limit: 3, cursor: parseIdCursor(cursor) ?? undefined });
    back.unshift(...page.rows);
    cursor = page.previous;
  }
  expect(back).toEqual(whole);
});
