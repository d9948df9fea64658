import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ActionResult } from '@/lib/platform/http/action';

export type Action = (input: unknown) => Promise<ActionResult<unknown>>;

const root = resolve(import.meta.dirname, '../..');

/** All server actions, by name. A test that calls them mocks next/headers first (request-scope.ts). */
export async function allActions(): Promise<Record<string, Action>> {
  const found: Record<string, Action> = {};
  for (const file of ['app', 'lib', 'components'].flatMap(filesBelow)) {
    if (!/^['"]use server['"]/m.test(readFileSync(file, 'utf8'))) continue;
    const module: Record<string, Action> = await import(file);
    Object.assign(found, module);
  }
  return found;
}

function filesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => join(root, folder, file));
}
