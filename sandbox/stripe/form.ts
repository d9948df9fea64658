/** A decoded parameter tree: strings, and lists and maps of them. */
export type FormTree = string | FormTree[] | { [key: string]: FormTree };

type Branch = Map<string, string | Branch>;

/**
 * Parses Stripe's form encoding: `line_items[0][price_data][currency]=usd` and `expand[]=x` become a tree. Maps whose
 * keys are 0, 1, 2… become lists.
 */
export function parseForm(body: string): { [key: string]: FormTree } {
  const root: Branch = new Map();
  for (const [name, value] of new URLSearchParams(body)) insert(root, splitName(name), value);
  return Object.fromEntries([...root].map(([key, value]) => [key, toTree(value)]));
}

function splitName(name: string): string[] {
  const first = name.indexOf('[');
  if (first < 0) return [name];
  const nested = [...name.slice(first).matchAll(/\[([^\]]*)\]/g)].map((match) => match[1] ?? '');
  return [name.slice(0, first), ...nested];
}

function insert(root: Branch, parts: readonly string[], value: string): void {
  let branch = root;
  for (const [depth, part] of parts.entries()) {
    const key = part === '' ? String(branch.size) : part;
    if (depth === parts.length - 1) {
      branch.set(key, value);
      return;
    }
    const known = branch.get(key);
    const next: Branch = known instanceof Map ? known : new Map();
    branch.set(key, next);
    branch = next;
  }
}

function toTree(value: string | Branch): FormTree {
  if (typeof value === 'string') return value;
  const entries = [...value].map(([key, child]): [string, FormTree] => [key, toTree(child)]);
  const isList = entries.every(([key], index) => key === String(index));
  return isList ? entries.map(([, child]) => child) : Object.fromEntries(entries);
}
