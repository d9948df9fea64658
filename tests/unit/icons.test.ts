import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { icons } from 'lucide';
import { expect, it } from 'vitest';
import { iconNames } from '@/components/ui/icon-names';
import { projectRoot } from '@/scripts/process/root';

it('the sheet of icons has a symbol for each name', async () => {
  await expect(describeSheet()).toMatchFileSnapshot(join(projectRoot, 'components/ui/icons.svg'));
});

it('every icon of the sheet is used', () => {
  const sources = ['app', 'components'].flatMap((folder) =>
    readdirSync(join(projectRoot, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file) && file !== 'ui/icon-names.ts')
      .map((file) => readFileSync(join(projectRoot, folder, file), 'utf8')),
  );
  const used = new Set(sources.flatMap((text) => text.match(/(?<=['"])[a-z][a-z0-9-]*(?=['"])/g) ?? []));
  expect(iconNames.filter((name) => !used.has(name))).toEqual([]);
});

/** Returns symbols that take color and stroke from the place of their use. */
function describeSheet(): string {
  const shapes = new Map(Object.entries(icons));
  const symbols = iconNames.map((name) => {
    const shape = shapes.get(toPascalCase(name));
    if (!shape) throw new Error(`Lucide has no icon “${name}”.`);
    return `<symbol id="${name}" viewBox="0 0 24 24">${shape.map(describePart).join('')}</symbol>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24">\n${symbols.join('\n')}\n</svg>\n`;
}

const toPascalCase = (name: string) =>
  name
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

const describePart = ([tag, attributes]: [string, Record<string, string | number | undefined>]) =>
  `<${tag} ${Object.entries(attributes)
    .map(([name, value]) => `${name}="${value}"`)
    .join(' ')}/>`;
