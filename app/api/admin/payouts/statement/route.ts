import { route } from '@/lib/auth/route';
import { deliverAfterResponse } from '@/lib/mail/deliver';
import { applyStatement } from '@/lib/payouts/bank/apply-statement';
import { statementResponse } from '@/lib/payouts/contract';
import { maxStatementBytes, statementTooLargeError } from '@/lib/platform/bank-statements/file';
import { readSmallFile, receiveFile } from '@/lib/platform/http/receive-file';
import { consumeLimit } from '@/lib/platform/rate-limits/consume';

/** Reads the bank statement in the form field `file`: camt.053, or CSV (docs/payouts.md). */
export const POST = route(
  {
    access: 'ManagePayouts',
    recentAuthentication: true,
    summary: 'Records what a bank statement says of the payouts of bank files.',
    response: statementResponse,
    upload: { field: 'file', maxBytes: maxStatementBytes },
  },
  async ({ actor, request }) => {
    // A file made to be slow takes seconds of a processor.
    await consumeLimit('import', { account: actor.userId, address: '' });
    const result = await receiveFile(
      request,
      { field: 'file', maxBytes: maxStatementBytes, userId: actor.userId },
      async (file) => applyStatement(actor, await readSmallFile(file, maxStatementBytes, statementTooLargeError)),
    );
    deliverAfterResponse();
    return result;
  },
);
