import type { JsonSchema } from './json-schema';

/** A row of the reference, e.g. for `orders[].price`. `key` is unique. */
export type SchemaField = { key: string; name: string; type: string; isRequired: boolean; description: string };

/**
 * Flattens a schema into rows for the reference, with its components resolved. Each alternative of a union has its own
 * rows, after a row that introduces it.
 */
export function schemaFields(
  schema: JsonSchema,
  components: Record<string, JsonSchema>,
  at = '',
  shape = '',
): SchemaField[] {
  const plain = resolveReference(schema, components);
  const shapes = (plain.anyOf ?? plain.oneOf ?? []).map((shape) => resolveReference(shape, components));
  if (shapes.some(hasFields)) {
    return shapes.flatMap((one, index) => [
      {
        key: `${shape}${at}#${index}`,
        name: at,
        type: index === 0 ? 'either' : 'or',
        isRequired: true,
        description: '',
      },
      ...schemaFields(one, components, at, `${shape}${index}:`),
    ]);
  }
  if (plain.type === 'array' && plain.items) return schemaFields(plain.items, components, `${at}[]`, shape);
  return Object.entries(plain.properties ?? {}).flatMap(([name, property]) => {
    const path = at === '' ? name : `${at}.${name}`;
    const field = {
      key: `${shape}${path}`,
      name: path,
      type: formatType(property, components),
      isRequired: plain.required?.includes(name) ?? false,
      description: property.description ?? resolveReference(property, components).description ?? '',
    };
    return [field, ...schemaFields(property, components, path, shape)];
  });
}

function resolveReference(schema: JsonSchema, components: Record<string, JsonSchema>): JsonSchema {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : (components[name] ?? schema);
}

function hasFields({ type, properties }: JsonSchema): boolean {
  return type === 'array' || properties !== undefined;
}

/** Formats a type, e.g. "string (date-time) | null", "Order[]", "'credit' | 'debit'". */
export function formatType(schema: JsonSchema, components: Record<string, JsonSchema>): string {
  const { $ref, type, format, items, anyOf, oneOf, additionalProperties } = schema;
  if ($ref) return $ref.split('/').at(-1) ?? '';
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const choices = anyOf ?? oneOf;
  if (choices) return [...new Set(choices.map((choice) => formatType(choice, components)))].join(' | ');
  if (type === 'array') return `${items ? formatType(items, components) : 'anything'}[]`;
  if (typeof additionalProperties === 'object') return `object of ${formatType(additionalProperties, components)}`;
  const words = Array.isArray(type) ? type.join(' | ') : (type ?? 'anything');
  return format ? `${words} (${format})` : words;
}
