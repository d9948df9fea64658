import { apiFetch } from '@/lib/browser/api-client';
import type { OperatorView, SaveOperator } from '@/lib/tax/operator-contract';

/** A country as an option of a select. */
export type CountryOption = { value: string; label: string };

/** Saves a part of the operator; the rest stays as it is. @throws ApiError with errors by the paths of the fields */
export const savePart = (part: Omit<SaveOperator, 'version'>, version: number) =>
  apiFetch<OperatorView>('/api/admin/operator', { method: 'PUT', body: { ...part, version } });
