import { messageFileRoute } from '@/lib/orders/messages/routes';

export const GET = messageFileRoute('staff');
