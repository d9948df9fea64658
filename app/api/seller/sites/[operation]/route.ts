import { joinRoutes, route } from '@/lib/auth/route';
import { createUploadRoute } from '@/lib/sites/import/routes';
import { sellerStatsResponse } from '@/lib/sites/responses';
import { getSellerStats } from '@/lib/sites/seller-queries';

export const { DELETE, GET, OPTIONS, PATCH, POST, PUT } = joinRoutes({
  stats: {
    GET: route(
      {
        access: 'seller',
        summary: "Returns the number of the seller's sites by status.",
        response: sellerStatsResponse,
      },
      async ({ actor }) => {
        const { averagePriceCents, isCapped, ...counts } = await getSellerStats(actor.userId);
        return { ...counts, avgPrice: (averagePriceCents ?? 0) / 100, ...(isCapped && { isCapped }) };
      },
    ),
  },
  upload: {
    /** Imports rows as the seller's own sites, which then await review. */
    POST: createUploadRoute('seller', 'seller'),
  },
});
