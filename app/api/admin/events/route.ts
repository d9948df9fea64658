import { listEventsRoute } from '@/lib/developers/webhooks/routes';

export const GET = listEventsRoute('installation');
