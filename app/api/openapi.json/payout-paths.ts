import * as dashboardFeaturesPayoutsBatchesIdFile from '@/app/(admin)/dashboard/features/payouts/batches/[id]/file/route';
import * as payoutStatementsExport from '@/app/(admin)/dashboard/features/payouts/statements/export/route';
import * as payoutStatementsPdf from '@/app/(admin)/dashboard/features/payouts/statements/pdf/route';
import * as sellerEarningsExport from '@/app/(seller)/seller/earnings/export/route';
import * as sellerEarningsPdf from '@/app/(seller)/seller/earnings/pdf/route';
import * as sellerEarningsSelfBillingPdf from '@/app/(seller)/seller/earnings/self-billing/pdf/route';
import * as adminPayoutsIdApprove from '@/app/api/admin/payouts/[id]/approve/route';
import * as adminPayoutsIdCancel from '@/app/api/admin/payouts/[id]/cancel/route';
import * as adminPayoutsIdFailed from '@/app/api/admin/payouts/[id]/failed/route';
import * as adminPayoutsIdMethod from '@/app/api/admin/payouts/[id]/method/route';
import * as adminPayoutsIdPaid from '@/app/api/admin/payouts/[id]/paid/route';
import * as adminPayoutsBatchesIdRetry from '@/app/api/admin/payouts/batches/[id]/retry/route';
import * as adminPayoutsBatches from '@/app/api/admin/payouts/batches/route';
import * as adminPayoutsExport from '@/app/api/admin/payouts/export/route';
import * as adminPayouts from '@/app/api/admin/payouts/route';
import * as adminPayoutsSend from '@/app/api/admin/payouts/send/route';
import * as adminPayoutsStatement from '@/app/api/admin/payouts/statement/route';
import * as sellerEarnings from '@/app/api/seller/earnings/route';
import * as sellerPayoutMethod from '@/app/api/seller/payout-method/route';
import * as sellerPayoutsId from '@/app/api/seller/payouts/[id]/route';
import * as sellerPayouts from '@/app/api/seller/payouts/route';
import * as sellerStatement from '@/app/api/seller/statement/route';
import type { RouteModules } from '@/lib/platform/openapi/document';

/** The paths of payouts, earnings and self-billed statements. */
export const payoutPaths: RouteModules = {
  '/api/admin/payouts': adminPayouts,
  '/api/admin/payouts/batches': adminPayoutsBatches,
  '/api/admin/payouts/batches/[id]/retry': adminPayoutsBatchesIdRetry,
  '/api/admin/payouts/send': adminPayoutsSend,
  '/api/admin/payouts/export': adminPayoutsExport,
  '/api/admin/payouts/statement': adminPayoutsStatement,
  '/api/admin/payouts/[id]/approve': adminPayoutsIdApprove,
  '/api/admin/payouts/[id]/cancel': adminPayoutsIdCancel,
  '/api/admin/payouts/[id]/failed': adminPayoutsIdFailed,
  '/api/admin/payouts/[id]/method': adminPayoutsIdMethod,
  '/api/admin/payouts/[id]/paid': adminPayoutsIdPaid,
  '/api/seller/earnings': sellerEarnings,
  '/api/seller/statement': sellerStatement,
  '/api/seller/payout-method': sellerPayoutMethod,
  '/api/seller/payouts': sellerPayouts,
  '/api/seller/payouts/[id]': sellerPayoutsId,
  '/dashboard/features/payouts/batches/[id]/file': dashboardFeaturesPayoutsBatchesIdFile,
  '/seller/earnings/export': sellerEarningsExport,
  '/seller/earnings/pdf': sellerEarningsPdf,
  '/seller/earnings/self-billing/pdf': sellerEarningsSelfBillingPdf,
  '/dashboard/features/payouts/statements/export': payoutStatementsExport,
  '/dashboard/features/payouts/statements/pdf': payoutStatementsPdf,
};
