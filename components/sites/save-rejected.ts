import { ApiError } from '@/lib/browser/api-client';
import { columnsParam } from './choose-column';
import type { Choices } from './import-types';

/**
 * Saves the rows of a file that cannot be used, with the reason of each. The file is sent again: nothing of it stayed.
 * @throws ApiError with the server's status
 */
export async function saveRejected(path: string, file: File, choices: Choices): Promise<void> {
  const form = new FormData();
  form.append('file', file);
  const query = new URLSearchParams({ mode: 'rejected', columns: columnsParam(choices) });
  const response = await fetch(`${path}?${query}`, { method: 'POST', body: form }).catch(() => null);
  const rows = response?.ok ? await response.blob().catch(() => null) : null;
  if (!rows) throw new ApiError(response?.ok ? 0 : (response?.status ?? 0), '');
  const link = document.createElement('a');
  link.href = URL.createObjectURL(rows);
  link.download = `rejected-${file.name}`;
  link.click();
  // The browser reads it after this turn.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
