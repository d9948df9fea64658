import { NextResponse } from 'next/server';
import { z } from 'zod';
import { totalCount } from '@/lib/http/answer-headers';
import { jsonArrayResponse } from '@/lib/http/json-array-response';
import { route } from '@/lib/http/route';
import { countMatching, listAllTransactions, readAllTransactions } from '@/lib/wallet/admin-queries';
import { adminTransactionsQuery } from '@/lib/wallet/admin-schemas';
import { adminTransactionView } from '@/lib/wallet/admin-views';
import { adminTransactionAnswer } from '@/lib/wallet/answers';

/** Everybody's, newest first: an array; X-Total-Count tells how many there are. */
export const GET = route(
  {
    access: 'ManageWallets',
    summary: "Everybody's transactions, newest first.",
    answer: z.array(adminTransactionAnswer),
    answerHeaders: totalCount,
    query: adminTransactionsQuery,
  },
  async ({ query: { limit, ...query } }) => {
    if (limit === null) {
      const headers = { 'X-Total-Count': String(await countMatching(query)) };
      return jsonArrayResponse(readAllTransactions(query, query.offset), adminTransactionView, headers);
    }
    const { rows, total } = await listAllTransactions({ ...query, limit });
    return NextResponse.json(rows.map(adminTransactionView), { headers: { 'X-Total-Count': String(total) } });
  },
);
