import type { DefaultTreeAdapterMap } from 'parse5';

export type Element = DefaultTreeAdapterMap['element'];
export type Node = DefaultTreeAdapterMap['node'];

/**
 * Visits a node and what it contains in the order of the document, without recursion. The content of a template is not
 * part of the tree.
 * @param context of the node
 * @param enter returns the context of an element, from that of its parent; other nodes have that of their parent
 */
export function* walk<Context>(
  root: Node,
  context: Context,
  enter: (element: Element, parent: Context) => Context,
): Generator<{ node: Node; context: Context }> {
  const stack = [{ node: root, context }];
  for (let visit = stack.pop(); visit; visit = stack.pop()) {
    yield visit;
    const { node, context } = visit;
    if (!('childNodes' in node)) continue;
    for (let index = node.childNodes.length - 1; index >= 0; index -= 1) {
      const child = node.childNodes[index];
      if (child) stack.push({ node: child, context: isElement(child) ? enter(child, context) : context });
    }
  }
}

export function isElement(node: Node): node is Element {
  return 'tagName' in node;
}

export function isText(node: Node): node is DefaultTreeAdapterMap['textNode'] {
  return node.nodeName === '#text' && 'value' in node;
}

export function readAttribute(element: Element, name: string): string | null {
  return element.attrs.find((attribute) => attribute.name === name)?.value ?? null;
}

/** Returns a text with single spaces. */
export function collapse(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
