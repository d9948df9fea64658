import { topupRoute } from '@/lib/payments/top-ups/topup-route';
import { paypalTopupResponse } from '@/lib/payments/top-ups/views';

export const POST = topupRoute('paypal', paypalTopupResponse, (url) => ({ approvalUrl: url }));
