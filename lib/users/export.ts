import { and, asc, gt, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { readInBatches } from '@/db/read-in-batches';
import { accounts } from '@/db/schema/accounts';
import { userTags } from '@/db/schema/staff-notes';
import { users } from '@/db/schema/users';
import type { Reader } from '@/db/snapshot';
import { toDecimalString } from '@/lib/money';
import { type CsvColumn, generateCsv } from '@/lib/platform/csv';
import type { UserFilter, WalletUserRow } from './contract';
import { peopleCondition } from './queries';
import { selectWalletUsers, walletCondition } from './wallet-users';

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

const account: readonly CsvColumn<Pick<Row, 'id' | 'name' | 'email' | 'role' | 'status'>>[] = [
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

const walletColumns: readonly CsvColumn<WalletUserRow>[] = [
  ...account,
  ['Balance (USD)', ({ balanceCents }) => toDecimalString(balanceCents)],
];

/** Generates the filtered list of wallets as CSV (RFC 4180), by the id of the account, in batches. */
export const exportWalletUsers = (q: string | undefined, on: Reader = db()): AsyncGenerator<string> =>
  generateCsv(
    walletColumns,
    readInBatches(batchSize, (last) =>
      selectWalletUsers(on)
        .where(and(walletCondition({ q }), last && gt(accounts.id, last.id)))
        .orderBy(asc(accounts.id))
        .limit(batchSize),
    ),
  );
