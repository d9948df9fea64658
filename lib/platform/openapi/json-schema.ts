import { z } from 'zod';

/** JSON Schema, draft 2020-12, as used by OpenAPI 3.1. */
export type JsonSchema = {
  type?: string | string[];
  format?: string;
  title?: string;
  description?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  enum?: unknown[];
  const?: unknown;
  additionalProperties?: JsonSchema | boolean;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  default?: unknown;
  $ref?: string;
};

/**
 * Converts a zod schema to JSON Schema: of the request ('input') or of the response ('output', without additional
 * properties). A schema with a title becomes a component and is referenced.
 * @param components receives the titled schemas
 * @throws Error when two different schemas have the same title
 */
export function jsonSchema(
  schema: z.ZodType,
  io: 'input' | 'output',
  components: Record<string, JsonSchema>,
): JsonSchema {
  const created = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema: json }) => {
      // The pattern repeats the format, and the safe integer range is implied.
      if (json.format) delete json.pattern;
      if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum;
      if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum;
    },
  });
  const { $schema: _, ...plain } = JSON.parse(JSON.stringify(created));
  return withReferences(plain, components);
}

function withReferences(node: JsonSchema, components: Record<string, JsonSchema>): JsonSchema {
  const children = Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, replaceNested(value, components)]),
  );
  const { title } = node;
  if (typeof title !== 'string') return children;
  const known = components[title];
  if (known && JSON.stringify(known) !== JSON.stringify(children)) {
    throw new Error(`Two different schemas have the title ${title}.`);
  }
  components[title] = children;
  return { $ref: `#/components/schemas/${title}` };
}

function replaceNested(value: unknown, components: Record<string, JsonSchema>): unknown {
  if (Array.isArray(value)) return value.map((item) => replaceNested(item, components));
  return typeof value === 'object' && value !== null ? withReferences(value, components) : value;
}

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

const formats: Readonly<Record<string, string>> = {
  date: '2026-01-31',
  'date-time': '2026-01-31T12:00:00.000Z',
  email: 'name@example.com',
  uri: 'https://example.com/',
};

/**
 * Creates a value of a schema as a starting point for a request: the required fields, and of a union the first
 * alternative.
 */
export function createSample(schema: JsonSchema, components: Record<string, JsonSchema>): unknown {
  const { $ref, enum: choices, type, format, items, properties = {}, required = [] } = schema;
  if ($ref) return createSample(components[$ref.split('/').at(-1) ?? ''] ?? {}, components);
  if (schema.default !== undefined) return schema.default;
  if (schema.const !== undefined) return schema.const;
  if (choices) return choices[0];
  const [alternative] = schema.anyOf ?? schema.oneOf ?? [];
  if (alternative) return createSample(alternative, components);
  switch (Array.isArray(type) ? type[0] : type) {
    case 'object':
      return Object.fromEntries(required.map((name) => [name, createSample(properties[name] ?? {}, components)]));
    case 'array':
      return items ? [createSample(items, components)] : [];
    case 'integer':
    case 'number':
      return Math.max(1, schema.minimum ?? 1);
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return formats[format ?? ''] ?? '';
  }
}
