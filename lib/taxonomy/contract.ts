import { z } from 'zod';
import { optionalNameField } from '@/lib/platform/http/fields';

const taxonomyKinds = ['niche', 'type'] as const;
export type TaxonomyKind = (typeof taxonomyKinds)[number];

const name = optionalNameField(100);

/** The body of POST /api/niches-types. A blank name is valid and ignored. */
export const taxonomyNameBody = z.object({
  type: z.enum(taxonomyKinds, `Use one of ${taxonomyKinds.join(', ')}.`),
  name,
});
export type TaxonomyName = z.output<typeof taxonomyNameBody>;

export const taxonomyParams = z.object({ name: z.string().min(1).max(300) });

const names = z.array(z.string());

/** The response of GET /api/niches-types. */
export const taxonomyResponse = z.object({
  niches: names,
  types: names,
  postTypes: names.describe('The same as `types`.'),
});

/** The response of POST /api/niches-types. */
export const addedNameResponse = z.object({
  ok: z.literal(true),
  added: z.boolean().describe('False for a blank name and for an existing one.'),
});

/** Names used in the audit log. */
export const taxonomyLabels: Record<TaxonomyKind, { noun: string; entity: string }> = {
  niche: { noun: 'niche', entity: 'niche' },
  type: { noun: 'post type', entity: 'post_type' },
};

/**
 * Normalizes the name of a niche: "Health & Fitness", "health and fitness" and "Health-Fitness" are equal, and so are
 * singular and plural. The "s" of a short name ("News", "Gas") is no plural.
 */
export function nicheKey(name: string): string {
  const lower = name.toLowerCase();
  const words = lower.split(/[\s&/|,.;:'"’()_-]+/).filter((word) => word !== '' && word !== 'and');
  return words.join('').replace(/(?<=.{4})s$/u, '') || lower;
}
