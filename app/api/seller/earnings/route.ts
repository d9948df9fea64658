import { route } from '@/lib/auth/route';
import { earningsResponse, getEarningsSummary } from '@/lib/earnings/summary';

export const GET = route(
  {
    access: 'seller',
    summary: 'Returns where the money of the seller is: reserved, ripening, available, in transit and paid out.',
    response: earningsResponse,
  },
  ({ actor }) => getEarningsSummary(actor.userId),
);
