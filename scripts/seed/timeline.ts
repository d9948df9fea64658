import postgres from 'postgres';
import { z } from 'zod';
import { db } from '@/db/client';
import { env } from '@/lib/env';

/** A step of the demo's history: the time at which it happens in the demo, and the time at which the seed ran it. */
type Step = { at: Date; from: string; until: string };

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
  #known: ClockValues = new Map();

  /** Runs a step. Steps must run in the order of their times, because ids are sorted by creation. */
  async play<Result>(at: Date, work: () => Promise<Result>): Promise<Result> {
    const from = await readClock();
    const result = await work();
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
   * Moves the times of all steps, in one transaction of the tables' owner, because the application's role may change
   * neither transfers nor the audit log. The caller holds the lock of the sealing job, so that no entry is sealed yet.
   */
  async applyDates(): Promise<void> {
    const { DATABASE_URL, MIGRATION_DATABASE_URL } = env();
    const owner = postgres(MIGRATION_DATABASE_URL ?? DATABASE_URL, { max: 1, onnotice: () => undefined });
    try {
      await owner.begin((tx) => this.#moveTimes(tx));
    } finally {
      await owner.end();
    }
  }

  async #moveTimes(tx: postgres.TransactionSql): Promise<void> {
    for (const table of immutableTables) await tx.unsafe(`alter table ${table} disable trigger user`);
    // Clocks first, while the steps' times are still the ones that were written.
    for (const { key, column, step } of this.#clocks.values()) {
      const [table = '', id = ''] = key.split(' ');
      await tx`
        update ${tx(table)} set ${tx(column)} = ${tx(column)} + (${step.at.toISOString()}::timestamptz - ${step.from}::timestamptz)
        where ${tx(clockTables.get(table) ?? 'id')}::text = ${id}`;
    }
    await tx`create temporary table steps (starts timestamptz, ends timestamptz, at timestamptz) on commit drop`;
    for (const { at, from, until } of this.#steps)
      await tx`insert into steps values (${from}::timestamptz, ${until}::timestamptz, ${at.toISOString()}::timestamptz)`;
    const columns = z.array(z.object({ owner: z.string(), name: z.string() })).parse(
      await tx`
        select c.oid::regclass::text as owner, quote_ident(a.attname) as name
        from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
        where a.atttypid = 'timestamptz'::regtype and a.attnum > 0 and not a.attisdropped
          and c.relkind = 'r' and n.nspname in ('public', 'ledger')`,
    );
    for (const { owner, name } of columns) {
      await tx.unsafe(
        `update ${owner} as t set ${name} = s.at + (t.${name} - s.starts) from steps s where t.${name} between s.starts and s.ends`,
      );
    }
    for (const table of immutableTables) await tx.unsafe(`alter table ${table} enable trigger user`);
  }
}

/** The tables whose triggers refuse every change. */
const immutableTables = ['ledger.transfers', 'audit_logs', 'placement_events', 'order_messages'];

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
