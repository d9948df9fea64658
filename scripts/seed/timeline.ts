import type postgres from 'postgres';
import { z } from 'zod';
import { db } from '@/db/client';
import { connect } from '@/db/open-pool';
import { invoiceCursor, invoices, taxRollups } from '@/db/schema/invoices';
import { env } from '@/lib/env';
import { issueInvoices } from '@/lib/invoices/issue';
import { lockSigningKey } from '@/lib/links/passport/keys';
import { rollUpTax } from '@/lib/tax/document-lines';
import { signProofsAgain } from './sign-proofs-again';

/** A step of the demo's history: the time at which it happens in the demo, and the time at which the seed ran it. */
type Step = { at: Date; from: string; until: string };

/** The time after which the job issues the documents of a movement of money. */
const issueDelayMs = 3_000;

const clock = z.tuple([z.object({ now: z.string() })]);

/** Columns that hold the end of a clock: they are in the future when a step writes them. */
const clockColumns = z.array(z.object({ key: z.string(), values: z.record(z.string(), z.string().nullable()) }));
type ClockValues = Map<string, Record<string, string | null>>;

/**
 * Plays the steps of the demo's history and dates them back. The application's own functions write the rows with the
 * present time; `applyDates` then moves every time that a step wrote to the time of the step.
 */
export class Timeline {
  readonly #steps: Step[] = [];
  /** For each clock column of a row, the step that set it last. */
  readonly #clocks = new Map<string, { column: string; key: string; step: Step }>();
  /** The last step of each order whose link is watched. */
  readonly #orders = new Map<number, Pick<Step, 'at' | 'from'>>();
  #known: ClockValues = new Map();

  /**
   * Runs a step, and issues the invoices of the money that it moved. Steps must run in the order of their times, because
   * ids are sorted by creation.
   * @param orderId the order of the step: for its link, the time since the order's step before passes first
   */
  async play<Result>(at: Date, work: () => Promise<Result>, orderId?: number): Promise<Result> {
    const from = await readClock();
    if (orderId !== undefined) await this.#passTime(orderId, { at, from });
    const result = await work();
    const tookMs = Date.now() - Date.parse(from);
    await issueInvoices({ at: new Date(at.getTime() + tookMs + issueDelayMs) });
    const step = { at, from, until: await readClock() };
    this.#steps.push(step);
    const values = await readClocks();
    for (const [key, row] of values) {
      const before = this.#known.get(key) ?? {};
      for (const [column, value] of Object.entries(row)) {
        if (value !== null && value !== before[column]) this.#clocks.set(`${key} ${column}`, { column, key, step });
      }
    }
    this.#known = values;
    return result;
  }

  /**
   * Moves what is known about an order's link into the past, by the time that passes in the demo. What ripens, and when a
   * link is lost, then follow from the present time.
   */
  async #passTime(orderId: number, step: Pick<Step, 'at' | 'from'>): Promise<void> {
    const before = this.#orders.get(orderId);
    this.#orders.set(orderId, step);
    if (!before) return;
    const passed = step.at.getTime() - before.at.getTime() - (Date.parse(step.from) - Date.parse(before.from));
    for (const [table, columns] of linkClocks) {
      const moved = columns.map((column) => `${column} = ${column} - make_interval(secs => ${passed / 1_000})`);
      await db().execute(`update ${table} set ${moved.join(', ')} where order_id = ${orderId}`);
    }
  }

  /**
   * Moves the times of all steps, in one transaction of the tables' owner, because the application's role may change
   * neither transfers nor the audit log. The caller holds the lock of the sealing job, so that no entry is sealed yet.
   */
  async applyDates(): Promise<void> {
    const { DATABASE_URL, MIGRATION_DATABASE_URL } = env();
    const owner = connect(MIGRATION_DATABASE_URL ?? DATABASE_URL, { max: 1 });
    try {
      // Before the transaction, which locks the key's row.
      const key = await db().transaction((tx) => lockSigningKey(tx));
      await owner.begin(async (tx) => {
        for (const table of immutableTables) await tx.unsafe(`alter table ${table} disable trigger user`);
        await this.#moveTimes(tx);
        await signProofsAgain(tx, key);
        for (const table of immutableTables) await tx.unsafe(`alter table ${table} enable trigger user`);
      });
    } finally {
      await owner.end();
    }
    await sumTaxAgain();
  }

  async #moveTimes(tx: postgres.TransactionSql): Promise<void> {
    // Clocks first, while the steps' times are still the ones that were written.
    for (const { key, column, step } of this.#clocks.values()) {
      const [table = '', id = ''] = key.split(' ');
      await tx`
        update ${tx(table)} set ${tx(column)} = ${tx(column)} + (${step.at.toISOString()}::timestamptz - ${step.from}::timestamptz)
        where ${tx(clockTables.get(table) ?? 'id')}::text = ${id}`;
    }
    for (const [orderId, { at, from }] of this.#orders) {
      for (const [table, columns] of linkClocks) {
        const moved = columns.map((column) => `${column} = ${column} + ($1::timestamptz - $2::timestamptz)`);
        await tx.unsafe(`update ${table} set ${moved.join(', ')} where order_id = ${orderId}`, [
          at.toISOString(),
          from,
        ]);
      }
    }
    await tx`create temporary table steps (starts timestamptz, ends timestamptz, at timestamptz) on commit drop`;
    for (const { at, from, until } of this.#steps)
      await tx`insert into steps values (${from}::timestamptz, ${until}::timestamptz, ${at.toISOString()}::timestamptz)`;
    const columns = z.array(z.object({ owner: z.string(), name: z.string() })).parse(
      await tx`
        select c.oid::regclass::text as owner, quote_ident(a.attname) as name
        from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
        where a.atttypid = 'timestamptz'::regtype and a.attnum > 0 and not a.attisdropped
          and c.relkind = 'r' and n.nspname in ('public', 'ledger')
          -- Append-only. No step writes figures, but the app, which starts meanwhile, does.
          and c.oid <> 'domain_figures'::regclass`,
    );
    for (const { owner, name } of columns) {
      await tx.unsafe(
        `update ${owner} as t set ${name} = s.at + (t.${name} - s.starts) from steps s where t.${name} between s.starts and s.ends`,
      );
    }
  }
}

/** Adds up the sums of the reports of tax by the days to which the documents were moved. */
async function sumTaxAgain(): Promise<void> {
  await db().transaction(async (tx) => {
    // The lock of the job that issues documents.
    await tx.select().from(invoiceCursor).for('update');
    await tx.delete(taxRollups);
    const documents = await tx.select({ id: invoices.id }).from(invoices);
    await rollUpTax(
      tx,
      documents.map(({ id }) => id),
    );
  });
}

/** The tables whose triggers refuse every change. */
const immutableTables = [
  ...['ledger.transfers', 'audit_logs', 'placement_events', 'order_messages'],
  ...[
    'order_options',
    'link_checks',
    'link_proofs',
    'payouts',
    'payout_methods',
    'source_refunds',
    'invoices',
    'receipts',
  ],
];

/** The columns that each step moves into the past, by table. */
const linkClocks = new Map([
  [
    'link_watches',
    [
      ...['checked_at', 'not_ok_since', 'broken_since', 'broken_confirmed_at', 'repair_due_at', 'reminded_at'],
      ...['unknown_since', 'started_at', 'next_check_at', 'ended_at'],
    ],
  ],
  ['placements', ['guarantee_starts_at']],
]);

/** The tables with clocks, and their keys. */
const clockTables = new Map([
  ['placements', 'order_id'],
  ['disputes', 'id'],
]);

async function readClock(): Promise<string> {
  const [{ now }] = clock.parse([...(await db().execute('select clock_timestamp()::text as now'))]);
  return now;
}

/** Reads the clocks that lie in the future, by "table key". */
async function readClocks(): Promise<ClockValues> {
  const rows = clockColumns.parse([
    ...(await db().execute(`
      select 'placements ' || order_id as key, jsonb_build_object('answer_due_at', answer_due_at,
        'delivery_due_at', delivery_due_at, 'approve_due_at', approve_due_at, 'next_action_at', next_action_at) as values
      from placements
      union all
      select 'disputes ' || id, jsonb_build_object('silence_due_at', silence_due_at,
        'next_action_at', next_action_at) from disputes`)),
  ]);
  return new Map(rows.map(({ key, values }) => [key, values]));
}
