import * as securityTxt from '@/app/.well-known/security.txt/route';
import * as dashboardFeaturesAuditLogsExport from '@/app/(admin)/dashboard/features/audit-logs/export/route';
import * as dashboardFeaturesBackupIdDownload from '@/app/(admin)/dashboard/features/backup/[id]/download/route';
import * as dashboardFeaturesBackupUpload from '@/app/(admin)/dashboard/features/backup/upload/route';
import * as dashboardFeaturesGuestPostsExport from '@/app/(admin)/dashboard/features/guest-posts/export/route';
import * as dashboardFeaturesGuestPostsTemplate from '@/app/(admin)/dashboard/features/guest-posts/template/route';
import * as dashboardFeaturesOrdersExport from '@/app/(admin)/dashboard/features/orders/export/route';
import * as dashboardFeaturesPaymentsSettlementExport from '@/app/(admin)/dashboard/features/payments/settlement/export/route';
import * as sellerMySitesTemplate from '@/app/(seller)/seller/my-sites/template/route';
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
import * as adminOrdersIdContentDownload from '@/app/api/admin/orders/[id]/content/download/route';
import * as adminOrdersIdContent from '@/app/api/admin/orders/[id]/content/route';
import * as adminOrdersId from '@/app/api/admin/orders/[id]/route';
import * as adminOrders from '@/app/api/admin/orders/route';
import * as adminPaymentsProviderConfig from '@/app/api/admin/payments/[provider]/config/route';
import * as adminPaymentsWechatPrivateKey from '@/app/api/admin/payments/wechat/private-key/route';
import * as adminUsers from '@/app/api/admin/users/route';
import * as adminWalletRecalcUserId from '@/app/api/admin/wallet/recalc/[userId]/route';
import * as adminWalletTopup from '@/app/api/admin/wallet/topup/route';
import * as adminWalletTransactionId from '@/app/api/admin/wallet/transaction/[id]/route';
import * as adminWalletTransactions from '@/app/api/admin/wallet/transactions/route';
import * as auditLogs from '@/app/api/audit-logs/route';
import * as authNextauth from '@/app/api/auth/[...nextauth]/route';
import * as authLogout from '@/app/api/auth/logout/route';
import * as authReauthenticate from '@/app/api/auth/reauthenticate/route';
import * as authRegister from '@/app/api/auth/register/route';
import * as brandingLogoId from '@/app/api/branding/logo/[id]/route';
import * as cspReports from '@/app/api/csp-reports/route';
import * as guestPostsId from '@/app/api/guest-posts/[id]/route';
import * as guestPosts from '@/app/api/guest-posts/route';
import * as guestPostsUpload from '@/app/api/guest-posts/upload/route';
import * as healthLive from '@/app/api/health/live/route';
import * as health from '@/app/api/health/route';
import * as jobsRun from '@/app/api/jobs/run/route';
import * as licensesId from '@/app/api/licenses/[id]/route';
import * as licenses from '@/app/api/licenses/route';
import * as nichesTypesApiNicheName from '@/app/api/niches-types/api/niche/[name]/route';
import * as nichesTypesApiTypeName from '@/app/api/niches-types/api/type/[name]/route';
import * as nichesTypesNicheName from '@/app/api/niches-types/niche/[name]/route';
import * as nichesTypes from '@/app/api/niches-types/route';
import * as nichesTypesTypeName from '@/app/api/niches-types/type/[name]/route';
import * as openapiJson from '@/app/api/openapi.json/route';
import * as ordersIdContentDownload from '@/app/api/orders/[id]/content/download/route';
import * as orders from '@/app/api/orders/route';
import * as packagesId from '@/app/api/packages/[id]/route';
import * as packages from '@/app/api/packages/route';
import * as paymentsPaypalWebhook from '@/app/api/payments/paypal/webhook/route';
import * as paymentsStripeWebhook from '@/app/api/payments/stripe/webhook/route';
import * as paymentsWechatWebhook from '@/app/api/payments/wechat/webhook/route';
import * as profileAvatar from '@/app/api/profile/avatar/route';
import * as rolesId from '@/app/api/roles/[id]/route';
import * as roles from '@/app/api/roles/route';
import * as sellerAuthLogin from '@/app/api/seller/auth/login/route';
import * as sellerAuthLogout from '@/app/api/seller/auth/logout/route';
import * as sellerAuthMe from '@/app/api/seller/auth/me/route';
import * as sellerSites from '@/app/api/seller/sites/route';
import * as sellerSitesStats from '@/app/api/seller/sites/stats/route';
import * as sellerSitesUpload from '@/app/api/seller/sites/upload/route';
import * as toolsSeoSuggest from '@/app/api/tools/seo/suggest/route';
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
import * as userProjectsId from '@/app/api/user/projects/[id]/route';
import * as userProjects from '@/app/api/user/projects/route';
import * as usersId from '@/app/api/users/[id]/route';
import * as users from '@/app/api/users/route';
import * as walletBalance from '@/app/api/wallet/balance/route';
import * as wallet from '@/app/api/wallet/route';
import * as walletTopupPaypal from '@/app/api/wallet/topup/paypal/route';
import * as walletTopupWechat from '@/app/api/wallet/topup/wechat/route';
import * as walletTransactions from '@/app/api/wallet/transactions/route';
import type { RouteModules } from '@/lib/platform/openapi/document';

/**
 * Every path that the app serves besides its pages; tests/api/openapi.test.ts compares it with the files. Excludes
 * /api/[...rest], which responds to unknown paths.
 */
export const addresses: RouteModules = {
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
  '/api/admin/orders': adminOrders,
  '/api/admin/orders/[id]': adminOrdersId,
  '/api/admin/orders/[id]/content': adminOrdersIdContent,
  '/api/admin/orders/[id]/content/download': adminOrdersIdContentDownload,
  '/api/admin/payments/[provider]/config': adminPaymentsProviderConfig,
  '/api/admin/payments/wechat/private-key': adminPaymentsWechatPrivateKey,
  '/api/admin/users': adminUsers,
  '/api/admin/wallet/recalc/[userId]': adminWalletRecalcUserId,
  '/api/admin/wallet/topup': adminWalletTopup,
  '/api/admin/wallet/transaction/[id]': adminWalletTransactionId,
  '/api/admin/wallet/transactions': adminWalletTransactions,
  '/api/audit-logs': auditLogs,
  '/api/auth/[...nextauth]': authNextauth,
  '/api/auth/logout': authLogout,
  '/api/auth/reauthenticate': authReauthenticate,
  '/api/auth/register': authRegister,
  '/api/branding/logo/[id]': brandingLogoId,
  '/api/csp-reports': cspReports,
  '/api/guest-posts': guestPosts,
  '/api/guest-posts/[id]': guestPostsId,
  '/api/guest-posts/upload': guestPostsUpload,
  '/api/health': health,
  '/api/health/live': healthLive,
  '/api/jobs/run': jobsRun,
  '/api/licenses': licenses,
  '/api/licenses/[id]': licensesId,
  '/api/niches-types': nichesTypes,
  '/api/niches-types/api/niche/[name]': nichesTypesApiNicheName,
  '/api/niches-types/api/type/[name]': nichesTypesApiTypeName,
  '/api/niches-types/niche/[name]': nichesTypesNicheName,
  '/api/niches-types/type/[name]': nichesTypesTypeName,
  '/api/openapi.json': openapiJson,
  '/api/orders': orders,
  '/api/orders/[id]/content/download': ordersIdContentDownload,
  '/api/packages': packages,
  '/api/packages/[id]': packagesId,
  '/api/payments/paypal/webhook': paymentsPaypalWebhook,
  '/api/payments/stripe/webhook': paymentsStripeWebhook,
  '/api/payments/wechat/webhook': paymentsWechatWebhook,
  '/api/profile/avatar': profileAvatar,
  '/api/roles': roles,
  '/api/roles/[id]': rolesId,
  '/api/seller/auth/login': sellerAuthLogin,
  '/api/seller/auth/logout': sellerAuthLogout,
  '/api/seller/auth/me': sellerAuthMe,
  '/api/seller/sites': sellerSites,
  '/api/seller/sites/stats': sellerSitesStats,
  '/api/seller/sites/upload': sellerSitesUpload,
  '/api/tools/seo/suggest': toolsSeoSuggest,
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
  '/api/users': users,
  '/api/users/[id]': usersId,
  '/api/wallet': wallet,
  '/api/wallet/balance': walletBalance,
  '/api/wallet/topup/paypal': walletTopupPaypal,
  '/api/wallet/topup/wechat': walletTopupWechat,
  '/api/wallet/transactions': walletTransactions,
  '/dashboard/features/audit-logs/export': dashboardFeaturesAuditLogsExport,
  '/dashboard/features/backup/[id]/download': dashboardFeaturesBackupIdDownload,
  '/dashboard/features/backup/upload': dashboardFeaturesBackupUpload,
  '/dashboard/features/guest-posts/export': dashboardFeaturesGuestPostsExport,
  '/dashboard/features/guest-posts/template': dashboardFeaturesGuestPostsTemplate,
  '/dashboard/features/orders/export': dashboardFeaturesOrdersExport,
  '/dashboard/features/payments/settlement/export': dashboardFeaturesPaymentsSettlementExport,
  '/seller/my-sites/template': sellerMySitesTemplate,
  '/.well-known/security.txt': securityTxt,
};
