import { Card, CardBody, CardHeader } from '@/components/ui/card';
import type { JsonSchema } from '@/lib/platform/openapi/json-schema';
import type { Operation } from '@/lib/platform/openapi/operation';
import { formatType, schemaFields } from '@/lib/platform/openapi/schema-fields';
import { accessInWords } from './access-in-words';
import { FieldTable } from './field-table';

type OperationDetailsProps = { operation: Operation; schemas: Record<string, JsonSchema> };

/** What one operation takes and answers. */
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
        <CardHeader title="Who may call it" />
        <CardBody className="text-sm">{accessInWords(operation)}</CardBody>
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
        <CardHeader title="Answers" />
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
                <FieldTable caption={`Answer ${status}`} fields={schemaFields(schema, schemas)} />
              </div>
            ))}
          </details>
        ))}
      </Card>
    </div>
  );
}
