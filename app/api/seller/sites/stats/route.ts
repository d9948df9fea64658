import { route } from '@/lib/http/route';
import { getSellerStats } from '@/lib/sites/seller-queries';

export const GET = route({ access: 'seller' }, async ({ actor }) => {
  const { averagePriceCents, ...counts } = await getSellerStats(actor.userId);
  return { ...counts, avgPrice: (averagePriceCents ?? 0) / 100 };
});
