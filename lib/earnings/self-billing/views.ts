import type { SellerStatement } from './queries';
import { statementNumber } from './schemas';

/** A self-billed statement in a list. Amounts in USD cents. */
export type StatementRow = {
  id: string;
  name: string;
  month: string;
  sellerName: string;
  sellerEmail: string;
  billedCents: number;
  feeCents: number;
  placementCount: number;
};

export const statementRow = (row: SellerStatement & { sellerEmail: string }): StatementRow => ({
  id: row.id,
  name: statementNumber(row),
  month: row.month,
  sellerName: row.legalName,
  sellerEmail: row.sellerEmail,
  billedCents: row.billedCents,
  feeCents: row.feeCents,
  placementCount: row.placementCount,
});
