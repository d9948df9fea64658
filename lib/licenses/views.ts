import type { InferSelectModel } from 'drizzle-orm';
import type { z } from 'zod';
import type { licenses } from '../../db/schema/licenses';
import type { licenseAnswer } from './answers';

/** A license with the names of what it is for; null where it is for nothing, or for nobody. */
export type LicenseRow = InferSelectModel<typeof licenses> & {
  packageName: string | null;
  userName: string | null;
  userEmail: string | null;
};

/** A license as staff edit it (spec 000, section 3). */
export type LicenseView = z.output<typeof licenseAnswer>;

export function licenseView(row: LicenseRow): LicenseView {
  const { id, name, key, status, packageId, packageName, userId, version } = row;
  return {
    ...{ id, name, key, status, packageId, packageName, userId, version },
    userName: row.userName || row.userEmail,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
