import { listDeliveriesRoute, replayEventRoute } from '@/lib/developers/webhooks/routes';

export const GET = listDeliveriesRoute('own');

export const POST = replayEventRoute('own');
