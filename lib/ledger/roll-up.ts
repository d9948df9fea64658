import { setTimeout } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { advisoryLock } from '@/db/advisory-locks';
import { db } from '@/db/client';
import { extendStatementTimeout } from '@/db/extend-statement-timeout';
import {
  accountRollups,
  earningRollups,
  flowRollups,
  ledgerRollup,
  projectRollups,
  spendingRollups,
} from '@/db/schema/ledger-rollups';
import type { Transaction } from '@/db/transaction';
import { walletCurrency } from '@/lib/money';
import { selectFlows, selectSpendingMoves } from './moves';

/** The interval at which open transactions are looked at again, in milliseconds. */
const pollMs = 20;

const sequenceRow = z.object({ position: z.coerce.number() });
const writers = z.array(z.object({ id: z.string() }));

/**
 * Returns a position below which no transfer can appear anymore. An insert locks the table before it takes a position
 * and until its transaction ends. So every transaction that holds a position up to the sequence's current value is
 * among those that hold the lock afterwards, and when these have ended, their transfers are visible or were rolled back.
 * Nothing is remembered between runs: transaction ids differ after a restore.
 * @returns null when one of these transactions is still open at `endsAt` (milliseconds)
 */
export async function findSettledPosition(endsAt: number): Promise<number | null> {
  const rows = await db().execute(
    sql`select case when is_called then last_value else 0 end as position from ledger.transfers_position_seq`,
  );
  const { position } = sequenceRow.parse(rows[0]);
  let waiting = new Set(await listWriters());
  while (waiting.size > 0) {
    if (Date.now() >= endsAt) return null;
    await setTimeout(pollMs);
    waiting = new Set((await listWriters()).filter((id) => waiting.has(id)));
  }
  return position;
}

/** Lists the transactions that may insert transfers. */
async function listWriters(): Promise<string[]> {
  const rows = await db().execute(sql`
    select virtualtransaction as id from pg_locks
    where locktype = 'relation' and relation = 'ledger.transfers'::regclass and mode = 'RowExclusiveLock' and granted
      and database = (select oid from pg_database where datname = current_database())`);
  return writers.parse(rows).map(({ id }) => id);
}

/** Transfers per transaction. */
const batchSize = 10_000;
/** The time after which a run starts no further batch, in milliseconds. */
const runMs = 5_000;

/**
 * Adds the transfers behind the position of the roll-up to the sums of accounts, days and months (db/schema/ledger-rollups.ts), in
 * batches. One instance at a time; a second one returns immediately. A run that is interrupted continues in the next.
 * @returns the number of transfers rolled up
 */
export async function rollUpLedger(): Promise<Record<'rolledUp', number>> {
  const endsAt = Date.now() + runMs;
  const settled = await findSettledPosition(endsAt);
  let rolledUp = 0;
  if (settled === null) return { rolledUp };
  for (let isMore = true; isMore && Date.now() < endsAt; ) {
    const batch = await db().transaction((tx) => rollUpBatch(tx, settled));
    rolledUp += batch.added;
    isMore = batch.isMore;
  }
  return { rolledUp };
}

const rollups = [ledgerRollup, accountRollups, flowRollups, projectRollups, earningRollups, spendingRollups];

/** Empties the sums, so that the next runs build them again: for a writer that dates transfers back afterwards. */
export async function resetRollUp(): Promise<void> {
  await db().transaction(async (tx) => {
    // A run holds it for each batch.
    await tx.execute(sql`select pg_advisory_xact_lock(${advisoryLock('roll-up')})`);
    for (const table of rollups) await tx.delete(table);
  });
}

const lockRow = z.object({ locked: z.boolean() });
const batchRow = z.object({ added: z.int(), last_position: z.coerce.number().nullable() });

/** Rolls up one batch, in the order of the positions. */
async function rollUpBatch(tx: Transaction, settled: number): Promise<{ added: number; isMore: boolean }> {
  const [lock] = await tx.execute(sql`select pg_try_advisory_xact_lock(${advisoryLock('roll-up')}) as locked`);
  if (!lockRow.parse(lock).locked) return { added: 0, isMore: false };
  await extendStatementTimeout(tx);
  // Waits for a restore, which empties the tables.
  await tx.insert(ledgerRollup).values({}).onConflictDoNothing();
  const [state] = await tx.select().from(ledgerRollup).for('update');
  if (!state) throw new Error('The roll-up has no position.');
  const { position } = state;
  if (position >= settled) return { added: 0, isMore: false };
  const rows = await tx.execute(sql`
    with batch as (
      select * from ledger.transfers where position > ${position} and position <= ${settled}
      order by position limit ${batchSize}
    ),
    -- The accounts are joined once for all sums.
    new as materialized (
      select b.*, f.kind as from_kind, f.owner as from_owner, g.kind as to_kind, g.owner as to_owner
      from batch b
      join ledger.accounts f on f.id = b.from_account join ledger.accounts g on g.id = b.to_account
    ),
    sides as (
      select from_account as account, from_kind as kind, currency, -amount_cents as delta, from_version as version,
        created_at, effective_at, kind as transfer_kind from new
      union all
      select to_account, to_kind, currency, amount_cents, to_version, created_at, effective_at, kind from new
    ),
    by_account as (
      insert into account_rollups (account_id, balance_cents, version, last_transfer_at)
      select account, sum(delta), count(version), max(created_at) from sides group by account
      on conflict (account_id) do update set balance_cents = account_rollups.balance_cents + excluded.balance_cents,
        version = account_rollups.version + excluded.version,
        last_transfer_at = greatest(account_rollups.last_transfer_at, excluded.last_transfer_at)
    ),
    by_flow as (
      insert into flow_rollups (day, kind, from_kind, from_owner, to_kind, to_owner, currency, amount_cents, entries)
      select day, kind, from_kind, from_owner, to_kind, to_owner, currency, sum(amount_cents), sum(entries)
      from (${selectFlows(sql`new`)}) as flows group by 1, 2, 3, 4, 5, 6, 7
      on conflict (day, kind, from_kind, from_owner, to_kind, to_owner, currency) do update
      set amount_cents = flow_rollups.amount_cents + excluded.amount_cents,
        entries = flow_rollups.entries + excluded.entries
    ),
    by_month as (
      insert into earning_rollups (account_id, month, in_cents, out_cents, ripened_cents, entries, first_version,
        last_version)
      select s.account, date_trunc('month', s.effective_at at time zone 'UTC')::date,
        coalesce(sum(s.delta) filter (where s.delta > 0), 0), coalesce(-sum(s.delta) filter (where s.delta < 0), 0),
        coalesce(sum(abs(s.delta)) filter (where s.transfer_kind = 'ripening'), 0), count(*), min(s.version), max(s.version)
      from sides s where s.kind in ('seller_pending', 'seller_payable') and s.currency = ${walletCurrency}
      group by 1, 2
      on conflict (account_id, month) do update set in_cents = earning_rollups.in_cents + excluded.in_cents,
        out_cents = earning_rollups.out_cents + excluded.out_cents,
        ripened_cents = earning_rollups.ripened_cents + excluded.ripened_cents, entries = earning_rollups.entries + excluded.entries,
        first_version = least(earning_rollups.first_version, excluded.first_version),
        last_version = greatest(earning_rollups.last_version, excluded.last_version)
    ),
    by_wallet as (
      insert into spending_rollups (account_id, month, paid_cents, returned_cents)
      select account, month, sum(paid), sum(returned) from (${selectSpendingMoves(sql`new`)}) as moves
      group by account, month
      on conflict (account_id, month) do update set paid_cents = spending_rollups.paid_cents + excluded.paid_cents,
        returned_cents = spending_rollups.returned_cents + excluded.returned_cents
    ),
    by_project as (
      insert into project_rollups (project_id, paid_cents, returned_cents)
      select o.project_id, coalesce(sum(n.amount_cents) filter (where n.from_kind = 'wallet'), 0),
        coalesce(sum(n.amount_cents) filter (where n.to_kind = 'wallet'), 0)
      from new n left join ledger.transfers undone on undone.id = n.reverses_id and n.order_id is null
      join orders o on o.id = coalesce(n.order_id, undone.order_id)
      group by o.project_id
      on conflict (project_id) do update set paid_cents = project_rollups.paid_cents + excluded.paid_cents,
        returned_cents = project_rollups.returned_cents + excluded.returned_cents
    )
    select count(*)::int as added, max(position) as last_position from new`);
  const { added, last_position } = batchRow.parse(rows[0]);
  const isFull = added === batchSize;
  await tx.update(ledgerRollup).set({ position: isFull && last_position !== null ? last_position : settled });
  return { added, isMore: isFull };
}
