import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { icons } from 'lucide';
import { iconNames } from '@/components/ui/icon-names';
import { projectRoot } from '@/scripts/process/root';

const target = 'components/ui/icons.svg';

/**
 * Returns the text of components/ui/icons.svg: a symbol for each name, which takes color and stroke from the place of
 * its use.
 * @throws Error for a name that Lucide does not have
 */
export function describeIcons(): string {
  const shapes = new Map(Object.entries(icons));
  const symbols = iconNames.map((name) => {
    const shape = shapes.get(toPascalCase(name));
    if (!shape) throw new Error(`Lucide has no icon “${name}”.`);
    return `<symbol id="${name}" viewBox="0 0 24 24">${shape.map(describePart).join('')}</symbol>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24">\n${symbols.join('\n')}\n</svg>\n`;
}

/** Writes the sheet of icons, unless it is up to date. */
export function generateIcons(): void {
  const path = join(projectRoot, target);
  const text = describeIcons();
  if (readFileSync(path, 'utf8') !== text) writeFileSync(path, text);
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
