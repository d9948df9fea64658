import { createMetricsRoute } from '@/lib/monitoring/metrics-route';

export const GET = createMetricsRoute();
