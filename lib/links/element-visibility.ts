import { type DefaultTreeAdapterMap, html } from 'parse5';

/** `isHidden`: nothing of the element is shown. `isInvisible`: by `visibility`, which a descendant may end. */
export type Visibility = { isHidden: boolean; isInvisible: boolean };

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

/**
 * Returns the visibility of an element by its kind, its attributes and its inline style: `hidden`, `popover`, a closed
 * dialog, `display:none`, `visibility:hidden`, `opacity:0` and `content-visibility:hidden`.
 * @param parent that of the parent element
 */
export function hidesElement(element: DefaultTreeAdapterMap['element'], parent: Visibility): Visibility {
  if (parent.isHidden && !parent.isInvisible) return parent;
  const has = (name: string) => element.attrs.some((attribute) => attribute.name === name);
  const isHtml = element.namespaceURI === html.NS.HTML;
  const style = readStyle(element.attrs.find(({ name }) => name === 'style')?.value ?? '');
  const isRemoved =
    (isHtml && (unshown.has(element.tagName) || has('popover'))) ||
    (isHtml && element.tagName === 'dialog' && !has('open')) ||
    // The content of an object is its replacement while it cannot be loaded.
    (isHtml && element.tagName === 'object' && has('data')) ||
    // A style wins over the attribute: display:block shows a hidden element.
    (isHtml && has('hidden') && !style.has('display')) ||
    style.get('display') === 'none' ||
    style.get('content-visibility') === 'hidden' ||
    Number.parseFloat(style.get('opacity') ?? '1') === 0;
  if (isRemoved) return { isHidden: true, isInvisible: false };
  const visibility = style.get('visibility');
  if (visibility === 'hidden' || visibility === 'collapse') return { isHidden: true, isInvisible: true };
  return visibility === 'visible' || visibility === 'initial' ? { isHidden: false, isInvisible: false } : parent;
}

/** Reads the declarations of a style attribute: the last one counts, unless an earlier one is important. */
function readStyle(text: string): Map<string, string> {
  const style = new Map<string, string>();
  const important = new Set<string>();
  for (const declaration of text.replace(/\/\*.*?(\*\/|$)/gs, ' ').split(';')) {
    const colon = declaration.indexOf(':');
    if (colon === -1) continue;
    const name = declaration.slice(0, colon).trim().toLowerCase();
    const value = declaration
      .slice(colon + 1)
      .trim()
      .toLowerCase();
    const isImportant = /!\s*important$/.test(value);
    if (important.has(name) && !isImportant) continue;
    if (isImportant) important.add(name);
    style.set(name, value.replace(/!\s*important$/, '').trim());
  }
  return style;
}
