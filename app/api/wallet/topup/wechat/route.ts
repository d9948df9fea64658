import { wechatTopupAnswer } from '@/lib/topups/answers';
import { topupRoute } from '@/lib/topups/topup-route';

/** On a desktop the address is our own page with the code to scan. */
export const POST = topupRoute('wechat', wechatTopupAnswer, (url) => ({ h5_url: url }));
