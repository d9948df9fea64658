import { NextResponse } from 'next/server';
import { route } from '@/lib/http/route';
import { listWalletUsers } from '@/lib/users/queries';
import { walletUsersQuery } from '@/lib/users/schemas';
import { walletUserView } from '@/lib/users/views';

/** By name: an array, its length over all pages in X-Total-Count. Several screens offer a choice of users. */
export const GET = route(
  { access: ['ManageWallets', 'ManageUsers', 'ManageOrders'], query: walletUsersQuery },
  async ({ query }) => {
    const { rows, total } = await listWalletUsers(query);
    return NextResponse.json(rows.map(walletUserView), { headers: { 'X-Total-Count': String(total) } });
  },
);
