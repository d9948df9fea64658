import { Unzip } from 'fflate';
import { expect, it } from 'vitest';
import { issueInvoices } from '@/lib/invoices/issue';
import { respondWithMonth } from '@/lib/invoices/respond-with-month';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeUser } from '@/tests/factories/make-user';
import { spendMoney } from '@/tests/factories/spend-money';

const count = 1_000;
const megabytes = 1_000_000;

it('sends a month of a thousand documents in pieces, in memory that does not grow with them', async () => {
  await issueInvoices();
  const buyer = await makeUser();
  await fundWallet(buyer.userId, 10_000_000);
  for (let made = 0; made < count; made += 1) await spendMoney(buyer, 1_000);
  const at = new Date('2091-07-15T12:00:00Z');
  await issueInvoices({ at, endsAt: Date.now() + 120_000 });

  const response = await respondWithMonth(buyer, { month: '2091-07', format: 'zip' });
  let [files, pieces, longest] = [0, 0, 0];
  const unzip = new Unzip(() => {
    files += 1;
  });
  const heap: number[] = [];
  for await (const piece of response.body ?? []) {
    unzip.push(new Uint8Array(piece));
    pieces += 1;
    longest = Math.max(longest, piece.length);
    if (pieces % 500 === 0) {
      globalThis.gc?.();
      heap.push(process.memoryUsage().heapUsed);
    }
  }
  // Each order's invoice, the receipt of the top-up and the summary.
  expect(files).toBe(count + 2);
  expect(pieces).toBeGreaterThan(count);
  expect(longest).toBeLessThan(megabytes);
  expect((heap.at(-1) ?? 0) - (heap[0] ?? 0)).toBeLessThan(150 * megabytes);
}, 900_000);

it('stops reading when the client goes away', async () => {
  const buyer = await makeUser();
  await fundWallet(buyer.userId, 100_000);
  for (let made = 0; made < 10; made += 1) await spendMoney(buyer, 1_000);
  await issueInvoices({ at: new Date('2092-07-15T12:00:00Z') });
  const send = () => respondWithMonth(buyer, { month: '2092-07', format: 'zip' });
  // More than the lists that one person may receive at the same time.
  for (let round = 0; round < 6; round += 1) {
    const reader = (await send()).body?.getReader();
    expect((await reader?.read())?.value?.length).toBeGreaterThan(0);
    await reader?.cancel();
  }
  expect((await (await send()).arrayBuffer()).byteLength).toBeGreaterThan(10_000);
}, 120_000);
