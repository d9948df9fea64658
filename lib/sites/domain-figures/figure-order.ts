import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { settings } from '@/db/schema/settings';

/** The key of the setting, whose value lists the classes, the best one first. */
export const figureOrderKey = 'figure-order';

/** The classes of sources: typed by a seller or by staff, or measured by a service. */
export const figureClasses = ['measured', 'staff', 'seller'] as const;
export type FigureClass = (typeof figureClasses)[number];

/** An order of all classes. */
export const figureOrder = z
  .array(z.enum(figureClasses))
  .length(figureClasses.length)
  .refine((order) => new Set(order).size === order.length, 'Name each source once.');

/** The order of an installation that never changed it. */
export const defaultFigureOrder: FigureClass[] = [...figureClasses];

/** The days after which a measured figure is old: a newer one of staff is then better. */
export const measuredDays = 180;

/** The stored order as text, in which the position of a class is its rank: queries read it in their statement. */
export const figureOrderInSql = sql`coalesce(
  (select ${settings.value}::text from ${settings} where ${settings.key} = ${figureOrderKey}),
  ${JSON.stringify(defaultFigureOrder)})`;
