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
  const plain = resolved(schema, components);
  const shapes = (plain.anyOf ?? plain.oneOf ?? []).map((shape) => resolved(shape, components));
  if (shapes.some(hasLines)) {
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
      type: typeInWords(property, components),
      isRequired: plain.required?.includes(name) ?? false,
      description: property.description ?? resolved(property, components).description ?? '',
    };
    return [field, ...schemaFields(property, components, path, shape)];
  });
}

function resolved(schema: JsonSchema, components: Record<string, JsonSchema>): JsonSchema {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : (components[name] ?? schema);
}

function hasLines({ type, properties }: JsonSchema): boolean {
  return type === 'array' || properties !== undefined;
}

/** Formats a type, e.g. "string (date-time) | null", "Order[]", "'credit' | 'debit'". */
export function typeInWords(schema: JsonSchema, components: Record<string, JsonSchema>): string {
  const { $ref, type, format, items, anyOf, oneOf, additionalProperties } = schema;
  if ($ref) return $ref.split('/').at(-1) ?? '';
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const choices = anyOf ?? oneOf;
  if (choices) return [...new Set(choices.map((choice) => typeInWords(choice, components)))].join(' | ');
  if (type === 'array') return `${items ? typeInWords(items, components) : 'anything'}[]`;
  if (typeof additionalProperties === 'object') return `object of ${typeInWords(additionalProperties, components)}`;
  const words = Array.isArray(type) ? type.join(' | ') : (type ?? 'anything');
  return format ? `${words} (${format})` : words;
}
