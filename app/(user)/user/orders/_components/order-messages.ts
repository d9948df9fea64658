import type { OrderMessages } from '@/components/orders/order-failure';
import { ordersPath } from '@/components/orders/send-order';

/** The texts that My Orders uses for an order. */
export const orderMessages: OrderMessages = {
  failed: 'Failed to create order',
  notFound: `Orders endpoint not found at ${ordersPath}.`,
  done: 'Order placed.',
};
