import { listMessagesRoute, postMessageRoute } from '@/lib/orders/messages/routes';

export const GET = listMessagesRoute('seller');

export const POST = postMessageRoute('seller');
