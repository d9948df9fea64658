import { liveRoute } from '@/lib/health/health-routes';

export const GET = liveRoute;
