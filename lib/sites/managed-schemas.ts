import { z } from 'zod';
import { siteStatusFilters } from '@/db/schema/sites';
import type { PageRequest } from '@/lib/id-cursor';
import { choiceParam, lineField } from '@/lib/platform/http/fields';
import { rejectionNoteField, rejectionReasonField } from './edit-schemas';

export const managedSortKeys = ['added', 'name', 'dr', 'traffic', 'price', 'status'] as const;
type ManagedSortKey = (typeof managedSortKeys)[number];

/** Rows per page of Guest Posts. */
export const managedPageSizes = [25, 50, 100, 200] as const;
export const defaultManagedPageSize = 50;

const text = lineField(2_048).optional();

/** The filters of the URL of Guest Posts and of its export. */
export const managedSitesFilter = z.object({
  q: text,
  status: choiceParam(siteStatusFilters).optional(),
  niche: text,
  country: text,
  postType: text,
  /** The owner. */
  userId: text,
});
export type ManagedSitesFilter = z.output<typeof managedSitesFilter>;
export type ManagedSitesQuery = ManagedSitesFilter & {
  sort: { key: ManagedSortKey; order: 'asc' | 'desc' };
} & PageRequest;

/** The maximum number of sites in one bulk change. */
const maxBulkSites = 500;

/** A change to several sites at once. */
export const bulkSitesInput = z.object({
  ids: z
    .array(z.number().int().min(1).max(2_147_483_647), 'Choose at least one site.')
    .min(1, 'Choose at least one site.')
    .max(maxBulkSites, `Choose at most ${maxBulkSites} sites.`)
    .transform((ids) => [...new Set(ids)]),
  change: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('approve') }),
    z
      .object({ kind: z.literal('reject'), reason: rejectionReasonField, note: rejectionNoteField.default('') })
      .refine(({ reason, note }) => reason !== 'other' || note !== '', {
        path: ['note'],
        message: 'Write the reason.',
      }),
    z.object({ kind: z.literal('delete') }),
    z.object({
      kind: z.literal('price'),
      /** A percentage with at most two decimals, converted to basis points. */
      margin: z
        .string()
        .trim()
        .regex(/^\d{1,4}(\.\d{1,2})?$/, 'Use a percentage from 0 to 1,000, e.g. 25.')
        .transform((percent) => Math.round(Number(percent) * 100))
        .refine((basisPoints) => basisPoints <= 100_000, 'Use a percentage from 0 to 1,000, e.g. 25.'),
    }),
  ]),
});
export type BulkSitesInput = z.output<typeof bulkSitesInput>;
