import { type DefaultTreeAdapterMap, html, parseFragment, type TreeAdapter } from 'parse5';
import { SaxesParser } from 'saxes';

type Adapter = TreeAdapter<DefaultTreeAdapterMap>;

/** The document types for which browsers know the names of HTML's characters, such as `&nbsp;`. */
const xhtmlType = /["']-\/\/(W3C\/\/DTD (XHTML|MathML)|WAPFORUM\/\/DTD XHTML Mobile) [^"']*\/\/EN["']/;

class NotWellFormedError extends Error {
  override readonly name = 'NotWellFormedError';
}

/**
 * Builds the tree of an XHTML document by the rules of XML: `<title/>` is a whole element, and CDATA is text.
 * @param adapter creates the nodes, and throws for a tree that is too large
 * @returns null for a document that is not well-formed, of which browsers show an error
 */
export function parseXhtml(text: string, adapter: Adapter): DefaultTreeAdapterMap['document'] | null {
  const parser = new SaxesParser({ xmlns: true, position: false });
  const document = adapter.createDocument();
  const open: { element: DefaultTreeAdapterMap['element']; content: DefaultTreeAdapterMap['parentNode'] }[] = [];
  const addText = (part: string) => {
    const parent = open.at(-1)?.content;
    if (parent) adapter.insertText(parent, part);
  };
  parser.on('error', (error) => {
    throw new NotWellFormedError(error.message);
  });
  parser.on('doctype', (doctype) => {
    if (xhtmlType.test(doctype)) parser.ENTITIES = createEntities(parser.ENTITIES);
  });
  parser.on('opentag', ({ local, uri, attributes }) => {
    const namespace = Object.values(html.NS).find((known) => known === uri);
    const list = Object.values(attributes).map(({ name, value }) => ({ name, value }));
    // Elements of unknown namespaces mean nothing to the reader of the tree.
    const element = adapter.createElement(local, namespace ?? html.NS.XML, list);
    adapter.appendChild(open.at(-1)?.content ?? document, element);
    // The content of a template is not part of the tree.
    const isTemplate = local === 'template' && namespace === html.NS.HTML;
    open.push({ element, content: isTemplate ? adapter.createDocumentFragment() : element });
    adapter.onItemPush?.(element);
  });
  parser.on('closetag', () => {
    const closed = open.pop();
    if (closed) adapter.onItemPop?.(closed.element, open.at(-1)?.element ?? closed.element);
  });
  parser.on('text', addText);
  parser.on('cdata', addText);
  try {
    parser.write(text).close();
  } catch (error) {
    if (error instanceof NotWellFormedError) return null;
    throw error;
  }
  return document;
}

/** Returns a table that reads the names of HTML's characters on demand. */
function createEntities(ofXml: Readonly<Record<string, string>>): Record<string, string> {
  return new Proxy<Record<string, string>>(
    {},
    {
      get(_, name) {
        if (typeof name !== 'string' || !/^[A-Za-z][A-Za-z\d]{0,40}$/.test(name)) return undefined;
        return ofXml[name] ?? decodeEntity(name);
      },
    },
  );
}

function decodeEntity(name: string): string | undefined {
  const [node] = parseFragment(`&${name};`).childNodes;
  const text = node && 'value' in node ? node.value : '';
  return text === `&${name};` ? undefined : text;
}
