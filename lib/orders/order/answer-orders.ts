import { z } from 'zod';
import { AppError } from '@/lib/errors';
import { versionField } from '@/lib/platform/http/fields';
import { maxAnswered } from './amounts';

/** The body of a request that answers several orders. */
export const answerOrdersBody = z.strictObject({
  ids: z
    .array(z.int().min(1).max(2_147_483_647), 'Choose at least one order.')
    .min(1, 'Choose at least one order.')
    .max(maxAnswered, `Choose at most ${maxAnswered} orders.`),
  versions: z
    .record(z.string().regex(/^[1-9]\d{0,9}$/), versionField)
    .optional()
    .describe(
      'The versions of the placements on which the request is based, by the number of the order; a stale one is refused.',
    ),
});

/** What happened to one of the orders. */
export const orderAnswer = z.object({
  id: z.int(),
  ok: z.boolean(),
  code: z.string().optional().describe('The error code, as of the request for one order: `not_found`, `conflict`.'),
  error: z.string().optional(),
  dueAt: z.iso.datetime().nullable().optional().describe('When the delivery of an order that was accepted is due.'),
});
export type OrderAnswer = z.output<typeof orderAnswer>;

/**
 * Answers several orders, each in a transaction of its own by the verb for one: a refused one does not undo the others. A
 * failure that is not about an order ends the request; sent again, it continues.
 * @param answer returns what is added to the line of its order
 */
export async function answerOrders(
  { ids, versions = {} }: z.output<typeof answerOrdersBody>,
  answer: (id: number, version: number | undefined) => Promise<Pick<OrderAnswer, 'dueAt'>>,
): Promise<{ results: OrderAnswer[] }> {
  const results: OrderAnswer[] = [];
  for (const id of new Set(ids)) {
    try {
      results.push({ id, ok: true, ...(await answer(id, versions[id])) });
    } catch (thrown) {
      if (!(thrown instanceof AppError) || thrown.status >= 500) throw thrown;
      results.push({ id, ok: false, code: thrown.code, error: thrown.message });
    }
  }
  return { results };
}
