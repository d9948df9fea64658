'use client';

import { useState } from 'react';
import { type ImportEndpoint, UploadCsv } from '@/components/sites/upload-csv';
import { countOf } from '@/components/ui/format';
import { apiFetch, redirectIfSignedOut } from '@/lib/browser/api-client';
import { sendFile } from '@/lib/browser/upload';

/** The response of POST /api/user/carts/{id}/import. */
type CartImport = {
  rows: { row: number; state: string; message?: string }[];
  added: number;
  columns: { index: number; header: string; sample: string; field: string | null }[];
  fields: { field: string; label: string }[];
};

type ImportCartProps = {
  /** Null creates the cart. */
  cartId: string | null;
  /** The project of a cart that is created; undefined for the one without a project. */
  projectId?: string | undefined;
  /** Called after sites were added. */
  onAdded?: () => void;
};

/** Imports a CSV file of sites with their briefs into a cart: choose, check, add. */
export function ImportCart({ cartId, projectId, onAdded }: ImportCartProps) {
  const [created, setCreated] = useState(cartId);
  const findPath = async () => {
    const id =
      created ?? (await apiFetch<{ id: string }>('/api/user/carts', { method: 'POST', body: { projectId } })).id;
    setCreated(id);
    return `/api/user/carts/${encodeURIComponent(id)}/import`;
  };
  const callEndpoint = (path: string): ImportEndpoint => ({
    check: async (file, columns, options) =>
      toCheck(await sendFile(`${await findPath()}?${new URLSearchParams({ dryRun: '1', columns })}`, file, options)),
    commit: async (file, columns, options) => {
      const response = await sendFile<CartImport>(`${path}?${new URLSearchParams({ columns })}`, file, options);
      onAdded?.();
      const { errors, skipped } = toCheck(response);
      const { added } = response;
      return { errors, skipped, summary: `Added ${countOf(added, 'site')} to the cart.` };
    },
    rejectedPath: (columns) => `${path}?${new URLSearchParams({ rejected: '1', columns })}`,
    keyField: {
      field: 'site',
      label: 'Site',
      question: 'Which column names the sites?',
      hint: 'with the domains or the ids of the listings',
    },
    megabytes: 2,
  });
  return (
    <UploadCsv
      path={`/api/user/carts/${encodeURIComponent(created ?? '')}/import`}
      callEndpoint={callEndpoint}
      success="The file was imported."
      failure={(_, message) => message || 'Upload failed'}
      templateHref="/cart-template.csv"
      onRefused={redirectIfSignedOut}
    />
  );
}

function toCheck({ rows, columns, fields }: CartImport) {
  const left = rows.filter(({ state }) => state !== 'match');
  const errors = left.map(({ row, message = '' }) => ({ row, column: '', reason: message }));
  return {
    ...{ columns, fields, errors },
    rows: rows.length,
    ready: rows.length - left.length,
    duplicates: 0,
    skipped: left.length,
    unknownHeaders: columns.flatMap(({ header, field }) => (field === null && header !== '' ? [header] : [])),
    figures: [
      ['To add', rows.length - left.length],
      ['Left out', left.length],
    ] satisfies [string, number][],
  };
}
