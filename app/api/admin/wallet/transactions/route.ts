import { NextResponse } from 'next/server';
import { z } from 'zod';
import { route } from '@/lib/auth/route';
import { cursorHeaders, jsonArray, pageHeaders, totalHeader } from '@/lib/platform/http/list-response';
import { streamResponse } from '@/lib/platform/http/stream-response';
import { unpaginatedLists } from '@/lib/platform/rate-limits/limits';
import { adminTransactionsQuery } from '@/lib/wallet/admin-schemas';
import { adminTransactionResponse, adminTransactionView } from '@/lib/wallet/contract';
import { countFilteredTransactions, listAllTransactions, streamTransactions } from '@/lib/wallet/queries';

/** Lists the transactions of all users, newest first. */
export const GET = route(
  {
    access: 'ManageWallets',
    summary: "Lists all users' transactions, newest first.",
    response: z.array(adminTransactionResponse),
    responseHeaders: cursorHeaders,
    query: adminTransactionsQuery,
    errors: ['rate_limited'],
  },
  async ({ actor, query: { limit, ...query } }) => {
    const { rows, ...page } = await listAllTransactions({ ...query, limit: limit ?? unpaginatedLists.shortRows });
    if (limit === null && page.next !== null) {
      const { cursor: _, ...filter } = query;
      return streamResponse(actor, async ({ on }) => ({
        headers: {
          'Content-Type': 'application/json',
          ...totalHeader(await countFilteredTransactions(filter, on)),
        },
        pieces: jsonArray(streamTransactions(filter, { on, offset: query.offset }), adminTransactionView),
      }));
    }
    return NextResponse.json(rows.map(adminTransactionView), { headers: pageHeaders(page) });
  },
);
