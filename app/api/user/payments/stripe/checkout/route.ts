import { stripeTopupAnswer } from '@/lib/topups/answers';
import { topupRoute } from '@/lib/topups/topup-route';

export const POST = topupRoute('stripe', stripeTopupAnswer, (url) => ({ url }));
