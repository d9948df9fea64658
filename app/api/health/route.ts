import { readyRoute } from '@/lib/health/health-routes';

export const GET = readyRoute;
