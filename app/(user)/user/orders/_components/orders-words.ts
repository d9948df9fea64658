import type { OrderWords } from '@/components/orders/order-failure';
import { ordersPath } from '@/components/orders/send-order';

/** My Orders' texts for an order (spec 001, section 8). */
export const ordersWords: OrderWords = {
  failed: 'Failed to create order',
  notFound: `Orders endpoint not found at ${ordersPath}.`,
  submit: 'Place order',
  done: 'Order placed.',
};
