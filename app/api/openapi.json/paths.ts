import * as wellKnownLinkmarketKeys from '@/app/.well-known/linkmarket-keys/route';
import * as wellKnownOauthProtectedResource from '@/app/.well-known/oauth-protected-resource/route';
import * as wellKnownOauthProtectedResourceApiMcp from '@/app/.well-known/oauth-protected-resource/api/mcp/route';
import * as wellKnownSecurityTxt from '@/app/.well-known/security.txt/route';
import * as apiAclOperation from '@/app/api/acl/[operation]/route';
import * as apiAclRolesRoleName from '@/app/api/acl/roles/[roleName]/route';
import * as apiAclRolesRoleNamePermissions from '@/app/api/acl/roles/[roleName]/permissions/route';
import * as apiAclUsersUserIdRoles from '@/app/api/acl/users/[userId]/roles/route';
import * as apiAdminOperation from '@/app/api/admin/[operation]/route';
import * as apiAdminAuthOperation from '@/app/api/admin/auth/[operation]/route';
import * as apiAdminBankTransfersIdOperation from '@/app/api/admin/bank-transfers/[id]/[operation]/route';
import * as apiAdminBankTransfersUpload from '@/app/api/admin/bank-transfers/upload/route';
import * as apiAdminDisputesIdDecide from '@/app/api/admin/disputes/[id]/decide/route';
import * as apiAdminOrdersId from '@/app/api/admin/orders/[id]/route';
import * as apiAdminOrdersIdOperation from '@/app/api/admin/orders/[id]/[operation]/route';
import * as apiAdminOrdersIdBriefArticle from '@/app/api/admin/orders/[id]/brief/article/route';
import * as apiAdminOrdersIdContentDownload from '@/app/api/admin/orders/[id]/content/download/route';
import * as apiAdminOrdersIdMessagesFilesFileId from '@/app/api/admin/orders/[id]/messages/files/[fileId]/route';
import * as apiAdminPaymentsProviderConfig from '@/app/api/admin/payments/[provider]/config/route';
import * as apiAdminPaymentsWechatPrivateKey from '@/app/api/admin/payments/wechat/private-key/route';
import * as apiAdminPayoutsIdOperation from '@/app/api/admin/payouts/[id]/[operation]/route';
import * as apiAdminPayoutsBatches from '@/app/api/admin/payouts/batches/route';
import * as apiAdminPayoutsBatchesIdRetry from '@/app/api/admin/payouts/batches/[id]/retry/route';
import * as apiAdminPayoutsExport from '@/app/api/admin/payouts/export/route';
import * as apiAdminPayoutsSend from '@/app/api/admin/payouts/send/route';
import * as apiAdminPayoutsStatement from '@/app/api/admin/payouts/statement/route';
import * as apiAdminReportsOperation from '@/app/api/admin/reports/[operation]/route';
import * as apiAdminWalletOperation from '@/app/api/admin/wallet/[operation]/route';
import * as apiAdminWalletRecalcUserId from '@/app/api/admin/wallet/recalc/[userId]/route';
import * as apiAdminWalletRefundsIdOperation from '@/app/api/admin/wallet/refunds/[id]/[operation]/route';
import * as apiAdminWalletTransactionId from '@/app/api/admin/wallet/transaction/[id]/route';
import * as apiAdminWebhooksId from '@/app/api/admin/webhooks/[id]/route';
import * as apiAdminWebhooksIdOperation from '@/app/api/admin/webhooks/[id]/[operation]/route';
import * as apiAdminWebhooksIdDeliveriesDeliveryIdRetry from '@/app/api/admin/webhooks/[id]/deliveries/[deliveryId]/retry/route';
import * as apiAuditLogs from '@/app/api/audit-logs/route';
import * as apiAuthNextauth from '@/app/api/auth/[...nextauth]/route';
import * as apiAuthLogout from '@/app/api/auth/logout/route';
import * as apiAuthReauthenticate from '@/app/api/auth/reauthenticate/route';
import * as apiAuthRegister from '@/app/api/auth/register/route';
import * as apiBackupsIdProgress from '@/app/api/backups/[id]/progress/route';
import * as apiBrandingLogoId from '@/app/api/branding/logo/[id]/route';
import * as apiBriefArticles from '@/app/api/brief-articles/route';
import * as apiCspReports from '@/app/api/csp-reports/route';
import * as apiDisputesId from '@/app/api/disputes/[id]/route';
import * as apiDisputesIdOperation from '@/app/api/disputes/[id]/[operation]/route';
import * as apiDisputesIdProposalsNAccept from '@/app/api/disputes/[id]/proposals/[n]/accept/route';
import * as apiEvents from '@/app/api/events/route';
import * as apiGuestPosts from '@/app/api/guest-posts/route';
import * as apiGuestPostsId from '@/app/api/guest-posts/[id]/route';
import * as apiGuestPostsCounts from '@/app/api/guest-posts/counts/route';
import * as apiGuestPostsUpload from '@/app/api/guest-posts/upload/route';
import * as apiHealth from '@/app/api/health/route';
import * as apiHealthLive from '@/app/api/health/live/route';
import * as apiInvoices from '@/app/api/invoices/route';
import * as apiInvoicesFile from '@/app/api/invoices/[file]/route';
import * as apiJobsRun from '@/app/api/jobs/run/route';
import * as apiLicenses from '@/app/api/licenses/route';
import * as apiLicensesId from '@/app/api/licenses/[id]/route';
import * as apiMcp from '@/app/api/mcp/route';
import * as apiMetrics from '@/app/api/metrics/route';
import * as apiNichesTypes from '@/app/api/niches-types/route';
import * as apiNichesTypesOperationName from '@/app/api/niches-types/[operation]/[name]/route';
import * as apiNichesTypesApiOperationName from '@/app/api/niches-types/api/[operation]/[name]/route';
import * as apiOpenapiJson from './route';
import * as apiOrders from '@/app/api/orders/route';
import * as apiOrdersId from '@/app/api/orders/[id]/route';
import * as apiOrdersIdOperation from '@/app/api/orders/[id]/[operation]/route';
import * as apiOrdersIdBriefArticle from '@/app/api/orders/[id]/brief/article/route';
import * as apiOrdersIdChangesChangeIdOperation from '@/app/api/orders/[id]/changes/[changeId]/[operation]/route';
import * as apiOrdersIdContentDownload from '@/app/api/orders/[id]/content/download/route';
import * as apiOrdersIdMessagesFilesFileId from '@/app/api/orders/[id]/messages/files/[fileId]/route';
import * as apiOrdersApprove from '@/app/api/orders/approve/route';
import * as apiPackages from '@/app/api/packages/route';
import * as apiPackagesId from '@/app/api/packages/[id]/route';
import * as apiPaymentsOperationWebhook from '@/app/api/payments/[operation]/webhook/route';
import * as apiProfileAvatar from '@/app/api/profile/avatar/route';
import * as apiProofsId from '@/app/api/proofs/[id]/route';
import * as apiQuotes from '@/app/api/quotes/route';
import * as apiQuotesIdPlace from '@/app/api/quotes/[id]/place/route';
import * as apiRoles from '@/app/api/roles/route';
import * as apiRolesId from '@/app/api/roles/[id]/route';
import * as apiSellerOperation from '@/app/api/seller/[operation]/route';
import * as apiSellerAuthOperation from '@/app/api/seller/auth/[operation]/route';
import * as apiSellerOrdersId from '@/app/api/seller/orders/[id]/route';
import * as apiSellerOrdersIdOperation from '@/app/api/seller/orders/[id]/[operation]/route';
import * as apiSellerOrdersIdBriefArticle from '@/app/api/seller/orders/[id]/brief/article/route';
import * as apiSellerOrdersIdChangesChangeIdOperation from '@/app/api/seller/orders/[id]/changes/[changeId]/[operation]/route';
import * as apiSellerOrdersIdMessagesFilesFileId from '@/app/api/seller/orders/[id]/messages/files/[fileId]/route';
import * as apiSellerOrdersAccept from '@/app/api/seller/orders/accept/route';
import * as apiSellerOrdersDecline from '@/app/api/seller/orders/decline/route';
import * as apiSellerPayoutsId from '@/app/api/seller/payouts/[id]/route';
import * as apiSellerSitesIdOptions from '@/app/api/seller/sites/[id]/options/route';
import * as apiSellerSitesIdOwnership from '@/app/api/seller/sites/[id]/ownership/route';
import * as apiSellerSitesIdOwnershipCheck from '@/app/api/seller/sites/[id]/ownership/check/route';
import * as apiSellerSitesIdWordpress from '@/app/api/seller/sites/[id]/wordpress/route';
import * as apiSellerSitesIdWordpressConnect from '@/app/api/seller/sites/[id]/wordpress/connect/route';
import * as apiSellerSitesBulk from '@/app/api/seller/sites/bulk/route';
import * as apiSellerSitesImport from '@/app/api/seller/sites/import/route';
import * as apiSellerSitesStats from '@/app/api/seller/sites/stats/route';
import * as apiSellerSitesUpload from '@/app/api/seller/sites/upload/route';
import * as apiTokens from '@/app/api/tokens/route';
import * as apiTokensId from '@/app/api/tokens/[id]/route';
import * as apiToolsSeoSuggest from '@/app/api/tools/seo/suggest/route';
import * as apiUploads from '@/app/api/uploads/route';
import * as apiUserOperation from '@/app/api/user/[operation]/route';
import * as apiUserAccountsId from '@/app/api/user/accounts/[id]/route';
import * as apiUserAccountsIdInvitationsInvitationId from '@/app/api/user/accounts/[id]/invitations/[invitationId]/route';
import * as apiUserAccountsIdMembers from '@/app/api/user/accounts/[id]/members/route';
import * as apiUserAccountsIdMembersUserId from '@/app/api/user/accounts/[id]/members/[userId]/route';
import * as apiUserAccountsIdPolicy from '@/app/api/user/accounts/[id]/policy/route';
import * as apiUserAuthOperation from '@/app/api/user/auth/[operation]/route';
import * as apiUserAuthVerifyResend from '@/app/api/user/auth/verify/resend/route';
import * as apiUserBlocklist from '@/app/api/user/blocklist/route';
import * as apiUserCarts from '@/app/api/user/carts/route';
import * as apiUserCartsId from '@/app/api/user/carts/[id]/route';
import * as apiUserCartsIdImport from '@/app/api/user/carts/[id]/import/route';
import * as apiUserCartsIdItems from '@/app/api/user/carts/[id]/items/route';
import * as apiUserCartsIdOrder from '@/app/api/user/carts/[id]/order/route';
import * as apiUserInvitationsTokenAccept from '@/app/api/user/invitations/[token]/accept/route';
import * as apiUserPaymentsStripeCheckout from '@/app/api/user/payments/stripe/checkout/route';
import * as apiUserProjectsId from '@/app/api/user/projects/[id]/route';
import * as apiUserProjectsIdAnchorPlan from '@/app/api/user/projects/[id]/anchor-plan/route';
import * as apiUserProjectsIdAnchorPlanNext from '@/app/api/user/projects/[id]/anchor-plan/next/route';
import * as apiUserProjectsIdBlocklist from '@/app/api/user/projects/[id]/blocklist/route';
import * as apiUserProjectsIdBudget from '@/app/api/user/projects/[id]/budget/route';
import * as apiUserProjectsIdLinkedDomains from '@/app/api/user/projects/[id]/linked-domains/route';
import * as apiUserProjectsIdLinks from '@/app/api/user/projects/[id]/links/route';
import * as apiUserProjectsIdReports from '@/app/api/user/projects/[id]/reports/route';
import * as apiUserProjectsIdReportsReportId from '@/app/api/user/projects/[id]/reports/[reportId]/route';
import * as apiUserRequestsId from '@/app/api/user/requests/[id]/route';
import * as apiUserRequestsIdOperation from '@/app/api/user/requests/[id]/[operation]/route';
import * as apiUsers from '@/app/api/users/route';
import * as apiUsersId from '@/app/api/users/[id]/route';
import * as apiWallet from '@/app/api/wallet/route';
import * as apiWalletOperation from '@/app/api/wallet/[operation]/route';
import * as apiWalletRefundRequestsId from '@/app/api/wallet/refund-requests/[id]/route';
import * as apiWalletTopupOperation from '@/app/api/wallet/topup/[operation]/route';
import * as apiWalletTopupBankReference from '@/app/api/wallet/topup/bank/[reference]/route';
import * as apiWebhooks from '@/app/api/webhooks/route';
import * as apiWebhooksId from '@/app/api/webhooks/[id]/route';
import * as apiWebhooksIdOperation from '@/app/api/webhooks/[id]/[operation]/route';
import * as apiWebhooksIdDeliveriesDeliveryIdRetry from '@/app/api/webhooks/[id]/deliveries/[deliveryId]/retry/route';
import * as dashboardFeaturesAuditLogsExport from '@/app/(admin)/dashboard/features/(screens)/audit-logs/export/route';
import * as dashboardFeaturesBackupIdDownload from '@/app/(admin)/dashboard/features/(screens)/backup/[id]/download/route';
import * as dashboardFeaturesBackupUpload from '@/app/(admin)/dashboard/features/(screens)/backup/upload/route';
import * as dashboardFeaturesDisputesExport from '@/app/(admin)/dashboard/features/(screens)/disputes/export/route';
import * as dashboardFeaturesGuestPostsExport from '@/app/(admin)/dashboard/features/(screens)/guest-posts/export/route';
import * as dashboardFeaturesGuestPostsTemplate from '@/app/(admin)/dashboard/features/(screens)/guest-posts/template/route';
import * as dashboardFeaturesLinkChecksExport from '@/app/(admin)/dashboard/features/(screens)/link-checks/export/route';
import * as dashboardFeaturesMoneyExport from '@/app/(admin)/dashboard/features/(screens)/money/export/route';
import * as dashboardFeaturesOrdersExport from '@/app/(admin)/dashboard/features/orders/export/route';
import * as dashboardFeaturesPaymentsSettlementExport from '@/app/(admin)/dashboard/features/(screens)/payments/settlement/export/route';
import * as dashboardFeaturesPayoutsBatchesIdFile from '@/app/(admin)/dashboard/features/(screens)/payouts/batches/[id]/file/route';
import * as dashboardFeaturesPayoutsExport from '@/app/(admin)/dashboard/features/(screens)/payouts/export/route';
import * as dashboardFeaturesPayoutsStatementsExport from '@/app/(admin)/dashboard/features/(screens)/payouts/statements/export/route';
import * as dashboardFeaturesSellersExport from '@/app/(admin)/dashboard/features/(screens)/sellers/export/route';
import * as dashboardFeaturesUsersExport from '@/app/(admin)/dashboard/features/(screens)/users/export/route';
import * as dashboardFeaturesWalletManagerExport from '@/app/(admin)/dashboard/features/(screens)/wallet-manager/export/route';
import * as sellerEarningsExport from '@/app/(seller)/seller/(screens)/earnings/export/route';
import * as sellerEarningsPdf from '@/app/(seller)/seller/(screens)/earnings/pdf/route';
import * as sellerMySitesExport from '@/app/(seller)/seller/(screens)/my-sites/export/route';
import * as sellerMySitesTemplate from '@/app/(seller)/seller/(screens)/my-sites/template/route';
import * as userOrdersExport from '@/app/(user)/user/(screens)/orders/export/route';
import * as userWalletExport from '@/app/(user)/user/(screens)/wallet/export/route';
import { listPaths } from '@/lib/platform/openapi/document';

// Generated by scripts/build/generate-paths.ts from the route files.
export const paths = listPaths({
  '/.well-known/linkmarket-keys': wellKnownLinkmarketKeys,
  '/.well-known/oauth-protected-resource': wellKnownOauthProtectedResource,
  '/.well-known/oauth-protected-resource/api/mcp': wellKnownOauthProtectedResourceApiMcp,
  '/.well-known/security.txt': wellKnownSecurityTxt,
  '/api/acl/[operation]': apiAclOperation,
  '/api/acl/roles/[roleName]': apiAclRolesRoleName,
  '/api/acl/roles/[roleName]/permissions': apiAclRolesRoleNamePermissions,
  '/api/acl/users/[userId]/roles': apiAclUsersUserIdRoles,
  '/api/admin/[operation]': apiAdminOperation,
  '/api/admin/auth/[operation]': apiAdminAuthOperation,
  '/api/admin/bank-transfers/[id]/[operation]': apiAdminBankTransfersIdOperation,
  '/api/admin/bank-transfers/upload': apiAdminBankTransfersUpload,
  '/api/admin/disputes/[id]/decide': apiAdminDisputesIdDecide,
  '/api/admin/orders/[id]': apiAdminOrdersId,
  '/api/admin/orders/[id]/[operation]': apiAdminOrdersIdOperation,
  '/api/admin/orders/[id]/brief/article': apiAdminOrdersIdBriefArticle,
  '/api/admin/orders/[id]/content/download': apiAdminOrdersIdContentDownload,
  '/api/admin/orders/[id]/messages/files/[fileId]': apiAdminOrdersIdMessagesFilesFileId,
  '/api/admin/payments/[provider]/config': apiAdminPaymentsProviderConfig,
  '/api/admin/payments/wechat/private-key': apiAdminPaymentsWechatPrivateKey,
  '/api/admin/payouts/[id]/[operation]': apiAdminPayoutsIdOperation,
  '/api/admin/payouts/batches': apiAdminPayoutsBatches,
  '/api/admin/payouts/batches/[id]/retry': apiAdminPayoutsBatchesIdRetry,
  '/api/admin/payouts/export': apiAdminPayoutsExport,
  '/api/admin/payouts/send': apiAdminPayoutsSend,
  '/api/admin/payouts/statement': apiAdminPayoutsStatement,
  '/api/admin/reports/[operation]': apiAdminReportsOperation,
  '/api/admin/wallet/[operation]': apiAdminWalletOperation,
  '/api/admin/wallet/recalc/[userId]': apiAdminWalletRecalcUserId,
  '/api/admin/wallet/refunds/[id]/[operation]': apiAdminWalletRefundsIdOperation,
  '/api/admin/wallet/transaction/[id]': apiAdminWalletTransactionId,
  '/api/admin/webhooks/[id]': apiAdminWebhooksId,
  '/api/admin/webhooks/[id]/[operation]': apiAdminWebhooksIdOperation,
  '/api/admin/webhooks/[id]/deliveries/[deliveryId]/retry': apiAdminWebhooksIdDeliveriesDeliveryIdRetry,
  '/api/audit-logs': apiAuditLogs,
  '/api/auth/[...nextauth]': apiAuthNextauth,
  '/api/auth/logout': apiAuthLogout,
  '/api/auth/reauthenticate': apiAuthReauthenticate,
  '/api/auth/register': apiAuthRegister,
  '/api/backups/[id]/progress': apiBackupsIdProgress,
  '/api/branding/logo/[id]': apiBrandingLogoId,
  '/api/brief-articles': apiBriefArticles,
  '/api/csp-reports': apiCspReports,
  '/api/disputes/[id]': apiDisputesId,
  '/api/disputes/[id]/[operation]': apiDisputesIdOperation,
  '/api/disputes/[id]/proposals/[n]/accept': apiDisputesIdProposalsNAccept,
  '/api/events': apiEvents,
  '/api/guest-posts': apiGuestPosts,
  '/api/guest-posts/[id]': apiGuestPostsId,
  '/api/guest-posts/counts': apiGuestPostsCounts,
  '/api/guest-posts/upload': apiGuestPostsUpload,
  '/api/health': apiHealth,
  '/api/health/live': apiHealthLive,
  '/api/invoices': apiInvoices,
  '/api/invoices/[file]': apiInvoicesFile,
  '/api/jobs/run': apiJobsRun,
  '/api/licenses': apiLicenses,
  '/api/licenses/[id]': apiLicensesId,
  '/api/mcp': apiMcp,
  '/api/metrics': apiMetrics,
  '/api/niches-types': apiNichesTypes,
  '/api/niches-types/[operation]/[name]': apiNichesTypesOperationName,
  '/api/niches-types/api/[operation]/[name]': apiNichesTypesApiOperationName,
  '/api/openapi.json': apiOpenapiJson,
  '/api/orders': apiOrders,
  '/api/orders/[id]': apiOrdersId,
  '/api/orders/[id]/[operation]': apiOrdersIdOperation,
  '/api/orders/[id]/brief/article': apiOrdersIdBriefArticle,
  '/api/orders/[id]/changes/[changeId]/[operation]': apiOrdersIdChangesChangeIdOperation,
  '/api/orders/[id]/content/download': apiOrdersIdContentDownload,
  '/api/orders/[id]/messages/files/[fileId]': apiOrdersIdMessagesFilesFileId,
  '/api/orders/approve': apiOrdersApprove,
  '/api/packages': apiPackages,
  '/api/packages/[id]': apiPackagesId,
  '/api/payments/[operation]/webhook': apiPaymentsOperationWebhook,
  '/api/profile/avatar': apiProfileAvatar,
  '/api/proofs/[id]': apiProofsId,
  '/api/quotes': apiQuotes,
  '/api/quotes/[id]/place': apiQuotesIdPlace,
  '/api/roles': apiRoles,
  '/api/roles/[id]': apiRolesId,
  '/api/seller/[operation]': apiSellerOperation,
  '/api/seller/auth/[operation]': apiSellerAuthOperation,
  '/api/seller/orders/[id]': apiSellerOrdersId,
  '/api/seller/orders/[id]/[operation]': apiSellerOrdersIdOperation,
  '/api/seller/orders/[id]/brief/article': apiSellerOrdersIdBriefArticle,
  '/api/seller/orders/[id]/changes/[changeId]/[operation]': apiSellerOrdersIdChangesChangeIdOperation,
  '/api/seller/orders/[id]/messages/files/[fileId]': apiSellerOrdersIdMessagesFilesFileId,
  '/api/seller/orders/accept': apiSellerOrdersAccept,
  '/api/seller/orders/decline': apiSellerOrdersDecline,
  '/api/seller/payouts/[id]': apiSellerPayoutsId,
  '/api/seller/sites/[id]/options': apiSellerSitesIdOptions,
  '/api/seller/sites/[id]/ownership': apiSellerSitesIdOwnership,
  '/api/seller/sites/[id]/ownership/check': apiSellerSitesIdOwnershipCheck,
  '/api/seller/sites/[id]/wordpress': apiSellerSitesIdWordpress,
  '/api/seller/sites/[id]/wordpress/connect': apiSellerSitesIdWordpressConnect,
  '/api/seller/sites/bulk': apiSellerSitesBulk,
  '/api/seller/sites/import': apiSellerSitesImport,
  '/api/seller/sites/stats': apiSellerSitesStats,
  '/api/seller/sites/upload': apiSellerSitesUpload,
  '/api/tokens': apiTokens,
  '/api/tokens/[id]': apiTokensId,
  '/api/tools/seo/suggest': apiToolsSeoSuggest,
  '/api/uploads': apiUploads,
  '/api/user/[operation]': apiUserOperation,
  '/api/user/accounts/[id]': apiUserAccountsId,
  '/api/user/accounts/[id]/invitations/[invitationId]': apiUserAccountsIdInvitationsInvitationId,
  '/api/user/accounts/[id]/members': apiUserAccountsIdMembers,
  '/api/user/accounts/[id]/members/[userId]': apiUserAccountsIdMembersUserId,
  '/api/user/accounts/[id]/policy': apiUserAccountsIdPolicy,
  '/api/user/auth/[operation]': apiUserAuthOperation,
  '/api/user/auth/verify/resend': apiUserAuthVerifyResend,
  '/api/user/blocklist': apiUserBlocklist,
  '/api/user/carts': apiUserCarts,
  '/api/user/carts/[id]': apiUserCartsId,
  '/api/user/carts/[id]/import': apiUserCartsIdImport,
  '/api/user/carts/[id]/items': apiUserCartsIdItems,
  '/api/user/carts/[id]/order': apiUserCartsIdOrder,
  '/api/user/invitations/[token]/accept': apiUserInvitationsTokenAccept,
  '/api/user/payments/stripe/checkout': apiUserPaymentsStripeCheckout,
  '/api/user/projects/[id]': apiUserProjectsId,
  '/api/user/projects/[id]/anchor-plan': apiUserProjectsIdAnchorPlan,
  '/api/user/projects/[id]/anchor-plan/next': apiUserProjectsIdAnchorPlanNext,
  '/api/user/projects/[id]/blocklist': apiUserProjectsIdBlocklist,
  '/api/user/projects/[id]/budget': apiUserProjectsIdBudget,
  '/api/user/projects/[id]/linked-domains': apiUserProjectsIdLinkedDomains,
  '/api/user/projects/[id]/links': apiUserProjectsIdLinks,
  '/api/user/projects/[id]/reports': apiUserProjectsIdReports,
  '/api/user/projects/[id]/reports/[reportId]': apiUserProjectsIdReportsReportId,
  '/api/user/requests/[id]': apiUserRequestsId,
  '/api/user/requests/[id]/[operation]': apiUserRequestsIdOperation,
  '/api/users': apiUsers,
  '/api/users/[id]': apiUsersId,
  '/api/wallet': apiWallet,
  '/api/wallet/[operation]': apiWalletOperation,
  '/api/wallet/refund-requests/[id]': apiWalletRefundRequestsId,
  '/api/wallet/topup/[operation]': apiWalletTopupOperation,
  '/api/wallet/topup/bank/[reference]': apiWalletTopupBankReference,
  '/api/webhooks': apiWebhooks,
  '/api/webhooks/[id]': apiWebhooksId,
  '/api/webhooks/[id]/[operation]': apiWebhooksIdOperation,
  '/api/webhooks/[id]/deliveries/[deliveryId]/retry': apiWebhooksIdDeliveriesDeliveryIdRetry,
  '/dashboard/features/audit-logs/export': dashboardFeaturesAuditLogsExport,
  '/dashboard/features/backup/[id]/download': dashboardFeaturesBackupIdDownload,
  '/dashboard/features/backup/upload': dashboardFeaturesBackupUpload,
  '/dashboard/features/disputes/export': dashboardFeaturesDisputesExport,
  '/dashboard/features/guest-posts/export': dashboardFeaturesGuestPostsExport,
  '/dashboard/features/guest-posts/template': dashboardFeaturesGuestPostsTemplate,
  '/dashboard/features/link-checks/export': dashboardFeaturesLinkChecksExport,
  '/dashboard/features/money/export': dashboardFeaturesMoneyExport,
  '/dashboard/features/orders/export': dashboardFeaturesOrdersExport,
  '/dashboard/features/payments/settlement/export': dashboardFeaturesPaymentsSettlementExport,
  '/dashboard/features/payouts/batches/[id]/file': dashboardFeaturesPayoutsBatchesIdFile,
  '/dashboard/features/payouts/export': dashboardFeaturesPayoutsExport,
  '/dashboard/features/payouts/statements/export': dashboardFeaturesPayoutsStatementsExport,
  '/dashboard/features/sellers/export': dashboardFeaturesSellersExport,
  '/dashboard/features/users/export': dashboardFeaturesUsersExport,
  '/dashboard/features/wallet-manager/export': dashboardFeaturesWalletManagerExport,
  '/seller/earnings/export': sellerEarningsExport,
  '/seller/earnings/pdf': sellerEarningsPdf,
  '/seller/my-sites/export': sellerMySitesExport,
  '/seller/my-sites/template': sellerMySitesTemplate,
  '/user/orders/export': userOrdersExport,
  '/user/wallet/export': userWalletExport,
});
