import { NextResponse } from 'next/server';
import { z } from 'zod';
import { route } from '@/lib/auth/route';
import { jsonArray, totalCount, totalHeader } from '@/lib/platform/http/list-response';
import { streamResponse } from '@/lib/platform/http/stream-response';
import { unpaginatedLists } from '@/lib/platform/rate-limits/limits';
import { countFilteredTransactions, listAllTransactions, streamTransactions } from '@/lib/wallet/admin-queries';
import { adminTransactionsQuery } from '@/lib/wallet/admin-schemas';
import { adminTransactionView } from '@/lib/wallet/admin-views';
import { adminTransactionResponse } from '@/lib/wallet/responses';

/** Lists the transactions of all users, newest first. X-Total-Count has the total. */
export const GET = route(
  {
    access: 'ManageWallets',
    summary: "Lists all users' transactions, newest first.",
    response: z.array(adminTransactionResponse),
    responseHeaders: totalCount,
    query: adminTransactionsQuery,
    errors: ['rate_limited'],
  },
  async ({ actor, query: { limit, ...query } }) => {
    const page = await listAllTransactions({ ...query, limit: limit ?? unpaginatedLists.shortRows });
    if (limit === null && page.total - query.offset > unpaginatedLists.shortRows) {
      return streamResponse(actor, async ({ on }) => ({
        headers: {
          'Content-Type': 'application/json',
          ...totalHeader({ total: await countFilteredTransactions(query, on), isCapped: false }),
        },
        pieces: jsonArray(streamTransactions(query, { on, offset: query.offset }), adminTransactionView),
      }));
    }
    return NextResponse.json(page.rows.map(adminTransactionView), {
      headers: totalHeader({ total: page.total, isCapped: false }),
    });
  },
);
