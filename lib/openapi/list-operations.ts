import { type Method, methods, type OpenApiDocument } from './document';
import type { Operation } from './operation';

export type ListedOperation = { method: Method; path: string; operation: Operation };

/** Every operation in the order of the document; with a text those whose address, words or access hold each of its words. */
export function listOperations(document: OpenApiDocument, text = ''): ListedOperation[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const all = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([name, operation]) => {
      const method = methods.find((one) => one.toLowerCase() === name);
      return method ? [{ method, path, operation }] : [];
    }),
  );
  return all.filter(({ method, path, operation }) => {
    const { summary, description = '' } = operation;
    const told = [method, path, summary, description, String(operation['x-access'])].join(' ').toLowerCase();
    return words.every((word) => told.includes(word));
  });
}
