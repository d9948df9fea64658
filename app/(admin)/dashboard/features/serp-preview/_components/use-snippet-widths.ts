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
import { type Coverage, decodeCoverage, isEstimated, splitRuns } from '@/lib/serp/runs';
import { trimToWidth } from '@/lib/serp/trim';

/** Texts are measured this large and scaled down: at their own size some systems round every letter to whole pixels. */
const drawnAtPx = 1_000;

let context: CanvasRenderingContext2D | null | undefined;

/** What the device shows of one text. */
export type MeasuredText = {
  widthPx: number;
  isTooLong: boolean;
  /** The text, cut where the device would cut it. */
  shown: string;
  /** Holds characters that the font lacks: their width is a guess. */
  isGuessed: boolean;
};
export type MeasuredSnippet = Record<SerpPart, MeasuredText>;

/** Characters of each font, as lib/serp/runs.ts writes them. */
export type FontCoverage = Record<SerpFont, string>;

/** Measures title and description for a device as they are typed; null until the fonts are there. */
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
    // A font that cannot be fetched leaves the system's own: nearly as wide, and better than no answer.
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

/** The one canvas that all texts are measured on. */
function canvas(): CanvasRenderingContext2D {
  context ??= document.createElement('canvas').getContext('2d');
  if (!context) throw new Error('This browser cannot measure texts: it has no canvas.');
  return context;
}

/** Fetches what of the font draws these texts; nothing is measured before, since another font would be. */
async function loadFontFor(font: SerpLine['font'], text: string): Promise<void> {
  await document.fonts.load(`${drawnAtPx}px ${font}`, normalizeText(text) || ' ');
}

/** The width of a text as a search result draws it, in pixels, by the rule of lib/serp/font-metrics.ts. */
function measureInBrowser(text: string, { font, sizePx }: SerpLine, coverage: Coverage): number {
  const ruler = canvas();
  ruler.font = `${drawnAtPx}px ${font}`;
  ruler.fontKerning = 'normal';
  const ems = splitRuns(normalizeText(text), coverage).map(
    (run) => run.em ?? ruler.measureText(run.text).width / drawnAtPx,
  );
  return ems.reduce((sum, em) => sum + em, 0) * sizePx;
}
