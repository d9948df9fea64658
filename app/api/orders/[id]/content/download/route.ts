import { createDownloadRoute } from '@/lib/orders/messages/download-route';

export const GET = createDownloadRoute('buyer', 'content');
