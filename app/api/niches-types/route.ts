import { route } from '@/lib/auth/route';
import { addedNameResponse, taxonomyNameBody, taxonomyResponse } from '@/lib/taxonomy/contract';
import { createTaxonomyName } from '@/lib/taxonomy/names';
import { getTaxonomy } from '@/lib/taxonomy/queries';

/** Returns the post types under both names that clients use: `types` and `postTypes`. */
export const GET = route(
  { access: 'session', summary: 'Lists the niches and post types.', response: taxonomyResponse },
  async () => {
    const { niches, postTypes } = await getTaxonomy();
    return { niches, types: postTypes, postTypes };
  },
);

/** Ignores a blank or existing name: 200 with `added: false`. */
export const POST = route(
  {
    access: 'ManageSites',
    summary: 'Creates a niche or a post type.',
    response: addedNameResponse,
    body: taxonomyNameBody,
  },
  async ({ actor, body }) => ({ ok: true as const, added: await createTaxonomyName(actor, body) }),
);
