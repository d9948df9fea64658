import type { InferSelectModel } from 'drizzle-orm';
import { z } from 'zod';
import { licenseStatuses, type licenses } from '@/db/schema/licenses';
import { idTextField, nameField, pageQuery } from '@/lib/platform/http/fields';

const name = nameField('Enter a name.', 120);

/** A license key in any vendor's format, on one line. */
const key = nameField('Enter a key.', 200).regex(/^[^\p{Cc}\p{Zl}\p{Zp}]+$/u, 'Enter the key on one line.');

const largestId = 2_147_483_647;
const identityColumn = idTextField();

const isBlank = (input: unknown) => input === null || (typeof input === 'string' && input.trim() === '');
/** Converts a blank value to null. */
const orNone = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((input) => (isBlank(input) ? null : input), schema.nullable());

const fields = z.object({
  name,
  key,
  status: z.enum(licenseStatuses, `Use one of ${licenseStatuses.join(', ')}.`).optional(),
  packageId: orNone(z.union([z.int().min(1).max(largestId), identityColumn], 'Choose a package.')).optional(),
  userId: orNone(z.string('Choose a user.').trim().max(64)).optional(),
});

/** The body of POST /api/licenses. */
export const createLicenseBody = fields;
export type CreateLicenseInput = z.output<typeof createLicenseBody>;

/** The body of PUT /api/licenses/{id}. Absent fields keep their value. */
export const updateLicenseBody = fields
  .partial()
  .extend({
    /** The version the edit is based on; a stale version is rejected. */
    version: z.coerce.number().int().min(1).optional(),
  })
  .transform(({ version, ...changes }) => ({ version, changes }));
export type UpdateLicenseInput = z.output<typeof updateLicenseBody>;

export const licenseIdParams = z.object({ id: identityColumn });

/** The query of GET /api/licenses: up to 500 licenses, newest first. X-Total-Count has the total. */
export const listLicensesQuery = pageQuery(500, 500);

export const licenseSortKeys = ['added', 'name', 'status'] as const;
export type LicenseSortKey = (typeof licenseSortKeys)[number];

/** The filters of the screen's URL. */
export const licenseFilter = z.object({
  q: z.string().trim().max(200).optional(),
  status: z.enum(licenseStatuses).optional(),
});
export type LicenseFilter = z.output<typeof licenseFilter>;

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
