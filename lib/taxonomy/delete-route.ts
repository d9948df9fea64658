import { route } from '../http/route';
import { deleteTaxonomyName } from './delete';
import { type TaxonomyKind, taxonomyParams } from './schemas';

/** The DELETE handler of a niche or a post type, which the contract knows at two addresses. */
export function deleteNameRoute(type: TaxonomyKind) {
  return route(
    {
      access: 'ManageSites',
      summary: 'Deletes a niche or a post type.',
      errors: ['not_found'],
      params: taxonomyParams,
    },
    async ({ actor, params }) => {
      await deleteTaxonomyName(actor, { type, name: params.name });
    },
  );
}
