import { paypalTopupAnswer } from '@/lib/topups/answers';
import { topupRoute } from '@/lib/topups/topup-route';

export const POST = topupRoute('paypal', paypalTopupAnswer, (url) => ({ approvalUrl: url }));
