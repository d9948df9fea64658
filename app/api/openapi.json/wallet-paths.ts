import * as adminWalletRecalcUserId from '@/app/api/admin/wallet/recalc/[userId]/route';
import * as adminWalletRefundsIdApprove from '@/app/api/admin/wallet/refunds/[id]/approve/route';
import * as adminWalletRefundsIdDecline from '@/app/api/admin/wallet/refunds/[id]/decline/route';
import * as adminWalletRefundsIdRetry from '@/app/api/admin/wallet/refunds/[id]/retry/route';
import * as adminWalletRefunds from '@/app/api/admin/wallet/refunds/route';
import * as adminWalletTopup from '@/app/api/admin/wallet/topup/route';
import * as adminWalletTransactionId from '@/app/api/admin/wallet/transaction/[id]/route';
import * as adminWalletTransactions from '@/app/api/admin/wallet/transactions/route';
import * as walletBalance from '@/app/api/wallet/balance/route';
import * as walletRefundRequestsId from '@/app/api/wallet/refund-requests/[id]/route';
import * as walletRefundRequests from '@/app/api/wallet/refund-requests/route';
import * as wallet from '@/app/api/wallet/route';
import * as walletTopupPaypal from '@/app/api/wallet/topup/paypal/route';
import * as walletTopupWechat from '@/app/api/wallet/topup/wechat/route';
import * as walletTransactions from '@/app/api/wallet/transactions/route';
import type { RouteModules } from '@/lib/platform/openapi/document';

/** The routes of wallets; see paths.ts. */
export const walletPaths = {
  '/api/admin/wallet/recalc/[userId]': adminWalletRecalcUserId,
  '/api/admin/wallet/refunds': adminWalletRefunds,
  '/api/admin/wallet/refunds/[id]/approve': adminWalletRefundsIdApprove,
  '/api/admin/wallet/refunds/[id]/decline': adminWalletRefundsIdDecline,
  '/api/admin/wallet/refunds/[id]/retry': adminWalletRefundsIdRetry,
  '/api/admin/wallet/topup': adminWalletTopup,
  '/api/admin/wallet/transaction/[id]': adminWalletTransactionId,
  '/api/admin/wallet/transactions': adminWalletTransactions,
  '/api/wallet': wallet,
  '/api/wallet/balance': walletBalance,
  '/api/wallet/refund-requests': walletRefundRequests,
  '/api/wallet/refund-requests/[id]': walletRefundRequestsId,
  '/api/wallet/topup/paypal': walletTopupPaypal,
  '/api/wallet/topup/wechat': walletTopupWechat,
  '/api/wallet/transactions': walletTransactions,
} satisfies RouteModules;
