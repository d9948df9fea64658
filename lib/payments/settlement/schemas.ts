import { z } from 'zod';
import { settlementOutcomes } from '@/db/schema/settlement';
import { paymentProviders } from '@/db/schema/topups';

export const settlementPageSizes = [25, 50, 100] as const;
export const defaultSettlementPageSize = 50;

/** The filter of the settlement screen and its export; an unknown value filters nothing. */
export const settlementFilter = z.object({
  provider: z.enum(paymentProviders).optional().catch(undefined),
  outcome: z.enum(settlementOutcomes).optional().catch(undefined),
});
export type SettlementFilter = z.output<typeof settlementFilter>;
