import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { buildFolder } from '../env';

const manifestSchema = z.object({
  staticRoutes: z.array(z.object({ page: z.string() })),
  dynamicRoutes: z.array(z.object({ page: z.string(), regex: z.string() })),
});

/**
 * Finds the address a path belongs to, e.g. "/api/orders/[id]", as the build lists them (routes-manifest.json). The
 * path itself may hold what a log should not.
 * @returns null where no address fits
 */
export function routePatterns(): (path: string) => string | null {
  const file = join(process.cwd(), buildFolder(), 'routes-manifest.json');
  const { staticRoutes, dynamicRoutes } = manifestSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  const fixed = new Set(staticRoutes.map(({ page }) => page));
  const patterns = dynamicRoutes.map(({ page, regex }) => ({ page, regex: new RegExp(regex) }));
  return (path) => (fixed.has(path) ? path : (patterns.find(({ regex }) => regex.test(path))?.page ?? null));
}
