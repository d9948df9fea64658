import type { TaxonomyKind } from './schemas';

/** What the audit log calls them. */
export const taxonomyWords: Record<TaxonomyKind, { noun: string; entity: string }> = {
  niche: { noun: 'niche', entity: 'niche' },
  type: { noun: 'post type', entity: 'post_type' },
};
