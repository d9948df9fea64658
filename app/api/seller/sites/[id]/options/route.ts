import { route } from '@/lib/auth/route';
import { siteIdParams } from '@/lib/sites/edit-schemas';
import { saveOptionsBody, siteOptionsResponse } from '@/lib/sites/options/contract';
import { getOwnOptions, saveOptions } from '@/lib/sites/options/save';

const own = { access: 'seller', params: siteIdParams, response: siteOptionsResponse, errors: ['not_found'] } as const;

export const GET = route(
  { ...own, summary: "Lists the options of one of the seller's sites, in the seller's prices." },
  ({ actor, params }) => getOwnOptions(actor.userId, params.id),
);

export const PUT = route(
  {
    ...own,
    summary: "Replaces the options of one of the seller's sites.",
    description:
      'The whole list, which replaces the one before, also one that was saved meanwhile. An option of the same kind, days and topic keeps its id. The limits are those of the marketplace; the site is not reviewed again.',
    body: saveOptionsBody,
  },
  ({ actor, params, body }) => saveOptions(actor, params.id, body),
);
