import type { InferSelectModel } from 'drizzle-orm';
import { z } from 'zod';
import { licenseStatuses, type licenses } from '@/db/schema/licenses';

/** A license with the names of its package and user, if any. */
export type LicenseRow = InferSelectModel<typeof licenses> & {
  packageName: string | null;
  userName: string | null;
  userEmail: string | null;
};

/** A license as staff edit it. */
export type LicenseView = z.output<typeof licenseResponse>;

export function licenseView(row: LicenseRow): LicenseView {
  const { id, name, key, status, packageId, packageName, userId, version } = row;
  return {
    ...{ id, name, key, status, packageId, packageName, userId, version },
    userName: row.userName || row.userEmail,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** A license as staff edit it. */
export const licenseResponse = z
  .object({
    id: z.int(),
    name: z.string(),
    key: z.string(),
    status: z.enum(licenseStatuses),
    packageId: z.int().nullable(),
    packageName: z.string().nullable(),
    userId: z.string().nullable(),
    userName: z.string().nullable(),
    version: z.int().describe('The version to send with an update, so that concurrent changes are detected.'),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ title: 'License' });

/** Masks a license key except its last four characters. A key shorter than 12 characters is masked completely. */
export function maskKey(key: string): string {
  return key.length < 12 ? '••••' : `••••${key.slice(-4)}`;
}
