import { topupRoute } from '@/lib/payments/top-ups/topup-route';
import { stripeTopupResponse } from '@/lib/payments/top-ups/views';

export const POST = topupRoute('stripe', stripeTopupResponse, (url) => ({ url }));
