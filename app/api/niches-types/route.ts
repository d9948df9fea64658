import { route } from '@/lib/http/route';
import { addedNameAnswer, taxonomyAnswer } from '@/lib/taxonomy/answers';
import { createTaxonomyName } from '@/lib/taxonomy/create';
import { listNiches, listPostTypes } from '@/lib/taxonomy/queries';
import { taxonomyNameBody } from '@/lib/taxonomy/schemas';

/** Both names of the contract for the post types: `types` and `postTypes`. */
export const GET = route(
  { access: 'session', summary: 'The niches and post types.', answer: taxonomyAnswer },
  async () => {
    const [niches, types] = await Promise.all([listNiches(), listPostTypes()]);
    return { niches, types, postTypes: types };
  },
);

/** A blank name, or one that is there already, is ignored: 200 with `added: false`. */
export const POST = route(
  { access: 'ManageSites', summary: 'Adds a niche or a post type.', answer: addedNameAnswer, body: taxonomyNameBody },
  async ({ actor, body }) => ({
    ok: true as const,
    added: await createTaxonomyName(actor, body),
  }),
);
