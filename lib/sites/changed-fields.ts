import type { SiteChanges } from './edit-schemas';
import type { SiteRow } from './views';

/** Every column an edit may set. */
const editable = [
  'ownerId',
  'name',
  'url',
  'niche',
  'postType',
  'country',
  'language',
  'followType',
  'dr',
  'da',
  'authorityScore',
  'spam',
  'traffic',
  'keywordsCount',
  'refDomains',
  'words',
  'tat',
  'sellerPriceCents',
  'adminPriceCents',
  'publicPriceCents',
  'publicCurrency',
  'status',
] as const satisfies readonly (keyof SiteRow & keyof SiteChanges)[];

export type EditableField = (typeof editable)[number];

/** Which fields of a site an edit would really change; what it leaves out stays. */
export function changedFields(site: SiteRow, changes: Partial<SiteChanges>): EditableField[] {
  return editable.filter((name) => changes[name] !== undefined && changes[name] !== site[name]);
}
