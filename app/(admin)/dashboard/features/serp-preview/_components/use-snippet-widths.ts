'use client';

import { useEffect, useMemo, useState } from 'react';
import {
  normalizeText,
  type SerpDevice,
  type SerpFont,
  type SerpLine,
  type SerpPart,
  serpLines,
} from '@/lib/serp/limits';
import { type Coverage, decodeCoverage, isEstimated, splitRuns, trimToWidth } from '@/lib/serp/runs';

/**
 * The font size for measuring, scaled down afterwards. At small sizes some systems round glyph widths to whole pixels.
 */
const drawnAtPx = 1_000;

let context: CanvasRenderingContext2D | null | undefined;

export type MeasuredText = {
  widthPx: number;
  isTooLong: boolean;
  /** The text, trimmed to the device's limit. */
  shown: string;
  /** The font lacks some characters, so the width is an estimate. */
  isGuessed: boolean;
};
type MeasuredSnippet = Record<SerpPart, MeasuredText>;

/** The characters that each font covers, as encoded by lib/serp/runs.ts. */
export type FontCoverage = Record<SerpFont, string>;

/** Measures the title and the description as the user types. Returns null until the fonts are loaded. */
export function useSnippetWidths(
  texts: Record<SerpPart, string>,
  device: SerpDevice,
  written: FontCoverage,
): MeasuredSnippet | null {
  const { Arimo, Roboto } = written;
  const coverage = useMemo(() => ({ Arimo: decodeCoverage(Arimo), Roboto: decodeCoverage(Roboto) }), [Arimo, Roboto]);
  const [measured, setMeasured] = useState<MeasuredSnippet | null>(null);
  const { title, description } = texts;
  useEffect(() => {
    let isCurrent = true;
    const font = serpLines[device].title.font;
    const measure = () => {
      if (!isCurrent) return;
      const of = (part: SerpPart, text: string) => measureText(text, device, part, coverage[font]);
      setMeasured({ title: of('title', title), description: of('description', description) });
    };
    // If the font fails to load, measures with the system font, which has a similar width.
    loadFontFor(font, `${title} ${description} …`).then(measure, measure);
    return () => {
      isCurrent = false;
    };
  }, [title, description, device, coverage]);
  return measured;
}

function measureText(text: string, device: SerpDevice, part: SerpPart, coverage: Coverage): MeasuredText {
  const line = serpLines[device][part];
  const ruler = (candidate: string) => measureInBrowser(candidate, line, coverage);
  const widthPx = ruler(text);
  const { limitPx } = line;
  return {
    widthPx,
    isTooLong: widthPx > limitPx,
    shown: trimToWidth(text, limitPx, ruler),
    isGuessed: isEstimated(text, coverage),
  };
}

/** Returns the canvas context that all measurements share. */
function canvas(): CanvasRenderingContext2D {
  context ??= document.createElement('canvas').getContext('2d');
  if (!context) throw new Error('This browser can’t measure text because it doesn’t support canvas.');
  return context;
}

/** Loads the font subsets for a text. Measuring before they load would use another font. */
async function loadFontFor(font: SerpLine['font'], text: string): Promise<void> {
  await document.fonts.load(`${drawnAtPx}px ${font}`, normalizeText(text) || ' ');
}

/** Returns the width of a text in a search result, in pixels. Follows the same rules as lib/serp/font-metrics.ts. */
function measureInBrowser(text: string, { font, sizePx }: SerpLine, coverage: Coverage): number {
  const ruler = canvas();
  ruler.font = `${drawnAtPx}px ${font}`;
  ruler.fontKerning = 'normal';
  const ems = splitRuns(normalizeText(text), coverage).map(
    (run) => run.em ?? ruler.measureText(run.text).width / drawnAtPx,
  );
  return ems.reduce((sum, em) => sum + em, 0) * sizePx;
}

/** The form values, named as in the API. */
export type PageFacts = {
  domain: string;
  slug: string;
  currentTitle: string;
  currentDescription: string;
  intent: string;
};

export const blankPage: PageFacts = { domain: '', slug: '', currentTitle: '', currentDescription: '', intent: '' };

/** The response of POST /api/tools/seo/suggest. */
export type SuggestedTexts = { title: string; description: string; source: 'model' | 'rules' };
