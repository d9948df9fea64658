import { route } from '@/lib/auth/route';
import { blockListResponse, getBlockList, savedBlockListResponse } from '@/lib/projects/block-list';
import { blockListUpload, receiveBlockList } from '@/lib/projects/block-list-routes';
import { projectIdParams } from '@/lib/projects/contract';

export const GET = route(
  {
    access: 'account:orders',
    summary: 'Lists the domains that the caller blocks for an own project.',
    params: projectIdParams,
    response: blockListResponse,
    errors: ['not_found'],
  },
  async ({ actor, params }) => getBlockList(actor, params.id),
);

export const PUT = route(
  {
    access: 'account:orders',
    scope: 'orders:write',
    summary: 'Replaces the domains that the caller blocks for an own project; a file adds to them.',
    params: projectIdParams,
    response: savedBlockListResponse,
    upload: blockListUpload,
    errors: ['not_found', 'conflict'],
  },
  async ({ actor, params, request }) => receiveBlockList(actor, params.id, request),
);
