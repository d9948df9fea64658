import { createCronRoute } from '@/lib/jobs/cron-route';

export const POST = createCronRoute();
/** Vercel's cron sends GET. */
export const GET = createCronRoute();
