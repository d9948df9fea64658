import { listMessagesRoute, postMessageRoute } from '@/lib/orders/messages/routes';

export const GET = listMessagesRoute('staff');

export const POST = postMessageRoute('staff');
