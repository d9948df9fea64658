import { z } from 'zod';
import { ownershipStates } from '@/db/enums';
import { siteStatusFilters } from '@/db/schema/sites';
import type { PageRequest } from '@/lib/id-cursor';
import { choiceParam, lineField } from '@/lib/platform/http/fields';
import { rejectionNoteField, rejectionReasonField } from './edit-schemas';
import { marginField, siteIdsField } from './pricing/schemas';

export const managedSortKeys = ['added', 'name', 'dr', 'traffic', 'price', 'status'] as const;
type ManagedSortKey = (typeof managedSortKeys)[number];

/** Rows per page of Guest Posts. */
export const managedPageSizes = [25, 50, 100, 200] as const;
export const defaultManagedPageSize = 50;

const text = lineField(2_048).optional();

/** Whether the seller of a site proved its domain, or only another seller did, or no seller. */
export const ownershipFilters = [...ownershipStates, 'none'] as const;

/** The filters of the URL of Guest Posts and of its export. */
export const managedSitesFilter = z.object({
  q: text,
  status: choiceParam(siteStatusFilters).optional(),
  niche: text,
  country: text,
  postType: text,
  /** The owner. */
  userId: text,
  ownership: choiceParam(ownershipFilters)
    .optional()
    .describe(
      '`owner` for sites whose owner proved the domain, `contributor` if only another seller did, `none` for others.',
    ),
});
export type ManagedSitesFilter = z.output<typeof managedSitesFilter>;
export type ManagedSitesQuery = ManagedSitesFilter & {
  sort: { key: ManagedSortKey; order: 'asc' | 'desc' };
} & PageRequest;

/** A change to several sites at once. */
export const bulkSitesInput = z.object({
  ids: siteIdsField,
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
      margin: marginField,
    }),
  ]),
});
export type BulkSitesInput = z.output<typeof bulkSitesInput>;
