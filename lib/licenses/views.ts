import type { InferSelectModel } from 'drizzle-orm';
import { z } from 'zod';
import { licenseStatuses, type licenses } from '../../db/schema/licenses';

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

/** A license as staff edit it (spec 000, section 3). */
export const licenseAnswer = z
  .object({
    id: z.int(),
    name: z.string(),
    key: z.string(),
    status: z.enum(licenseStatuses),
    packageId: z.int().nullable(),
    packageName: z.string().nullable(),
    userId: z.string().nullable(),
    userName: z.string().nullable(),
    version: z.int().describe('What an edit names, so that a stale one is told.'),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ title: 'License' });

/** A key as logs and questions may show it: its last four characters, and none of a short one. */
export function maskKey(key: string): string {
  return key.length < 12 ? '••••' : `••••${key.slice(-4)}`;
}
