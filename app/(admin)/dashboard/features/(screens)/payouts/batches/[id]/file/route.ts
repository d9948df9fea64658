import { route } from '@/lib/auth/route';
import { openBatchFile } from '@/lib/payouts/bank/export';
import { payoutIdParams } from '@/lib/payouts/contract';
import { attachmentResponse } from '@/lib/platform/http/attachment-response';

export const GET = route(
  {
    access: 'ManagePayouts',
    recentAuthentication: true,
    summary: 'Downloads the bank file of a batch.',
    response: { mediaTypes: ['text/csv', 'application/xml'] },
    errors: ['not_found'],
    params: payoutIdParams,
  },
  async ({ actor, params, request }) => attachmentResponse(await openBatchFile(actor, params.id), request.method),
);
