import { and, asc, count, desc, eq, getTableColumns, ilike, or, type SQL } from 'drizzle-orm';
import { z } from 'zod';
import { db, type Executor } from '@/db/client';
import { licenses } from '@/db/schema/licenses';
import { packages } from '@/db/schema/packages';
import { users } from '@/db/schema/users';
import { AppError } from '@/lib/errors';
import type { Page } from '@/lib/platform/http/fields';
import type { LicenseFilter, LicenseSortKey } from './schemas';
import type { LicenseRow } from './views';

const columns = {
  ...getTableColumns(licenses),
  packageName: packages.name,
  userName: users.name,
  userEmail: users.email,
};

const sortColumns = { added: licenses.id, name: licenses.name, status: licenses.status } as const;

export type ListLicensesQuery = LicenseFilter & {
  sort?: { key: LicenseSortKey; order: 'asc' | 'desc' };
  limit: number;
  offset: number;
};

/** Lists every license, newest first unless sorted. `q` searches the name, key, package, and user. */
export async function listLicenses({ sort, limit, offset, ...filter }: ListLicensesQuery): Promise<Page<LicenseRow>> {
  const where = condition(filter);
  const { key, order } = sort ?? { key: 'added', order: 'desc' };
  const direction = order === 'asc' ? asc : desc;
  const [rows, [counted]] = await Promise.all([
    db()
      .select(columns)
      .from(licenses)
      .leftJoin(packages, eq(packages.id, licenses.packageId))
      .leftJoin(users, eq(users.id, licenses.userId))
      .where(where)
      .orderBy(direction(sortColumns[key]), desc(licenses.id))
      .limit(limit)
      .offset(offset),
    db()
      .select({ total: count() })
      .from(licenses)
      .leftJoin(packages, eq(packages.id, licenses.packageId))
      .leftJoin(users, eq(users.id, licenses.userId))
      .where(where),
  ]);
  return { rows, total: counted?.total ?? 0 };
}

function condition({ q, status }: LicenseFilter): SQL | undefined {
  const pattern = q && `%${q.replace(/[\\%_]/g, '\\$&')}%`;
  return and(
    status && eq(licenses.status, status),
    pattern
      ? or(...[licenses.name, licenses.key, packages.name, users.name, users.email].map((one) => ilike(one, pattern)))
      : undefined,
  );
}

/** @throws AppError not_found */
export async function getLicense(id: number, executor: Executor = db()): Promise<LicenseRow> {
  const [found] = await executor
    .select(columns)
    .from(licenses)
    .leftJoin(packages, eq(packages.id, licenses.packageId))
    .leftJoin(users, eq(users.id, licenses.userId))
    .where(eq(licenses.id, id));
  if (!found) throw licenseNotFoundError(id);
  return found;
}

const sqlError = z.object({ cause: z.object({ constraint_name: z.literal('licenses_key_key') }) });

export function licenseNotFoundError(id: number): AppError {
  return new AppError('not_found', `License #${id} does not exist or was deleted.`);
}

/** Converts a violation of the unique key to a conflict error and rethrows any other error. */
export function rethrowDuplicateKey(thrown: unknown): never {
  if (!sqlError.safeParse(thrown).success) throw thrown;
  const message = 'Another license already has this key.';
  throw new AppError('conflict', message, { fields: { key: message } });
}
