import { deleteEndpointRoute, updateEndpointRoute } from '@/lib/developers/webhooks/routes';

export const PATCH = updateEndpointRoute('own');

export const DELETE = deleteEndpointRoute('own');
