import { route } from '@/lib/auth/route';
import { sellerStatsAnswer } from '@/lib/sites/answers';
import { getSellerStats } from '@/lib/sites/seller-queries';

export const GET = route(
  { access: 'seller', summary: "The seller's sites by status.", answer: sellerStatsAnswer },
  async ({ actor }) => {
    const { averagePriceCents, ...counts } = await getSellerStats(actor.userId);
    return { ...counts, avgPrice: (averagePriceCents ?? 0) / 100 };
  },
);
