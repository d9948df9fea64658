import { topupRoute } from '@/lib/payments/top-ups/topup-route';
import { paypalTopupAnswer } from '@/lib/payments/top-ups/views';

export const POST = topupRoute('paypal', paypalTopupAnswer, (url) => ({ approvalUrl: url }));
