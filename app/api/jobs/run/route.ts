import { cronRoute } from '@/lib/jobs/cron-route';

export const POST = cronRoute();
/** Vercel's cron sends GET. */
export const GET = cronRoute();
