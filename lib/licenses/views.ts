import type { InferSelectModel } from 'drizzle-orm';
import type { licenses } from '../../db/schema/licenses';

/** A license with the names of what it is for; null where it is for nothing, or for nobody. */
export type LicenseRow = InferSelectModel<typeof licenses> & {
  packageName: string | null;
  userName: string | null;
  userEmail: string | null;
};

/** A license as staff edit it (spec 000, section 3). */
export type LicenseView = {
  id: number;
  name: string;
  key: string;
  status: LicenseRow['status'];
  packageId: number | null;
  packageName: string | null;
  userId: string | null;
  userName: string | null;
  /** What an edit names, so that a stale one is told. */
  version: number;
  createdAt: string;
  updatedAt: string;
};

export function licenseView(row: LicenseRow): LicenseView {
  const { id, name, key, status, packageId, packageName, userId, version } = row;
  return {
    ...{ id, name, key, status, packageId, packageName, userId, version },
    userName: row.userName || row.userEmail,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
