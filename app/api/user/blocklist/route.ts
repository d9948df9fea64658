import { route } from '@/lib/auth/route';
import { blockListResponse, getBlockList, savedBlockListResponse } from '@/lib/projects/block-list';
import { blockListUpload, receiveBlockList } from '@/lib/projects/block-list-routes';

export const GET = route(
  {
    access: 'account:orders',
    summary: 'Lists the domains that the caller blocks for all projects.',
    response: blockListResponse,
  },
  async ({ actor }) => getBlockList(actor, null),
);

export const PUT = route(
  {
    access: 'account:orders',
    scope: 'orders:write',
    summary: 'Replaces the domains that the caller blocks for all projects; a file adds to them.',
    response: savedBlockListResponse,
    upload: blockListUpload,
    errors: ['conflict'],
  },
  async ({ actor, request }) => receiveBlockList(actor, null, request),
);
