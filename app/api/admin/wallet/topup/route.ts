import { route } from '@/lib/auth/route';
import { idempotencyKeyHeader, readIdempotencyKey } from '@/lib/platform/http/parse';
import { manualTopupBody } from '@/lib/wallet/admin-schemas';
import { manualTopupResponse, manualTopupView } from '@/lib/wallet/contract';
import { createManualTopup } from '@/lib/wallet/manual-topup';

export const POST = route(
  {
    access: 'ManageWallets',
    recentAuthentication: true,
    summary: 'Credits a wallet manually.',
    response: manualTopupResponse,
    status: 201,
    errors: ['not_found', 'conflict'],
    requestHeaders: idempotencyKeyHeader,
    body: manualTopupBody,
  },
  async ({ actor, body, request }) => {
    const key = readIdempotencyKey(request);
    return manualTopupView(await createManualTopup(actor, body, key));
  },
);
