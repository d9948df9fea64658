import { topupRoute } from '@/lib/payments/top-ups/topup-route';
import { stripeTopupAnswer } from '@/lib/payments/top-ups/views';

export const POST = topupRoute('stripe', stripeTopupAnswer, (url) => ({ url }));
