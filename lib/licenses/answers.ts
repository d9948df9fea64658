import { z } from 'zod';
import { licenseStatuses } from '../../db/schema/licenses';

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
