import { asDrawn, type SerpLine } from '@/lib/serp/limits';
import { type Coverage, splitRuns } from '@/lib/serp/runs';

/** Texts are measured this large and scaled down: at their own size some systems round every letter to whole pixels. */
const drawnAtPx = 1_000;

let context: CanvasRenderingContext2D | null | undefined;

/** The one canvas that all texts are measured on. */
function canvas(): CanvasRenderingContext2D {
  context ??= document.createElement('canvas').getContext('2d');
  if (!context) throw new Error('This browser cannot measure texts: it has no canvas.');
  return context;
}

/** Fetches what of the font draws these texts; nothing is measured before, since another font would be. */
export async function loadFontFor(font: SerpLine['font'], text: string): Promise<void> {
  await document.fonts.load(`${drawnAtPx}px ${font}`, asDrawn(text) || ' ');
}

/** The width of a text as a search result draws it, in pixels, by the rule of lib/serp/font-metrics.ts. */
export function measureInBrowser(text: string, { font, sizePx }: SerpLine, coverage: Coverage): number {
  const ruler = canvas();
  ruler.font = `${drawnAtPx}px ${font}`;
  ruler.fontKerning = 'normal';
  const ems = splitRuns(asDrawn(text), coverage).map((run) => run.em ?? ruler.measureText(run.text).width / drawnAtPx);
  return ems.reduce((sum, em) => sum + em, 0) * sizePx;
}
