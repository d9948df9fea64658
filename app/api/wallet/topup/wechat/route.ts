import { topupRoute } from '@/lib/payments/top-ups/topup-route';
import { wechatTopupAnswer } from '@/lib/payments/top-ups/views';

/** On a desktop the address is our own page with the code to scan. */
export const POST = topupRoute('wechat', wechatTopupAnswer, (url) => ({ h5_url: url }));
