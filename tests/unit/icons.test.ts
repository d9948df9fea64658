import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Search } from 'lucide-react';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { compile } from 'tailwindcss';
import { describe, expect, it } from 'vitest';
import iconsPlugin from '@/components/ui/icons-plugin';

/** The icons that the sources name, as classes. */
const named = [...new Set(['app', 'components'].flatMap((folder) => sourcesIn(folder).flatMap(iconsIn)))].sort();

function sourcesIn(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));
  return files.map((file) => readFileSync(join(folder, file), 'utf8'));
}

function iconsIn(source: string): string[] {
  return [...source.matchAll(/['"` ](icon-[a-z-]+)(?=['"` ])/g)].flatMap(([, name]) => name ?? []);
}

/** The stylesheet of an app that uses these classes. */
async function stylesheetOf(classes: readonly string[]): Promise<string> {
  const loadModule = async () => ({ path: '', base: '', module: iconsPlugin });
  const { build } = await compile('@plugin "icons"; @tailwind utilities;', { loadModule });
  return build([...classes]);
}

function placesIn(css: string): Map<string, string> {
  const rules = css.matchAll(/\.(icon-[a-z-]+) \{\s*mask-position: ([^;]+);/g);
  return new Map([...rules].map(([, name = '', place = '']) => [name, place]));
}

describe('the icons', () => {
  it('are each drawn where a page names them, and no two at one place', async () => {
    const places = placesIn(await stylesheetOf(named));
    expect(named).toContain('icon-search');
    expect([...places.keys()].sort()).toEqual(named);
    expect(new Set(places.values()).size).toBe(named.length);
  });

  it('come in one picture, which shows at an icon’s place that icon, and none that no page names', async () => {
    const css = await stylesheetOf(named);
    const pictures = [...css.matchAll(/url\("data:image\/svg\+xml,([^"]*)"\)/g)];
    expect(pictures).toHaveLength(1);
    const picture = decodeURIComponent(pictures[0]?.[1] ?? '').replaceAll("'", '"');
    const [, width = 0, height = 0] = (/viewBox="0 0 (\d+) (\d+)"/.exec(picture) ?? []).map(Number);
    expect(picture.match(/<g /g)).toHaveLength(named.length);
    // A percentage of a mask's place is one of the room that is left beside the element.
    const [left = 0, top = 0] = (placesIn(css).get('icon-search') ?? '').split(' ').map(Number.parseFloat);
    const [x, y] = [Math.round((left / 100) * (width - 24)), Math.round((top / 100) * (height - 24))];
    const search = renderToStaticMarkup(createElement(Search)).replace(/^<svg[^>]*>|<\/svg>$/g, '');
    expect(picture).toContain(`<g transform="translate(${x} ${y})">${search}</g>`);
  });
});
