import { route } from '@/lib/auth/route';
import { sellerStatsResponse } from '@/lib/sites/responses';
import { getSellerStats } from '@/lib/sites/seller-queries';

export const GET = route(
  {
    access: 'seller',
    summary: "Returns the number of the seller's sites by status.",
    response: sellerStatsResponse,
  },
  async ({ actor }) => {
    const { averagePriceCents, paused, isCapped, ...counts } = await getSellerStats(actor.userId);
    return {
      ...counts,
      avgPrice: (averagePriceCents ?? 0) / 100,
      ...(paused > 0 && { paused }),
      ...(isCapped && { isCapped }),
    };
  },
);
