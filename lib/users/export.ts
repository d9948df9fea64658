import { and, asc, eq, gt, isNull, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { readInBatches } from '@/db/read-in-batches';
import { accounts } from '@/db/schema/ledger';
import { userTags } from '@/db/schema/staff-notes';
import { users } from '@/db/schema/users';
import type { Reader } from '@/db/snapshot';
import { toDecimalString, walletCurrency } from '@/lib/money';
import { type CsvColumn, generateCsv } from '@/lib/platform/csv';
import type { UserFilter } from './contract';
import { matchesUser, peopleCondition } from './queries';

const batchSize = 500;

const columns = {
  id: users.id,
  name: users.name,
  email: users.email,
  role: users.role,
  status: users.status,
  createdAt: users.createdAt,
  lastSeenAt: users.lastSeenAt,
};
type Row = Pick<typeof users.$inferSelect, keyof typeof columns>;

const account: readonly CsvColumn<Row>[] = [
  ['ID', ({ id }) => id],
  ['Name', ({ name }) => name],
  ['Email', ({ email }) => email],
  ['Role', ({ role }) => role],
  ['Status', ({ status }) => status],
];

const peopleColumns: readonly CsvColumn<Row & { tags: string }>[] = [
  ...account,
  ['Joined (UTC)', ({ createdAt }) => createdAt.toISOString()],
  ['Last Seen (UTC)', ({ lastSeenAt }) => lastSeenAt?.toISOString() ?? null],
  ['Tags', ({ tags }) => tags],
];

/** Generates the filtered list of users as CSV (RFC 4180), by their id, in batches. It has no money. */
export const exportPeople = (filter: UserFilter, on: Reader = db()): AsyncGenerator<string> =>
  generateCsv(
    peopleColumns,
    readInBatches(batchSize, (last) =>
      on
        .select({
          ...columns,
          tags: sql<string>`coalesce((select string_agg(${userTags.tag}, ', ' order by ${userTags.tag})
            from ${userTags} where ${userTags.userId} = ${users.id}), '')`,
        })
        .from(users)
        .where(and(peopleCondition(filter), last && gt(users.id, last.id)))
        .orderBy(asc(users.id))
        .limit(batchSize),
    ),
  );

const walletColumns: readonly CsvColumn<Row & { balanceCents: number }>[] = [
  ...account,
  ['Balance (USD)', ({ balanceCents }) => toDecimalString(balanceCents)],
];

/** Generates the filtered list of wallets as CSV (RFC 4180), by the id of the user, in batches. */
export const exportWalletUsers = (q: string | undefined, on: Reader = db()): AsyncGenerator<string> =>
  generateCsv(
    walletColumns,
    readInBatches(batchSize, (last) =>
      on
        .select({ ...columns, balanceCents: sql<number>`coalesce(${accounts.balanceCents}, 0)`.mapWith(Number) })
        .from(users)
        .leftJoin(
          accounts,
          and(eq(accounts.owner, users.id), eq(accounts.kind, 'wallet'), eq(accounts.currency, walletCurrency)),
        )
        .where(and(isNull(users.deletedAt), matchesUser(q), last && gt(users.id, last.id)))
        .orderBy(asc(users.id))
        .limit(batchSize),
    ),
  );
