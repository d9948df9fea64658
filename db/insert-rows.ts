import { type Column, getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm';
import { toSnakeCase } from 'drizzle-orm/casing';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { Executor } from './client';
import { prepared } from './prepared';

type Field<Table extends PgTable> = keyof Table['$inferInsert'] & string;

/**
 * A row of an INSERT that names columns. A field without a value is null, also where the column has a default, so a column
 * that is not null requires a value. Bytes cannot be in JSON.
 */
export type GivenRow<Table extends PgTable, Named extends Field<Table>> = Pick<
  Table['$inferInsert'],
  { [Name in Named]: null extends Table['$inferInsert'][Name] ? Name : never }[Named]
> & {
  [Name in Named as null extends Table['$inferInsert'][Name] ? never : Name]: NonNullable<Table['$inferInsert'][Name]>;
} & { [Name in Named as NonNullable<Table['$inferInsert'][Name]> extends Uint8Array ? Name : never]: never };

type Options<Table extends PgTable> = {
  /** Columns that are computed in SQL, where `given` has the values of the row by the names of the fields. */
  computed?: { [Name in Field<Table>]?: SQL };
  /** The SQL types of further values of `given`. */
  also?: Record<string, string>;
  /** What `given` is joined with. */
  join?: SQL;
  /** The condition for a row to be inserted. */
  where?: SQL;
};

/**
 * Builds an INSERT of any number of rows, in their order, which the parameter `rows` has as JSON (`toRowsParameter`): one
 * prepared statement serves one row and a hundred. Columns that are not named get their defaults.
 */
export function insertGiven<Table extends PgTable>(
  table: Table,
  fields: readonly Field<Table>[],
  { computed = {}, also = {}, join = sql``, where = sql`true` }: Options<Table> = {},
): SQL {
  const columns: Record<string, Column> = getTableColumns(table);
  const nameOf = (field: string) => sql.identifier(toSnakeCase(field));
  const extra = Object.entries<SQL | undefined>(computed);
  const names = [...fields, ...extra.map(([field]) => field)].map(nameOf);
  const values = [...fields.map((field) => sql`given.${sql.identifier(field)}`), ...extra.map(([, value]) => value)];
  const typeOf = (field: string) => also[field] ?? columns[field]?.getSQLType() ?? '';
  const types = [...fields, ...Object.keys(also)].map(
    (field) => sql`${sql.identifier(field)} ${sql.raw(typeOf(field))}`,
  );
  const comma = sql`, `;
  return sql`insert into ${table} (${sql.join(names, comma)}) select ${sql.join(values, comma)}
    from jsonb_to_recordset(${sql.placeholder('rows')}::text::jsonb) as given(${sql.join(types, comma)}) ${join} where ${where}`;
}

/**
 * Serializes rows for `insertGiven`. Unpaired surrogates, e.g. of a text that was cut, are replaced, as the driver does in
 * other parameters: PostgreSQL's JSON refuses them.
 */
export function toRowsParameter<Row extends object>(rows: readonly Row[]): string {
  const json = JSON.stringify(rows);
  if (!json.includes('\\ud')) return json;
  const replace = (_: string, value: unknown) =>
    typeof value === 'string' ? value.replaceAll(/\p{Cs}/gu, '\ufffd') : value;
  return JSON.stringify(rows, replace);
}

/**
 * Prepares an INSERT of any number of rows (`insertGiven`).
 * @returns a function that inserts rows; it executes nothing for none
 */
export function insertRows<Table extends PgTable, Named extends Field<Table>>(
  table: Table,
  fields: readonly Named[],
  options: Options<Table> = {},
): (tx: Executor, rows: readonly GivenRow<Table, Named>[], values?: Record<string, unknown>) => Promise<void> {
  const statement = prepared((on) => {
    const inserted = on.$with('inserted', {}).as(insertGiven(table, fields, options));
    const once = sql`(values (1)) as once`;
    return on.with(inserted).select({ done: sql`1` }).from(once).prepare(getTableName(table));
  });
  return async (tx, rows, values = {}) => {
    if (rows.length > 0) await statement(tx).execute({ rows: toRowsParameter(rows), ...values });
  };
}
