import { route } from '@/lib/auth/route';
import { deliverAfterResponse } from '@/lib/mail/deliver';
import { uploadQuery, uploadResponse } from '@/lib/payments/bank-transfers/contract';
import { uploadStatement } from '@/lib/payments/bank-transfers/upload';
import { maxStatementBytes, statementTooLargeError } from '@/lib/platform/bank-statements/file';
import { readSmallFile, receiveFile } from '@/lib/platform/http/receive-file';
import { consumeLimit } from '@/lib/platform/rate-limits/consume';

/** Reads the bank statement in the form field `file`: camt.053, or the CSV of the bank (docs/bank-transfers.md). */
export const POST = route(
  {
    access: 'ManageWallets',
    recentAuthentication: true,
    summary: 'Credits the bank transfers of a bank statement.',
    response: uploadResponse,
    query: uploadQuery,
    upload: { field: 'file', maxBytes: maxStatementBytes },
  },
  async ({ actor, query, request }) => {
    // A file made to be slow takes seconds of a processor.
    await consumeLimit('import', { account: actor.userId, address: '' });
    const result = await receiveFile(
      request,
      { field: 'file', maxBytes: maxStatementBytes, userId: actor.userId },
      async (file) =>
        uploadStatement(actor, await readSmallFile(file, maxStatementBytes, statementTooLargeError), query.account),
    );
    deliverAfterResponse();
    return result;
  },
);
