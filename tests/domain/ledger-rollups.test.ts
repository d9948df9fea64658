import postgres from 'postgres';
import { afterAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { getRevenue } from '@/lib/dashboard/admin';
import { newId } from '@/lib/ids';
import { clearingAccount, postTransfer, type Transfer } from '@/lib/ledger/post-transfer';
import { listReceivables } from '@/lib/ledger/receivables';
import { rollUpLedger } from '@/lib/ledger/roll-up';
import { getProjectSpend } from '@/lib/orders/order/project-figures';
import { updateOrder } from '@/lib/orders/order/update';
import { getTotalWalletBalance } from '@/lib/wallet/queries';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeOrder } from '@/tests/factories/make-order';
import { makeUser } from '@/tests/factories/make-user';

const owner = postgres(process.env.MIGRATION_DATABASE_URL ?? '', { max: 1, onnotice: () => undefined });
afterAll(() => owner.end());

/** The accounts and kinds whose rolled sums differ from their transfers when all transfers are rolled up. */
async function findDifferences(): Promise<unknown[]> {
  await rollUpLedger();
  const accounts = await owner`
    select a.id from ledger.accounts a left join account_rollups r on r.account_id = a.id
    where coalesce(r.balance_cents, 0) <> (
      select coalesce(sum(case when t.to_account = a.id then t.amount_cents else -t.amount_cents end), 0)
      from ledger.transfers t where a.id in (t.from_account, t.to_account))
      or a.guarded and coalesce(r.version, 0) <> a.version`;
  const kinds = await owner`
    select kind, currency from (
      select from_kind as kind, currency, -amount_cents as cents from flow_rollups
      union all select to_kind, currency, amount_cents from flow_rollups
    ) as sides group by kind, currency having sum(cents) <> (
      select sum(r.balance_cents) from account_rollups r join ledger.accounts a on a.id = r.account_id
      where a.kind = sides.kind and a.currency = sides.currency)`;
  return [...accounts, ...kinds];
}

const owe = (userId: string, amountCents: number): Transfer => ({
  key: `test:${newId()}`,
  kind: 'dispute',
  from: { kind: 'receivable', owner: userId },
  to: clearingAccount('stripe'),
  amountCents,
  currency: 'USD',
});

async function readFigures(projectId: string) {
  return {
    revenue: await getRevenue(),
    wallets: await getTotalWalletBalance(),
    receivables: await listReceivables(),
    spend: await getProjectSpend(projectId),
  };
}

describe('the roll-up of the ledger', () => {
  it('changes no figure, which include the transfers after it', async () => {
    const admin = await makeUser('Admin');
    const { id, buyer } = await makeOrder(5_000, 700);
    await postTransfer(db(), owe(buyer.userId, 300));
    const [{ projectId = '' } = {}] = await owner<{ projectId: string }[]>`
      select project_id as "projectId" from orders where id = ${id}`;
    const before = await readFigures(projectId);
    expect(before).toMatchObject({
      wallets: 700,
      receivables: [{ owedCents: 300 }],
      spend: { spentCents: 5_000 },
      revenue: { recent: { keptCents: 5_000 } },
    });
    expect(await rollUpLedger()).toEqual({ rolledUp: 3 });
    expect(await readFigures(projectId)).toEqual(before);
    expect(await rollUpLedger()).toEqual({ rolledUp: 0 });

    await updateOrder(admin, id, { status: 'Refunded' });
    await postTransfer(db(), owe(buyer.userId, 200));
    const after = await readFigures(projectId);
    expect(after).toMatchObject({
      wallets: 5_700,
      receivables: [{ owedCents: 500, balanceCents: 5_700 }],
      spend: { spentCents: 0, refundedCents: 5_000 },
      revenue: { recent: { keptCents: 0 } },
    });
    expect(await findDifferences()).toEqual([]);
    expect(await readFigures(projectId)).toEqual(after);
  });

  it('misses no transfer that commits after a later one was rolled up', async () => {
    const { userId } = await makeUser();
    await rollUpLedger();
    let running: Promise<Record<'rolledUp', number>> | undefined;
    await owner.begin(async (tx) => {
      const [{ id = 0 } = {}] = await tx<
        { id: number }[]
      >`select ledger.account_id('adjustments', '', 'USD')::int as id`;
      await tx`insert into ledger.transfers (id, key, kind, from_account, to_account, amount_cents, currency)
        values (${newId()}, ${newId()}, 'exchange', ${id}, ledger.account_id('suspense', '', 'USD'), 100, 'USD')`;
      await fundWallet(userId, 1_000);
      running = rollUpLedger();
      expect(await Promise.race([running, tx`select pg_sleep(0.5)`.then(() => 'waiting')])).toBe('waiting');
    });
    expect(await running).toEqual({ rolledUp: 2 });
    expect(await findDifferences()).toEqual([]);
  });

  it('runs once at a time', async () => {
    await makeOrder(1_000);
    const runs = await Promise.all([rollUpLedger(), rollUpLedger(), rollUpLedger()]);
    expect(runs.reduce((sum, { rolledUp }) => sum + rolledUp, 0)).toBe(2);
    expect(await findDifferences()).toEqual([]);
  });
});
