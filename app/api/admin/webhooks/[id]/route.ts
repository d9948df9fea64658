import { deleteEndpointRoute, updateEndpointRoute } from '@/lib/developers/webhooks/routes';

export const PATCH = updateEndpointRoute('installation');

export const DELETE = deleteEndpointRoute('installation');
