import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');
const sources = ['app', 'components', 'lib']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(root, folder, file)),
  )
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => readFileSync(file, 'utf8'));
const parameters = sources.flatMap((source) => [
  ...source.matchAll(/\boneParam\(\w+, '(\w+)'/g),
  ...source.matchAll(/\b\w+Param = '(\w+)'/g),
  ...source.matchAll(/^ {2}(\w+): (?:name|score|usd|days|text|z\.)/gm),
]);

/** Every query parameter that a page reads, extracted from its source. */
export const pageParameters = [...new Set([...parameters.map(([, word = '']) => word), 'sort', 'order', 'next'])];

/**
 * Digests of the parts of a page that failed during streaming. Redirects and 404 have names there; a part that only the
 * browser renders (`dynamic` with `ssr: false`) has an empty digest.
 */
export function failedParts(html: string): string[] {
  return [...html.matchAll(/data-dgst="(?!NEXT_|BAILOUT|DYNAMIC)([^"]+)"/g)].map(([, digest = '']) => digest);
}
