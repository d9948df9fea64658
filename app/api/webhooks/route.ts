import { createEndpointRoute, listEndpointsRoute } from '@/lib/developers/webhooks/routes';

export const GET = listEndpointsRoute('own');

export const POST = createEndpointRoute('own');
