import { paypalTopupResponse } from '@/lib/payments/top-ups/contract';
import { topupRoute } from '@/lib/payments/top-ups/topup-route';

export const POST = topupRoute('paypal', paypalTopupResponse, (url) => ({ approvalUrl: url }));
