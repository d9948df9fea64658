import { Card, CardBody, CardHeader } from '@/components/ui/card';
import type { JsonSchema } from '@/lib/platform/openapi/json-schema';
import type { Operation } from '@/lib/platform/openapi/operation';
import { formatType, type SchemaField, schemaFields } from '@/lib/platform/openapi/schema-fields';
import { describeAccess } from './describe-access';

type OperationDetailsProps = { operation: Operation; schemas: Record<string, JsonSchema> };

/** Lists an operation's parameters, request body and responses. */
export function OperationDetails({ operation, schemas }: OperationDetailsProps) {
  const { parameters, requestBody, responses } = operation;
  const parameterFields = parameters.map(({ name, in: place, required, description = '', schema }) => ({
    key: `${place} ${name}`,
    name,
    type: `${place}, ${formatType(schema, schemas)}`,
    isRequired: required,
    description,
  }));
  return (
    <div className="grid gap-4">
      <Card>
        <CardHeader title="Access" />
        <CardBody className="text-sm">{describeAccess(operation)}</CardBody>
      </Card>
      {parameters.length > 0 ? (
        <Card>
          <CardHeader title="Parameters" />
          <CardBody>
            <FieldTable caption="Parameters" fields={parameterFields} />
          </CardBody>
        </Card>
      ) : null}
      {Object.entries(requestBody?.content ?? {}).map(([mediaType, { schema }]) => (
        <Card key={mediaType}>
          <CardHeader title="Body" description={mediaType} />
          <CardBody>
            <FieldTable caption="Body" fields={schemaFields(schema, schemas)} />
          </CardBody>
        </Card>
      ))}
      <Card>
        <CardHeader title="Responses" />
        {Object.entries(responses).map(([status, response]) => (
          <details
            key={status}
            open={status < '300'}
            className="border-line border-t px-4 py-3 first-of-type:border-t-0 sm:px-5"
          >
            <summary className="cursor-pointer text-sm">
              <span className="font-mono text-ink">{status}</span>{' '}
              <span className="text-muted">{response.description}</span>
            </summary>
            <dl className="mt-2 text-sm">
              {Object.entries(response.headers ?? {}).map(([name, { description }]) => (
                <div key={name} className="py-1">
                  <dt className="inline font-mono text-ink text-xs">{name}: </dt>
                  <dd className="inline text-muted">{description}</dd>
                </div>
              ))}
            </dl>
            {Object.entries(response.content ?? {}).map(([mediaType, { schema }]) => (
              <div key={mediaType} className="mt-2">
                <p className="text-muted text-sm">
                  <span className="font-mono text-xs">{mediaType}</span>, {formatType(schema, schemas)}
                </p>
                <FieldTable caption={`Response ${status}`} fields={schemaFields(schema, schemas)} />
              </div>
            ))}
          </details>
        ))}
      </Card>
    </div>
  );
}

/** Lists the fields of a body, a response or a query. Names and types wrap on narrow screens. */
function FieldTable({ caption, fields }: { caption: string; fields: SchemaField[] }) {
  return (
    <dl aria-label={caption} className="divide-y divide-line text-sm">
      {fields.map(({ key, name, type, isRequired, description }) => (
        <div key={key} className="grid gap-x-4 gap-y-0.5 py-2 sm:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
          <dt className="wrap-anywhere font-mono text-ink text-xs leading-5">
            {name}
            {isRequired ? null : <span className="font-sans text-subtle"> (optional)</span>}
          </dt>
          <dd className="wrap-anywhere text-muted">
            <span className="font-mono text-xs">{type}</span>
            {description ? <span className="block">{description}</span> : null}
          </dd>
        </div>
      ))}
    </dl>
  );
}
