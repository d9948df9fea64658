import type { SellerRecord } from '@/lib/sites/record/read';

export const sellerRecordSortKeys = [
  'name',
  'reliability',
  'orders',
  'acceptedInTime',
  'deliveredInTime',
  'medianDays',
  'revisionsPerOrder',
  'disputesLost',
  'alive30',
  'alive90',
  'alive365',
] as const;

/** A seller with the own record, as `GET /api/admin/sellers` returns it. */
export type SellerRecordRow = { id: string; name: string; email: string } & SellerRecord;

export type SellerRecordQuery = {
  q?: string | undefined;
  sort?: (typeof sellerRecordSortKeys)[number] | undefined;
  order?: 'asc' | 'desc' | undefined;
  limit?: number | undefined;
  cursor?: string | undefined;
};

/** Lists a page of the sellers with their records. */
export declare function listSellerRecords(
  query: SellerRecordQuery,
): Promise<{ rows: SellerRecordRow[]; total: number; nextCursor: string | null }>;
