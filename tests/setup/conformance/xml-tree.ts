import { SaxesParser } from 'saxes';

/** An element with the prefix that `namespaces` gives its namespace, as "cbc:ID". */
export type XmlTree = {
  name: string;
  attributes: ReadonlyMap<string, string>;
  children: XmlTree[];
  /** Of an element without child elements. */
  text: string;
};

const ubl = 'urn:oasis:names:specification:ubl:schema:xsd';
const cii = 'urn:un:unece:uncefact:data:standard';

/** The prefixes of this folder by namespace. */
const namespaces: ReadonlyMap<string, string> = new Map([
  [`${ubl}:Invoice-2`, 'ubl'],
  [`${ubl}:CreditNote-2`, 'ubl'],
  [`${ubl}:CommonAggregateComponents-2`, 'cac'],
  [`${ubl}:CommonBasicComponents-2`, 'cbc'],
  [`${ubl}:CommonExtensionComponents-2`, 'ext'],
  [`${cii}:CrossIndustryInvoice:100`, 'rsm'],
  [`${cii}:ReusableAggregateBusinessInformationEntity:100`, 'ram'],
  [`${cii}:UnqualifiedDataType:100`, 'udt'],
  [`${cii}:QualifiedDataType:100`, 'qdt'],
]);

/**
 * Reads a document.
 * @throws Error for a text that is not well-formed
 */
export function parseTree(xml: string): XmlTree {
  const parser = new SaxesParser({ xmlns: true, position: true });
  const document: XmlTree = { name: '', attributes: new Map(), children: [], text: '' };
  const open = [document];
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ uri, local, attributes }) => {
    const values = Object.values(attributes).map((one) => [one.local, one.value] as const);
    const element = {
      name: `${namespaces.get(uri) ?? uri}:${local}`,
      attributes: new Map(values),
      children: [],
      text: '',
    };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  const addText = (text: string) => {
    const element = open.at(-1);
    if (element) element.text += text;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => open.pop());
  parser.write(xml).close();
  const [root] = document.children;
  if (!root) throw new Error('The document has no element.');
  return root;
}

/** Lists the elements at a path of names below an element, as "cac:Party/cbc:ID". */
export const findAll = (from: XmlTree | undefined, path: string): XmlTree[] =>
  path
    .split('/')
    .reduce<XmlTree[]>(
      (found, name) => found.flatMap(({ children }) => children.filter((child) => child.name === name)),
      from ? [from] : [],
    );

export const findOne = (from: XmlTree | undefined, path: string): XmlTree | undefined => findAll(from, path)[0];

/** Returns the text at a path; empty if there is none. */
export const textAt = (from: XmlTree | undefined, path: string): string => findOne(from, path)?.text.trim() ?? '';
