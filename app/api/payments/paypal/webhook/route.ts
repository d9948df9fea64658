import { webhookRoute } from '@/lib/payments/webhooks/webhook-route';

export const POST = webhookRoute('paypal');
