import type { SchemaField } from '@/lib/platform/openapi/schema-fields';

/** The fields of a body, an answer or a query; names and types break where a phone has no room for them. */
export function FieldTable({ caption, fields }: { caption: string; fields: SchemaField[] }) {
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
