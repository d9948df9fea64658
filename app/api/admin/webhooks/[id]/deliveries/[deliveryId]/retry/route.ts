import { retryDeliveryRoute } from '@/lib/developers/webhooks/routes';

export const POST = retryDeliveryRoute('installation');
