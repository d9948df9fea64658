import { isFlagOn } from '@/lib/settings/feature-flags/read-flags';

/** Whether the screens link to the rooms of orders: while sellers fulfill orders, or messages are turned on. */
export async function hasRooms(): Promise<boolean> {
  const [bySellers, byMessages] = await Promise.all([isFlagOn('seller-orders'), isFlagOn('order-messages')]);
  return bySellers || byMessages;
}
