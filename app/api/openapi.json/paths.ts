import * as linkmarketKeys from '@/app/.well-known/linkmarket-keys/route';
import * as securityTxt from '@/app/.well-known/security.txt/route';
import * as dashboardFeaturesAuditLogsExport from '@/app/(admin)/dashboard/features/audit-logs/export/route';
import * as dashboardFeaturesBackupIdDownload from '@/app/(admin)/dashboard/features/backup/[id]/download/route';
import * as dashboardFeaturesBackupIdProgress from '@/app/(admin)/dashboard/features/backup/[id]/progress/route';
import * as dashboardFeaturesBackupUpload from '@/app/(admin)/dashboard/features/backup/upload/route';
import * as dashboardFeaturesGuestPostsExport from '@/app/(admin)/dashboard/features/guest-posts/export/route';
import * as dashboardFeaturesGuestPostsTemplate from '@/app/(admin)/dashboard/features/guest-posts/template/route';
import * as dashboardFeaturesOrdersExport from '@/app/(admin)/dashboard/features/orders/export/route';
import * as dashboardFeaturesPaymentsSettlementExport from '@/app/(admin)/dashboard/features/payments/settlement/export/route';
import * as sellerMySitesTemplate from '@/app/(seller)/seller/my-sites/template/route';
import * as userProjectsIdReportExport from '@/app/(user)/user/projects/[id]/report/export/route';
import * as aclMyPermissions from '@/app/api/acl/my-permissions/route';
import * as aclPermissions from '@/app/api/acl/permissions/route';
import * as aclRolesRoleNamePermissions from '@/app/api/acl/roles/[roleName]/permissions/route';
import * as aclRolesRoleName from '@/app/api/acl/roles/[roleName]/route';
import * as aclRoles from '@/app/api/acl/roles/route';
import * as aclRolesWithPermissions from '@/app/api/acl/roles-with-permissions/route';
import * as aclUsersUserIdRoles from '@/app/api/acl/users/[userId]/roles/route';
import * as adminAuthLogin from '@/app/api/admin/auth/login/route';
import * as adminAuthLogout from '@/app/api/admin/auth/logout/route';
import * as adminAuthMe from '@/app/api/admin/auth/me/route';
import * as adminDisputesIdDecide from '@/app/api/admin/disputes/[id]/decide/route';
import * as adminDisputes from '@/app/api/admin/disputes/route';
import * as adminLinkChecks from '@/app/api/admin/link-checks/route';
import * as adminOrdersIdBriefArticle from '@/app/api/admin/orders/[id]/brief/article/route';
import * as adminOrdersIdChecks from '@/app/api/admin/orders/[id]/checks/route';
import * as adminOrdersIdContentDownload from '@/app/api/admin/orders/[id]/content/download/route';
import * as adminOrdersIdContent from '@/app/api/admin/orders/[id]/content/route';
import * as adminOrdersIdMessagesFilesFileId from '@/app/api/admin/orders/[id]/messages/files/[fileId]/route';
import * as adminOrdersIdMessages from '@/app/api/admin/orders/[id]/messages/route';
import * as adminOrdersIdPlacement from '@/app/api/admin/orders/[id]/placement/route';
import * as adminOrdersId from '@/app/api/admin/orders/[id]/route';
import * as adminOrders from '@/app/api/admin/orders/route';
import * as adminPaymentsProviderConfig from '@/app/api/admin/payments/[provider]/config/route';
import * as adminPaymentsWechatPrivateKey from '@/app/api/admin/payments/wechat/private-key/route';
import * as adminUsers from '@/app/api/admin/users/route';
import * as auditLogs from '@/app/api/audit-logs/route';
import * as authNextauth from '@/app/api/auth/[...nextauth]/route';
import * as authLogout from '@/app/api/auth/logout/route';
import * as authReauthenticate from '@/app/api/auth/reauthenticate/route';
import * as authRegister from '@/app/api/auth/register/route';
import * as brandingLogoId from '@/app/api/branding/logo/[id]/route';
import * as briefArticles from '@/app/api/brief-articles/route';
import * as cspReports from '@/app/api/csp-reports/route';
import * as disputesIdProposalsNAccept from '@/app/api/disputes/[id]/proposals/[n]/accept/route';
import * as disputesIdProposals from '@/app/api/disputes/[id]/proposals/route';
import * as disputesId from '@/app/api/disputes/[id]/route';
import * as disputesIdWithdraw from '@/app/api/disputes/[id]/withdraw/route';
import * as guestPostsId from '@/app/api/guest-posts/[id]/route';
import * as guestPostsCounts from '@/app/api/guest-posts/counts/route';
import * as guestPosts from '@/app/api/guest-posts/route';
import * as guestPostsUpload from '@/app/api/guest-posts/upload/route';
import * as healthLive from '@/app/api/health/live/route';
import * as health from '@/app/api/health/route';
import * as jobsRun from '@/app/api/jobs/run/route';
import * as licensesId from '@/app/api/licenses/[id]/route';
import * as licenses from '@/app/api/licenses/route';
import * as mcp from '@/app/api/mcp/route';
import * as metrics from '@/app/api/metrics/route';
import * as nichesTypesApiNicheName from '@/app/api/niches-types/api/niche/[name]/route';
import * as nichesTypesApiTypeName from '@/app/api/niches-types/api/type/[name]/route';
import * as nichesTypesNicheName from '@/app/api/niches-types/niche/[name]/route';
import * as nichesTypes from '@/app/api/niches-types/route';
import * as nichesTypesTypeName from '@/app/api/niches-types/type/[name]/route';
import * as ordersIdApprove from '@/app/api/orders/[id]/approve/route';
import * as ordersIdBriefArticle from '@/app/api/orders/[id]/brief/article/route';
import * as ordersIdBrief from '@/app/api/orders/[id]/brief/route';
import * as ordersIdCancel from '@/app/api/orders/[id]/cancel/route';
import * as ordersIdChecks from '@/app/api/orders/[id]/checks/route';
import * as ordersIdContentDownload from '@/app/api/orders/[id]/content/download/route';
import * as ordersIdDispute from '@/app/api/orders/[id]/dispute/route';
import * as ordersIdExtension from '@/app/api/orders/[id]/extension/route';
import * as ordersIdMessagesFilesFileId from '@/app/api/orders/[id]/messages/files/[fileId]/route';
import * as ordersIdMessages from '@/app/api/orders/[id]/messages/route';
import * as ordersIdRevision from '@/app/api/orders/[id]/revision/route';
import * as ordersId from '@/app/api/orders/[id]/route';
import * as orders from '@/app/api/orders/route';
import * as packagesId from '@/app/api/packages/[id]/route';
import * as packages from '@/app/api/packages/route';
import * as paymentsPaypalWebhook from '@/app/api/payments/paypal/webhook/route';
import * as paymentsStripeWebhook from '@/app/api/payments/stripe/webhook/route';
import * as paymentsWechatWebhook from '@/app/api/payments/wechat/webhook/route';
import * as profileAvatar from '@/app/api/profile/avatar/route';
import * as proofsId from '@/app/api/proofs/[id]/route';
import * as quotesIdPlace from '@/app/api/quotes/[id]/place/route';
import * as quotes from '@/app/api/quotes/route';
import * as rolesId from '@/app/api/roles/[id]/route';
import * as roles from '@/app/api/roles/route';
import * as sellerAuthLogin from '@/app/api/seller/auth/login/route';
import * as sellerAuthLogout from '@/app/api/seller/auth/logout/route';
import * as sellerAuthMe from '@/app/api/seller/auth/me/route';
import * as sellerOrdersIdAccept from '@/app/api/seller/orders/[id]/accept/route';
import * as sellerOrdersIdBriefArticle from '@/app/api/seller/orders/[id]/brief/article/route';
import * as sellerOrdersIdDecline from '@/app/api/seller/orders/[id]/decline/route';
import * as sellerOrdersIdDeliver from '@/app/api/seller/orders/[id]/deliver/route';
import * as sellerOrdersIdDispute from '@/app/api/seller/orders/[id]/dispute/route';
import * as sellerOrdersIdExtension from '@/app/api/seller/orders/[id]/extension/route';
import * as sellerOrdersIdMessagesFilesFileId from '@/app/api/seller/orders/[id]/messages/files/[fileId]/route';
import * as sellerOrdersIdMessages from '@/app/api/seller/orders/[id]/messages/route';
import * as sellerOrdersIdRelease from '@/app/api/seller/orders/[id]/release/route';
import * as sellerOrdersIdRepaired from '@/app/api/seller/orders/[id]/repaired/route';
import * as sellerOrdersId from '@/app/api/seller/orders/[id]/route';
import * as sellerOrders from '@/app/api/seller/orders/route';
import * as sellerSites from '@/app/api/seller/sites/route';
import * as sellerSitesStats from '@/app/api/seller/sites/stats/route';
import * as sellerSitesUpload from '@/app/api/seller/sites/upload/route';
import * as toolsSeoSuggest from '@/app/api/tools/seo/suggest/route';
import * as uploads from '@/app/api/uploads/route';
import * as userAuthForgot from '@/app/api/user/auth/forgot/route';
import * as userAuthLogin from '@/app/api/user/auth/login/route';
import * as userAuthLogout from '@/app/api/user/auth/logout/route';
import * as userAuthMe from '@/app/api/user/auth/me/route';
import * as userAuthRegister from '@/app/api/user/auth/register/route';
import * as userAuthReset from '@/app/api/user/auth/reset/route';
import * as userAuthVerifyResend from '@/app/api/user/auth/verify/resend/route';
import * as userAuthVerify from '@/app/api/user/auth/verify/route';
import * as userPackages from '@/app/api/user/packages/route';
import * as userPaymentsStripeCheckout from '@/app/api/user/payments/stripe/checkout/route';
import * as userProjectsIdLinks from '@/app/api/user/projects/[id]/links/route';
import * as userProjectsId from '@/app/api/user/projects/[id]/route';
import * as userProjects from '@/app/api/user/projects/route';
import * as usersId from '@/app/api/users/[id]/route';
import * as users from '@/app/api/users/route';
import type { RouteModules } from '@/lib/platform/openapi/document';
import { developerPaths } from './developer-paths';
import { payoutPaths } from './payout-paths';
import { walletPaths } from './wallet-paths';

/**
 * Every path that the app serves besides its pages; tests/api/openapi.test.ts compares it with the files. Excludes
 * /api/[...rest], which responds to unknown paths.
 */
export const paths: RouteModules = {
  ...developerPaths,
  '/api/acl/my-permissions': aclMyPermissions,
  '/api/acl/permissions': aclPermissions,
  '/api/acl/roles': aclRoles,
  '/api/acl/roles-with-permissions': aclRolesWithPermissions,
  '/api/acl/roles/[roleName]': aclRolesRoleName,
  '/api/acl/roles/[roleName]/permissions': aclRolesRoleNamePermissions,
  '/api/acl/users/[userId]/roles': aclUsersUserIdRoles,
  '/api/admin/auth/login': adminAuthLogin,
  '/api/admin/auth/logout': adminAuthLogout,
  '/api/admin/auth/me': adminAuthMe,
  '/api/admin/disputes': adminDisputes,
  '/api/admin/disputes/[id]/decide': adminDisputesIdDecide,
  '/api/admin/link-checks': adminLinkChecks,
  '/api/admin/orders/[id]/checks': adminOrdersIdChecks,
  '/api/admin/orders': adminOrders,
  '/api/admin/orders/[id]': adminOrdersId,
  '/api/admin/orders/[id]/brief/article': adminOrdersIdBriefArticle,
  '/api/admin/orders/[id]/content': adminOrdersIdContent,
  '/api/admin/orders/[id]/content/download': adminOrdersIdContentDownload,
  '/api/admin/orders/[id]/placement': adminOrdersIdPlacement,
  '/api/admin/payments/[provider]/config': adminPaymentsProviderConfig,
  '/api/admin/payments/wechat/private-key': adminPaymentsWechatPrivateKey,
  '/api/admin/users': adminUsers,
  '/api/audit-logs': auditLogs,
  '/api/auth/[...nextauth]': authNextauth,
  '/api/auth/logout': authLogout,
  '/api/auth/reauthenticate': authReauthenticate,
  '/api/auth/register': authRegister,
  '/api/branding/logo/[id]': brandingLogoId,
  '/api/brief-articles': briefArticles,
  '/api/csp-reports': cspReports,
  '/api/disputes/[id]': disputesId,
  '/api/disputes/[id]/proposals': disputesIdProposals,
  '/api/disputes/[id]/proposals/[n]/accept': disputesIdProposalsNAccept,
  '/api/disputes/[id]/withdraw': disputesIdWithdraw,
  '/api/guest-posts': guestPosts,
  '/api/guest-posts/[id]': guestPostsId,
  '/api/guest-posts/counts': guestPostsCounts,
  '/api/guest-posts/upload': guestPostsUpload,
  '/api/health': health,
  '/api/health/live': healthLive,
  '/api/jobs/run': jobsRun,
  '/api/licenses': licenses,
  '/api/licenses/[id]': licensesId,
  '/api/mcp': mcp,
  '/api/metrics': metrics,
  '/api/niches-types': nichesTypes,
  '/api/niches-types/api/niche/[name]': nichesTypesApiNicheName,
  '/api/niches-types/api/type/[name]': nichesTypesApiTypeName,
  '/api/niches-types/niche/[name]': nichesTypesNicheName,
  '/api/niches-types/type/[name]': nichesTypesTypeName,
  '/api/orders': orders,
  '/api/orders/[id]': ordersId,
  '/api/orders/[id]/approve': ordersIdApprove,
  '/api/orders/[id]/checks': ordersIdChecks,
  '/api/orders/[id]/brief': ordersIdBrief,
  '/api/orders/[id]/brief/article': ordersIdBriefArticle,
  '/api/orders/[id]/cancel': ordersIdCancel,
  '/api/orders/[id]/content/download': ordersIdContentDownload,
  '/api/orders/[id]/extension': ordersIdExtension,
  '/api/orders/[id]/revision': ordersIdRevision,
  '/api/admin/orders/[id]/messages': adminOrdersIdMessages,
  '/api/admin/orders/[id]/messages/files/[fileId]': adminOrdersIdMessagesFilesFileId,
  '/api/orders/[id]/messages': ordersIdMessages,
  '/api/orders/[id]/messages/files/[fileId]': ordersIdMessagesFilesFileId,
  '/api/seller/orders/[id]/messages': sellerOrdersIdMessages,
  '/api/seller/orders/[id]/messages/files/[fileId]': sellerOrdersIdMessagesFilesFileId,
  '/api/orders/[id]/dispute': ordersIdDispute,
  '/api/packages': packages,
  '/api/packages/[id]': packagesId,
  '/api/payments/paypal/webhook': paymentsPaypalWebhook,
  '/api/payments/stripe/webhook': paymentsStripeWebhook,
  '/api/payments/wechat/webhook': paymentsWechatWebhook,
  '/api/profile/avatar': profileAvatar,
  '/api/proofs/[id]': proofsId,
  '/api/quotes': quotes,
  '/api/quotes/[id]/place': quotesIdPlace,
  '/api/roles': roles,
  '/api/roles/[id]': rolesId,
  '/api/seller/auth/login': sellerAuthLogin,
  '/api/seller/auth/logout': sellerAuthLogout,
  '/api/seller/auth/me': sellerAuthMe,
  '/api/seller/orders': sellerOrders,
  '/api/seller/orders/[id]': sellerOrdersId,
  '/api/seller/orders/[id]/accept': sellerOrdersIdAccept,
  '/api/seller/orders/[id]/brief/article': sellerOrdersIdBriefArticle,
  '/api/seller/orders/[id]/decline': sellerOrdersIdDecline,
  '/api/seller/orders/[id]/deliver': sellerOrdersIdDeliver,
  '/api/seller/orders/[id]/extension': sellerOrdersIdExtension,
  '/api/seller/orders/[id]/release': sellerOrdersIdRelease,
  '/api/seller/orders/[id]/dispute': sellerOrdersIdDispute,
  '/api/seller/orders/[id]/repaired': sellerOrdersIdRepaired,
  '/api/seller/sites': sellerSites,
  '/api/seller/sites/stats': sellerSitesStats,
  '/api/seller/sites/upload': sellerSitesUpload,
  '/api/tools/seo/suggest': toolsSeoSuggest,
  '/api/uploads': uploads,
  '/api/user/auth/forgot': userAuthForgot,
  '/api/user/auth/login': userAuthLogin,
  '/api/user/auth/logout': userAuthLogout,
  '/api/user/auth/me': userAuthMe,
  '/api/user/auth/register': userAuthRegister,
  '/api/user/auth/reset': userAuthReset,
  '/api/user/auth/verify': userAuthVerify,
  '/api/user/auth/verify/resend': userAuthVerifyResend,
  '/api/user/packages': userPackages,
  '/api/user/payments/stripe/checkout': userPaymentsStripeCheckout,
  '/api/user/projects': userProjects,
  '/api/user/projects/[id]': userProjectsId,
  '/api/user/projects/[id]/links': userProjectsIdLinks,
  '/api/users': users,
  '/api/users/[id]': usersId,
  ...walletPaths,
  '/dashboard/features/audit-logs/export': dashboardFeaturesAuditLogsExport,
  '/dashboard/features/backup/[id]/download': dashboardFeaturesBackupIdDownload,
  '/dashboard/features/backup/[id]/progress': dashboardFeaturesBackupIdProgress,
  '/dashboard/features/backup/upload': dashboardFeaturesBackupUpload,
  '/dashboard/features/guest-posts/export': dashboardFeaturesGuestPostsExport,
  '/dashboard/features/guest-posts/template': dashboardFeaturesGuestPostsTemplate,
  '/dashboard/features/orders/export': dashboardFeaturesOrdersExport,
  '/dashboard/features/payments/settlement/export': dashboardFeaturesPaymentsSettlementExport,
  '/seller/my-sites/template': sellerMySitesTemplate,
  '/user/projects/[id]/report/export': userProjectsIdReportExport,
  ...payoutPaths,
  '/.well-known/linkmarket-keys': linkmarketKeys,
  '/.well-known/security.txt': securityTxt,
};
