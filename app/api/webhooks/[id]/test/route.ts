import { testEndpointRoute } from '@/lib/developers/webhooks/routes';

export const POST = testEndpointRoute('own');
