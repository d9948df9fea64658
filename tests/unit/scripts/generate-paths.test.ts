import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { describePaths } from '@/scripts/build/generate-paths';

it('keeps the list of paths equal to the route files', () => {
  // `npm run build` and `npm run dev` write it.
  expect(readFileSync('app/api/openapi.json/paths.ts', 'utf8')).toBe(describePaths());
});
