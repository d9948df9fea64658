import { listBroken } from './invoice-rules';
import { checkStructure } from './invoice-structure';
import { readCii, readUbl } from './invoice-terms';
import { parseTree } from './xml-tree';

/**
 * Checks a UBL invoice or credit note: its structure, the rules of EN 16931, and those of the specification that it
 * names (Peppol BIS Billing 3.0, its self-billing, XRechnung 3.0).
 * @returns the ids of the broken rules, and what is wrong in the structure; empty for a valid document
 */
export function checkUbl(xml: string): string[] {
  const root = parseTree(xml);
  return [...checkStructure(root), ...listBroken(readUbl(root))];
}

/** Checks a Cross Industry Invoice as `checkUbl` does. */
export function checkCii(xml: string): string[] {
  const root = parseTree(xml);
  return [...checkStructure(root), ...listBroken(readCii(root))];
}
