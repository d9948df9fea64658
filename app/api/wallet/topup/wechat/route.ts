import { wechatTopupResponse } from '@/lib/payments/top-ups/contract';
import { topupRoute } from '@/lib/payments/top-ups/topup-route';

/** On desktop, the URL is this app's page with the QR code. */
export const POST = topupRoute('wechat', wechatTopupResponse, (url) => ({ h5_url: url }));
