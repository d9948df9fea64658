import { type ListedOperation, listOperations, type OpenApiDocument } from './document';
import { describeTags } from './tags';

/**
 * Returns the part of a document that contains the accepted operations, with the schemas, tags and security schemes
 * that they and the webhooks use. A path without an accepted operation is left out.
 */
export function selectOperations(
  document: OpenApiDocument,
  isIncluded: (listed: ListedOperation) => boolean,
): OpenApiDocument {
  const listed = listOperations(document).filter(isIncluded);
  const paths: OpenApiDocument['paths'] = {};
  for (const { method, path, operation } of listed) {
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation };
  }
  const { schemas, securitySchemes } = document.components;
  const usedSchemes = new Set(listed.flatMap(({ operation }) => operation.security.flatMap(Object.keys)));
  return {
    ...document,
    tags: describeTags(new Set(listed.flatMap(({ operation }) => operation.tags))),
    paths,
    components: {
      schemas: pick(schemas, collectSchemas([paths, document.webhooks], schemas)),
      securitySchemes: pick(securitySchemes, usedSchemes),
    },
  };
}

/** The names of the schemas that a value refers to, directly or through other schemas. */
function collectSchemas(value: unknown, schemas: OpenApiDocument['components']['schemas']): Set<string> {
  const referred = (part: unknown) =>
    [...JSON.stringify(part).matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name = '']) => name);
  const names = new Set(referred(value));
  // Iterating over a set includes elements added during the iteration.
  for (const name of names) for (const inner of referred(schemas[name] ?? {})) names.add(inner);
  return names;
}

/** The entries with these names, in their original order. */
function pick<Value>(from: Record<string, Value>, names: ReadonlySet<string>): Record<string, Value> {
  return Object.fromEntries(Object.entries(from).filter(([name]) => names.has(name)));
}
