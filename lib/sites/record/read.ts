import type { FulfilmentRecord } from '@/lib/sites/responses';

/** Returns the record of a listing in the last 12 months; null below five orders. */
export declare function getListingRecord(siteId: number): Promise<FulfilmentRecord | null>;

/** The record of a seller, as `GET /api/seller/record` returns it. */
export type SellerRecord = {
  /** Null below five orders. */
  record: FulfilmentRecord | null;
  /** The orders that count so far, also below five. */
  orders: number;
  accepted: number;
  /** From 0 to 1; null below five orders. */
  reliability: number | null;
};

/** Returns the record of a seller in the last 12 months. */
export declare function getSellerRecord(sellerId: string): Promise<SellerRecord>;
