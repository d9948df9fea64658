import { z } from 'zod';
import { db, type Executor } from '@/db/client';
import type { Actor } from '@/lib/access/actor';
import { recordAudit } from '@/lib/platform/audit/record';
import { versionField } from '@/lib/platform/http/fields';
import { parseSetting, readSettings, saveSetting } from '@/lib/settings/settings';
import { defaultFigureOrder, type FigureClass, figureOrder, figureOrderKey } from './figure-classes';
import { requestRefresh } from './refresh-jobs';

export const figureOrderInput = z.object({ order: figureOrder, version: versionField });

/** Reads the order, and the version for an edit. */
export async function readFigureOrder(tx?: Executor): Promise<{ order: FigureClass[]; version: number }> {
  const { value, version } = parseSetting(await readSettings(tx), figureOrderKey, figureOrder, defaultFigureOrder);
  return { order: value, version };
}

/**
 * Saves the order. A job sets the figures of all listings again.
 * @throws AppError conflict for a stale `version`
 */
export async function saveFigureOrder(
  actor: Actor,
  { order, version }: z.output<typeof figureOrderInput>,
): Promise<void> {
  await db().transaction(async (tx) => {
    const before = await readFigureOrder(tx);
    await saveSetting(tx, actor, { key: figureOrderKey, value: order, version, name: 'The order of the sources' });
    await requestRefresh(tx);
    await recordAudit(tx, actor, {
      action: 'figure_order.set',
      details: `The order of the sources of figures is ${order.join(', ')}; it was ${before.order.join(', ')}.`,
      entityType: 'setting',
      entityId: figureOrderKey,
      before: { order: before.order },
      after: { order },
    });
  });
}
