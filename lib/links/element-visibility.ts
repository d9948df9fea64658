import { html } from 'parse5';
import {
  type Box,
  type BoxKind,
  findWorst,
  isPositioned,
  type Level,
  lengthOf,
  rateBelow,
  rateBox,
  rateFactor,
} from './box-rules';
import { parseColor, parseCosine, parseFunctions, parseLength, parseNumber } from './css-values';
import { readStyle, type Style } from './inline-style';
import { linkColor, type Paint, ratePaint, readPaint, rootPaint } from './text-paint';
import { type Element, readAttribute } from './walk-tree';

/** How far the content of an element is seen, and what elements inside of it inherit. */
export type Visibility = Readonly<{
  text: Level;
  /** Of pictures and the like. */
  picture: Level;
  /** Whether the element stands on lines of its own. */
  isBlock: boolean;
  /** What nothing inside can undo. */
  box: Level;
  isInvisible: boolean;
  opacity: number;
  /** The distance from the place that the element would have, in pixels. */
  shift: readonly [x: number, y: number];
  scale: number;
  /** In pixels. */
  fontSize: number;
  indent: Level;
  paint: Paint;
  /** Each child is a box, as in a flex container. */
  makesBoxes: boolean;
  variables: Style;
  /** The page has no modern doctype. */
  isQuirky: boolean;
}>;

/** Returns the visibility of a document. */
export const createRootVisibility = (isQuirky: boolean): Visibility => ({
  text: 'shown',
  picture: 'shown',
  isBlock: true,
  box: 'shown',
  isInvisible: false,
  opacity: 1,
  shift: [0, 0],
  scale: 1,
  fontSize: 16,
  indent: 'shown',
  paint: rootPaint,
  makesBoxes: false,
  variables: new Map(),
  isQuirky,
});

/** Elements whose content browsers with scripts do not show. */
const unshown = new Set([
  'audio',
  'canvas',
  'datalist',
  'head',
  'iframe',
  'noembed',
  'noframes',
  'noscript',
  'script',
  'style',
  'template',
  'textarea',
  'title',
  'video',
]);

const blocks = new Set(
  'address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing main menu nav ol optgroup option p plaintext pre search section summary table tbody td tfoot th thead tr ul xmp'.split(
    ' ',
  ),
);
const cells = new Set(['table', 'thead', 'tbody', 'tfoot', 'tr', 'td', 'th']);
const replaced = new Set(['img', 'svg', 'input', 'button', 'select', 'meter', 'progress', 'embed']);

/** Names of classes that systems and frameworks give to texts for screen readers alone, with a prefix or without. */
const readerClass =
  /^(?:[a-z\d]+-+)*(?:sr-?(?:only|text)|screen-?readers?(?:-(?:text|only|shortcut))?|visually-?hidden(?:-[a-z\d-]+)?|hidden-?visually|hide-visually|element-invisible|show-for-sr|assistive-text|accessibly-hidden|hidden-accessible|a11y-(?:hidden|text)|elementor-screen-only)(?:-focusable)?$|^a11y$/;

/** Checks whether an element has a class for texts that only screen readers show. */
function isForReaders(element: Element): boolean {
  const names = readAttribute(element, 'class')?.split(/\s+/) ?? [];
  return names.some((name) => {
    const dashed = name
      .slice(0, 100)
      .replace(/([a-z])([A-Z])/g, '$1-$2')
      .toLowerCase()
      .replaceAll('_', '-');
    return readerClass.test(dashed) && !/(^|-)(not?|un)-/.test(dashed);
  });
}

/** Elements of one kind with the same parent, or with parents of one kind, have one visibility. */
const known = new WeakMap<Visibility, Map<string, Visibility>>();
const relevant = /^(style|class|id|href|hidden|popover|open|data|color|bgcolor|background|text|link|width|height)$/;

/**
 * Returns how far the content of an element is seen, by its kind, its attributes and its inline style, as if there was
 * no style sheet.
 */
export function readVisibility(element: Element, parent: Visibility): Visibility {
  if (parent.box === 'hidden') return parent;
  const children = known.get(parent) ?? new Map<string, Visibility>();
  known.set(parent, children);
  const key = JSON.stringify([
    element.namespaceURI,
    element.tagName,
    ...element.attrs
      .filter(({ name }) => relevant.test(name))
      .map(({ name, value }) => [name, name === 'id' || name === 'href' ? '' : value]),
  ]);
  const visibility = children.get(key) ?? computeVisibility(element, parent);
  children.set(key, visibility);
  return visibility;
}

function computeVisibility(element: Element, parent: Visibility): Visibility {
  const style = readPresentation(element, parent);
  if (isRemoved(element, style)) return { ...parent, box: 'hidden', text: 'hidden', picture: 'hidden' };
  const isHtml = element.namespaceURI === html.NS.HTML;
  const { kind, isBlock } = readBox(element, style, parent);
  const attributes = new Set(element.attrs.map(({ name }) => name));
  const isNamed = attributes.has('class') || attributes.has('id');
  const isLink = isHtml && element.tagName === 'a' && attributes.has('href');
  const paint = readPaint(style, parent.paint, { isLink, isNamed });
  const forReaders = attributes.has('class') && isForReaders(element);
  if (style.size === 0 && !forReaders) return rate({ ...parent, isBlock, makesBoxes: false, paint });

  const fontSize = readFontSize(style, parent.fontSize);
  const isReplaced = replaced.has(element.tagName);
  const box: Box = { kind, style, fontSize, isReplaced };
  const motion = kind === 'box' || kind === 'cell' ? readTransform(box) : { scale: 1, shift: [0, 0] as const };
  const mayMove = kind === 'assumed-line' && isMoved(readTransform(box), box);
  const [x, y] = readShift(box, parent);
  return rate({
    ...parent,
    isBlock,
    paint,
    fontSize,
    box: findWorst([parent.box, rateBox(box), mayMove || forReaders ? 'doubtful' : 'shown']),
    isInvisible: readInvisible(style, parent.isInvisible),
    opacity: kind === 'none' ? parent.opacity : readOpacity(style, parent.opacity),
    shift: [x + motion.shift[0], y + motion.shift[1]],
    scale: parent.scale * motion.scale,
    indent: readIndent(box, isBlock, parent.indent),
    makesBoxes: /flex|grid/.test(style.get('display') ?? ''),
    variables: readVariables(style, parent.variables),
  });
}

/** The custom properties that an element has. Copies of many would occupy the server. */
const maxVariables = 500;

function readVariables(style: Style, parent: Style): Style {
  const own = [...style].filter(([name]) => name.startsWith('--'));
  return own.length > 0 && parent.size < maxVariables ? new Map([...parent, ...own]) : parent;
}

/** Sets the levels that the other members result in. */
function rate(visibility: Visibility): Visibility {
  const { box, isInvisible, opacity, shift, scale, fontSize, indent, paint } = visibility;
  const common = findWorst([
    box,
    isInvisible ? 'hidden' : 'shown',
    rateFactor(opacity),
    rateFactor(scale),
    rateBelow(shift[0], -800, -150),
    rateBelow(shift[1], -800, -300),
    rateBelow(-shift[0], -9_000, -2_000),
    rateBelow(-shift[1], -50_000, -9_000),
  ]);
  return {
    ...visibility,
    picture: findWorst([common, indent === 'shown' ? 'shown' : 'doubtful']),
    text: findWorst([common, indent, rateBelow(fontSize * scale, 2, 5), ratePaint(paint)]),
  };
}

function isRemoved(element: Element, style: Style): boolean {
  const display = style.get('display');
  if (display === 'none' || /^table-column/.test(display ?? '')) return true;
  if (element.namespaceURI !== html.NS.HTML) return false;
  const has = (name: string) => readAttribute(element, name) !== null;
  return (
    unshown.has(element.tagName) ||
    // The content of an object is its replacement while it cannot be loaded.
    (element.tagName === 'object' && has('data')) ||
    // A style wins over the attribute: display:block shows a hidden element.
    (display === undefined && (has('hidden') || has('popover') || (element.tagName === 'dialog' && !has('open')))) ||
    readAttribute(element, 'hidden')?.toLowerCase() === 'until-found'
  );
}

/** Returns the declarations of an element, with those of its legacy attributes in front. */
function readPresentation(element: Element, parent: Visibility): Style {
  const text = readAttribute(element, 'style');
  const style = text === null ? noStyle : readStyle(text, parent);
  const legacy = legacyAttributes.get(element.tagName);
  if (legacy === undefined) return style;
  const hints = Object.entries(legacy).flatMap(([name, properties]) => {
    const value = readAttribute(element, name);
    return value === null ? [] : properties(value.trim().toLowerCase());
  });
  return hints.length > 0 ? new Map([...hints, ...style]) : style;
}

const noStyle: Style = new Map();

type Hints = [property: string, value: string][];
type Attributes = Readonly<Record<string, (value: string) => Hints>>;
const colorHint =
  (property: string) =>
  (value: string): Hints => {
    const color = /^([\da-f]{3}){1,2}$/.test(value) ? `#${value}` : value;
    return parseColor(color) ? [[property, color]] : [];
  };
const sizeHint =
  (property: string, ...others: Hints) =>
  (value: string): Hints =>
    /^\d+%?$/.test(value) ? [[property, value.endsWith('%') ? value : `${value}px`], ...others] : [];
const imageHint = (value: string): Hints => (value === '' ? [] : [['background-image', 'url()']]);
const cellAttributes = { bgcolor: colorHint('background-color'), background: imageHint };
const pictureAttributes = { width: sizeHint('width'), height: sizeHint('height') };
const marqueeBox: Hints = [
  ['display', 'inline-block'],
  ['overflow-x', 'hidden'],
  ['overflow-y', 'hidden'],
];

/** Attributes of old pages that browsers still read as declarations. */
const legacyAttributes = new Map<string, Attributes>([
  ['body', { ...cellAttributes, text: colorHint('color'), link: colorHint(linkColor) }],
  ['font', { color: colorHint('color') }],
  ['img', pictureAttributes],
  ['svg', pictureAttributes],
  [
    'marquee',
    {
      bgcolor: colorHint('background-color'),
      width: sizeHint('width', ...marqueeBox),
      height: sizeHint('height', ...marqueeBox),
    },
  ],
  ...[...cells].map((name): [string, Attributes] => [name, cellAttributes]),
]);

function readBox(element: Element, style: Style, parent: Visibility): { kind: BoxKind; isBlock: boolean } {
  const display = style.get('display');
  if (display === 'contents') return { kind: 'none', isBlock: false };
  const isHtml = element.namespaceURI === html.NS.HTML;
  const isOut =
    parent.makesBoxes ||
    /^(absolute|fixed)$/.test(style.get('position') ?? '') ||
    /^(left|right|inline-)/.test(style.get('float') ?? '');
  const isCell = isHtml && cells.has(element.tagName);
  if (display === undefined) {
    if (isCell && !isOut) return { kind: 'cell', isBlock: true };
    if (isOut || (isHtml && blocks.has(element.tagName))) return { kind: 'box', isBlock: true };
    return { kind: replaced.has(element.tagName) ? 'box' : 'assumed-line', isBlock: false };
  }
  if (isOut) return { kind: 'box', isBlock: true };
  if (/^table|inline-table/.test(display)) return { kind: 'cell', isBlock: !display.startsWith('inline') };
  const isInline = display.startsWith('inline');
  const isLine = display === 'inline' || display === 'inline flow' || display === 'ruby';
  return { kind: isLine && !replaced.has(element.tagName) ? 'line' : 'box', isBlock: !isInline && !isLine };
}

const fontSizes: Readonly<Record<string, number>> = {
  'xx-small': 9,
  'x-small': 10,
  small: 13,
  medium: 16,
  large: 18,
  'x-large': 24,
  'xx-large': 32,
  'xxx-large': 48,
};

function readFontSize(style: Style, parent: number): number {
  const value = style.get('font-size');
  if (value === 'smaller') return parent / 1.2;
  if (value === 'larger') return parent * 1.2;
  if (value === 'initial') return 16;
  return fontSizes[value ?? ''] ?? parseLength(value, parent, parent / 100) ?? parent;
}

function readInvisible(style: Style, parent: boolean): boolean {
  const value = style.get('visibility');
  if (value === 'hidden' || value === 'collapse') return true;
  return value === 'visible' || value === 'initial' ? false : parent;
}

/** Returns the product of the parent's opacity, of `opacity`, and of the opacities of `filter`. */
function readOpacity(style: Style, parent: number): number {
  const filters = (parseFunctions(style.get('filter') ?? 'none') ?? []).filter(({ name }) => name === 'opacity');
  const opacity = [style.get('opacity'), ...filters.map(({ values }) => values[0])]
    .map((value) => Math.min(1, Math.max(0, parseNumber(value) ?? 1)))
    .reduce((product, value) => product * value, parent);
  // Scripts and animations fade in what moves to its place.
  const isFadedIn = ['transform', 'translate', 'animation'].some((name) => !/^(none)?$/.test(style.get(name) ?? ''));
  return isFadedIn ? Math.min(parent, Math.max(opacity, 0.2)) : opacity;
}

type Motion = { scale: number; shift: readonly [x: number, y: number] };

/**
 * Reads `transform`, `translate`, `scale` and `zoom`: the distance in pixels, and the smaller one of both scales.
 * Percentages are those of an element of 200 pixels.
 */
function readTransform(box: Box): Motion {
  const { style, fontSize } = box;
  const length = (value: string | undefined) => parseLength(value, fontSize, 2) ?? 0;
  const factor = (value: string | undefined) => Math.abs(parseNumber(value) ?? 1);
  let [scale, x, y] = [1, 0, 0];
  const functions = parseFunctions(style.get('transform') ?? 'none') ?? [];
  const properties = ['translate', 'scale', 'rotate'].map((name) => ({
    name,
    values: (style.get(name) ?? '').split(' '),
  }));
  for (const { name, values } of [...functions, ...properties]) {
    const [first, second] = values;
    const numbers = values.map((value) => parseNumber(value) ?? 0);
    const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = numbers;
    if (name.startsWith('scale')) scale *= Math.min(...values.map(factor));
    else if (isTurnedAway(name, values)) {
      const angle = values.find((value) => /^[^a-z]+[a-z]/.test(value)) ?? first;
      scale *= Math.abs(parseCosine(angle) ?? 1);
    } else if (name === 'matrix') [scale, x, y] = [scale * Math.abs(a * d - b * c), x + e, y + f];
    else if (name === 'matrix3d') scale *= Math.abs((numbers[0] ?? 1) * (numbers[5] ?? 1));
    else if (name === 'translatey') y += length(first);
    else if (/^translate(x|3d|)$/.test(name))
      [x, y] = [x + length(first), y + (name === 'translatex' ? 0 : length(second))];
  }
  const zoom = parseNumber(style.get('zoom')) ?? 1;
  // Browsers differ about zoom:0.
  return { scale: scale * (zoom === 0 ? 0.2 : zoom), shift: [x, y] };
}

/** Checks whether a rotation is around an axis in the page, and not one that stands on it. */
const isTurnedAway = (name: string, values: string[]): boolean =>
  /^rotate[xy]$/.test(name) ||
  (/^rotate(3d)?$/.test(name) && (values.some((value) => /^[xy]$/.test(value)) || Number(values[2]) === 0));

/** Checks whether what only applies to boxes would move or shrink an element out of sight. */
function isMoved({ scale, shift }: Motion, box: Box): boolean {
  const top = lengthOf(box, 'margin-top') ?? 0;
  return rateFactor(scale) !== 'shown' || Math.min(...shift, top) <= -300 || Math.max(...shift) >= 2_000;
}

/** Returns how far the position, the margins and the paddings of an element and its ancestors move its content. */
function readShift(box: Box, parent: Visibility): [x: number, y: number] {
  const isFixed = box.style.get('position') === 'fixed';
  const [x, y] = isFixed ? [0, 0] : parent.shift;
  const sum = (names: string[]) => names.reduce((total, name) => total + (lengthOf(box, name) ?? 0), 0);
  const isBox = box.kind === 'box';
  const place = isPositioned(box) ? [sum(['left']), sum(['top'])] : [0, 0];
  return [
    x + (place[0] ?? 0) + sum(['margin-left', 'padding-left']),
    y + (place[1] ?? 0) + (isBox ? sum(['margin-top', 'padding-top']) : 0),
  ];
}

/** Rates `text-indent`, which moves the first line of a block and which blocks inside inherit. */
function readIndent(box: Box, isBlock: boolean, parent: Level): Level {
  const value = box.style.get('text-indent')?.split(' ')[0];
  if (value === undefined || value === 'inherit' || value === 'unset') return parent;
  const indent = parseLength(value, box.fontSize) ?? 0;
  const cutsOff = ['overflow-x', 'overflow-y'].some((name) => /hidden|clip/.test(box.style.get(name) ?? ''));
  const isOneLine = box.style.get('white-space')?.includes('nowrap') === true;
  const own = findWorst([
    rateBelow(indent, -800, -150),
    indent >= 1_000 ? (isOneLine || cutsOff ? 'hidden' : 'doubtful') : 'shown',
  ]);
  switch (box.kind) {
    case 'line':
    case 'none':
      return parent;
    case 'assumed-line':
      return own === parent ? own : 'doubtful';
    default:
      // The line of the parent contains it.
      return isBlock ? own : findWorst([parent, own]);
  }
}
