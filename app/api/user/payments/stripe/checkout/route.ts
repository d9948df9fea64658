import { stripeTopupResponse } from '@/lib/payments/top-ups/contract';
import { topupRoute } from '@/lib/payments/top-ups/topup-route';

export const POST = topupRoute('stripe', stripeTopupResponse, (url) => ({ url }));
