import { webhookRoute } from '@/lib/topups/webhook-route';

export const POST = webhookRoute('stripe');
