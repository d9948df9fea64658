import type { TopupStatus, topups } from '../../db/schema/topups';

/** A top-up as its buyer sees it; why one stands in review is for the admins. */
export type TopupView = { id: string; amountCents: number; currency: string; status: TopupStatus };

export function topupView({ id, amountCents, currency, status }: typeof topups.$inferSelect): TopupView {
  return { id, amountCents, currency, status };
}
