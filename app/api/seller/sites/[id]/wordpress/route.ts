import { route } from '@/lib/auth/route';
import { siteIdParams } from '@/lib/sites/edit-schemas';
import { disconnectWordPress, getWordPress, setPublishSetting } from '@/lib/sites/wordpress/connection';
import { disconnectResponse, publishSettingBody, wordpressResponse } from '@/lib/sites/wordpress/contract';

const own = { access: 'seller', params: siteIdParams } as const;

export const GET = route(
  {
    ...own,
    summary: 'Returns the connection of one of the seller’s sites with WordPress. It never contains the password.',
    response: wordpressResponse,
    errors: ['not_found'],
  },
  ({ actor, params }) => getWordPress(actor.userId, params.id),
);

export const PUT = route(
  {
    ...own,
    summary: 'Sets how the articles of a connected site are published: as a draft, at a chosen day, or at once.',
    response: wordpressResponse,
    errors: ['not_found'],
    body: publishSettingBody,
  },
  ({ actor, params, body }) => setPublishSetting(actor, params.id, body.publish),
);

export const DELETE = route(
  {
    ...own,
    summary: 'Disconnects a site from WordPress: its password is revoked there, and forgotten here in any case.',
    response: disconnectResponse,
    errors: ['not_found', 'rate_limited'],
  },
  ({ actor, params }) => disconnectWordPress(actor, params.id),
);
