import { z } from 'zod';
import { settlementOutcomes } from '@/db/schema/settlement';
import { paymentProviders } from '@/db/schema/topups';

export const settlementPageSizes = [25, 50, 100] as const;
export const defaultSettlementPageSize = 50;

/** Filter of the settlement screen and its export; unknown values are ignored. */
export const settlementFilter = z.object({
  provider: z.enum(paymentProviders).optional().catch(undefined),
  outcome: z.enum(settlementOutcomes).optional().catch(undefined),
});
export type SettlementFilter = z.output<typeof settlementFilter>;
