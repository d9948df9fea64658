import XMLBuilder from 'fast-xml-builder';

/** What an element contains: a text, or elements and attributes (`@name`) in their order. Empty ones are left out. */
export type XmlNode = string | XmlElement | readonly XmlNode[] | null;
export type XmlElement = { readonly [name: string]: XmlNode };

const builder = new XMLBuilder({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  format: true,
  indentBy: '  ',
  processEntities: true,
});

/** The characters that XML 1.0 cannot carry, not even escaped. */
const unwritable = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

/** Returns what is written of a text; empty for an element that is left out. */
export const toXmlText = (text: string): string => text.replace(unwritable, '').trim();

/**
 * Writes a document. Elements without a text are left out with their attributes, since the rules of Peppol refuse empty
 * elements (PEPPOL-EN16931-R008).
 * @returns UTF-8 text
 */
export const writeXml = (root: XmlElement): string =>
  builder.build({ '?xml': { '@version': '1.0', '@encoding': 'UTF-8' }, ...pruneElement(root) });

type Pruned = string | PrunedElement | Pruned[];
type PrunedElement = { [name: string]: Pruned };

function prune(node: XmlNode): Pruned | null {
  if (node === null) return null;
  if (typeof node === 'string') return toXmlText(node) || null;
  if (!isList(node)) return pruneElement(node);
  const kept = node.flatMap((one) => prune(one) ?? []);
  return kept.length > 0 ? kept : null;
}

function pruneElement(element: XmlElement): PrunedElement | null {
  const kept = Object.entries(element).flatMap(([name, value]) => {
    const pruned = prune(value);
    return pruned === null ? [] : [[name, pruned] as const];
  });
  return kept.some(([name]) => !name.startsWith('@')) ? Object.fromEntries(kept) : null;
}

const isList = (node: XmlNode): node is readonly XmlNode[] => Array.isArray(node);
