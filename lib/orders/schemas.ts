import { z } from 'zod';
import { orderStatuses } from '../../db/schema/orders';

const projectId = z.string({ error: 'Select a project.' }).min(1, 'Select a project.').max(64);
const countedIdField = z.coerce.number().int().min(1).max(2_147_483_647);

/** How many sites one press may order. */
export const maxSitesPerOrder = 100;

const packageOrder = z.object({
  kind: z.literal('package'),
  projectId,
  packageId: countedIdField,
  // Spec 001, section 5: a non-numeric value falls back to 1.
  quantity: z.preprocess(
    (given) => (given === null || given === '' || Number.isNaN(Number(given)) ? 1 : Number(given)),
    z.number().int('Use a whole number.').min(1, 'Order at least one.').max(100, 'Order at most 100 at once.'),
  ),
});

const customOrder = z.object({
  kind: z.literal('custom'),
  projectId,
  siteIds: z
    .array(countedIdField, { error: 'No site selected.' })
    .min(1, 'No site selected.')
    .max(maxSitesPerOrder, `Order at most ${maxSitesPerOrder} sites at once.`)
    .transform((ids) => [...new Set(ids)]),
});

/** POST /api/orders. */
export const createOrderBody = z.discriminatedUnion('kind', [packageOrder, customOrder]);
export type CreateOrderInput = z.output<typeof createOrderBody>;

export const idempotencyKeyField = z.string().trim().min(1).max(200).nullable();

export const orderIdParams = z.object({ id: countedIdField });
export const orderStatusField = z.enum(orderStatuses);
