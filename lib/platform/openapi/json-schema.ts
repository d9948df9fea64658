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
  const made = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema: json }) => {
      // The pattern repeats the format, and the safe integer range is implied.
      if (json.format) delete json.pattern;
      if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum;
      if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum;
    },
  });
  const { $schema: _, ...plain } = JSON.parse(JSON.stringify(made));
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
