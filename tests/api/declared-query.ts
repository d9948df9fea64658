import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import type { Address } from './contract';

const app = resolve(import.meta.dirname, '../../app');
/** Route groups are not part of the path. */
const groups = ['', '(admin)', '(seller)', '(user)', '(auth)'];
const declaring = z.custom<{ declaration: { query?: z.ZodType } }>(
  (value) => typeof value === 'function' && 'declaration' in value,
);

/** The names of an endpoint's query parameters, as its handler declares them. */
export async function declaredQuery({ method, path }: Address): Promise<string[]> {
  for (const group of groups) {
    const file = resolve(app, group, `.${path}/route.ts`);
    if (!existsSync(file)) continue;
    const module: unknown = await import(file);
    const { query } = declaring.parse(Object(module)[method]).declaration;
    if (!query) return [];
    const { properties } = z.toJSONSchema(query, { io: 'input', unrepresentable: 'any' });
    return Object.keys(properties ?? {});
  }
  throw new Error(`There is no handler of ${path}.`);
}
