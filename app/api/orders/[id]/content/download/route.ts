import { createDownloadRoute } from '@/lib/orders/order/download-route';

export const GET = createDownloadRoute('buyer', 'content');
