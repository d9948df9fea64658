import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Executor } from '@/db/client';
import { copyToStdout } from '@/db/copy';
import type { Transaction } from '@/db/transaction';

/** A table in an archive. */
export type BackupTable = {
  /** "schema.table". */
  name: string;
  /** All columns except generated and excluded ones, sorted, so that the order does not depend on past migrations. */
  columns: string[];
  /** The primary key. */
  key: string[];
  /** The tables that its foreign keys reference. */
  needs: string[];
  /** The size on disk, for the progress. */
  bytes: number;
};

/** Tables specific to an instance, which are neither archived nor changed by a restore. */
const instanceTables = [
  'public.backups',
  'public.rate_limits',
  'public.sign_in_failures',
  'public.catalogue_stamps',
  'public.settings_stamps',
  'public.write_positions',
  'public.database_timelines',
  // The services of this instance.
  'public.service_answers',
  // Counts the requests of this hour, which a restore does not undo.
  'public.link_hosts',
  // Counts the requests of this day.
  'public.domain_rating_use',
];
/**
 * Columns excluded from archives, because mail bodies may contain sign-in links, recipients may have turned a monthly mail
 * off after the backup, and the link of a request to a client may have been revoked or answered. They get their defaults.
 */
const excludedColumns = [
  'public.mails.sealed_body',
  'public.client_report_mails.due_at',
  'public.order_requests.link_hash',
  'public.order_requests.former_link_hashes',
];
/**
 * Tables emptied by a restore, which ends all sessions, mailed links, invitations, quotes, API tokens, client reports, webhook
 * endpoints and connections with WordPress and with the providers that deliver documents: a backup would contain tokens,
 * reports, endpoints, secrets and passwords that were revoked after it, and a copy of the installation would send its
 * documents. The roll-ups of the ledger are built again from the restored transfers, and the job issue-invoices reads them
 * again, as the job remove-old-records does the checks of links. The records of listings and sellers are computed again. The list of events begins again, and no webhook is sent a
 * second time.
 */
export const clearedTables = [
  'public.sessions',
  'public.email_tokens',
  'public.passkey_challenges',
  'public.api_tokens',
  'public.account_invitations',
  'public.order_quotes',
  'public.client_reports',
  'public.ledger_rollup',
  'public.account_rollups',
  'public.flow_rollups',
  'public.project_rollups',
  'public.earning_rollups',
  'public.spending_rollups',
  'public.invoice_cursor',
  'public.link_check_cursor',
  'public.site_view_marks',
  'public.fulfilment_records',
  'public.record_marks',
  'public.record_rollup',
  'public.proof_requests',
  'public.events',
  'public.webhook_deliveries',
  'public.webhook_attempts',
  'public.webhook_endpoints',
  'public.site_wordpress',
  'public.wordpress_requests',
  'public.delivery_providers',
];
/** Append-only tables. They are archived last, in this order, and restored only into an empty ledger. */
export const appendOnlyTables = [
  'ledger.accounts',
  'ledger.transfers',
  'public.audit_logs',
  'public.audit_seals',
  'public.audit_unsealed',
];

const row = z.object({
  name: z.string(),
  columns: z.array(z.string()),
  key: z.array(z.string()),
  needs: z.array(z.string()),
  bytes: z.coerce.number(),
});

/** Lists the tables of an archive from the database catalog: referenced tables first, append-only tables last. */
export async function listBackupTables(tx: Executor): Promise<BackupTable[]> {
  const rows = z.array(row).parse(
    await tx.execute(sql`
      select n.nspname || '.' || c.relname as name,
        array(
          select a.attname::text from pg_attribute a
          where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by 1
        ) as columns,
        array(
          select a.attname::text from pg_index i cross join unnest(i.indkey) with ordinality as k(number, place)
          join pg_attribute a on a.attrelid = c.oid and a.attnum = k.number
          where i.indrelid = c.oid and i.indisprimary order by k.place
        ) as key,
        array(
          select distinct fn.nspname || '.' || f.relname from pg_constraint r
          join pg_class f on f.oid = r.confrelid join pg_namespace fn on fn.oid = f.relnamespace
          where r.conrelid = c.oid and r.contype = 'f' and r.confrelid <> c.oid
        ) as needs,
        pg_table_size(c.oid) as bytes
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'r' and n.nspname in ('public', 'ledger')
      order by 1`),
  );
  const tables = rows.map((table) => ({
    ...table,
    columns: table.columns.filter((column) => !excludedColumns.includes(`${table.name}.${column}`)),
  }));
  const archived = tables.filter(({ name }) => !instanceTables.includes(name) && !clearedTables.includes(name));
  const books = appendOnlyTables.flatMap((name) => archived.filter((table) => table.name === name));
  return [...sortByReferences(archived.filter(({ name }) => !appendOnlyTables.includes(name))), ...books];
}

/** Sorts tables topologically, referenced tables first. */
function sortByReferences(tables: BackupTable[]): BackupTable[] {
  const left = [...tables];
  const done: BackupTable[] = [];
  while (left.length > 0) {
    const ready = left.findIndex(({ needs }) => !needs.some((name) => left.some((other) => other.name === name)));
    const [next] = left.splice(Math.max(ready, 0), 1);
    if (ready < 0 || !next) throw new Error('Tables reference each other in a cycle, so none can be restored first.');
    done.push(next);
  }
  return done;
}

export const quoteIdentifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Quotes a qualified name ("ledger.transfers") for SQL. */
export const quoteTable = (name: string): string => name.split('.').map(quoteIdentifier).join('.');

/** Builds a query of all rows in a fixed order, so that equal tables give equal text. */
export function buildRowsQuery({ name, columns, key }: BackupTable): string {
  const order = (key.length > 0 ? key : columns).map(quoteIdentifier).join(', ');
  return `select ${columns.map(quoteIdentifier).join(', ')} from ${quoteTable(name)} order by ${order}`;
}

/** Fixes the session settings that affect the text of timestamps and numbers. */
export async function fixTextSettings(tx: Executor): Promise<void> {
  for (const setting of ["timezone to 'UTC'", "datestyle to 'ISO, MDY'", "intervalstyle to 'postgres'"]) {
    await tx.execute(sql.raw(`set local ${setting}`));
  }
}

const migrations = z.tuple([z.object({ count: z.int(), last: z.string() })]);

/** Returns the number of migrations and the hash of the last one. */
export async function schemaVersion(tx: Executor): Promise<{ migrations: number; last: string }> {
  const [{ count, last }] = migrations.parse([
    ...(await tx.execute(sql`
      select count(*)::int as count, coalesce((array_agg(hash order by created_at desc))[1], '') as last
      from drizzle.__drizzle_migrations`)),
  ]);
  return { migrations: count, last };
}

const lineFeed = 0x0a;

/** Counts and hashes COPY text. COPY writes each row as one line and escapes line feeds. */
export function createTableChecksum() {
  const hash = createHash('sha256');
  let rows = 0;
  let bytes = 0;
  return {
    add(chunk: Buffer) {
      hash.update(chunk);
      bytes += chunk.length;
      for (let at = chunk.indexOf(lineFeed); at >= 0; at = chunk.indexOf(lineFeed, at + 1)) rows += 1;
    },
    result: () => ({ rows, bytes, sha256: hash.digest('hex') }),
  };
}

/** Counts and hashes the current content of a table, in the form of the manifest. */
export async function checksumTable(tx: Transaction, table: BackupTable) {
  const sum = createTableChecksum();
  for await (const chunk of copyToStdout(tx, buildRowsQuery(table))) sum.add(chunk);
  return sum.result();
}
