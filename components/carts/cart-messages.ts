import type { OrderMessages } from '@/components/orders/order-failure';

/** The page of the carts and of the checkout. */
export const cartPagePath = '/user/cart';

/** The specification's messages for an order of sites. */
export const cartMessages: OrderMessages = {
  failed: 'Failed to add to orders',
  notFound: 'Orders endpoint not found on the backend.',
  done: 'Added to orders successfully.',
  // Long enough to read the message.
  doneMs: 2800,
};
