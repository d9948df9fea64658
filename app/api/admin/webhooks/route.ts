import { createEndpointRoute, listEndpointsRoute } from '@/lib/developers/webhooks/routes';

export const GET = listEndpointsRoute('installation');

export const POST = createEndpointRoute('installation');
