import { type CSSToken, TokenType, tokenizer } from '@csstools/css-tokenizer';
import { parseColor, parseFunctions, parseLength, parseNumber, splitValue } from './css-values';

/** Longhand properties with their values in lower case, and custom properties. */
export type Style = ReadonlyMap<string, string>;

/** Longer values of a property are not read, nor are deeper or more ones: reading them would occupy the server. */
const maxValueLength = 1_000;
const maxNesting = 20;
const maxDeclarations = 200;
/** Properties whose lengths need no unit in pages without a modern doctype. */
const quirky =
  /^(top|right|bottom|left|((min|max)-)?(width|height)|(margin|padding)(-(top|right|bottom|left))?|font-size|text-indent|letter-spacing)$/;
/** The entry of a style that is not read as a whole. */
export const unread = '*unread';

/**
 * Reads the declarations of a style attribute as a browser does: with escapes and comments, without what is not valid;
 * the last one counts, unless an earlier one is important. Shorthands and logical properties are written as the
 * longhands that they set in a text from left to right.
 * @param variables the custom properties of the parent element
 * @param isQuirky whether the page has no modern doctype: lengths then need no unit
 */
export function readStyle(text: string, { variables, isQuirky }: { variables: Style; isQuirky: boolean }): Style {
  const own = readDeclarations(text, isQuirky);
  if (!text.includes('var(')) return own;
  const values = new Map([...variables, ...own]);
  let resolved = text;
  let room = maxValueLength;
  const resolve = (whole: string, name: string, fallback?: string) => {
    const value = values.get(name) ?? fallback ?? whole;
    room -= value.length;
    return room < 0 ? whole : value;
  };
  // A variable can contain others.
  for (let round = 0; round < 5 && resolved.includes('var('); round += 1) {
    resolved = resolved.replace(/var\(\s*(--[\w-]+)\s*(?:,([^()]*(?:\([^()]*\)[^()]*)?))?\)/gi, resolve);
  }
  return readDeclarations(resolved, isQuirky);
}

function readDeclarations(text: string, isQuirky: boolean): Style {
  const style = new Map<string, string>();
  const important = new Set<string>();
  const declarations = parseDeclarations(text);
  if (declarations.length > maxDeclarations) return new Map([[unread, '']]);
  for (const { name, value, nesting, isImportant } of declarations) {
    if (value.length > maxValueLength || nesting > maxNesting) {
      if (properties.has(name) || shorthands.has(name)) style.set(unread, '');
      continue;
    }
    const withUnits = isQuirky && quirky.test(name) ? value.replace(/(^| )([+-]?[\d.]+)(?= |$)/g, '$1$2px') : value;
    for (const [longhand, part] of expand(name, withUnits)) {
      if (important.has(longhand) && !isImportant) continue;
      if (isImportant) important.add(longhand);
      style.set(longhand, part);
    }
  }
  return style;
}

type Declaration = { name: string; value: string; isImportant: boolean; nesting: number };

/** Returns the declarations, up to one more than are read. */
function parseDeclarations(text: string): Declaration[] {
  const declarations: Declaration[] = [];
  const { nextToken, endOfFile } = tokenizer({ css: text });
  let [depth, nesting] = [0, 0];
  let tokens: CSSToken[] = [];
  while (declarations.length <= maxDeclarations) {
    const isEnd = endOfFile();
    const token = nextToken();
    if (isEnd || (token[0] === TokenType.Semicolon && depth === 0)) {
      const declaration = parseDeclaration(tokens);
      if (declaration) declarations.push({ ...declaration, nesting });
      [nesting, tokens] = [0, []];
      if (isEnd) break;
      continue;
    }
    if (isOpening(token)) depth += 1;
    else if (isClosing(token)) depth = Math.max(0, depth - 1);
    nesting = Math.max(nesting, depth);
    if (token[0] !== TokenType.Comment && tokens.length < 3 * maxValueLength) tokens.push(token);
  }
  return declarations;
}

const isOpening = ([type]: CSSToken) =>
  type === TokenType.Function ||
  type === TokenType.OpenParen ||
  type === TokenType.OpenSquare ||
  type === TokenType.OpenCurly;
const isClosing = ([type]: CSSToken) =>
  type === TokenType.CloseParen || type === TokenType.CloseSquare || type === TokenType.CloseCurly;

function parseDeclaration(tokens: CSSToken[]): Omit<Declaration, 'nesting'> | null {
  const start = tokens.findIndex(([type]) => type !== TokenType.Whitespace);
  const first = tokens[start];
  const colon = tokens.findIndex(([type], index) => index > start && type !== TokenType.Whitespace);
  if (first?.[0] !== TokenType.Ident || tokens[colon]?.[0] !== TokenType.Colon) return null;
  const value = tokens
    .slice(colon + 1)
    .map(writeToken)
    .join('')
    .replace(/ +/g, ' ')
    .trim();
  const important = / ?! ?important$/.exec(value);
  return {
    name: writeToken(first),
    value: (important ? value.slice(0, important.index) : value)
      .replace(/ ?([,/]) ?/g, '$1')
      .replace(/\( /g, '(')
      .replace(/ \)/g, ')')
      .replace(/\)(?=[a-z])/g, ') '),
    isImportant: important !== null,
  };
}

/** Writes a token in lower case, without escapes. Texts and addresses are left out. */
function writeToken(token: CSSToken): string {
  switch (token[0]) {
    case TokenType.Whitespace:
      return ' ';
    case TokenType.Ident:
      // The names of custom properties have a case.
      return token[4].value.startsWith('--') ? token[4].value : token[4].value.toLowerCase();
    case TokenType.Function:
      return `${token[4].value.toLowerCase()}(`;
    case TokenType.Hash:
      return `#${token[4].value.toLowerCase()}`;
    case TokenType.String:
      return '""';
    case TokenType.URL:
      return 'url()';
    default:
      return token[1].toLowerCase();
  }
}

const wideKeyword = /^(inherit|initial|unset|revert|revert-layer)$/;

type Longhands = [property: string, value: string][];
type Check = (value: string) => boolean;
const oneOf =
  (pattern: RegExp): Check =>
  (value) =>
    pattern.test(value);
const isLength: Check = (value) => parseLength(value, 16) !== null;
const isSize: Check = (value) =>
  isLength(value) ||
  /^(auto|none|normal|stretch|-webkit-fill-available|(min|max|fit)-content|fit-content\(.*\))$/.test(value);
const isNumber: Check = (value) => parseNumber(value) !== null;
const isColor: Check = (value) => value === 'currentcolor' || parseColor(value) !== null;
const isFunctions: Check = (value) => value === 'none' || parseFunctions(value) !== null;
const isAny: Check = () => true;
const transforms = /^(none|((matrix|translate|scale|rotate|skew)(3d|x|y|z)?|perspective)\(.*\))$/;

/** The properties that decide whether something is seen, and what a valid value of each is. */
const properties = new Map<string, Check>([
  [
    'display',
    oneOf(
      /^((inline|block|flow|flow-root|flex|grid|table|list-item|ruby|math|inline-(block|flex|grid|table)|table-(row|cell|column|caption)|table-(row|column|header|footer)-group|contents|none|-webkit-(inline-)?box)( |$))+$/,
    ),
  ],
  ['visibility', oneOf(/^(visible|hidden|collapse)$/)],
  ['content-visibility', oneOf(/^(visible|hidden|auto)$/)],
  ['position', oneOf(/^(static|relative|absolute|fixed|sticky|-webkit-sticky)$/)],
  ['float', oneOf(/^(left|right|none|inline-start|inline-end)$/)],
  ['white-space', oneOf(/^[a-z- ]+$/)],
  ['overflow-x', oneOf(/^(visible|hidden|clip|scroll|auto|overlay)$/)],
  ['overflow-y', oneOf(/^(visible|hidden|clip|scroll|auto|overlay)$/)],
  ...['inset', 'margin'].flatMap(sides).map((name): [string, Check] => [name, isSize]),
  ...['width', 'height']
    .flatMap((name) => [name, `min-${name}`, `max-${name}`])
    .concat(sides('padding'))
    .map((name): [string, Check] => [name, (value) => isSize(value) && !value.startsWith('-')]),
  ['text-indent', (value) => isLength(value.replace(/ (hanging|each-line)/g, ''))],
  ['letter-spacing', isSize],
  ['word-spacing', isSize],
  ['line-height', (value) => isSize(value) || isNumber(value)],
  [
    'font-size',
    (value) =>
      (isLength(value) && !value.startsWith('-')) ||
      /^(xx-small|x-small|small|medium|large|x-large|xx-large|xxx-large|smaller|larger|math)$/.test(value),
  ],
  ['font-size-adjust', isNumber],
  ['flex-grow', isNumber],
  ['opacity', isNumber],
  ['zoom', (value) => isNumber(value) || value === 'normal'],
  ['z-index', (value) => isNumber(value) || value === 'auto'],
  ['color', isColor],
  ['-webkit-text-fill-color', isColor],
  ['background-color', isColor],
  ['background-image', isAny],
  ['background-clip', oneOf(/^[a-z-, ]+$/)],
  ['text-shadow', isAny],
  ['-webkit-text-stroke', isAny],
  ['filter', isFunctions],
  ['mask', isAny],
  ['clip', oneOf(/^(auto|rect\(.*\))$/)],
  ['clip-path', isAny],
  ['transform', (value) => splitValue(value, ' ').every((part) => transforms.test(part))],
  ['scale', (value) => value === 'none' || splitValue(value, ' ').every(isNumber)],
  ['translate', (value) => value === 'none' || splitValue(value, ' ').every(isLength)],
  ['rotate', isAny],
  ['animation', isAny],
]);

function sides(name: string): string[] {
  return ['top', 'right', 'bottom', 'left'].map((side) => (name === 'inset' ? side : `${name}-${side}`));
}

/** Writes the values of a shorthand for the four sides. */
const expandSides =
  (name: string) =>
  (value: string): Longhands => {
    const [top = '', right = top, bottom = top, left = right] = splitValue(value, ' ');
    const [onTop = '', onRight = '', onBottom = '', onLeft = ''] = sides(name);
    return [
      [onTop, top],
      [onRight, right],
      [onBottom, bottom],
      [onLeft, left],
    ];
  };
const expandPair =
  (first: string, second: string) =>
  (value: string): Longhands => {
    const [one = '', other = one] = splitValue(value, ' ');
    return [
      [first, one],
      [second, other],
    ];
  };

const shorthands = new Map<string, (value: string) => Longhands>([
  ['margin', expandSides('margin')],
  ['padding', expandSides('padding')],
  ['inset', expandSides('inset')],
  ['inset-block', expandPair('top', 'bottom')],
  ['inset-inline', expandPair('left', 'right')],
  ...['margin', 'padding'].flatMap((name): [string, (value: string) => Longhands][] => [
    [`${name}-block`, expandPair(`${name}-top`, `${name}-bottom`)],
    [`${name}-inline`, expandPair(`${name}-left`, `${name}-right`)],
  ]),
  ['overflow', expandPair('overflow-x', 'overflow-y')],
  ['font', expandFont],
  ['flex', expandFlex],
  ['background', expandBackground],
]);

function expandFont(value: string): Longhands {
  const parts = splitValue(value, ' ');
  const isSizePart = (part: string) => {
    const size = part.split('/')[0] ?? '';
    return properties.get('font-size')?.(size) === true;
  };
  const [size = '', height = 'normal'] = parts.slice(0, -1).find(isSizePart)?.split('/') ?? [];
  return size === ''
    ? []
    : [
        ['font-size', size],
        ['line-height', height],
      ];
}

function expandFlex(value: string): Longhands {
  if (value === 'none') return [['flex-grow', '0']];
  return [['flex-grow', splitValue(value, ' ').find((part) => /^[\d.]+$/.test(part)) ?? '1']];
}

function expandBackground(value: string): Longhands {
  const layers = splitValue(value, ',');
  const parts = layers.flatMap((layer) => splitValue(layer.replace(/\//g, ' '), ' '));
  const last = splitValue(layers.at(-1) ?? '', ' ');
  const images = parts.filter((part) =>
    /^(-webkit-)?(url|image|image-set|cross-fade|element|paint|[\w-]*gradient)\(/.test(part),
  );
  return [
    ['background-color', last.find(isColor) ?? 'transparent'],
    ['background-image', images.join(',') || 'none'],
    ['background-clip', parts.includes('text') ? 'text' : 'border-box'],
  ];
}

/** Returns the longhands that a declaration sets, without those with an invalid value. */
function expand(name: string, value: string): Longhands {
  if (name.startsWith('--')) return [[name, value]];
  const plain = name
    .replace(/^-webkit-(?=(transform|clip-path|filter|mask|mask-image|background-clip|opacity|animation(-name)?)$)/, '')
    .replace(/^animation-name$/, 'animation')
    .replace(/^overflow-block$/, 'overflow-y')
    .replace(/^overflow-inline$/, 'overflow-x')
    .replace(/block-size$/, 'height')
    .replace(/inline-size$/, 'width')
    .replace(/^(inset|margin|padding)-(block|inline)-(start|end)$/, (_, group: string, axis: string, end: string) => {
      const side = axis === 'block' ? (end === 'start' ? 'top' : 'bottom') : end === 'start' ? 'left' : 'right';
      return group === 'inset' ? side : `${group}-${side}`;
    })
    .replace(/^mask-image$/, 'mask');
  const write = shorthands.get(plain);
  if (wideKeyword.test(value)) {
    // Any value tells which longhands there are.
    const longhands = write ? write('0 a').map(([longhand]) => longhand) : [plain];
    return longhands.filter((longhand) => properties.has(longhand)).map((longhand) => [longhand, value]);
  }
  const longhands: Longhands = write ? write(value) : [[plain, value]];
  return longhands.every(([longhand, part]) => properties.get(longhand)?.(part)) ? longhands : [];
}
