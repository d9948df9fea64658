import type { Metadata } from 'next';
import { documentFor } from '@/app/api/openapi.json/document';
import { TryIt } from '@/app/developers/_components/try-it';
import { ApiReference, type ReferenceSearchParams } from '@/components/developers/api-reference';
import { currentActor } from '@/lib/auth/current-actor';
import { createSample } from '@/lib/platform/openapi/json-schema';

export const metadata: Metadata = { title: 'API reference', description: 'Every address of the API.' };

/** Renders the reference of the API: the operations that the caller may use, or one of them with a console. */
export default async function ReferencePage({ searchParams }: { searchParams: ReferenceSearchParams }) {
  const actor = await currentActor();
  const document = documentFor(actor);
  return (
    <ApiReference
      document={document}
      searchParams={searchParams}
      home="/developers/reference"
      header={{
        title: 'API reference',
        description: actor
          ? `What you may use as ${actor.email}. Open an endpoint to send a request.`
          : 'What buyers and sellers may use. Sign in to send requests from this page.',
        actions: (
          <a href="/api/openapi.json" className="text-accent-ink text-sm underline">
            OpenAPI 3.1 document
          </a>
        ),
      }}
      searchPlaceholder="Search path or text"
      renderConsole={({ method, path, operation }) => {
        const { 'application/json': json, 'multipart/form-data': form } = operation.requestBody?.content ?? {};
        const needsFile = form?.schema.required !== undefined;
        const body = needsFile ? undefined : json;
        return (
          <TryIt
            // A console keeps no value of the previous operation.
            key={operation.operationId}
            {...{ method, path, needsFile }}
            parameters={operation.parameters.map(({ name, in: place, required }) => ({ name, place, required }))}
            body={body ? JSON.stringify(createSample(body.schema, document.components.schemas), null, 2) : null}
            caller={actor?.email ?? null}
            isPublic={operation['x-access'] === 'public'}
          />
        );
      }}
    />
  );
}
