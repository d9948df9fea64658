import type { RouteModules } from '@/lib/platform/openapi/document';
import * as adminWalletRecalcUserId from '../admin/wallet/recalc/[userId]/route';
import * as adminWalletRefundsIdApprove from '../admin/wallet/refunds/[id]/approve/route';
import * as adminWalletRefundsIdDecline from '../admin/wallet/refunds/[id]/decline/route';
import * as adminWalletRefundsIdRetry from '../admin/wallet/refunds/[id]/retry/route';
import * as adminWalletRefunds from '../admin/wallet/refunds/route';
import * as adminWalletTopup from '../admin/wallet/topup/route';
import * as adminWalletTransactionId from '../admin/wallet/transaction/[id]/route';
import * as adminWalletTransactions from '../admin/wallet/transactions/route';
import * as walletBalance from '../wallet/balance/route';
import * as walletRefundRequestsId from '../wallet/refund-requests/[id]/route';
import * as walletRefundRequests from '../wallet/refund-requests/route';
import * as wallet from '../wallet/route';
import * as walletTopupPaypal from '../wallet/topup/paypal/route';
import * as walletTopupWechat from '../wallet/topup/wechat/route';
import * as walletTransactions from '../wallet/transactions/route';

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
