import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { systemActor } from '@/lib/access/actor';
import { newId } from '@/lib/ids';
import { getWalletBalance, recalculateWallet } from '@/lib/ledger/balance';
import {
  adjustmentsAccount,
  clearingAccount,
  postTransfer,
  postTransfers,
  revenueAccount,
  serializeTransfers,
  type Transfer,
  walletAccount,
} from '@/lib/ledger/post-transfer';
import { verifyBooks } from '@/lib/ledger/verify-books';
import { propertyRuns } from '@/scripts/testing/tier';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeUser } from '@/tests/factories/make-user';
import { settle } from '@/tests/setup/settle';

/** These tests move money unlike any order or payment, to test the writer itself; all other checks must hold. */
async function expectSoundBooks(): Promise<void> {
  const { checks } = await verifyBooks();
  const broken = checks.filter((check) => check.broken > 0).map(({ name }) => name);
  expect(broken.filter((name) => name !== 'Money moved only between accounts that its kind allows')).toEqual([]);
}

const wallet = async () => (await makeUser()).userId;

const topup = (owner: string, amountCents: number, key = `test:${newId()}`): Transfer => ({
  key,
  kind: 'manual_topup',
  from: clearingAccount('stripe'),
  to: walletAccount(owner),
  amountCents,
  currency: 'USD',
});

const charge = (owner: string, amountCents: number, key = `test:${newId()}`): Transfer => ({
  key,
  kind: 'manual_topup',
  from: walletAccount(owner),
  to: revenueAccount,
  amountCents,
  currency: 'USD',
});

describe('posting', () => {
  it('moves money once per key, however often and concurrently it is posted', async () => {
    const owner = await wallet();
    const transfer = topup(owner, 10_000);
    const results = await Promise.all(Array.from({ length: 64 }, () => postTransfer(db(), transfer)));
    expect(results.filter((result) => !result.replayed)).toHaveLength(1);
    expect(new Set(results.map((result) => result.transferId)).size).toBe(1);
    expect(results.every((result) => result.toBalanceCents === 10_000)).toBe(true);
    expect(await getWalletBalance(owner)).toBe(10_000);
    await expectSoundBooks();
  });

  it('rejects a key that was used for another amount or wallet', async () => {
    const [owner, other] = [await wallet(), await wallet()];
    const transfer = topup(owner, 500);
    await postTransfer(db(), transfer);
    const { codes } = await settle([
      postTransfer(db(), { ...transfer, amountCents: 501 }),
      postTransfer(db(), { ...transfer, to: walletAccount(other) }),
    ]);
    expect(codes).toEqual(['conflict', 'conflict']);
    expect([await getWalletBalance(owner), await getWalletBalance(other)]).toEqual([500, 0]);
  });

  it('posts a key between two platform accounts once, without a wallet lock', async () => {
    const transfer: Transfer = {
      ...topup('', 700),
      from: clearingAccount('stripe'),
      to: { kind: 'suspense', owner: '' },
    };
    const results = await Promise.all(Array.from({ length: 20 }, () => postTransfer(db(), transfer)));
    expect(results.filter((result) => !result.replayed)).toHaveLength(1);
    await expectSoundBooks();
  });

  it('spends a wallet to zero and never below, with 40 concurrent spends', async () => {
    const owner = await wallet();
    await fundWallet(owner, 5 * 1_250);
    const { values, codes } = await settle(Array.from({ length: 40 }, () => postTransfer(db(), charge(owner, 1_250))));
    expect(values).toHaveLength(5);
    expect(codes).toEqual(Array.from({ length: 35 }, () => 'insufficient_funds'));
    expect(await getWalletBalance(owner)).toBe(0);
    await expectSoundBooks();
  });

  it('runs opposite transfers between two wallets concurrently without a deadlock', async () => {
    const [a, b] = [await wallet(), await wallet()];
    await Promise.all([fundWallet(a, 100_000), fundWallet(b, 100_000)]);
    const move = (from: string, to: string): Transfer => ({
      ...topup(to, 10),
      kind: 'manual_topup',
      from: walletAccount(from),
    });
    await Promise.all(Array.from({ length: 100 }, (_, i) => postTransfer(db(), i % 2 === 0 ? move(a, b) : move(b, a))));
    expect((await getWalletBalance(a)) + (await getWalletBalance(b))).toBe(200_000);
    await expectSoundBooks();
  });

  it('posts several transfers atomically', async () => {
    const owner = await wallet();
    await fundWallet(owner, 1_000);
    const { codes } = await settle([postTransfers(db(), [charge(owner, 600), charge(owner, 600)])]);
    expect(codes).toEqual(['insufficient_funds']);
    expect(await getWalletBalance(owner)).toBe(1_000);
  });

  it.each([0, -5])('rejects the amount %i', async (amountCents) => {
    const owner = await wallet();
    await expect(postTransfer(db(), topup(owner, amountCents))).rejects.toThrow();
    expect(await getWalletBalance(owner)).toBe(0);
  });

  it.each([0.5, 1e19, Number.NaN])('rejects %d, which is not an integer number of cents', async (amountCents) => {
    await expect(postTransfer(db(), topup(await wallet(), amountCents))).rejects.toThrow();
  });

  it('rejects an overflow of the balance and changes nothing', async () => {
    const owner = await wallet();
    await fundWallet(owner, Number.MAX_SAFE_INTEGER - 1);
    // Exceeds a safe integer, so it is passed as SQL text.
    const huge = serializeTransfers([topup(owner, 1)]).replace('"amount":1,', '"amount":9223372036854775807,');
    const posting = db().execute(sql`select * from ledger.post_transfers(${huge}::text::jsonb)`);
    await expect(posting).rejects.toMatchObject({ cause: { code: '22003' } });
    expect(await getWalletBalance(owner)).toBe(Number.MAX_SAFE_INTEGER - 1);
  });

  it('is available only to the database functions that check their caller', async () => {
    const direct = [
      sql`select ledger.post_transfer(${newId()}, ${newId()}, 'topup', 'clearing', 'stripe', 'wallet', ${await wallet()}, 1, 'USD')`,
      sql`select ledger.account_id('wallet', ${await wallet()}, 'USD')`,
    ];
    for (const call of direct) {
      await expect(db().execute(call)).rejects.toMatchObject({ cause: { code: '42501' } });
    }
  });

  it('rejects a wallet in another currency', async () => {
    await expect(postTransfer(db(), { ...topup(await wallet(), 100), currency: 'EUR' })).rejects.toThrow();
  });

  it('reverses a transfer at most once', async () => {
    const owner = await wallet();
    const { transferId } = await postTransfer(db(), topup(owner, 900));
    const reversal = (): Transfer => ({
      ...charge(owner, 900),
      kind: 'reversal',
      to: clearingAccount('stripe'),
      reversesId: transferId,
    });
    await postTransfer(db(), reversal());
    await fundWallet(owner, 900);
    const { codes } = await settle([postTransfer(db(), reversal())]);
    expect(codes).toEqual(['conflict']);
    expect(await getWalletBalance(owner)).toBe(900);
  });
});

describe('the ledger rows', () => {
  it.each([
    'update ledger.transfers set amount_cents = 1',
    'delete from ledger.transfers',
    'truncate ledger.transfers',
    `insert into ledger.transfers (id, key, kind, from_account, to_account, amount_cents, currency) select 'x', 'x', 'topup', 1, 2, 5, 'USD'`,
    'update ledger.accounts set balance_cents = 1000000',
    'delete from ledger.accounts',
    `insert into ledger.accounts (kind, owner, currency, guarded, balance_cents) values ('wallet', 'me', 'USD', true, 100)`,
    'update audit_logs set details = $$nothing$$',
    'delete from audit_logs',
    'truncate audit_logs',
  ])('cannot be written by the application: %s', async (statement) => {
    await fundWallet(await wallet(), 100);
    await expect(db().execute(sql.raw(statement))).rejects.toMatchObject({ cause: { code: '42501' } });
    await expectSoundBooks();
  });
});

describe('the functions of the ledger', () => {
  it('do not read tables created by their caller', async () => {
    const owner = await wallet();
    await fundWallet(owner, 100);
    await db().transaction(async (tx) => {
      await tx.execute(sql`create temp table transfers (from_account bigint, to_account bigint, amount_cents bigint)
        on commit drop`);
      await tx.execute(sql`grant all on pg_temp.transfers to public`);
      await tx.execute(sql`insert into pg_temp.transfers
        select null, id, 99999999 from ledger.accounts where kind = 'wallet' and owner = ${owner}`);
      const looks = await tx.execute(sql`select stored::int, derived::int from ledger.recalculate_wallet(${owner})`);
      expect([...looks]).toEqual([{ stored: 100, derived: 100 }]);
    });
    expect(await getWalletBalance(owner)).toBe(100);
    await expectSoundBooks();
  });

  it('all set search_path with pg_temp last where they run as their owner', async () => {
    const rows = await db().execute(sql`
      select p.proname as name, array_to_string(p.proconfig, ';') as settings
      from pg_proc p join pg_namespace n on n.oid = p.pronamespace where n.nspname = 'ledger' and p.prosecdef`);
    expect(rows.length).toBeGreaterThanOrEqual(4);
    for (const row of rows) expect(row).toMatchObject({ settings: 'search_path=ledger, pg_catalog, pg_temp' });
  });
});

describe('recalculation', () => {
  it('finds no difference during concurrent transfers', async () => {
    const owner = await wallet();
    await fundWallet(owner, 1_000_000);
    const work = Array.from({ length: 60 }, () => postTransfer(db(), charge(owner, 7)));
    const looks = await Promise.all(
      Array.from({ length: 20 }, () => recalculateWallet(systemActor('Test', 'script'), owner)),
    );
    await Promise.all(work);
    expect(looks.filter((look) => look.storedCents !== look.derivedCents)).toEqual([]);
    expect(await getWalletBalance(owner)).toBe(1_000_000 - 60 * 7);
  });
});

/** One step of the random histories below. */
type Step = { owner: number; kind: 'topup' | 'charge' | 'repeat' | 'transfer'; amountCents: number };

describe('any history', () => {
  it('keeps every wallet equal to a simple model, with concurrent steps', async () => {
    const steps = fc.array(
      fc.record<Step>({
        owner: fc.integer({ min: 0, max: 2 }),
        kind: fc.constantFrom('topup', 'charge', 'repeat', 'transfer'),
        amountCents: fc.integer({ min: 1, max: 5_000 }),
      }),
      { minLength: 5, maxLength: 40 },
    );
    await fc.assert(
      fc.asyncProperty(steps, async (history) => {
        const owners = await Promise.all([wallet(), wallet(), wallet()]);
        const model = new Map(owners.map((owner) => [owner, 0]));
        const ownerAt = (index: number) => owners[index % owners.length] ?? '';
        const book = (owner: string, delta: number) => model.set(owner, (model.get(owner) ?? 0) + delta);
        let last: Transfer | undefined;
        const run = async ({ owner: index, kind, amountCents }: Step) => {
          const owner = ownerAt(index);
          if (kind === 'repeat') {
            if (last) expect((await postTransfer(db(), last)).replayed).toBe(true);
            return;
          }
          const next = kind === 'transfer' ? ownerAt(index + 1) : '';
          const transfer =
            kind === 'topup'
              ? topup(owner, amountCents)
              : kind === 'charge'
                ? charge(owner, amountCents)
                : { ...charge(owner, amountCents), to: walletAccount(next) };
          const { values } = await settle([postTransfer(db(), transfer)]);
          if (values.length === 0) return;
          if (kind === 'topup') book(owner, amountCents);
          else book(owner, -amountCents);
          if (kind === 'transfer') book(next, amountCents);
          last = transfer;
        };
        // Three at a time: the model counts only successes, so their order does not matter.
        for (let i = 0; i < history.length; i += 3) await Promise.all(history.slice(i, i + 3).map(run));
        for (const owner of owners) expect(await getWalletBalance(owner)).toBe(model.get(owner));
        await expectSoundBooks();
      }),
      { numRuns: propertyRuns(25) },
    );
  });
});

describe('the proof', () => {
  it('sums to zero in each currency and lists every account kind', async () => {
    await fundWallet(await wallet(), 12_345);
    await expectSoundBooks();
    const report = await verifyBooks();
    expect(report.totals.map((total) => total.kind)).toContain(adjustmentsAccount.kind);
  });
});
