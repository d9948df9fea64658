import { listDeliveriesRoute, replayEventRoute } from '@/lib/developers/webhooks/routes';

export const GET = listDeliveriesRoute('installation');

export const POST = replayEventRoute('installation');
