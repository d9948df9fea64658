import { listMessagesRoute, postMessageRoute } from '@/lib/orders/messages/routes';

export const GET = listMessagesRoute('buyer');

export const POST = postMessageRoute('buyer');
