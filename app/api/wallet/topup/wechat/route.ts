import { topupRoute } from '@/lib/payments/top-ups/topup-route';
import { wechatTopupAnswer } from '@/lib/payments/top-ups/views';

/** On desktop, the URL is this app's page with the QR code. */
export const POST = topupRoute('wechat', wechatTopupAnswer, (url) => ({ h5_url: url }));
